// SPDX-License-Identifier: Apache-2.0
// What reports look like, word for word.
#include "runtime/order/report.h"

#include "tests/order/reports.h"
#include "tests/support/catch.h"

using order::Level;
using order::PlacedFinding;
using order::Report;
using order::Rule;

TEST_CASE("a finding names both ops, their places, the bytes and the repair", "[report]") {
  CHECK(to_text(ordertest::race()) ==
        "ACL007 error: it writes what the other reads, and nothing orders the two\n"
        "    it      scale on stream 2 of device 0 (op 4, thread 1), src/main.cpp:88 in step(int)\n"
        "    other   copy on the default stream of device 0 (op 7, thread 1), libuser.so+0x1f0\n"
        "    bytes   0x1000 to 0x13ff, 1024 bytes of device memory: allocated at src/main.cpp:20\n"
        "    repair  record an event behind the first and let the second's stream wait for it\n"
        "    seen    3 times\n");
}

TEST_CASE("what is not known is not said", "[report]") {
  PlacedFinding finding;
  finding.rule = Rule::redundant_wait;
  finding.level = Level::note;
  finding.deed.what = "aclrtStreamWaitEvent";
  finding.deed.stream = 1;
  CHECK(to_text(finding) ==
        "ACL010 note: wait or synchronize that orders nothing new\n"
        "    it      aclrtStreamWaitEvent on stream 1, unknown place\n"
        "    repair  it can go\n");
}

TEST_CASE("what a host thread does has no stream, and a guess says that it is one", "[report]") {
  order::PlacedDeed deed;
  deed.what = "aclrtFree";
  deed.thread = 2;
  deed.device = 1;
  CHECK(to_text(deed) == "aclrtFree by host thread 2 of device 1");
  deed.what = "scale";
  deed.stream = 3;
  deed.declared = false;
  CHECK(to_text(deed) == "scale on stream 3 of device 1 (thread 2, what it touches is a guess)");
}

TEST_CASE("own words take the place of the rule's, and more is told when there is more",
          "[report]") {
  PlacedFinding finding = ordertest::race();
  finding.text.clear();
  finding.repair = "wait";
  finding.habit = "CUDA's default stream would order the two; ACL's does not";
  finding.process = "rank 3";
  finding.where.size = 1;
  finding.where.host = true;
  finding.memory.clear();
  finding.times = 1;
  finding.other.reset();
  CHECK(to_text(finding) ==
        "ACL007 error: race: two accesses to the same bytes, one of them a write, without order "
        "between them\n"
        "    it      scale on stream 2 of device 0 (op 4, thread 1), src/main.cpp:88 in step(int)\n"
        "    bytes   0x1000 to 0x1000, 1 byte of host memory\n"
        "    process rank 3\n"
        "    habit   CUDA's default stream would order the two; ACL's does not\n"
        "    repair  wait\n");
}

TEST_CASE("a deadlock names each of its waits with its place, in all forms", "[report]") {
  PlacedFinding finding = ordertest::race();
  finding.rule = Rule::deadlock;
  finding.where = {};
  finding.times = 1;
  finding.behind = {finding.deed, finding.deed};
  finding.behind[0].place.line = 90;
  finding.behind[1].place.line = 92;
  const std::string text = to_text(finding);
  const std::string wait =
      "    behind  scale on stream 2 of device 0 (op 4, thread 1), src/main.cpp:";
  CHECK(text.find(wait + "90 in step(int)\n" + wait + "92 in step(int)\n") != std::string::npos);
  Report report;
  report.findings = {finding};
  CHECK(to_json(report).find("\"behind\": [") != std::string::npos);
  for (const char* line : {"\"startLine\": 88", "\"startLine\": 90", "\"startLine\": 92"}) {
    CHECK(to_sarif(report).find(line) != std::string::npos);
  }
}

TEST_CASE("a report has the worst first and ends with the counts", "[report]") {
  Report report = ordertest::report();
  report.suppressed = 2;
  report.unused = {"known.txt:3: ACL010 *"};
  const std::string text = to_text(report);
  CHECK(text.find("ACL007 error") < text.find("ACL010 note"));
  CHECK(text.substr(text.find("unused")) ==
        "unused suppression: known.txt:3: ACL010 *\n"
        "1 error, 0 warnings, 1 note; 2 suppressed\n");
  CHECK(to_text(Report{}) == "0 errors, 0 warnings, 0 notes\n");
  CHECK(report.at_least(Level::note) == 2);
  CHECK(report.at_least(Level::warning) == 1);
}

TEST_CASE("a finding gets the places of its sites", "[report]") {
  order::Finding finding(Rule::race);
  finding.deed.what = "copy";
  finding.deed.site = 7;
  finding.deed.stream = 2;
  finding.deed.device = 1;
  finding.other = order::Deed{};
  finding.other->what = "aclrtFree";
  finding.text = "text";
  finding.times = 4;
  const PlacedFinding placed = order::place(finding, [](std::uint64_t site) {
    order::Place place;
    place.file = "a.cpp";
    place.line = static_cast<std::uint32_t>(site);
    return place;
  });
  CHECK(placed.level == Level::error);
  CHECK(placed.deed.place.line == 7);
  CHECK(placed.deed.stream == 2U);
  REQUIRE(placed.other);
  CHECK_FALSE(placed.other->stream);
  CHECK_FALSE(placed.other->place.known());  // it had no site
  CHECK(placed.text == "text");
  CHECK(placed.times == 4);
}

TEST_CASE("every rule has an identifier of its own, a title and a repair", "[report]") {
  std::size_t number = 0;
  for (const order::RuleInfo& rule : order::rules()) {
    ++number;
    CHECK(rule.id.size() == 6);
    CHECK(std::stoul(std::string(rule.id.substr(3))) == number);
    CHECK_FALSE(rule.title.empty());
    CHECK_FALSE(rule.repair.empty());
    CHECK(order::find_rule(rule.id) == &rule);
  }
  CHECK(order::find_rule("ACL999") == nullptr);
  CHECK(order::level_of("warning") == Level::warning);
  CHECK_FALSE(order::level_of("fatal"));
}
