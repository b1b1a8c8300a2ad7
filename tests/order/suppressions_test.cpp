// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/suppressions.h"

#include <stdexcept>

#include "tests/order/reports.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

using order::Suppressions;

namespace {

bool covers(const std::string& text) {
  Suppressions suppressions;
  suppressions.add(text, "known.txt");
  return suppressions.covers(ordertest::race());
}

std::string error_of(const std::string& text) {
  Suppressions suppressions;
  try {
    suppressions.add(text, "known.txt");
  } catch (const std::invalid_argument& error) {
    CHECK(suppressions.empty());
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a line covers its rule only", "[suppressions]") {
  CHECK(covers("ACL007 *"));
  CHECK(covers("* *"));
  CHECK_FALSE(covers("ACL008 *"));
  CHECK_FALSE(covers(""));
}

TEST_CASE("a source is named by its last parts, with a line or without", "[suppressions]") {
  CHECK(covers("ACL007 src:src/main.cpp:88"));
  CHECK(covers("ACL007 src:main.cpp:88"));
  CHECK(covers("ACL007 src:main.cpp"));
  CHECK(covers("ACL007 src:src/*"));
  CHECK(covers("ACL007 src:ma?n.cpp"));
  CHECK_FALSE(covers("ACL007 src:main.cpp:89"));
  CHECK_FALSE(covers("ACL007 src:ain.cpp"));
  CHECK_FALSE(covers("ACL007 src:main.c"));
}

TEST_CASE("either op may be the one that a line names", "[suppressions]") {
  CHECK(covers("ACL007 kernel:scale"));
  CHECK(covers("ACL007 kernel:cop*"));
  CHECK_FALSE(covers("ACL007 kernel:scal"));
  CHECK(covers("ACL007 fun:step"));
  CHECK(covers("ACL007 fun:step(int)"));
  CHECK(covers("ACL007 fun:st*"));
  CHECK_FALSE(covers("ACL007 fun:ste"));
  CHECK(covers("* lib:libuser.so"));
  CHECK(covers("* lib:/opt/*"));
  CHECK_FALSE(covers("* lib:user.so"));
}

TEST_CASE("an unknown place is covered by no pattern for places", "[suppressions]") {
  Suppressions suppressions;
  suppressions.add("* src:*\n* fun:*\n* lib:*\n", "known.txt");
  order::PlacedFinding finding = ordertest::race();
  finding.op_info.place = finding.other->place = {};
  CHECK_FALSE(suppressions.covers(finding));
}

TEST_CASE("comments, empty lines and the ends of lines of Windows are let pass", "[suppressions]") {
  CHECK(covers("# known\r\n\r\n  \t\n  ACL007 \t *  \r\n"));
  CHECK(covers("ACL007 *"));  // no newline
}

TEST_CASE("a wrong line is told with its file, its number and what was expected",
          "[suppressions]") {
  CHECK(error_of("ACL007 *\nACL7 *\n") == "known.txt:2: ACL7 is no rule; expected ACL001 to " +
                                              std::string(order::rules().back().id) + " or *");
  CHECK(error_of("ACL007") ==
        "known.txt:1: ACL007 is followed by nothing; expected * or src:, kernel:, fun: or lib: "
        "with a pattern");
  CHECK(error_of("ACL007 file:x") ==
        "known.txt:1: file:x says nothing; expected * or src:, kernel:, fun: or lib: with a "
        "pattern");
  CHECK(error_of("ACL007 kernel:") ==
        "known.txt:1: kernel: says nothing; expected * or src:, kernel:, fun: or lib: with a "
        "pattern");
  CHECK(error_of("# one\nACL007 src:main.cpp:x") ==
        "known.txt:2: src:main.cpp:x names no line: after the colon stands a number from 1");
  CHECK(error_of("ACL007 src:main.cpp:0") ==
        "known.txt:1: src:main.cpp:0 names no line: after the colon stands a number from 1");
}

TEST_CASE("files are read, and told when they cannot be", "[suppressions]") {
  const support::TempDir folder;
  Suppressions suppressions;
  suppressions.add_file(folder.write("known.txt", "ACL007 *\n"));
  CHECK(suppressions.covers(ordertest::race()));
  const std::string missing = (folder.path() / "missing.txt").string();
  CHECK_THROWS_WITH(suppressions.add_file(missing),
                    missing + ": cannot be read (No such file or directory)");
  const std::string itself = folder.path().string();
  CHECK_THROWS_WITH(suppressions.add_file(itself), itself + ": cannot be read (a folder)");
  suppressions.add_file(folder.write("empty.txt", ""));
}

TEST_CASE("a report loses what is covered, counts it, and lists the lines that were of no use",
          "[suppressions]") {
  Suppressions suppressions;
  suppressions.add("ACL007 kernel:scale\nACL006 *\nACL007 lib:libuser.so\n", "known.txt");
  order::Report report = ordertest::report();
  suppressions.apply(report);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule == order::Rule::redundant_wait);
  CHECK(report.suppressed == 1);
  CHECK(report.unused == std::vector<std::string>{"known.txt:2: ACL006 *"});
}
