// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tools/replay/pictures/page.h"
#include "tools/replay/results/naming.h"

namespace replay {
namespace {

constexpr std::size_t kLeftColumns = 26;
constexpr std::array<char, kShares> kMarks{'#', '=', '*', ':', '@', '-', ' '};
constexpr std::array<const char*, kShares> kTerminalColours{"34", "33", "32", "35",
                                                            "31", "36", "37"};

/// The kind of op that fills most of a column of a row.
struct Column {
  std::array<Nanoseconds, kShares> busy{};
  Nanoseconds wait = 0;
  bool critical = false;
};

__extension__ using Wide = __int128;  // times by columns: no 64 bits hold that

std::vector<Column> columns(const Picture& picture, const PictureRow& row, std::size_t width) {
  std::vector<Column> found(width);
  const auto span = static_cast<double>(std::max<Nanoseconds>(1, picture.end - picture.begin));
  const auto columns = static_cast<double>(width);
  const auto edge = [&](std::size_t c) {
    return picture.begin + static_cast<Nanoseconds>(span * static_cast<double>(c) / columns);
  };
  const auto column = [&](Nanoseconds time) {
    const double at = static_cast<double>(time - picture.begin) * columns / span;
    return static_cast<std::size_t>(std::clamp(at, 0.0, columns - 1));
  };
  for (const Slice& slice : row.slices) {
    const Nanoseconds end = slice.start + slice.length;
    for (std::size_t c = column(slice.start); c <= column(end); ++c) {
      const Nanoseconds part = std::max<Nanoseconds>(
          slice.length == 0 ? 0 : 1, std::min(end, edge(c + 1)) - std::max(slice.start, edge(c)));
      if (slice.wait)
        found[c].wait += part;
      else
        found[c].busy[static_cast<std::size_t>(slice.share)] += part;
      found[c].critical = found[c].critical || slice.critical;
    }
  }
  return found;
}

void put(std::string& line, const Column& column, bool colours) {
  const auto most = std::max_element(column.busy.begin(), column.busy.end());
  const auto share = static_cast<std::size_t>(most - column.busy.begin());
  const char mark = *most == 0 ? (column.wait == 0 ? ' ' : '.') : kMarks[share];
  if (!colours || mark == ' ') {
    line += mark;
    return;
  }
  line += fmt::format("\x1b[{}{}m{}\x1b[0m", column.critical ? "1;" : "",
                      mark == '.' ? "90" : kTerminalColours[share], mark);
}

}  // namespace

std::string to_ascii(const Picture& picture, std::size_t width, bool colours) {
  const std::size_t room = std::max<std::size_t>(width, kLeftColumns + 20) - kLeftColumns;
  std::string text;
  std::string group;
  for (const PictureRow& row : picture.rows) {
    if (row.group != group) text += fmt::format("{}\n", group = row.group);
    text += fmt::format("  {:<{}.{}}|", row.title, kLeftColumns - 4, kLeftColumns - 4);
    for (const Column& column : columns(picture, row, room - 1)) put(text, column, colours);
    text += "|\n";
  }
  const std::string begin = time_text(picture.begin);
  text += fmt::format("{:<{}}{}{:>{}}\n", "", kLeftColumns - 1, begin, time_text(picture.end),
                      room - begin.size() + 1);
  text += "# kernel  = copy  * communication  : signal  @ callback  - host  . waiting\n";
  return text;
}

}  // namespace replay
