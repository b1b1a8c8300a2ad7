// SPDX-License-Identifier: Apache-2.0
// No verdict is better than the evidence for it.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/replay/desk.h"
#include "tests/support/catch.h"
#include "tests/trace/kineto_text.h"

#ifdef ACLSIM_EXE

namespace {

using catch_compat::ContainsSubstring;
using lookalike::KinetoText;
using replay_test::Desk;
using Json = nlohmann::ordered_json;

/// A row of slices of 100 us, one every `step` us.
std::string row_of_slices(int count, int step) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) {
    text += fmt::format(R"({}{{"ph":"X","name":"k","pid":1,"tid":1,"ts":{},"dur":100}})",
                        i == 0 ? "" : ",", 1000 + i * step);
  }
  return text + "]";
}

}  // namespace

TEST_CASE("a trace in which nothing ran on a device is refused, with what was passed over") {
  const Desk desk;
  KinetoText text;
  for (int i = 0; i < 3; ++i) text.add("cpu_op", "aten::add", 9, 9, 10 * i, 5, "");
  text.add("mtia_ccp_events", "run", 0, 1, 5, 5, "").add("mtia_ccp_events", "run", 0, 1, 15, 5, "");
  desk.write("host.json", text.text());
  for (const char* const verb : {"info", "replay", "check", "plot --ascii"}) {
    CAPTURE(verb);
    const auto result = desk.run(std::string(verb) + " host.json");
    CHECK(result.code == 2);
    CHECK_THAT(result.err, ContainsSubstring("host.json: ") &&
                               ContainsSubstring("passed over 3 cpu_op, 2 mtia_ccp_events"));
  }
  desk.write("none.aclt.jsonl", "{\"aclt\":1}\n");
  CHECK(desk.run("info none.aclt.jsonl").code == 0);  // a program that did nothing
  CHECK(desk.run("replay none.aclt.jsonl").code == 2);
}

TEST_CASE("a replay that misses the recording by more than 5 % is no pass") {
  const Desk desk;
  desk.write("beside.json", row_of_slices(40, 50));  // each begins while the one before runs
  const auto result = desk.run("replay beside.json --report r.json");
  CHECK(result.code == 4);
  CHECK_THAT(result.out, ContainsSubstring("verdict  FAIL (makespan off by more than 5 %"));
  CHECK_THAT(result.err, ContainsSubstring("warning: 39 of 40 ops begin before the one before them "
                                           "on their stream has ended"));
  CHECK(Json::parse(desk.read("r.json"))["runs"][0]["overlaps"] == 39);
  CHECK(desk.run("replay beside.json --tolerance 200").code ==
        4);  // the tracks are still no tracks
  // The report has the order on the devices all the same.
  const auto devices = desk.run("replay beside.json --mode both --report r.json");
  CHECK(devices.code == 4);
  CHECK(Json::parse(desk.read("r.json"))["runs"][0]["threads"]["status"] == "complete");
  // A parameter that was changed on purpose may differ.
  desk.write("row.json", row_of_slices(40, 100));
  CHECK(desk.run("replay row.json").code == 0);
  CHECK(desk.run("replay row.json --scale 2").code == 0);
  CHECK(desk.run("replay row.json --scale 2 --tolerance 5").code == 4);
}

TEST_CASE("stream waits whose records are not in the file are counted and said") {
  const Desk desk;
  KinetoText text;
  for (int i = 0; i < 4; ++i) {
    text.call("cudaStreamWaitEvent", 10 * i, 1, 2 * i + 1)
        .call("cudaLaunchKernel", 10 * i + 2, 1, 2 * i + 2)
        .kernel("k", 7, 10 * i + 5, 4, 2 * i + 2);
  }
  text.call("cudaStreamWaitEvent", 60, 1, 99);  // of a stream on which nothing follows
  desk.write("k.json", text.text());
  const auto info = desk.run("info k.json");
  CHECK(info.code == 0);
  CHECK_THAT(info.err, ContainsSubstring("5 stream waits, records not in the file"));
  const Json report = Json::parse(desk.out("info --json --quiet k.json"));
  CHECK(report["waits"] == 4);
  CHECK(report["waits_unknown"] == 4);
  CHECK(report["waits_unrecorded"] == 0);
  CHECK_THAT(desk.run("replay k.json").err,
             ContainsSubstring("5 stream waits, records not in the file"));
}

TEST_CASE("the same file twice is refused, whatever it is called") {
  const Desk desk;
  desk.generate("ring", "--devices 2 --ops 50", "a.aclt.jsonl");
  std::filesystem::create_directory(desk.path() / "folder");
  std::filesystem::create_symlink(desk.path() / "a.aclt.jsonl", desk.path() / "folder" / "b");
  for (const char* const files : {"a.aclt.jsonl a.aclt.jsonl", "a.aclt.jsonl ./a.aclt.jsonl",
                                  "a.aclt.jsonl folder/b", "folder a.aclt.jsonl"}) {
    CAPTURE(files);
    const auto result = desk.run(std::string("replay ") + files);
    CHECK(result.code == 2);
    CHECK_THAT(result.err, ContainsSubstring("is given twice"));
  }
}

TEST_CASE("plot of a trace that stands says so and ends as replay does") {
  const Desk desk;
  desk.generate("deadlock", "--devices 2 --ops 100", "d.aclt.jsonl");
  const auto result = desk.run("plot d.aclt.jsonl -o d.html");
  CHECK(result.code == 3);
  CHECK_THAT(result.err, ContainsSubstring("the shortest cycle has"));
  CHECK_THAT(desk.read("d.html"), ContainsSubstring("deadlock"));
}

TEST_CASE("a folder is read by what its files hold, and what was skipped is listed") {
  const Desk desk;
  std::filesystem::create_directories(desk.path() / "job" / "deep" / "er");
  desk.write("job/one", KinetoText().kernel("a", 7, 0, 10, 1).text(0));
  desk.write("job/deep/er/two.data", KinetoText().kernel("b", 7, 0, 10, 1).text(1));
  desk.write("job/notes.txt", "nothing of interest\n");
  desk.write("job/deep/metadata.json", "{\"world_size\":2}");
  const auto result = desk.run("info --json job");
  REQUIRE(result.code == 0);
  const Json report = Json::parse(result.out);
  CHECK(report["files"].size() == 2);
  CHECK(report["ranks"] == 2);
  CHECK_THAT(report["remarks"].dump(),
             ContainsSubstring("2 files are no traces") &&
                 ContainsSubstring("job/notes.txt (of no known format)") &&
                 ContainsSubstring("metadata.json (no trace events)"));
  CHECK_THAT(desk.run("replay job").err, ContainsSubstring("2 files are no traces"));
  std::filesystem::remove(desk.path() / "job" / "one");
  std::filesystem::remove(desk.path() / "job" / "deep" / "er" / "two.data");
  const auto none = desk.run("info job");
  CHECK(none.code == 2);
  CHECK_THAT(none.err, ContainsSubstring("is a folder without traces") &&
                           ContainsSubstring("job/notes.txt (of no known format)"));
}

TEST_CASE("no verb finds an empty trace in order, and a summary of a deadlock ends like replay") {
  const Desk desk;
  desk.write("none.aclt.jsonl", "{\"aclt\":1}\n");
  for (const char* const verb : {"check", "summary", "plot --ascii", "diff none.aclt.jsonl"}) {
    CAPTURE(verb);
    const auto result = desk.run(std::string(verb) + " none.aclt.jsonl");
    CHECK(result.code == 2);
    CHECK_THAT(result.err, ContainsSubstring("none.aclt.jsonl: no") &&
                               ContainsSubstring("expected a trace with operations"));
  }
  desk.out("gen deadlock --devices 2 --ops 50 --seed 1 -o d.aclt.jsonl");
  const auto stuck = desk.run("summary d.aclt.jsonl");
  CHECK(stuck.code == 3);
  CHECK_THAT(stuck.err, ContainsSubstring("ends in a deadlock"));
  CHECK_THAT(desk.run("diff d.aclt.jsonl d.aclt.jsonl").err,
             ContainsSubstring("d.aclt.jsonl ends in a deadlock"));
}

#endif
