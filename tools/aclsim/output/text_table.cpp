// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/output/text_table.h"
#include "tools/aclsim/output/standard_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>

namespace aclsim {

void print_table(const std::vector<TableRow>& rows, const std::vector<Align>& align) {
  std::vector<std::size_t> widths;
  for (const TableRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  for (const TableRow& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool left = align[std::min(c, align.size() - 1)] == Align::left;
      line += left ? fmt::format("{:<{}}  ", row[c], widths[c])
                   : fmt::format("{:>{}}  ", row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    print_out("{}\n", line);
  }
}

void print_tsv(const std::vector<TableRow>& rows) {
  for (const TableRow& row : rows) print_out("{}\n", fmt::join(row, "\t"));
}

std::string json_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace aclsim
