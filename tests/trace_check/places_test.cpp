// SPDX-License-Identifier: Apache-2.0
// The contents of a finding: places, levels, counts, and the mark of inferred facts.
#include "tests/support/catch.h"
#include "tests/trace_check/traces.h"
#include "tools/check/findings.h"
#include "tools/trace/generate.h"

using catch_compat::ContainsSubstring;
using order::Level;
using tracetest::find;
using tracetest::kWorldLines;
using tracetest::report_of;

TEST_CASE("a finding names stream, device, thread and the line of the trace") {
  const auto report = report_of(
      R"({"i":11,"op":"kernel","st":2,"n":"scale","wr":[[9,0,64]]}
{"i":12,"op":"kernel","st":3,"h":2,"n":"sum","rd":[[9,16,64]]}
)");
  const auto* const race = find(report, "ACL007");
  REQUIRE(race);
  CHECK(to_text(race->op_info) == "sum on stream 3 of device 1 (op 12, thread 2)");
  CHECK(to_text(*race->other) == "scale on stream 2 of device 1 (op 11)");
  CHECK(race->op_info.place.file == "t.aclt.jsonl");
  CHECK(race->op_info.place.line == kWorldLines + 2);
  CHECK(race->other->place.line == kWorldLines + 1);
  CHECK(race->where.begin == 16);
  CHECK(race->where.size == 48);
  CHECK(race->memory == "buffer 9 (4096 bytes)");
}

TEST_CASE("where the trace holds call sites these are the places, the lines stand beside") {
  const auto report = report_of(
      R"J({"op":"kernel","st":0,"wr":[[7,0,64]],"site":"solver/step.cpp:12 in step(int)"}
{"op":"kernel","st":1,"wr":[[7,0,64]],"site":"main.cpp:7"}
)J");
  const auto* const race = find(report, "ACL007");
  REQUIRE(race);
  CHECK(to_text(race->op_info.place) == "main.cpp:7");
  CHECK(to_text(race->other->place) == "solver/step.cpp:12 in step(int)");
  CHECK(race->other->recorded.line == kWorldLines + 1);
  CHECK(to_text(*race).starts_with("main.cpp:7: error: data race: "));
  CHECK_THAT(to_text(*race), ContainsSubstring("t.aclt.jsonl:14: note: this access: "));
  CHECK_THAT(to_json(report), ContainsSubstring("\"recorded\""));
}

TEST_CASE("in a trace without lines a finding names op and stream, and the element of the file") {
  const trace::Trace it = trace::read_trace_bytes("c.json", R"({"traceEvents":[
{"ph":"X","name":"a","pid":0,"tid":1,"ts":0,"dur":10},
{"ph":"X","name":"b","pid":0,"tid":1,"ts":5,"dur":10}]})");
  const auto report = check::check(it, {}).report;
  const auto* const overlap = find(report, "ACL016");
  REQUIRE(overlap);
  CHECK(overlap->op_info.place.line == 0);
  CHECK(
      to_text(*overlap) ==
      "c.json: op 2 on stream 1: note: overlapping operations: b on stream 1 starts before the "
      "end of a on stream 1 (element 1 of c.json), which precedes it on the stream [ACL016]\n"
      "c.json: op 2 on stream 1: note: this operation: b on stream 1 of device 0 (op 2), element "
      "2 of the file\n"
      "c.json: op 1 on stream 1: note: other operation: a on stream 1 of device 0 (op 1), element "
      "1 of the file\n"
      "fix: check how the trace was taken\n");
}

TEST_CASE("a site is a file, with a line and a function where it says so") {
  CHECK(check::parse_site("a b.py").file == "a b.py");
  CHECK(check::parse_site("x:y.cpp:3").file == "x:y.cpp");
  CHECK(check::parse_site("x:y.cpp:3").line == 3);
  CHECK(check::parse_site("x.cpp:3 in f(int)").function == "f(int)");
  CHECK(check::parse_site("x.cpp:3 in f(int)").line == 3);
}

TEST_CASE("the same two places are one finding that counts") {
  std::string ops;
  for (int i = 0; i < 5; ++i) {
    const std::string bytes = "[[7," + std::to_string(i * 64) + ",64]]}\n";
    ops += R"({"op":"kernel","st":0,"n":"a","wr":)" + bytes;
    ops += R"({"op":"kernel","st":1,"n":"b","wr":)" + bytes;
  }
  const auto report = report_of(ops);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].times == 5);
}

TEST_CASE("a cycle through an inferred edge is a warning that says so") {
  const auto report = report_of(
      R"({"op":"wait","st":0,"ev":2,"gen":1,"inf":"time:1"}
{"op":"record","st":0,"ev":1,"gen":1}
{"op":"wait","st":1,"ev":1,"gen":1}
{"op":"record","st":1,"ev":2,"gen":1}
)");
  const auto* const found = find(report, "ACL003");
  REQUIRE(found);
  CHECK(found->level == Level::warning);
  CHECK_THAT(found->text, ContainsSubstring("inferred"));
}

TEST_CASE("a cycle of ops that did run is the fault of the trace") {
  const auto report = report_of(
      R"({"op":"nwait","st":0,"nid":1,"t":0,"d":10}
{"op":"notify","st":0,"nid":2,"t":10,"d":10}
{"op":"nwait","st":1,"nid":2,"t":0,"d":20}
{"op":"notify","st":1,"nid":1,"t":20,"d":10}
)");
  CHECK_FALSE(find(report, "ACL003"));
  const auto* const found = find(report, "ACL015");
  REQUIRE(found);
  CHECK_THAT(found->text, ContainsSubstring("all of them did run"));
}

TEST_CASE("a race after a wait whose record is inferred is no error") {
  const auto report = report_of(
      R"({"op":"record","st":0,"ev":1}
{"op":"kernel","st":0,"wr":[[7,0,64]]}
{"op":"wait","st":1,"ev":1,"inf":"issue:1"}
{"op":"kernel","st":1,"wr":[[7,0,64]]}
)");
  const auto* const race = find(report, "ACL007");
  REQUIRE(race);
  CHECK(race->level == Level::warning);
  CHECK_THAT(race->text, ContainsSubstring("inferred"));
}

TEST_CASE("a deadlock names every op of the cycle") {
  const auto report = report_of(
      R"({"i":1,"op":"nwait","st":0,"nid":1}
{"i":2,"op":"notify","st":0,"nid":2}
{"i":3,"op":"nwait","st":1,"nid":2}
{"i":4,"op":"notify","st":1,"nid":1}
{"i":5,"op":"kernel","st":2}
)");
  const auto* const found = find(report, "ACL003");
  REQUIRE(found);
  for (const char* op : {"op 1 ", "op 2 ", "op 3 ", "op 4 "}) {
    CHECK_THAT(found->text, ContainsSubstring(op));
  }
  CHECK_THAT(found->text, ContainsSubstring("2 of 6 tracks are blocked"));
}

TEST_CASE("times do not order: who ran later is not ordered after") {
  const auto report = report_of(
      R"({"op":"kernel","st":0,"t":0,"d":10,"wr":[[7,0,64]]}
{"op":"kernel","st":1,"t":1000000,"d":10,"wr":[[7,0,64]]}
)");
  CHECK(find(report, "ACL007"));
}

TEST_CASE("what a thread waited for is ordered after nothing that it called for before") {
  const auto later = report_of(
      R"({"op":"kernel","st":0,"h":1,"wr":[[7,0,64]]}
{"op":"kernel","st":1,"h":1,"wr":[[7,0,64]]}
{"op":"hsync","h":1,"what":"stream","id":0}
)");
  CHECK(find(later, "ACL007"));
  // Times of calls win over lines.
  const auto timed = report_of(
      R"({"op":"kernel","st":0,"h":1,"iss":10,"wr":[[7,0,64]]}
{"op":"kernel","st":1,"h":1,"iss":900,"wr":[[7,0,64]]}
{"op":"hsync","h":1,"what":"stream","id":0,"upto":1,"t":20,"d":500}
)");
  CHECK_FALSE(find(timed, "ACL007"));
}

TEST_CASE("whichever of two threads is looked at first, what one of them waited for is no race") {
  for (const char* stream : {"0", "1"}) {
    const std::string first = stream;
    const std::string second = first == "0" ? "1" : "0";
    const auto report = report_of(R"({"op":"kernel","h":1,"wr":[[7,0,64]],"st":)" + first + "}\n" +
                                  R"({"op":"hsync","h":1,"what":"stream","id":)" + first + "}\n" +
                                  R"({"op":"kernel","h":2,"wr":[[7,0,64]],"st":)" + second + "}\n");
    CHECK(find(report, "ACL019"));
    CHECK_FALSE(find(report, "ACL007"));
  }
  // No thread waited for the first op: synchronisation between threads would not help.
  const auto report = report_of(
      R"({"op":"kernel","st":0,"h":1,"wr":[[7,0,64]]}
{"op":"kernel","st":1,"h":2,"wr":[[7,0,64]]}
{"op":"hsync","h":1,"what":"stream","id":0}
)");
  CHECK(find(report, "ACL007"));
}

TEST_CASE("generated traces are clean, but those that are meant to have a bug") {
  for (const trace::GenerateKind& kind : trace::generate_kinds()) {
    const std::string name = kind.name;
    CAPTURE(name);
    trace::GenerateOptions options;
    options.kind = name;
    options.devices = 4;
    options.streams = 2;
    options.ops = 2000;
    const trace::Trace it = trace::generate(options);
    const order::Report report = check::check(it, {}).report;
    CAPTURE(to_text(report));
    CHECK((report.at_least(Level::warning) != 0) == (name == "racy" || name == "deadlock"));
    if (name == "racy") CHECK(find(report, "ACL007"));
    if (name == "deadlock") CHECK(find(report, "ACL003"));
  }
  trace::GenerateOptions sends;
  sends.kind = "sends";
  sends.devices = 4;
  CHECK(find(check::check(trace::generate(sends), {replay::Sends::rendezvous}).report, "ACL003"));
}

TEST_CASE("of a rule that has thousands of findings a thousand are told, and the rest counted") {
  std::string ops;
  for (int i = 0; i < 1005; ++i) {
    ops += "{\"op\":\"wait\",\"st\":1,\"ev\":" + std::to_string(i) + "}\n";
  }
  const trace::Trace it =
      trace::read_trace_bytes("t.aclt.jsonl", std::string(tracetest::kWorld) + ops);
  const check::Result result = check::check(it, {});
  CHECK(result.report.findings.size() == 1000);
  CHECK(result.left_out == 5);
}
