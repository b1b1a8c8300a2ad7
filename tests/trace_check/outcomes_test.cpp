// SPDX-License-Identifier: Apache-2.0
// Findings about how calls, tasks and the program of a recording ended.
#include <string>

#include "tests/support/catch.h"
#include "tests/trace_check/traces.h"
#include "tools/trace/aclt/aclt_writer.h"

namespace {

using catch_compat::ContainsSubstring;
using order::Level;
using tracetest::find;
using tracetest::report_of;

const std::string kRecording = [] {
  std::string world = tracetest::kWorld;
  return world.replace(world.find("a test"), 6, "aclsim run --record");
}();
const std::string kEnd = R"({"def":"end","id":0,"opt":true})"
                         "\n";

/// A copy that the thread called for in vain, at line 3.
const std::string kFailed =
    R"({"op":"api","h":1,"n":"aclrtMemcpyAsync","site":"a.cpp:3"}
{"op":"mark","h":1,"text":"aclrtMemcpyAsync","args":{"failed":"too much","returns":107000,"loses":true},"site":"a.cpp:3"}
)";

Level level_of(const std::string& ops) {
  const order::Report report = report_of(kRecording, ops + kEnd);
  const order::PlacedFinding* const finding = find(report, "ACL033");
  REQUIRE(finding);
  CHECK(finding->op_info.what == "aclrtMemcpyAsync");
  CHECK(order::position(finding->op_info.place) == "a.cpp:3");
  CHECK_THAT(finding->text, ContainsSubstring("{it} failed with 107000: too much"));
  return finding->level;
}

std::vector<std::string> not_checked(const std::string& ops) {
  return check::check(trace::read_trace_bytes("t.aclt.jsonl", kRecording + ops), {}).not_checked;
}

}  // namespace

TEST_CASE("a failed call is a warning unless the thread asks for the error or makes it again",
          "[trace-check]") {
  const std::string asks = R"({"op":"mark","h":1,"text":"errors read","args":{"failed":""}})"
                           "\n";
  const std::string other = R"({"op":"mark","h":2,"text":"errors read","args":{"failed":""}})"
                            "\n";
  const std::string again =
      R"({"op":"memcpy","st":0,"h":1,"src":0,"dst":0,"rd":[[7,0,4]],"wr":[[7,8,4]],"site":"a.cpp:3"})"
      "\n";
  CHECK(level_of(kFailed) == Level::warning);
  CHECK(level_of(kFailed + kFailed) == Level::warning);
  CHECK(level_of(kFailed + other) == Level::warning);
  CHECK(level_of(kFailed + asks) == Level::note);
  CHECK(level_of(kFailed + again) == Level::note);
  CHECK(level_of(again + kFailed) == Level::warning);
}

TEST_CASE("a failed task is told unless a call failed with its code", "[trace-check]") {
  const std::string task =
      R"({"op":"kernel","st":0,"h":1,"n":"k","t":1,"d":1,"args":{"failed":"why","returns":507015},"site":"a.cpp:9"})"
      "\n";
  const std::string told =
      R"({"op":"mark","h":1,"text":"aclrtSynchronizeStream","args":{"failed":"why","returns":507015,"loses":true}})"
      "\n";
  const order::Report silent = report_of(kRecording, task + kEnd);
  REQUIRE(find(silent, "ACL033"));
  CHECK(find(silent, "ACL033")->title == "failed task");
  const order::Report heard = report_of(kRecording, task + told + kEnd);
  REQUIRE(heard.findings.size() == 1);
  CHECK(heard.findings[0].op_info.what == "aclrtSynchronizeStream");
}

TEST_CASE("callbacks that never ran and what is left at the end are told", "[trace-check]") {
  const order::Report report = report_of(
      kRecording,
      R"({"op":"mark","h":1,"text":"callback","args":{"failed":"never ran"},"site":"a.cpp:5"}
{"op":"mark","h":1,"text":"aclFinalize","args":{"alive":"1 stream","first":"a.cpp:2"},"site":"a.cpp:7"}
)" + kEnd);
  REQUIRE(find(report, "ACL027"));
  CHECK(find(report, "ACL027")->op_info.place.line == 5);
  REQUIRE(find(report, "ACL013"));
  CHECK(find(report, "ACL013")->text == "the program ends with 1 stream");
  CHECK(find(report, "ACL013")->other->place.line == 2);
}

TEST_CASE("a recording that ends in a call which waits for a notify is a deadlock",
          "[trace-check]") {
  const std::string waits =
      R"({"op":"nwait","st":0,"h":1,"nid":1,"t":1,"site":"a.cpp:5"}
{"op":"hsync","h":1,"what":"stream","id":0,"upto":1,"t":2)";
  const order::Report hangs = report_of(kRecording, waits + "}\n");
  REQUIRE(find(hangs, "ACL003"));
  CHECK(find(hangs, "ACL003")->other->place.line == 5);
  CHECK_FALSE(find(hangs, "ACL004"));
  const order::Report ends = report_of(kRecording, waits + R"(,"d":3})"
                                                           "\n");
  CHECK_FALSE(find(ends, "ACL003"));
}

TEST_CASE("what was found inside of a kernel is a finding at its place", "[trace-check]") {
  const auto mark = [](const char* rule) {
    return R"({"op":"mark","h":1,"text":"scale","args":{"rule":")" + std::string(rule) +
           R"(","found":"block 0: bytes race [pipe-race]"},"site":"k.asc:7"})"
           "\n" +
           kEnd;
  };
  for (const char* rule : {"ACL035", "ACL036"}) {
    const order::Report report = report_of(kRecording, mark(rule));
    const order::PlacedFinding* const finding = find(report, rule);
    REQUIRE(finding);
    CHECK(finding->level == Level::error);
    CHECK(finding->op_info.what == "scale");
    CHECK(order::position(finding->op_info.place) == "k.asc:7");
    CHECK(finding->text == "block 0: bytes race [pipe-race]");
  }
  CHECK(report_of(kRecording, mark("ACL007")).findings.empty());
}

TEST_CASE("what a recording does not hold is said", "[trace-check]") {
  CHECK(not_checked(kEnd).empty());
  REQUIRE(not_checked("").size() == 1);
  CHECK_THAT(not_checked("")[0], ContainsSubstring("how the program ended"));
  const std::string handle =
      R"({"op":"mark","h":1,"text":"aclrtRecordEvent","args":{"failed":"no event","returns":107017,"judged":false}})"
      "\n";
  REQUIRE(not_checked(handle + kEnd).size() == 1);
  CHECK_THAT(not_checked(handle + kEnd)[0], ContainsSubstring("1 failed call: "));
  const std::string copy =
      R"({"op":"memcpy","st":0,"h":1,"src":-1,"dst":0,"rd":[[8,0,4]],"wr":[[7,0,4]]})"
      "\n";
  const std::string kernel = R"({"op":"kernel","st":0,"h":1,"may":[7],"rd":[[7,0,64]]})"
                             "\n";
  CHECK(not_checked(kernel + kEnd).empty());
  REQUIRE(not_checked(copy + kEnd).size() == 1);
  CHECK_THAT(not_checked(copy + kEnd)[0], ContainsSubstring("host code itself"));
}

TEST_CASE("what failed, and that the recording is whole, survives a conversion", "[trace-check]") {
  const trace::Trace it = trace::read_trace_bytes("t.aclt.jsonl", kRecording + kFailed + kEnd);
  const check::Result again =
      check::check(trace::read_trace_bytes("t.aclt.jsonl", trace::to_aclt(it)), {});
  CHECK(again.not_checked.empty());
  REQUIRE(again.report.findings.size() == 1);
  CHECK(again.report.findings[0].rule == order::Rule::failed_call);
  CHECK(again.report.findings[0].level == Level::warning);
}
