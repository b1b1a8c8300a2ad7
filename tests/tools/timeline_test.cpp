// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/timeline.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "device_sim/machine/system.h"
#include "device_sim/streams/op.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"
#include "tests/support/waiting.h"

namespace {

using acl::trace_output::Timeline;
using nlohmann::json;
using sim::Ref;
using sim::Signal;
using sim::Stream;

constexpr auto kPatience = std::chrono::seconds(30);

std::int32_t do_nothing(const sim::KernelRun&) { return 0; }
std::int32_t fail_with_507015(const sim::KernelRun&) { return 507015; }

sim::SystemConfig small_machine(sim::Schedule schedule) {
  sim::SystemConfig config;
  config.devices = 2;
  config.memory_bytes = std::size_t{1} << 24;
  config.pinned_bytes = std::size_t{1} << 24;
  config.schedule = schedule;
  return config;
}

/// A traced machine.
struct Traced {
  support::TempDir dir;
  sim::System system;
  Timeline timeline;
  std::uint32_t next_stream = 1;

  explicit Traced(sim::Schedule schedule = sim::Schedule::threads)
      : system(small_machine(schedule)),
        timeline((dir.path() / "out.json").string(), 2, system.driver()) {
    system.driver().set_observer(&timeline);
  }
  ~Traced() { system.driver().set_observer(nullptr); }

  Ref<Stream> stream(int device = 0) {
    Stream::Config config;
    config.id = next_stream++;
    config.device = device;
    return sim::make_ref<Stream>(system.driver(), config);
  }
  Ref<Signal> signal() { return sim::make_ref<Signal>(nullptr, system.driver().next_id()); }
  void settle(Stream& stream) {
    const auto result =
        system.driver().wait(stream, stream.submitted(), sim::Deadline::in(kPatience), true);
    REQUIRE(result == sim::Driver::WaitResult::reached);
  }
  /// Reads until two reads are equal, because the flusher may write during a read.
  std::string text() const {
    std::string text = dir.read("out.json");
    for (std::string again; (again = dir.read("out.json")) != text;) text = std::move(again);
    return text;
  }
  json events() {
    timeline.finish();
    return json::parse(text());
  }
};

void kernel(Stream& stream, const char* name) {
  stream.submit(sim::make_kernel(do_nothing, nullptr, name, 1, nullptr, 0));
}
void record(Stream& stream, Signal& signal) { stream.submit(sim::make_record(signal, true)); }
void wait(Stream& stream, Signal& signal) { stream.submit(sim::make_wait(signal, nullptr, 0)); }

json with(const json& events, const std::string& key, const json& value) {
  json found = json::array();
  for (const json& event : events) {
    if (event.value(key, json()) == value) found.push_back(event);
  }
  return found;
}

long long ns(const json& micros) { return std::llround(micros.get<double>() * 1000); }

struct Slice {
  long long start;
  long long end;
  std::string name;
};
using Lane = std::pair<long long, long long>;
using Lanes = std::map<Lane, std::vector<Slice>>;

Lane lane_of(const json& event) { return {event["pid"], event["tid"]}; }

/// The slices of devices, by track and in the order of time; fails if two of a track overlap.
Lanes device_lanes(const json& events) {
  Lanes lanes;
  for (const json& event : with(events, "cat", "device")) {
    const long long start = ns(event["ts"]);
    lanes[lane_of(event)].push_back({start, start + ns(event["dur"]), event["name"]});
  }
  for (auto& [lane, slices] : lanes) {
    std::sort(slices.begin(), slices.end(),
              [](const Slice& a, const Slice& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < slices.size(); ++i) {
      if (slices[i].start < slices[i - 1].end) FAIL("two slices of a lane overlap");
    }
  }
  return lanes;
}

const Slice* slice_at(const std::vector<Slice>& lane, long long time) {
  for (const Slice& slice : lane) {
    if (slice.start <= time && time < slice.end) return &slice;
  }
  return nullptr;
}

void check_arrow(const Lanes& lanes, const json& from, const json& to) {
  const long long start = ns(from["ts"]);
  const long long end = ns(to["ts"]);
  const Slice* const record = slice_at(lanes.at(lane_of(from)), start);
  const Slice* const wait = slice_at(lanes.at(lane_of(to)), end);
  const bool right = start < end && to["bp"] == "e" && record && record->start == start &&
                     record->name == "EVENT_RECORD" && record->end - record->start >= 20 && wait &&
                     wait->name == "EVENT_WAIT" && wait->end - 1 == end;
  if (!right) FAIL("a wrong arrow: " << from.dump() << " to " << to.dump());
}

/// Checks the rules that both viewers have in common. Returns the number of arrows.
std::size_t check_rules(const json& events) {
  const std::set<std::string> phases{"X", "M", "C", "s", "f"};
  for (const json& event : events) {
    if (phases.count(event.at("ph")) == 0) FAIL("a phase that viewers drop: " << event.dump());
  }
  const Lanes lanes = device_lanes(events);
  std::map<long long, json> starts;
  std::map<long long, json> ends;
  for (const json& event : with(events, "ph", "s")) {
    if (!starts.emplace(event["id"], event).second) FAIL("two arrows with one id");
  }
  for (const json& event : with(events, "ph", "f")) {
    if (!ends.emplace(event["id"], event).second) FAIL("two arrows with one id");
  }
  REQUIRE(starts.size() == ends.size());
  for (const auto& [id, from] : starts) check_arrow(lanes, from, ends.at(id));
  return starts.size();
}

long long device_pid(int device) {
  return static_cast<long long>(getpid()) << 10 | 13 << 5 | device;
}

}  // namespace

TEST_CASE("a timeline has a process per device, a lane per stream and an arrow to the wait") {
  Traced t;
  const auto a = t.stream(0);
  const auto b = t.stream(1);
  const auto done = t.signal();
  wait(*b, *done);
  kernel(*b, "after");
  kernel(*a, "before");
  record(*a, *done);
  t.settle(*a);
  t.settle(*b);
  const json events = t.events();
  CHECK(check_rules(events) == 1);

  const Lanes lanes = device_lanes(events);
  REQUIRE(lanes.size() == 2);
  const auto& first = lanes.at({device_pid(0), 1});
  const auto& second = lanes.at({device_pid(1), 2});
  REQUIRE(first.size() == 2);
  CHECK(first[0].name == "before");
  CHECK(first[1].name == "EVENT_RECORD");
  REQUIRE(second.size() == 2);
  CHECK(second[0].name == "EVENT_WAIT");
  CHECK(second[1].name == "after");
  const json names = with(with(events, "name", "process_name"), "pid", device_pid(1));
  REQUIRE(names.size() == 1);
  CHECK(names[0]["args"]["name"] == "Ascend Hardware 1");
  const json lane_names = with(with(events, "name", "thread_name"), "pid", device_pid(1));
  REQUIRE(lane_names.size() == 1);
  CHECK(lane_names[0]["args"]["name"] == "Stream 2");
  CHECK(with(events, "name", "after")[0]["args"]["Task Type"] == "KERNEL_AIVEC");
}

TEST_CASE("a record has an arrow to each of the waits that it releases") {
  Traced t;
  const auto recorder = t.stream();
  const auto done = t.signal();
  std::vector<Ref<Stream>> waiters;
  for (int i = 0; i < 20; ++i) {
    waiters.push_back(t.stream(i % 2));
    wait(*waiters.back(), *done);
  }
  record(*recorder, *done);
  for (const auto& waiter : waiters) t.settle(*waiter);
  CHECK(check_rules(t.events()) == 20);
}

TEST_CASE("a wait that finds its signal done has an arrow too, one that was never bound has none") {
  Traced t;
  const auto a = t.stream();
  const auto b = t.stream();
  const auto done = t.signal();
  const auto never_recorded = t.signal();
  never_recorded->complete({}, 0);
  record(*a, *done);
  t.settle(*a);
  wait(*b, *done);
  wait(*b, *never_recorded);
  t.settle(*b);
  CHECK(check_rules(t.events()) == 1);
}

TEST_CASE("arrows never end before they start, also when a signal is used again and again") {
  Traced t;
  const auto a = t.stream();
  const auto b = t.stream();
  const auto done = t.signal();
  for (int round = 0; round < 200; ++round) {
    done->clear();
    wait(*b, *done);
    record(*a, *done);
    t.settle(*b);
    t.settle(*a);
  }
  CHECK(check_rules(t.events()) == 200);
}

TEST_CASE("random work of several host threads keeps the rules of both viewers") {
  const auto schedule = GENERATE(sim::Schedule::threads, sim::Schedule::seeded);
  Traced t(schedule);
  std::vector<Ref<Stream>> streams;
  for (int i = 0; i < 6; ++i) streams.push_back(t.stream(i % 2));
  std::vector<std::thread> hosts;
  for (unsigned host = 0; host < 3; ++host) {
    hosts.emplace_back([&, host] {
      std::mt19937 random(host);
      for (int i = 0; i < 300; ++i) {
        const sim::Nanoseconds begun = t.system.driver().now_ns();
        const auto done = t.signal();
        kernel(*streams[random() % 6], "k");
        record(*streams[random() % 6], *done);
        wait(*streams[random() % 6], *done);  // the event is already recorded, so there is no cycle
        t.timeline.api_call("aclrtStreamWaitEvent", begun, t.system.driver().now_ns());
      }
    });
  }
  for (std::thread& host : hosts) host.join();
  for (const auto& stream : streams) t.settle(*stream);
  const json events = t.events();
  CHECK(check_rules(events) == 900);
  CHECK(with(events, "cat", "host_api").size() == 900);
  std::map<long long, long long> busy;
  for (const json& count : with(events, "ph", "C")) busy[count["pid"]] = count["args"]["busy"];
  for (const auto& [pid, streams_left] : busy) CHECK(streams_left == 0);
}

TEST_CASE("times are microseconds with three decimals") {
  Traced t;
  t.timeline.api_call("aclrtMalloc", 1'234'567, 1'234'569);
  t.timeline.finish();
  CHECK_THAT(t.text(), catch_compat::ContainsSubstring("\"ts\":1234.567,\"dur\":0.002"));
}

TEST_CASE("unusual names arrive unharmed") {
  const std::string name =
      GENERATE(as<std::string>{}, "a \"quoted\" \\ name", "tab\tline\n\x01\x7f", "f<int, char>(x)",
               "\xe6\x98\x87\xe8\x85\xbe \xf0\x9f\x9a\x80", "", "},]", "%s {} {0}");
  Traced t;
  const auto stream = t.stream();
  kernel(*stream, name.c_str());
  t.settle(*stream);
  t.timeline.api_call(name.c_str(), 1, 2);
  const json events = t.events();
  CHECK(with(with(events, "cat", "device"), "name", name).size() == 1);
  CHECK(with(with(events, "cat", "host_api"), "name", name).size() == 1);
}

TEST_CASE("bytes of a name that are not UTF-8 become replacement characters") {
  Traced t;
  t.timeline.api_call("a\xff\xc3(\xed\xa0\x80\xf5z\xe6\x98", 1, 2);
  const json calls = with(t.events(), "cat", "host_api");
  REQUIRE(calls.size() == 1);
  const std::string r = "\xef\xbf\xbd";
  CHECK(calls[0]["name"] == "a" + r + r + "(" + r + r + r + r + "z" + r + r);
}

TEST_CASE("a copy says which way it went and how many bytes it moved") {
  Traced t;
  void* const here = t.system.memory().device(0).allocate(256, 64, 0, nullptr);
  void* const there = t.system.memory().device(1).allocate(256, 64, 0, nullptr);
  char host[256] = {};
  const auto stream = t.stream();
  stream->submit(sim::make_copy(here, 0, host, -1, 256));
  stream->submit(sim::make_copy(there, 1, here, 0, 128));
  stream->submit(sim::make_copy(static_cast<char*>(here) + 128, 0, here, 0, 64));
  stream->submit(sim::make_copy(host, -1, here, 0, 32));
  stream->submit(sim::make_fill(here, 0, 1, 16));
  t.settle(*stream);
  const json slices = with(t.events(), "cat", "device");
  REQUIRE(slices.size() == 5);
  std::string seen;
  for (const json& slice : slices) {
    const json& args = slice["args"];
    seen += args.value("kind", "fill") + ":" + std::to_string(args["bytes"].get<int>()) + " ";
  }
  CHECK(seen == "h2d:256 p2p:128 d2d:64 d2h:32 fill:16 ");
}

TEST_CASE("a failed task says why, and a dropped one too") {
  Traced t;
  const auto blocked = t.signal();
  const auto stream = t.stream();
  stream->stop_on_failure();
  wait(*stream, *blocked);
  stream->submit(sim::make_kernel(fail_with_507015, nullptr, "bad", 1, nullptr, 0));
  kernel(*stream, "dropped");
  blocked->complete({}, 0);
  t.settle(*stream);
  const json events = t.events();
  check_rules(events);
  const json bad = with(events, "name", "bad");
  REQUIRE(bad.size() == 1);
  CHECK(bad[0]["args"]["failure"] == "a kernel reported a failure (507015)");
  const json dropped = with(events, "name", "dropped");
  REQUIRE(dropped.size() == 1);
  CHECK(dropped[0]["args"]["failure"] == "the stream was aborted");
}

TEST_CASE("what still waits is in the file as an unfinished slice until it ends") {
  Traced t;
  const auto blocked = t.signal();
  const auto a = t.stream();
  const auto b = t.stream();
  wait(*a, *blocked);
  while (a->state() != Stream::State::parked) std::this_thread::yield();

  const json before = with(t.events(), "cat", "device");
  REQUIRE(before.size() == 1);
  CHECK(before[0]["name"] == "EVENT_WAIT");
  CHECK(before[0]["args"]["unfinished"] == true);

  record(*b, *blocked);
  t.settle(*a);
  t.settle(*b);
  const json events = t.events();
  CHECK(check_rules(events) == 1);
  const json after = with(events, "name", "EVENT_WAIT");
  REQUIRE(after.size() == 1);
  CHECK_FALSE(after[0]["args"].contains("unfinished"));
  CHECK(t.events() == events);
}

TEST_CASE("a file that is cut at a flush is still read, with and without its last bracket") {
  Traced t;
  json seen = json::parse(t.text());  // contains only names of processes
  for (int i = 0; seen.size() < 3000; ++i) {
    REQUIRE(i < 100'000);
    t.timeline.api_call("aclrtQueryEventStatus", static_cast<sim::Nanoseconds>(i) * 10,
                        static_cast<sim::Nanoseconds>(i) * 10 + 5);
    if (i % 500 != 0) continue;
    std::string text = t.text();
    const json whole = json::parse(text);
    CHECK(whole.size() >= seen.size());
    seen = whole;
    text.erase(text.rfind("\n]"));
    CHECK(json::parse(text + "]") == seen);
  }
}

TEST_CASE("a program without work leaves a valid file") {
  Traced t;
  CHECK(with(t.events(), "ph", "X").empty());
}

TEST_CASE("two timelines of one path write two files") {
  support::TempDir dir;
  sim::System system(small_machine(sim::Schedule::threads));
  const std::string path = (dir.path() / "run.json").string();
  Timeline first(path, 1, system.driver());
  Timeline second(path, 1, system.driver());
  first.api_call("first", 1, 2);
  second.api_call("second", 1, 2);
  first.finish();
  second.finish();
  CHECK(first.path() == path);
  CHECK(second.path() == (dir.path() / ("run." + std::to_string(getpid()) + ".json")).string());
  const json events = json::parse(dir.read("run.json"));
  CHECK(with(events, "name", "first").size() == 1);
  CHECK(with(events, "name", "second").empty());
}

TEST_CASE("a forked child leaves its parent's file alone") {
  Traced t;
  t.timeline.api_call("parent", 1, 2);
  const pid_t child = fork();
  if (child == 0) {
    t.timeline.api_call("child", 3, 4);
    t.timeline.finish();
    _exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  const json calls = with(t.events(), "cat", "host_api");
  REQUIRE(calls.size() == 1);
  CHECK(calls[0]["name"] == "parent");
}

// ---- cases that need a process of their own ----

namespace {

int trace_many_calls(const std::string& path) {
  sim::System system(small_machine(sim::Schedule::threads));
  Timeline timeline(path, 1, system.driver());
  for (sim::Nanoseconds i = 0; i < 20'000; ++i)
    timeline.api_call("aclrtMalloc", i * 10, i * 10 + 5);
  timeline.finish();
  return 0;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

CHILD_PROGRAM(timeline_on_a_full_device) { return trace_many_calls("/dev/full"); }

CHILD_PROGRAM(timeline_nowhere) { return trace_many_calls("/nonexistent/out.json"); }

CHILD_PROGRAM(timeline_outgrows_its_disk) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{300'000, 300'000};
  CHILD_EXPECT(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  return trace_many_calls(std::getenv("TIMELINE_PATH"));
}

CHILD_PROGRAM(timeline_of_a_killed_program) {
  sim::System system(small_machine(sim::Schedule::threads));
  const std::string path = std::getenv("TIMELINE_PATH");
  Timeline timeline(path, 1, system.driver());
  system.driver().set_observer(&timeline);
  const auto stream = sim::make_ref<Stream>(system.driver(), Stream::Config{});
  const auto never = sim::make_ref<Signal>(nullptr, 1);
  wait(*stream, *never);
  const auto says_unfinished = [&] {
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return text.find("unfinished") != std::string::npos;
  };
  CHILD_EXPECT(
      support::eventually(says_unfinished, support::kDeadline, std::chrono::milliseconds(10)));
  return std::raise(SIGKILL);
}

TEST_CASE("a disk that is full costs one line on stderr and nothing else") {
  const auto result = support::run_child("timeline_on_a_full_device");
  CHECK(result.clean());
  CHECK(result.output ==
        "aclsim: trace /dev/full: No space left on device; no more of it is written\n");
}

TEST_CASE("a path that cannot be written costs one line on stderr and nothing else") {
  const auto result = support::run_child("timeline_nowhere");
  CHECK(result.clean());
  CHECK(count(result.output, "\n") == 1);
  CHECK_THAT(result.output, catch_compat::ContainsSubstring("/nonexistent/out.json: No such file"));
}

TEST_CASE("a disk that becomes full leaves a valid file of what was written before") {
  const support::TempDir dir;
  const auto result = support::run_child("timeline_outgrows_its_disk",
                                         {{"TIMELINE_PATH", (dir.path() / "out.json").string()}});
  CHECK(result.clean());
  CHECK(count(result.output, "\n") == 1);
  CHECK_THAT(result.output, catch_compat::ContainsSubstring("File too large"));
  CHECK(with(json::parse(dir.read("out.json")), "name", "aclrtMalloc").size() > 1000);
}

TEST_CASE("a program that is killed while it hangs leaves a file with what it waits for") {
  const support::TempDir dir;
  const auto result = support::run_child("timeline_of_a_killed_program",
                                         {{"TIMELINE_PATH", (dir.path() / "out.json").string()}});
  CHECK(result.signal == SIGKILL);
  const json waits = with(json::parse(dir.read("out.json")), "name", "EVENT_WAIT");
  REQUIRE(waits.size() == 1);
  CHECK(waits[0]["args"]["unfinished"] == true);
}
