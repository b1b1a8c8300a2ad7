// SPDX-License-Identifier: Apache-2.0
// The table of formats: its rows are complete, and the documentation shows the same rows.
#include "tools/trace/formats/format_table.h"

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace {

using trace::Format;

std::string row_of(const Format& format) {
  std::string row = "| `";
  row.append(format.name).append("`: ").append(format.files);
  for (const std::string_view cell :
       {format.recognised_by, format.events, format.notifies, format.times, format.needs}) {
    row.append(" | ").append(cell);
  }
  return row.append(format.write ? " | yes |" : " | no |");
}

/// The rows of the table below the heading that names its columns.
std::vector<std::string> documented_rows() {
  std::ifstream page(std::string(ACLSIM_SOURCE_DIR) + "/docs/trace-format.md");
  std::vector<std::string> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| format | recognised by |")) inside = true;
    if (!inside) continue;
    if (!line.starts_with("|")) break;
    rows.push_back(line);
  }
  if (rows.size() > 2) rows.erase(rows.begin(), rows.begin() + 2);
  return rows;
}

}  // namespace

TEST_CASE("the documentation shows the table of formats") {
  std::vector<std::string> expected;
  for (const Format& format : trace::formats()) expected.push_back(row_of(format));
  CHECK(documented_rows() == expected);
}

TEST_CASE("each format has one way to be recognised and one reader") {
  std::set<std::string_view> names;
  for (const Format& format : trace::formats()) {
    INFO(format.name);
    CHECK(names.insert(format.name).second);
    CHECK((format.begins != nullptr) + (format.contains != nullptr) +
              (format.resembles != nullptr) ==
          1);
    CHECK((format.read_text != nullptr) + (format.read_file != nullptr) == 1);
    CHECK((format.resembles == nullptr) == (format.surely == nullptr));
    CHECK((format.needs == "-") == (format.available == nullptr));
    if (format.write) CHECK_FALSE(format.suffix.empty());
    if (!format.superseded_by.empty()) CHECK(trace::find_format(format.superseded_by));
  }
}

TEST_CASE("the name of an output chooses its format") {
  CHECK(trace::format_for_output("job.et").name == "chakra");
  CHECK(trace::format_for_output("job.aclt.jsonl.gz").name == trace::kNativeFormat);
  CHECK(trace::format_for_output("-").name == trace::kNativeFormat);
}

TEST_CASE("the last JSON format takes any JSON trace") {
  const Format* last = nullptr;
  for (const Format& format : trace::formats()) {
    if (format.contains) last = &format;
  }
  REQUIRE(last);
  CHECK(last->contains("{}"));
}
