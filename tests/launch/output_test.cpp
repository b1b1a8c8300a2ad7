// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tools/launch/join_timelines.h"
#include "tools/launch/rank_processes.h"

using namespace launch;

TEST_CASE("lines get their label however they come in pieces", "[launch]") {
  const std::string text = "one\n\nthree is longer\nlast, without an end";
  std::mt19937 random(GENERATE(1u, 2u, 3u, 4u));
  LineLabels labels("[3] ");
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = std::min<std::size_t>(text.size() - at, random() % 6);
    out += labels.add(std::string_view(text).substr(at, size));
    at += size;
  }
  CHECK(out == "[3] one\n[3] \n[3] three is longer\n");
  CHECK(labels.rest() == "[3] last, without an end\n");
  CHECK(labels.rest().empty());
}

TEST_CASE("a line without end is cut and nothing of it is lost", "[launch]") {
  LineLabels labels("> ");
  std::string out = labels.add(std::string(200'000, 'x'));
  out += labels.rest();
  CHECK(std::count(out.begin(), out.end(), 'x') == 200'000);
  CHECK(std::count(out.begin(), out.end(), '\n') == 4);
}

namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

nlohmann::json event_named(const nlohmann::json& events, const std::string& name) {
  for (const auto& event : events) {
    if (event["name"] == name) return event;
  }
  return {};
}

}  // namespace

TEST_CASE("timelines of ranks are joined on one axis, with lanes of their own", "[launch]") {
  const support::TempDir dir;
  const std::string a = dir.path() / "a.json", b = dir.path() / "b.json",
                    to = dir.path() / "to.json";
  const auto timeline = [](const char* base, const char* name) {
    return std::string("[\n") +
           R"({"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"Ascend Hardware 0"}},)" +
           "\n" +
           R"({"ph":"M","name":"process_name","pid":8,"tid":0,"args":{"name":"Ascend Hardware 1"}},)" +
           "\n" + R"({"ph":"M","name":"base_time","pid":7,"tid":0,"args":{"ns":")" + base +
           "\"}},\n" + R"({"ph":"X","cat":"device","name":")" + name +
           R"(","pid":7,"tid":1,"ts":10.500,"dur":1.000})" + "\n]\n";
  };
  write(a, timeline("2000000", "late"));
  write(b, timeline("1000000", "early"));
  join_timelines({{a, 0}, {b, 1}}, to);
  std::ifstream file(to);
  const auto events = nlohmann::json::parse(file);
  const auto late = event_named(events, "late"), early = event_named(events, "early");
  CHECK(late["ts"] == 1010.5);
  CHECK(early["ts"] == 10.5);
  CHECK(late["pid"] != early["pid"]);
  CHECK(event_named(events, "process_name")["args"]["name"] == "rank 0: Ascend Hardware 0");
  CHECK(events.size() == 4);  // devices without work are not listed
}

TEST_CASE("a timeline that is none is refused with its text", "[launch]") {
  const support::TempDir dir;
  const std::string bad = dir.path() / "bad.json";
  write(bad, "[\n{\"ph\":\n]\n");
  CHECK_THROWS_WITH(join_timelines({{bad, 0}}, dir.path() / "to.json"),
                    catch_compat::ContainsSubstring("is no event"));
}
