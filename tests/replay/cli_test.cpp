// SPDX-License-Identifier: Apache-2.0
// The verbs of replay as their users meet them: exit codes, files, texts.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/replay/desk.h"
#include "tests/support/catch.h"

#ifdef ACLSIM_EXE

namespace {

using catch_compat::ContainsSubstring;
using replay_test::Desk;
using Json = nlohmann::ordered_json;

}  // namespace

TEST_CASE("replay tells the makespan and writes the same report and timeline each time") {
  const Desk desk;
  desk.generate("ring", "--devices 4 --streams 2 --ops 2000 --seed 1", "ring.aclt.jsonl");
  for (const char* name : {"1", "2"}) {
    const std::string n = name;
    const std::string text = desk.out("replay ring.aclt.jsonl --jitter 0.1 --seed 3 --report r" +
                                      n + ".json --timeline t" + n + ".json");
    CHECK_THAT(text, ContainsSubstring("replay   virtual   4 devices"));
    CHECK_THAT(text, ContainsSubstring("critical path of"));
    CHECK_THAT(text, ContainsSubstring("verdict  PASS"));
  }
  CHECK(desk.read("r1.json") == desk.read("r2.json"));
  CHECK(desk.read("t1.json") == desk.read("t2.json"));
  const Json report = Json::parse(desk.read("r1.json"));
  CHECK(report["aclsim_report"] == 1);
  CHECK(report["makespan_ns"].get<std::int64_t>() > 0);
  CHECK(report["runs"][0]["status"] == "complete");
  CHECK(report["runs"][0]["makespan_ns"] >= report["runs"][0]["critical_path_ns"]);
  CHECK(Json::parse(desk.read("t1.json")).size() > 2000);
}

TEST_CASE("replay of a deadlock ends with 3 and names the cycle") {
  const Desk desk;
  desk.generate("deadlock", "--devices 2 --ops 200", "d.aclt.jsonl");
  const auto result = desk.run("replay d.aclt.jsonl --report r.json");
  CHECK(result.code == 3);
  CHECK_THAT(result.out, ContainsSubstring("the shortest cycle has"));
  CHECK_THAT(result.out, ContainsSubstring("verdict  FAIL (deadlock)"));
  const Json report = Json::parse(desk.read("r.json"));
  CHECK(report["runs"][0]["status"] == "deadlock");
  CHECK(report["runs"][0]["deadlock"]["cycle"].size() >= 2);
}

TEST_CASE("wrong input ends with 2, says where, and leaves nothing behind") {
  const Desk desk;
  desk.write("bad.toml", "[sync]\nwake = 3\n");
  desk.write("not.json", "{\"what\": 3}");
  desk.generate("ring", "--devices 2 --ops 50", "ring.aclt.jsonl");
  const auto topo = desk.run("replay ring.aclt.jsonl --topo bad.toml --report r.json");
  CHECK(topo.code == 2);
  CHECK_THAT(topo.err, ContainsSubstring("bad.toml:2: sync.wake: no such key"));
  CHECK_FALSE(desk.there("r.json"));
  CHECK(desk.run("replay missing.json").code == 2);
  CHECK(desk.run("replay ring.aclt.jsonl --cost guessed").code == 2);
  CHECK(desk.run("replay ring.aclt.jsonl --shard 5/4").code == 2);
  CHECK(desk.run("replay ring.aclt.jsonl --runs 2 --timeline t.json").code == 2);
  CHECK(desk.run("topo bad.toml").code == 2);
  CHECK(desk.run("report not.json").code == 2);
  CHECK(desk.run("diff not.json ring.aclt.jsonl").code == 2);
  CHECK(desk.run("plot ring.aclt.jsonl -o x.pdf").code == 2);
  CHECK(desk.run("plot ring.aclt.jsonl --ascii --window 5ms").code == 2);
}

TEST_CASE("replay on the emulated devices keeps the order of virtual time and moves bytes") {
  const Desk desk;
  for (const char* kind : {"ring", "pipeline", "random"}) {
    CAPTURE(kind);
    desk.generate(kind, "--devices 4 --streams 2 --ops 2000 --seed 2", "t.aclt.jsonl");
    const std::string text = desk.out("replay t.aclt.jsonl --mode both --report r.json");
    CHECK_THAT(text, ContainsSubstring("edges as in virtual time"));
    const Json threads = Json::parse(desk.read("r.json"))["runs"][0]["threads"];
    CHECK(threads["status"] == "complete");
    CHECK(threads["ops"] == Json::parse(desk.read("r.json"))["runs"][0]["ops"]);
    CHECK(threads["edges"].get<int>() > 1000);
    CHECK(threads["edges_violated"] == 0);
    CHECK(threads["wrong_copies"] == 0);
  }
  CHECK(Json::parse(desk.read("r.json"))["runs"][0]["mode"] == "both");
}

TEST_CASE("a replay on the devices that takes too long ends with 3, and soon") {
  const Desk desk;
  desk.generate("ring", "--devices 2 --ops 100", "t.aclt.jsonl");
  for (int i = 0; i < 3; ++i) {  // kernels are under way when everything goes
    const Desk::Result found =
        desk.run("replay t.aclt.jsonl --mode threads --time-scale 1000000 --timeout 1",
                 "timeout --preserve-status 60");
    INFO(found.err);
    CHECK(found.code == 3);
    CHECK_THAT(found.out, ContainsSubstring("timeout"));
  }
}

TEST_CASE("an interrupt ends a replay of more runs than anybody could wait for with 130") {
  const Desk desk;
  desk.generate("ring", "--devices 2 --ops 100", "t.aclt.jsonl");
  const Desk::Result found =
      desk.run("replay t.aclt.jsonl --runs 1000000000", "timeout --preserve-status -s INT 1");
  INFO(found.err);
  CHECK(found.code == 130);
}

TEST_CASE("the reports of all shards merge to the report of one run") {
  const Desk desk;
  desk.generate("random", "--devices 2 --ops 300", "t.aclt.jsonl");
  const std::string runs = "replay t.aclt.jsonl --jitter 0.2 --runs 7 ";
  desk.out(runs + "--report all.json");
  for (const char* shard : {"1", "2", "3"}) {
    desk.out(runs + "--shard " + shard + "/3 --report s" + shard + ".json");
  }
  CHECK_THAT(desk.out("report s3.json s1.json s2.json -o merged.json"),
             ContainsSubstring("7 runs: 7 complete"));
  CHECK(desk.read("merged.json") == desk.read("all.json"));
}

TEST_CASE("a topology is shown, checked, fitted and written as a file that can be read again") {
  const Desk desk;
  CHECK_THAT(desk.out("topo"), ContainsSubstring("HCCS"));
  desk.out("topo -o t.toml");
  CHECK_THAT(desk.out("topo t.toml --validate"), ContainsSubstring("t.toml: valid: "));
  desk.out("topo t.toml -o again.toml");
  CHECK(desk.read("t.toml") == desk.read("again.toml"));
}

TEST_CASE("a slower link makes the replay longer, and diff says by how much") {
  const Desk desk;
  desk.generate("ring", "--devices 4 --ops 1000", "ring.aclt.jsonl");
  desk.write("slow.toml", "[link.hccs]\nbandwidth = 1e9\n");
  desk.out("replay ring.aclt.jsonl --cost model --report fast.json");
  desk.out("replay ring.aclt.jsonl --cost model --topo slow.toml --report slow.json");
  CHECK(Json::parse(desk.read("slow.json"))["makespan_ns"] >
        Json::parse(desk.read("fast.json"))["makespan_ns"]);
  CHECK(desk.run("diff fast.json fast.json --tolerance 0").code == 0);
  const auto result = desk.run("diff fast.json slow.json --tolerance 5");
  CHECK(result.code == 4);
  CHECK_THAT(result.out, ContainsSubstring("makespan_ns"));
  CHECK_THAT(result.out, ContainsSubstring("verdict FAIL"));
  CHECK(desk.run("diff ring.aclt.jsonl ring.aclt.jsonl --tolerance 0").code == 0);
}

TEST_CASE("the longest steps of the critical path are listed with names and lanes") {
  const Desk desk;
  desk.write("t.json", R"([{"ph":"X","name":"short","pid":1,"tid":1,"ts":0,"dur":60},
      {"ph":"X","name":"long","pid":1,"tid":1,"ts":60,"dur":100}])");
  const std::string text = desk.out("replay t.json --path 1 --report r.json");
  CHECK_THAT(text, ContainsSubstring("62.5 %  long on "));
  const Json path = Json::parse(desk.read("r.json"))["runs"][0]["critical_path"];
  REQUIRE(path["longest"].size() == 1);
  CHECK(path["longest"][0]["name"] == "long");
  CHECK(path["longest"][0]["to_ns"] == 160'000);
  CHECK(path["steps"] == 2);
}

TEST_CASE("summary tells of a job with times, and of one without by its replay") {
  const Desk desk;
  desk.write("t.json", R"([{"ph":"X","name":"k","pid":1,"tid":1,"ts":0,"dur":60},
      {"ph":"X","name":"k","pid":1,"tid":1,"ts":100,"dur":100}])");
  const std::string text = desk.out("summary t.json");
  CHECK_THAT(text, ContainsSubstring("times as recorded"));
  CHECK_THAT(text, ContainsSubstring("80.0 %"));
  const Json json = Json::parse(desk.out("summary t.json --json"));
  CHECK(json["ranks"][0]["compute_ns"] == 160'000);
  CHECK(json["ranks"][0]["idle_ns"] == 40'000);
  CHECK(json["kernels"][0]["median_ns"] == 60'000);
  CHECK(json["kernels"][0]["share"] == 1.0);
  desk.generate("ring", "--devices 4 --ops 200", "r.aclt.jsonl");
  CHECK_THAT(desk.out("summary r.aclt.jsonl"), ContainsSubstring("of a replay"));
  desk.write("none.aclt.jsonl", "{\"aclt\":1}\n");
  CHECK(desk.run("summary none.aclt.jsonl").code == 2);
}

TEST_CASE("the timeline of a replay is a trace again, with its tasks once each") {
  const Desk desk;
  desk.generate("ring", "--devices 4 --streams 2 --ops 1000 --seed 3", "t.aclt.jsonl");
  desk.out("replay t.aclt.jsonl --timeline trace_view.json");
  const Json before = Json::parse(desk.out("info --json t.aclt.jsonl"));
  const Json after = Json::parse(desk.out("info --json trace_view.json"));
  CHECK(after["files"][0]["format"] == "ascend-timeline");
  for (const char* key : {"devices", "streams", "ops_by_kind", "copy_bytes"}) {
    CAPTURE(key);
    CHECK(after[key] == before[key]);
  }
}

TEST_CASE("plot draws a page, an SVG and text") {
  const Desk desk;
  desk.generate("pipeline", "--devices 2 --streams 2 --ops 200", "p.aclt.jsonl");
  desk.out("plot p.aclt.jsonl -o p.html");
  CHECK_THAT(desk.read("p.html"), ContainsSubstring("<!DOCTYPE html>"));
  desk.out("plot p.aclt.jsonl -o p.svg");
  CHECK_THAT(desk.read("p.svg"), ContainsSubstring("</svg>"));
  const std::string text = desk.out("plot p.aclt.jsonl --ascii --width 80 --window 0,50us");
  CHECK_THAT(text, ContainsSubstring("rank 0 device 0"));
  CHECK(text.find("\x1b[") == std::string::npos);  // not a terminal: no colours
}

#endif
