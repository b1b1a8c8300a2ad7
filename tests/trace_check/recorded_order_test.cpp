// SPDX-License-Identifier: Apache-2.0
// Order that only recordings of runs have: functions of the program, blocks of pools, actions of
// other processes; and the peaks at their end.
#include <string>

#include "tests/support/catch.h"
#include "tests/trace_check/traces.h"
#include "tools/check/peaks.h"

namespace {

using catch_compat::ContainsSubstring;
using order::Level;
using tracetest::find;

const std::string kRecordedWorld = [] {
  std::string world = tracetest::kWorld;
  return world.replace(world.find("a test"), 6, "aclsim run --record");
}();

order::Report report_of_recorded(const std::string& ops) {
  return tracetest::report_of(kRecordedWorld, ops);
}

check::Result result_of(const std::string& ops) {
  return check::check(trace::read_trace_bytes("t.aclt.jsonl", kRecordedWorld + ops), {});
}

/// The level of the only race; "none" without a race.
std::string race_of(const std::string& ops) {
  const order::Report report = report_of_recorded(ops);
  if (const auto* const noted = find(report, "ACL019")) return order::name(noted->level).data();
  const auto* const race = find(report, "ACL007");
  return race ? order::name(race->level).data() : "none";
}

const std::string kRecordedCopy =
    R"({"i":1,"op":"memcpy","st":1,"h":1,"iss":10,"t":20,"d":5,"rd":[[7,0,64]],"wr":[[7,64,64]]})"
    "\n";
std::string fill(const char* when) {
  return R"({"i":9,"op":"memset","st":0,"h":1,"iss":)" + std::string(when) +
         R"(,"t":90,"d":5,"wr":[[7,0,64]]})"
         "\n";
}

}  // namespace

TEST_CASE("a thread that ran a callback is ordered after its stream", "[trace-check]") {
  const std::string callback =
      R"({"i":2,"op":"callback","st":1,"h":1,"iss":12,"t":25,"d":1,"blocks":false})"
      "\n";
  const std::string by_it =
      R"({"i":3,"op":"mark","h":1,"text":"function","t":30,"d":0,"args":{"runs":2}})"
      "\n";
  const std::string by_other =
      R"({"i":3,"op":"mark","h":2,"text":"function","t":30,"d":0,"args":{"runs":2}})"
      "\n";
  CHECK(race_of(kRecordedCopy + callback + by_it + fill("40")) == "none");
  CHECK(race_of(kRecordedCopy + callback + fill("28") + by_it) == "error");
  CHECK(race_of(kRecordedCopy + callback + by_other + fill("40")) == "note");
  CHECK(race_of(kRecordedCopy + callback + fill("28") + by_other) == "error");
  CHECK(race_of(kRecordedCopy + callback + fill("40")) == "error");
}

TEST_CASE("a stream that waits for a function is ordered after the thread that ran it",
          "[trace-check]") {
  const std::string first =
      R"({"i":1,"op":"memset","st":0,"h":1,"iss":10,"t":20,"d":5,"wr":[[7,0,64]]})"
      "\n";
  const std::string waits =
      R"({"i":4,"op":"hsync","h":2,"what":"stream","id":0,"upto":1,"t":30,"d":5})"
      "\n";
  const auto behind = [](const char* blocks) {
    return R"({"i":2,"op":"callback","st":1,"h":1,"iss":12,"t":25,"d":30,"blocks":)" +
           std::string(blocks) + "}\n" +
           R"({"i":3,"op":"memcpy","st":1,"h":1,"iss":14,"t":70,"d":5,"rd":[[7,0,64]],"wr":[[7,64,64]]})"
           "\n";
  };
  const std::string marks =
      R"({"i":5,"op":"mark","h":2,"text":"function","t":40,"d":0,"args":{"begins":2}}
{"i":6,"op":"mark","h":2,"text":"function","t":50,"d":0,"args":{"ends":2}}
)";
  CHECK(race_of(first + behind("true") + waits + marks) == "none");
  CHECK(race_of(first + behind("false") + waits + marks) == "error");
  CHECK(race_of(first + behind("true") + marks) == "error");
}

TEST_CASE("a host function may have told the program that its stream has come there",
          "[trace-check]") {
  const std::string function =
      R"({"i":2,"op":"callback","st":1,"h":1,"iss":12,"t":25,"d":1,"n":"host function"})"
      "\n";
  CHECK(race_of(kRecordedCopy + function + fill("40")) == "note");
  CHECK(race_of(kRecordedCopy + function + fill("24")) == "error");
}

TEST_CASE("a block of a pool belongs to the stream that allocated it", "[trace-check]") {
  const std::string alloc = R"({"op":"alloc","st":0,"h":1,"buf":7,"size":4096,"ordered":true})"
                            "\n";
  const std::string use = R"({"op":"memset","st":1,"h":1,"wr":[[7,0,64]]})"
                          "\n";
  const std::string behind = R"({"op":"record","st":0,"h":1,"ev":1}
{"op":"wait","st":1,"h":1,"ev":1}
)";
  CHECK(race_of(alloc + use) == "error");
  CHECK(race_of(alloc + behind + use) == "none");
}

TEST_CASE("another process may order what one recording shows without order", "[trace-check]") {
  const std::string write = R"({"op":"memset","st":0,"h":1,"wr":[[7,0,64]]})"
                            "\n";
  const std::string gives = R"({"op":"record","st":0,"h":1,"ev":1,"gen":1,"args":{"shared":true}})"
                            "\n";
  const std::string takes = R"({"op":"wait","st":1,"h":1,"ev":2,"gen":1,"args":{"shared":true}})"
                            "\n";
  const std::string again = R"({"op":"memset","st":1,"h":1,"wr":[[7,0,64]]})"
                            "\n";
  const auto ordered = result_of(write + gives + takes + again);
  CHECK(ordered.report.findings.empty());
  REQUIRE(!ordered.not_checked.empty());
  CHECK_THAT(ordered.not_checked.front(), ContainsSubstring("actions of other processes"));
  CHECK(race_of(write + gives + again + takes) == "error");
  // The record came too late, but the operations may have waited.
  CHECK(race_of(write + takes + again + gives) == "none");
}

TEST_CASE("a finding that a recording has is reported with its rule, text and other place",
          "[trace-check]") {
  const order::Report report = report_of_recorded(
      R"({"op":"mark","h":1,"text":"aclrtFree","args":{"rule":"ACL020","found":"{it} is wrong","title":"invalid free","other":"aclrtMalloc","at":"a.cpp:3"},"site":"a.cpp:7"})"
      "\n");
  const order::PlacedFinding* const finding = find(report, "ACL020");
  REQUIRE(finding);
  CHECK(finding->level == Level::error);
  CHECK(finding->title == "invalid free");
  CHECK(finding->text == "{it} is wrong");
  CHECK(order::position(finding->op_info.place) == "a.cpp:7");
  REQUIRE(finding->other);
  CHECK(order::position(finding->other->place) == "a.cpp:3");
}

TEST_CASE("the peaks at the end of a recording are read and put in words", "[trace-check]") {
  const trace::Trace it = trace::read_trace_bytes("t.aclt.jsonl", kRecordedWorld +
                                                                      R"({"op":"kernel","st":0}
{"def":"peaks","id":1,"opt":true,"args":{"streams":[1984,1984],"events":[2,65536],"notifies":[0,65535],"bytes":[4096,1048576],"graphs":[{"at":"capture.cpp:40","graphs":31,"streams":1982}]}}
{"def":"peaks","id":0,"opt":true,"args":{"streams":[2,1984],"graphs":7}}
)");
  const auto peaks = check::peaks_of(it);
  REQUIRE(peaks.size() == 2);
  CHECK(peaks[0].name == "peak of device 1");
  CHECK(to_text(peaks[0].peaks) ==
        "1,984 of 1,984 streams, 1,982 of them held by 31 captured graphs (capture.cpp:40); 2 of "
        "65,536 events; 0 of 65,535 notifies; 4096 bytes of 1 MiB of memory");
  CHECK(is_near_limit(peaks[0].peaks));
  CHECK_FALSE(is_near_limit(peaks[1].peaks));
}

TEST_CASE("a mark with a finding has its place within the call", "[trace-check]") {
  // The mark is older than the copy, but the call of the copy is older than the mark.
  const std::string copy =
      R"({"i":1,"op":"memset","st":0,"h":1,"iss":10,"t":20,"d":5,"wr":[[7,0,64]]}
{"i":2,"op":"hsync","h":1,"iss":30,"what":"stream","id":0,"upto":1,"t":31,"d":5}
{"i":3,"op":"mark","h":1,"text":"aclrtMemcpyAsync","args":{"rule":"ACL024","found":"pageable"},"t":35,"d":0}
{"i":4,"op":"memcpy","h":1,"iss":30,"sync":true,"t":36,"d":5,"rd":[[7,0,64]],"wr":[[8,0,64]]}
)";
  const order::Report report = report_of_recorded(copy);
  CHECK(find(report, "ACL024"));
  CHECK_FALSE(find(report, "ACL015"));
  CHECK_FALSE(find(report, "ACL007"));
}

TEST_CASE("a wait for an event that stays set is ordered after the first record since the reset",
          "[trace-check]") {
  const auto uses = [](const std::string& kind, const std::string& between) {
    return kind +
           R"({"i":2,"op":"record","st":0,"ev":1,"gen":1,"h":1,"iss":10,"t":20,"d":1}
{"i":3,"op":"wait","st":1,"ev":1,"gen":1,"h":1,"iss":11,"t":22,"d":1}
)" + between +
           R"({"i":5,"op":"memset","st":0,"h":1,"iss":14,"t":30,"d":5,"wr":[[7,0,64]]}
{"i":6,"op":"record","st":0,"ev":1,"gen":2,"h":1,"iss":15,"t":40,"d":1}
{"i":7,"op":"wait","st":1,"ev":1,"gen":2,"h":1,"iss":16,"t":42,"d":1}
{"i":8,"op":"memcpy","st":1,"h":1,"iss":17,"t":50,"d":5,"rd":[[7,0,64]],"wr":[[7,64,64]]}
)";
  };
  const std::string stays =
      R"({"i":1,"op":"mark","h":1,"text":"event","args":{"stays_set":1},"t":5,"d":0})"
      "\n";
  const std::string reset = R"({"i":4,"op":"ereset","st":1,"ev":1,"h":1,"iss":12,"t":25,"d":1})"
                            "\n";
  const order::Report stale = report_of_recorded(uses(stays, ""));
  REQUIRE(find(stale, "ACL030"));
  CHECK(find(stale, "ACL030")->op_info.number == 7);
  CHECK(find(stale, "ACL030")->other->number == 3);
  CHECK(find(stale, "ACL007"));
  // The second record came after the wait, which the first one let pass.
  std::string late = uses(stays, "");
  late.replace(late.find(R"("t":40,)"), 7, R"("t":90000,)");
  CHECK(find(report_of_recorded(late), "ACL030"));
  CHECK_FALSE(find(report_of_recorded(late), "ACL015"));
  CHECK(report_of_recorded(uses(stays, reset)).findings.empty());
  CHECK(report_of_recorded(uses("", "")).findings.empty());
}

TEST_CASE("a wait that came to its time limit orders nothing", "[trace-check]") {
  const auto uses = [](const std::string& outcome) {
    return R"({"i":1,"op":"memset","st":0,"h":1,"iss":10,"t":500,"d":5,"wr":[[7,0,64]]}
{"i":2,"op":"record","st":0,"ev":1,"gen":1,"h":1,"iss":11,"t":510,"d":1}
{"i":3,"op":"wait","st":1,"ev":1,"gen":1,"h":1,"iss":12,"t":20,"d":100,"args":{"failed":"late")" +
           outcome + R"(}}
{"i":4,"op":"memcpy","st":1,"h":1,"iss":13,"t":600,"d":5,"rd":[[7,0,64]],"wr":[[7,64,64]]}
)";
  };
  const order::Report limited = report_of_recorded(uses(R"(,"limit":true)"));
  CHECK(find(limited, "ACL025"));
  CHECK(find(limited, "ACL007"));
  CHECK_FALSE(find(limited, "ACL015"));
  CHECK_FALSE(find(report_of_recorded(uses("")), "ACL007"));
}

TEST_CASE("a synchronise that came to its time limit while an operation ran is a wait timeout",
          "[trace-check]") {
  const auto uses = [](const char* begin) {
    return R"({"i":1,"op":"kernel","st":0,"h":1,"iss":10,"t":)" + std::string(begin) +
           R"(,"d":500}
{"i":2,"op":"memset","st":0,"h":1,"iss":11,"t":900,"d":5,"wr":[[7,0,64]]}
{"i":3,"op":"hquery","saw":false,"args":{"limit":true},"h":1,"iss":20,"what":"stream","id":0,"upto":2,"t":20,"d":100}
)";
  };
  const order::Report report = report_of_recorded(uses("15"));
  const auto* const found = find(report, "ACL025");
  REQUIRE(found);
  CHECK(found->level == Level::warning);
  CHECK(found->other->number == 1);
  CHECK_THAT(found->text, ContainsSubstring("which runs"));
  CHECK_FALSE(find(report_of_recorded(uses("200")), "ACL025"));
}

TEST_CASE("a synchronise that is called until it succeeds has no wait timeout", "[trace-check]") {
  const auto polls = [](const char* last) {
    return R"({"i":1,"op":"kernel","st":0,"h":1,"iss":10,"t":15,"d":500}
{"i":2,"op":"hquery","saw":false,"args":{"limit":true},"h":1,"iss":20,"what":"stream","id":0,"upto":1,"t":20,"d":100,"site":"a.cpp:7"}
{"i":3,"op":)" +
           std::string(last) +
           R"(,"h":1,"iss":130,"what":"stream","id":0,"upto":1,"t":130,"d":100,"site":"a.cpp:7"}
)";
  };
  CHECK_FALSE(find(report_of_recorded(polls(R"("hsync")")), "ACL025"));
  const order::Report never =
      report_of_recorded(polls(R"("hquery","saw":false,"args":{"limit":true})"));
  REQUIRE(find(never, "ACL025"));
  CHECK(find(never, "ACL025")->op_info.number == 3);
}

TEST_CASE("a buffer that is freed after the launch of a graph that uses it is freed in use",
          "[trace-check]") {
  const order::Report report = report_of_recorded(
      R"({"def":"graph","id":1,"name":""}
{"i":1,"op":"wait","st":0,"ev":1,"gen":1,"h":1,"iss":10,"t":20,"d":30}
{"i":2,"op":"launch","st":0,"h":1,"iss":11,"graph":1,"t":60,"d":0}
{"i":3,"op":"join","st":0,"h":1,"iss":11,"n":"graph","t":60,"d":10,"dep":[6]}
{"i":4,"op":"free","h":1,"iss":12,"buf":7,"size":4096,"t":13,"d":1}
{"i":5,"op":"record","st":1,"ev":1,"gen":1,"h":1,"iss":14,"t":45,"d":1}
{"i":6,"op":"memset","st":2,"dep":[2],"t":61,"d":5,"wr":[[7,0,64]]}
)");
  const auto* const found = find(report, "ACL006");
  REQUIRE(found);
  CHECK(found->op_info.number == 4);
  CHECK(found->other->number == 2);
  CHECK(found->offset == 0);
  CHECK_FALSE(find(report, "ACL020"));
}

TEST_CASE("a stream that is destroyed by force after its work has ended drops nothing",
          "[trace-check]") {
  const auto destroyed = [](const char* when) {
    return R"({"i":1,"op":"memset","st":0,"h":1,"iss":10,"t":20,"d":5,"wr":[[7,0,64]]}
{"i":2,"op":"hsync","h":1,"iss":)" +
           std::string(when) +
           R"(,"what":"stream","id":0,"upto":1,"n":"aclrtDestroyStreamForce","t":40,"d":1})"
           "\n";
  };
  CHECK(find(report_of_recorded(destroyed("15")), "ACL006"));
  CHECK_FALSE(find(report_of_recorded(destroyed("30")), "ACL006"));
}
