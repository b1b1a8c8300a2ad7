// SPDX-License-Identifier: Apache-2.0
// Reports, timelines and drawings of runs.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tools/replay/pictures/chrome_timeline.h"
#include "tools/replay/pictures/page.h"
#include "tools/replay/results/compare.h"
#include "tools/replay/results/compare_traces.h"
#include "tools/replay/results/report.h"

namespace {

using catch_compat::ContainsSubstring;
using Json = nlohmann::ordered_json;
using story::Story;
using trace::Trace;

/// Two devices, two streams: kernel, record, copy over the link; wait, kernel.
Trace sample(trace::Nanoseconds first = 50'000) {
  Story s;
  const auto a = s.track(0, 2);
  const auto b = s.track(1, 4);
  s.kernel(a, first, "MatMul </script>");
  const auto record = s.record(a, 7);
  s.copy(a, 2'064'384, 0, 1);
  s.wait(b, 7, record);
  s.kernel(b, 30'000, "Add");
  return s.b.finish();
}

struct Done {
  Trace trace;
  replay::Options options{};
  replay::Topology topology;
  replay::Execution run;
  replay::Cost cost;
  replay::Summary summary;

  explicit Done(Trace made)
      : trace(std::move(made)),
        run(replay::run_virtual(trace, topology, options)),
        cost(trace, topology, options),
        summary(replay::summarise(trace, run, cost)) {}
  Done(const Done&) = delete;

  Json json(std::uint64_t seed = 0) const {
    replay::RunInfo info{{"sample"}, "virtual", "default", options};
    info.options.seed = seed;
    return replay::to_json(info, trace, run, summary, run.makespan_ns);
  }
  std::string chrome() const {
    std::string text;
    replay::write_chrome(trace, run, cost, [&](std::string_view part) { text += part; });
    return text;
  }
};

/// The text of tests/replay/golden/NAME; ACLSIM_TEST_WRITE_GOLDEN=1 writes it instead.
std::string golden(const std::string& name, const std::string& now) {
  const std::string path = std::string(ACLSIM_SOURCE_DIR) + "/tests/replay/golden/" + name;
  if (std::getenv("ACLSIM_TEST_WRITE_GOLDEN")) std::ofstream(path, std::ios::binary) << now;
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("text, report, timeline and drawings of a small run are those that were looked at") {
  const Done done(sample());
  const replay::Picture picture = replay::draw_run(done.trace, done.run, done.summary);
  const replay::RunInfo info{{"sample"}, "virtual", "default", done.options};
  const auto check = [](const std::string& name, const std::string& now) {
    CHECK(golden(name, now) == now);
  };
  check("sample.txt", replay::to_text(info, done.trace, done.run, done.summary));
  check("sample.report.json", replay::make_report({done.json()}).dump(2) + "\n");
  check("sample.trace_view.json", done.chrome());
  check("sample.svg", replay::to_svg(picture, 800, "sample"));
  check("sample.ascii.txt", replay::to_ascii(picture, 80, false));
}

TEST_CASE("the timeline is JSON of slices, arrows and counters that viewers can draw") {
  const Done done(sample());
  const Json events = Json::parse(done.chrome());
  std::map<std::string, int> phases;
  double arrow_start = -1;
  double arrow_end = -1;
  for (const Json& event : events) {
    const std::string phase = event["ph"];
    ++phases[phase];
    if (phase == "s") arrow_start = event["ts"];
    if (phase == "f") {
      arrow_end = event["ts"];
      CHECK(event["bp"] == "e");
      CHECK(event["cat"] == "record_wait");
    }
    if (phase == "X" && event["name"] == "wait") {
      // The arrow ends inside of the wait.
      CHECK(arrow_end < 0);  // slices are written before arrows
      CHECK(event["args"]["edge"] == "exact");
      CHECK(event["args"]["waits for op"] == 2);
      CHECK(event["ts"].get<double>() + event["dur"].get<double>() == catch_compat::Approx(50.46));
    }
  }
  CHECK(phases["X"] == 6);  // five ops, and the copy on its link
  CHECK(phases["s"] == 1);
  CHECK(phases["f"] == 1);
  CHECK(phases["B"] + phases["E"] + phases["i"] == 0);
  CHECK(arrow_start == catch_compat::Approx(50.0));
  CHECK(arrow_end == catch_compat::Approx(50.459));
}

TEST_CASE("the processes of a timeline are numbered as the vendor's profiler does") {
  const Done done(sample());
  for (const Json& event : Json::parse(done.chrome())) {
    if (event["ph"] != "X" || event["name"] != "Add") continue;
    const std::uint64_t pid = event["pid"];
    CHECK((pid & 31) == 1);          // device
    CHECK(((pid >> 5) & 31) == 13);  // hardware
    CHECK(event["tid"] == 4);
  }
}

TEST_CASE("reports of shards make the report of all runs, in whatever order they come") {
  const Done done(sample());
  std::vector<Json> all;
  for (std::uint64_t seed = 0; seed < 12; ++seed) all.push_back(done.json(seed));
  const std::string whole = replay::make_report(all).dump();
  std::vector<Json> shuffled;
  for (const std::size_t first : {2U, 0U, 1U}) {
    std::vector<Json> shard;
    for (std::size_t i = first; i < all.size(); i += 3) shard.push_back(all[i]);
    for (Json& run : replay::runs_of(replay::make_report(shard).dump(), "shard")) {
      shuffled.push_back(std::move(run));
    }
  }
  CHECK(replay::make_report(shuffled).dump() == whole);
}

TEST_CASE("what is no report is refused with what was expected") {
  CHECK_THROWS_WITH(replay::runs_of("{]", "x.json"), ContainsSubstring("x.json: no report"));
  CHECK_THROWS_WITH(replay::runs_of("{\"aclsim_report\": 9, \"runs\": []}", "x.json"),
                    ContainsSubstring("version 9; expected 1"));
  const auto refused = [](const std::string& run, const std::string& why) {
    CHECK_THROWS_WITH(replay::runs_of("{\"aclsim_report\": 1, \"runs\": [" + run + "]}", "x.json"),
                      ContainsSubstring("x.json: runs[0]" + why));
  };
  refused("3", ": expected an object");
  refused("{}", ".makespan_ns: expected a whole number of ns");
  refused("{\"makespan_ns\": -1}", ".makespan_ns: expected a whole number of ns");
  refused("{\"makespan_ns\": 5, \"seed\": \"7\"}", ".seed: expected a whole number");
  refused("{\"makespan_ns\": 5, \"files\": [1]}", ".files: expected a list of texts");
  refused("{\"makespan_ns\": 5, \"links\": [{}, {\"to\": 0.5}]}",
          ".links[1].to: expected the number of a device");
}

TEST_CASE("a page holds its data, closes no script early, and is small") {
  const Done done(sample());
  const replay::Picture picture = replay::draw_run(done.trace, done.run, done.summary);
  const std::string page = replay::to_html(picture, {"sample", "verdict PASS", "aclsim plot"});
  CHECK(page.size() < 300'000);
  CHECK_THAT(page, ContainsSubstring("MatMul <\\/script>"));
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
  const std::size_t begin = page.find("id=\"data\">") + 10;
  const Json data = Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  CHECK(data["rows"].size() == 2);
  CHECK(data["rows"][0]["s"].size() == 3 * 6);
  CHECK(data["arrows"].size() == 5);
}

TEST_CASE("too many slices are drawn together, and none is lost") {
  Story s;
  for (int i = 0; i < 5000; ++i) s.kernel(s.track(0, i % 4), 10);
  const Done done(s.b.finish());
  const replay::Picture picture =
      replay::draw_run(done.trace, done.run, done.summary, {.slices = 100, .arrows = 100});
  std::size_t slices = 0;
  std::uint64_t ops = 0;
  for (const auto& row : picture.rows) {
    slices += row.slices.size();
    for (const auto& slice : row.slices) ops += slice.ops;
  }
  CHECK(slices <= 100);
  CHECK(ops == 5000);
  CHECK(picture.merged == 5000 - slices);
}

TEST_CASE("a comparison finds the op that took longer and what it did to the whole") {
  const Done a(sample(50'000));
  const Done b(sample(70'000));
  const auto deltas = replay::compare_reports(a.json(), b.json());
  CHECK(deltas.front().what == "makespan_ns");
  CHECK(deltas.front().b - deltas.front().a == 20'000);
  const auto found = replay::compare_traces({a.trace, a.run}, {b.trace, b.run}, false);
  CHECK(found.matched == 5);
  CHECK(found.first.empty());  // a clock is no structure
  REQUIRE(found.largest.size() == 2);
  CHECK(found.largest[0].length_b - found.largest[0].length_a == 20'000);
  CHECK_THAT(found.largest[0].name, ContainsSubstring("MatMul"));
}

TEST_CASE("a comparison goes on behind ops that only one trace has") {
  const auto make = [](bool more) {
    Story s;
    s.kernel(s.track(0, 1), 10, "a");
    if (more) s.kernel(s.track(0, 1), 10, "extra");
    s.kernel(s.track(0, 1), 10, "b");
    s.kernel(s.track(0, 1), 10, "c");
    return s.b.finish();
  };
  const Done a(make(false));
  const Done b(make(true));
  const auto found = replay::compare_traces({a.trace, a.run}, {b.trace, b.run}, false);
  CHECK(found.matched == 3);
  CHECK(found.only_a == 0);
  CHECK(found.only_b == 1);
}
