// SPDX-License-Identifier: Apache-2.0
// The exact text of reports.
#include "runtime/order/report/report.h"

#include <filesystem>
#include <regex>
#include <sstream>
#include <utility>

#include "tests/order/reports.h"
#include "tests/support/catch.h"

using catch_compat::ContainsSubstring;
using order::Level;
using order::PlacedFinding;
using order::Report;
using order::Rule;

TEST_CASE("a finding reads like a compiler's: place, severity, title, message, notes, fix",
          "[report]") {
  CHECK(to_text(ordertest::race()) ==
        "src/main.cpp:88: error: data race: scale on stream 2 writes 1024 bytes of device memory "
        "that the copy on the default stream (libuser.so+0x1f0) reads; no event orders them "
        "[ACL007]\n"
        "src/main.cpp:88: note: this access: scale on stream 2 of device 0 (op 4, thread 1) in "
        "step(int)\n"
        "libuser.so+0x1f0: note: earlier access: copy on the default stream of device 0 (op 7, "
        "thread 1)\n"
        "src/main.cpp:20: note: memory: bytes 256 to 1279 of an allocation of 4096 bytes on "
        "device 0, at 0x1000, allocated here\n"
        "fix: call aclrtRecordEvent on the default stream after the copy (libuser.so+0x1f0), and "
        "aclrtStreamWaitEvent on stream 2 before scale (src/main.cpp:88)\n"
        "seen 3 times\n");
}

TEST_CASE("an operation of a graph is ordered by the stream that launches the graph", "[report]") {
  PlacedFinding finding = ordertest::race();
  finding.op_info.in_graph = true;
  CHECK_THAT(to_text(finding),
             ContainsSubstring("data race: scale in a graph writes 1024 bytes") &&
                 ContainsSubstring("this access: scale in a graph of device 0 (stream 2, op 4, "
                                   "thread 1)") &&
                 ContainsSubstring("fix: order the launch of the graph and the copy "
                                   "(libuser.so+0x1f0): call aclrtRecordEvent after the one that "
                                   "comes first, on its stream, and aclrtStreamWaitEvent before "
                                   "the other, on the other stream\n"));
  finding.other->in_graph = true;
  CHECK_THAT(to_text(finding),
             ContainsSubstring("fix: order the copy (libuser.so+0x1f0) and scale (src/main.cpp:88) "
                               "by an event where the graph is made; if they are in two graphs, "
                               "order the launches\n"));
  finding.op_info = {};
  finding.op_info.what = "aclrtFree";
  CHECK_THAT(to_text(finding),
             ContainsSubstring("fix: call aclrtSynchronizeStream for the stream that launches the "
                               "graph before aclrtFree\n"));
}

TEST_CASE("what is not known is left out, and the rule speaks for itself", "[report]") {
  PlacedFinding finding;
  finding.rule = Rule::redundant_wait;
  finding.level = Level::note;
  finding.op_info.what = "aclrtStreamWaitEvent";
  finding.op_info.stream = 1;
  CHECK(to_text(finding) ==
        "aclsim: note: redundant synchronisation: a wait or a synchronise call adds no order "
        "[ACL010]\n"
        "aclsim: note: this call: aclrtStreamWaitEvent on stream 1\n"
        "fix: remove the call\n");
}

TEST_CASE("a call of a host thread has no stream, and undeclared ranges are said to be a guess",
          "[report]") {
  order::PlacedOp op_info;
  op_info.what = "aclrtFree";
  op_info.thread = 2;
  op_info.device = 1;
  CHECK(to_text(op_info) == "aclrtFree on host thread 2 of device 1");
  op_info.what = "scale";
  op_info.stream = 3;
  op_info.declared = false;
  CHECK(to_text(op_info) == "scale on stream 3 of device 1 (thread 2, ranges not declared)");
  PlacedFinding finding = ordertest::race();
  finding.op_info.declared = false;
  CHECK(to_text(finding).find("src/main.cpp:88: note: scale declares no ranges: ") !=
        std::string::npos);
}

TEST_CASE("a finding may bring its own title and fix, and tells more when more is known",
          "[report]") {
  PlacedFinding finding = ordertest::race();
  finding.title = "use after free";
  finding.text.clear();
  finding.repair = "wait after {other}";
  finding.cuda_difference = "unlike cudaFree, this call does not wait for the device";
  finding.process = "rank 3";
  finding.where.size = 1;
  finding.where.host = true;
  finding.memory.clear();
  finding.offset.reset();
  finding.allocated = {};
  finding.times = 1;
  finding.op_info.place = {};
  finding.op_info.place.module = "/opt/user/prog";
  finding.op_info.place.offset = 0x1234;
  finding.op_info.place.function = "step(int)";
  CHECK(to_text(finding) ==
        "prog+0x1234 (step(int)): error: use after free: two accesses to the same bytes, at least "
        "one of them a write, without a happens-before order [ACL007]\n"
        "prog+0x1234 (step(int)): note: this access: scale on stream 2 of device 0 (op 4, thread "
        "1)\n"
        "libuser.so+0x1f0: note: earlier access: copy on the default stream of device 0 (op 7, "
        "thread 1)\n"
        "prog+0x1234 (step(int)): note: memory: 1 byte of host memory at 0x1000\n"
        "prog+0x1234 (step(int)): note: in rank 3\n"
        "prog+0x1234 (step(int)): note: unlike cudaFree, this call does not wait for the device\n"
        "fix: wait after the copy on the default stream (libuser.so+0x1f0)\n");
}

TEST_CASE("the fix fits the two sides: an event, a synchronise call, a shared event", "[report]") {
  PlacedFinding finding = ordertest::race();
  finding.op_info.stream.reset();
  finding.op_info.what = "aclrtFree";
  CHECK(repair(finding) ==
        "call aclrtSynchronizeStream for the default stream before aclrtFree (src/main.cpp:88)");
  finding = ordertest::race();
  finding.op_info.process = "7";
  finding.other->process = "8";
  CHECK(repair(finding) ==
        "share an event created with ACL_EVENT_IPC: call aclrtRecordEvent on the default stream of "
        "process 8 after the copy (libuser.so+0x1f0), and aclrtStreamWaitEvent on stream 2 of "
        "process 7 before scale (src/main.cpp:88)");
  finding.rule = Rule::deadlock;
  finding.other.reset();
  CHECK(repair(finding) == order::info(Rule::deadlock).repair);
}

TEST_CASE("the fix names the places of the waits, where they are known", "[report]") {
  PlacedFinding finding = ordertest::race();
  finding.rule = Rule::deadlock;
  finding.other->place = {};
  CHECK(repair(finding) == order::info(Rule::deadlock).repair);
  finding.other = finding.op_info;
  finding.behind = {finding.op_info};
  finding.behind[0].place.line = 90;
  CHECK(
      repair(finding) ==
      "break the cycle: enqueue one of the waits at src/main.cpp:88, src/main.cpp:90 later, or the "
      "record that it waits for earlier");
  finding.rule = Rule::wait_never_recorded;
  finding.op_info.what = "wait";
  CHECK(repair(finding) == "call aclrtRecordEvent before the wait (src/main.cpp:88)");
  finding.op_info.place = {};
  CHECK(repair(finding) == order::info(Rule::wait_never_recorded).repair);
}

TEST_CASE("records and waits on a value are named in words", "[report]") {
  order::OpInfo wait;
  for (const auto& [name, words] :
       {std::pair{"NOTIFY_WAIT", "the notify wait"},
        std::pair{"CNT_NOTIFY_RECORD", "the count notify record"},
        std::pair{"VALUE_WAIT", "the value wait"}, std::pair{"EVENT_WAIT", "the wait"}}) {
    wait.what = name;
    PlacedFinding finding;
    finding.op_info = order::place(wait, nullptr);
    finding.text = "{it} waits";
    CHECK(message(finding) == std::string(words) + " waits");
  }
}

TEST_CASE("a trace with lines is a place like any other; one without names op and stream",
          "[report]") {
  PlacedFinding finding = ordertest::race();
  finding.op_info.recorded.file = "step.aclt.jsonl";
  finding.op_info.recorded.line = 9;
  finding.other->place = {};
  finding.other->place.file = "trace.db";
  finding.other->place.element = 12;
  const std::string text = to_text(finding);
  CHECK(text.starts_with("src/main.cpp:88: error: data race: "));
  CHECK(text.find("\nstep.aclt.jsonl:9: note: this access: scale on stream 2 of device 0 (op 4, "
                  "thread 1), called at src/main.cpp:88 in step(int)\n") != std::string::npos);
  CHECK(text.find("\ntrace.db: op 7 on stream 1: note: earlier access: copy on the default stream "
                  "of device 0 (op 7, thread 1), element 12 of the file\n") != std::string::npos);
}

TEST_CASE("editors can parse every line: a place, a severity, a text", "[report]") {
  const std::regex place_first(
      R"(([^:]+:\d+|[\w.]+\+0x[0-9a-f]+( \(.*\))?|[^:]+: op \d+ on stream \d+|[^:]+): )"
      R"((error|warning|note): .+)");
  PlacedFinding moduled = ordertest::race();
  moduled.op_info.place = moduled.other->place;
  moduled.op_info.place.function = "a::b(int)";
  PlacedFinding traced = ordertest::race();
  traced.op_info.place = {};
  traced.op_info.place.file = "trace.db";
  traced.op_info.place.element = 3;
  PlacedFinding bare = ordertest::race();
  bare.op_info.place = bare.other->place = {};
  for (const PlacedFinding& finding : {ordertest::race(), moduled, traced, bare}) {
    std::istringstream lines(to_text(finding));
    bool first = true;
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      if (line.starts_with("fix: ") || line.starts_with("seen ")) continue;
      CHECK(std::regex_match(line, place_first));
      CHECK(line.ends_with("[ACL007]") == first);
      first = false;
    }
  }
}

TEST_CASE("sizes are in whole units", "[report]") {
  CHECK(order::size_text(1) == "1 byte");
  CHECK(order::size_text(4096) == "4096 bytes");
  CHECK(order::size_text(64 * 1024) == "64 KiB");
  CHECK(order::size_text(3 << 20) == "3 MiB");
  CHECK(order::size_text((3 << 20) + 1) == "3145729 bytes");
}

TEST_CASE("a deadlock names each of its waits with its place, in all forms", "[report]") {
  PlacedFinding finding = ordertest::race();
  finding.rule = Rule::deadlock;
  finding.where = {};
  finding.times = 1;
  finding.behind = {finding.op_info, finding.op_info};
  finding.behind[0].place.line = 90;
  finding.behind[1].place.line = 92;
  finding.text = "{it} never returns; these waits form a cycle: {waits}";
  CHECK(message(finding) ==
        "scale on stream 2 never returns; these waits form a cycle: the copy on the default stream "
        "(libuser.so+0x1f0), scale on stream 2 (src/main.cpp:90), scale on stream 2 "
        "(src/main.cpp:92)");
  const std::string text = to_text(finding);
  const std::string wait =
      ": note: blocked by: scale on stream 2 of device 0 (op 4, thread 1) in step(int)\n";
  CHECK(text.find("src/main.cpp:90" + wait + "src/main.cpp:92" + wait) != std::string::npos);
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
  CHECK(text.find("[ACL007]") < text.find("[ACL010]"));
  CHECK(text.substr(text.find("unused")) ==
        "unused suppression: known.txt:3: ACL010 *\n"
        "1 error, 0 warnings, 1 note; 2 suppressed\n");
  CHECK(to_text(Report{}) == "0 errors, 0 warnings, 0 notes\n");
  CHECK(report.at_least(Level::note) == 2);
  CHECK(report.at_least(Level::warning) == 1);
}

TEST_CASE("text shows files below the current directory relative to it, other forms do not",
          "[report]") {
  const std::string here = std::filesystem::current_path().string();
  PlacedFinding finding = ordertest::race();
  finding.op_info.place.file = here + "/src/./step.cpp";
  finding.other->place = {};
  finding.other->place.file = here + "/load.cpp";
  finding.other->place.line = 7;
  finding.behind = {finding.op_info};
  finding.behind[0].recorded.file = here + "/run.jsonl";
  finding.allocated.file = here + "-other/main.cpp";
  Report report;
  report.findings = {finding};
  const std::string text = to_text(report);
  CHECK(text.starts_with("src/step.cpp:88: error: data race: "));
  CHECK(text.find("the copy on the default stream (load.cpp:7)") != std::string::npos);
  CHECK(text.find("\nload.cpp:7: note: earlier access: ") != std::string::npos);
  CHECK(text.find("\nrun.jsonl: note: ") != std::string::npos);
  CHECK(text.find("\n" + here + "-other/main.cpp:20: note: memory: ") != std::string::npos);
  CHECK(text.find("before scale (src/step.cpp:88)\n") != std::string::npos);
  for (const std::string& form : {to_json(report), to_junit(report, Level::error)}) {
    CHECK(form.find(here + "/src/./step.cpp") != std::string::npos);
    CHECK(form.find(here + "/load.cpp") != std::string::npos);
  }
  CHECK(to_sarif(report).find("file://" + here + "/load.cpp") != std::string::npos);
}

TEST_CASE("a finding gets the places of its sites", "[report]") {
  order::Finding finding(Rule::race);
  finding.op_info.what = "copy";
  finding.op_info.site = 7;
  finding.op_info.stream = 2;
  finding.op_info.device = 1;
  finding.other = order::OpInfo{};
  finding.other->what = "aclrtFree";
  finding.text = "text";
  finding.where.begin = 0x1010;
  finding.where.size = 16;
  finding.memory = {0x1000, 64, 9, 1};
  finding.times = 4;
  const PlacedFinding placed = order::place(finding, [](std::uint64_t site) {
    order::Place place;
    place.file = "a.cpp";
    place.line = static_cast<std::uint32_t>(site);
    return place;
  });
  CHECK(placed.level == Level::error);
  CHECK(placed.op_info.place.line == 7);
  CHECK(placed.op_info.stream == 2U);
  REQUIRE(placed.other);
  CHECK_FALSE(placed.other->stream);
  CHECK_FALSE(placed.other->place.known());  // it had no site
  CHECK(placed.text == "text");
  CHECK(placed.memory == "an allocation of 64 bytes on device 1");
  CHECK(placed.offset == 16U);
  CHECK(placed.allocated.line == 9);
  CHECK(placed.times == 4);
}

TEST_CASE("every rule has an identifier of its own, a title and a repair", "[report]") {
  std::size_t number = 0;
  for (const order::RuleInfo& rule : order::rules()) {
    ++number;
    CHECK(rule.id.size() == 6);
    CHECK(std::stoul(std::string(rule.id.substr(3))) == number);
    CHECK_FALSE(rule.title.empty());
    CHECK(rule.title.find(':') == std::string_view::npos);
    CHECK_FALSE(rule.meaning.empty());
    CHECK_FALSE(rule.repair.empty());
    CHECK(order::find_rule(rule.id) == &rule);
  }
  CHECK(order::find_rule("ACL999") == nullptr);
  CHECK(order::level_of("warning") == Level::warning);
  CHECK_FALSE(order::level_of("fatal"));
}

TEST_CASE("a wait that came before its record is told once", "[report]") {
  Report report;
  PlacedFinding never = ordertest::race();
  never.rule = Rule::wait_never_recorded;
  never.other.reset();
  PlacedFinding early = ordertest::race();
  early.rule = Rule::wait_before_record;
  PlacedFinding elsewhere = never;
  elsewhere.op_info.place.line = 99;
  report.findings = {never, early, elsewhere};
  arrange(report);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0].rule == Rule::wait_before_record);
  CHECK(report.findings[1].op_info.place.line == 99);
}
