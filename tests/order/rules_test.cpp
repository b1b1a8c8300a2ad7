// SPDX-License-Identifier: Apache-2.0
// Properties of each rule of the table.
#include "runtime/order/engine/rules.h"

#include <set>
#include <string>
#include <string_view>

#include "runtime/order/report/suppressions.h"
#include "tests/order/reports.h"
#include "tests/support/catch.h"

namespace {

bool is_phrase(std::string_view text) {
  return !text.empty() && text.back() != '.' && text.front() != ' ' && text.back() != ' ' &&
         text.find("  ") == text.npos;
}

}  // namespace

TEST_CASE("each rule has an identifier, a title, a meaning and a repair", "[rules]") {
  std::set<std::string_view> titles;
  for (const order::RuleInfo& row : order::rules()) {
    INFO(row.id);
    CHECK(&order::info(row.rule) == &row);
    CHECK(order::find_rule(row.id) == &row);
    CHECK(titles.insert(row.title).second);
    CHECK(is_phrase(row.title));
    CHECK(is_phrase(row.meaning));
    CHECK(is_phrase(row.repair));
    CHECK(row.title.find_first_of(":|\n") == row.title.npos);
  }
  CHECK(order::find_rule("ACL000") == nullptr);
  CHECK(order::find_rule("ACL1000") == nullptr);
}

TEST_CASE("a line of suppressions covers each rule by its identifier", "[rules]") {
  for (const order::RuleInfo& row : order::rules()) {
    INFO(row.id);
    order::Suppressions suppressions;
    suppressions.add(std::string(row.id) + " *", "known.txt");
    order::PlacedFinding finding = ordertest::race();
    finding.rule = row.rule;
    CHECK(suppressions.covers(finding));
  }
}
