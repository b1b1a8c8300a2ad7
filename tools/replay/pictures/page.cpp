// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/pictures/page.h"

#include <fmt/format.h>

#include <iterator>

#include "tools/replay/pictures/page_source.h"
#include "tools/replay/results/json_text.h"

namespace replay {
namespace {

void put_texts(std::string& out, const std::vector<std::string>& texts) {
  out += "[";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i != 0) out += ",";
    out += json_text(texts[i]);
  }
  out += "]";
}

/// Starts as differences, so that the numbers stay short: start, length, name, share and flags,
/// ops, number.
void put_row(std::string& out, const PictureRow& row) {
  fmt::format_to(std::back_inserter(out), "{{\"g\":{},\"t\":{},\"s\":[", json_text(row.group),
                 json_text(row.title));
  Nanoseconds before = 0;
  bool first = true;
  for (const Slice& slice : row.slices) {
    const int flags =
        static_cast<int>(slice.share) | (slice.wait ? 16 : 0) | (slice.critical ? 32 : 0);
    fmt::format_to(std::back_inserter(out), "{}{},{},{},{},{},{}", first ? "" : ",",
                   slice.start - before, slice.length, slice.name, flags, slice.ops, slice.number);
    before = slice.start;
    first = false;
  }
  out += "]}";
}

std::string data(const Picture& picture, const PageText& text) {
  std::string out =
      fmt::format("{{\"title\":{},\"verdict\":{},\"command\":{},\"begin\":{},\"end\":{},\"facts\":",
                  json_text(text.title), json_text(text.verdict), json_text(text.command),
                  picture.begin, picture.end);
  put_texts(out, picture.facts);
  out += ",\"summary\":" + json_text(picture.summary);
  out += ",\"names\":";
  put_texts(out, picture.names);
  out += ",\"shares\":[";
  for (int s = 0; s < kShares; ++s) {
    fmt::format_to(std::back_inserter(out), "{}\"{}\"", s == 0 ? "" : ",",
                   word(static_cast<Share>(s)));
  }
  out += "],\"rows\":[";
  for (std::size_t r = 0; r < picture.rows.size(); ++r) {
    if (r != 0) out += ",\n";
    put_row(out, picture.rows[r]);
  }
  out += "],\"arrows\":[";
  for (std::size_t a = 0; a < picture.arrows.size(); ++a) {
    const Arrow& arrow = picture.arrows[a];
    fmt::format_to(std::back_inserter(out), "{}{},{},{},{},{}", a == 0 ? "" : ",", arrow.from_row,
                   arrow.from, arrow.to_row, arrow.to,
                   (arrow.inferred ? 1 : 0) | (arrow.critical ? 2 : 0) | (arrow.finding ? 4 : 0));
  }
  return out + "]}";
}

}  // namespace

std::string to_html(const Picture& picture, const PageText& text) {
  std::string page = kPageSource;
  const std::string mark = "/*DATA*/";
  const std::size_t at = page.find(mark);
  page.replace(at, mark.size(), data(picture, text));
  return page;
}

}  // namespace replay
