// SPDX-License-Identifier: Apache-2.0
// The effect of a change on a job, compared with values computed by hand.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/replay/desk.h"
#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tools/replay/results/effect.h"
#include "tools/trace/repeat.h"

namespace {

using catch_compat::ContainsSubstring;
using replay::Execution;
using replay::Options;
using story::Story;
using trace::kNone;
using trace::Nanoseconds;
using trace::OpIndex;
using trace::OpKind;
using trace::Trace;

Execution outcome(const Trace& trace, const Options& options = {}) {
  return replay::run_virtual(trace, story::plain(), options);
}
Options with_scale(const std::string& what, double factor) {
  Options options;
  options.what_if.scales.push_back({what, factor});
  return options;
}

/// A kernel of 1000, a copy of 500 to the next device (1000 bytes), a kernel of 300 that is called
/// otherwise; recorded, one behind the other.
Trace three_ops() {
  Story s;
  const auto track = s.track(0, 1);
  s.track(1, 1);
  const auto add = [&](OpKind kind, Nanoseconds start, Nanoseconds ns, const char* name) {
    trace::NewOp op = s.op(kind, track, ns);
    op.start = start;
    op.name = s.b.text(name);
    return op;
  };
  s.b.add(add(OpKind::kernel, 0, 1000, "gemm_a"));
  s.b.add(add(OpKind::copy, 1000, 500, ""), trace::CopyUse{1000, 0, 1});
  s.b.add(add(OpKind::kernel, 1500, 300, "gelu"));
  return s.b.finish();
}

}  // namespace

TEST_CASE("a scale concerns kernels, copies, communication or ops of a name, and nothing else") {
  const Trace trace = three_ops();
  CHECK(outcome(trace).makespan_ns == 1800);
  CHECK(outcome(trace, with_scale("kernels", 0.5)).makespan_ns == 500 + 500 + 150);
  CHECK(outcome(trace, with_scale("gemm*", 0.5)).makespan_ns == 500 + 500 + 300);
  CHECK(outcome(trace, with_scale("communication", 3)).makespan_ns == 1000 + 1500 + 300);
  CHECK(outcome(trace, with_scale("copies", 3)).makespan_ns == 1800);  // it goes to another device
  CHECK(outcome(trace, with_scale("memcpy", 3)).makespan_ns == 1000 + 1500 + 300);
}

TEST_CASE("faster links shorten what was recorded as they shorten the model") {
  const Trace trace = three_ops();
  replay::Topology topology = story::plain();
  topology.kinds[0] = {250, 4e9};  // the model says 250 + 250, with links x2 250 + 125
  Options options;
  options.what_if.links.push_back({"", 2});
  CHECK(replay::run_virtual(trace, topology, options).makespan_ns == 1000 + 375 + 300);
  options.what_if.links[0].what = "SYS";  // no such link is used
  CHECK(replay::run_virtual(trace, topology, options).makespan_ns == 1800);
}

TEST_CASE("a topology models what its file tells, and leaves alone what was recorded besides") {
  const Trace trace = three_ops();
  const auto with = [&](const char* toml) {
    Options options;
    options.what_if.topology = true;
    return replay::run_virtual(trace, replay::parse_topology(toml, "t"), options).makespan_ns;
  };
  CHECK(with("[link.hccs]\nlatency_ns = 10\nbandwidth = 1e9\n") == 1000 + 1010 + 300);
  CHECK(with("[link.host]\nbandwidth = 1e9\n") == 1800);
  CHECK(with("[[dimension]]\nshape = \"ring\"\nranks = 2\nlatency_ns = 20\nbandwidth = 1e9\n") ==
        1000 + 1020 + 300);
}

TEST_CASE("a collective of which it is not told what it moves keeps its time, and is counted") {
  const bool kind_known = GENERATE(true, false);
  Story s;
  for (const int rank : {0, 1}) {
    trace::NewOp op = s.op(OpKind::collective, s.track(rank, 1, rank), 5000);
    op.start = 0;
    trace::CommUse use;
    use.group = s.b.group("world");
    use.kind = kind_known ? trace::Collective::all_reduce : trace::Collective::none;
    use.bytes = kind_known ? trace::kUnknownBytes : 4096;
    s.b.add(op, use);
  }
  const Trace trace = s.b.finish();
  const Options plain;
  Options changed;
  changed.what_if.topology = true;
  const replay::Topology topology = replay::parse_topology("[link.hccs]\nbandwidth = 1e9\n", "t");
  const Execution before = replay::run_virtual(trace, topology, plain);
  const Execution after = replay::run_virtual(trace, topology, changed);
  CHECK(after.makespan_ns == 5000);
  const replay::Effect effect =
      replay::effect_of({trace, before, replay::Cost(trace, topology, plain)},
                        {trace, after, replay::Cost(trace, topology, changed)});
  CHECK(effect.sizeless == 2);
}

TEST_CASE("what is removed takes no time and holds nobody") {
  Story s;
  const auto a = s.track(0, 1);
  const auto b = s.track(0, 2);
  s.kernel(a, 1000, "slow");
  const OpIndex record = s.record(a, 7);
  s.wait(b, 7, record);
  s.kernel(b, 100, "behind");
  const Trace trace = s.b.finish();
  Options options;
  options.what_if.removed = {"slow"};
  CHECK(outcome(trace, options).makespan_ns == 100);
  options.what_if.removed = {"wait"};
  const Execution free = outcome(trace, options);
  CHECK(free.end(trace.tracks()[b].begin + 1) == 100);
  options.what_if.removed = {"record"};  // then no op waits for it either
  CHECK(outcome(trace, options).end(trace.tracks()[b].begin + 1) == 100);
}

TEST_CASE("an effect says before and after, and why nothing moved") {
  Story s;
  s.kernel(s.track(0, 1), 10'000, "long");
  s.kernel(s.track(0, 2), 100, "short");
  const Trace trace = s.b.finish();
  const replay::Topology topology = story::plain();
  const Options plain;
  const Options changed = with_scale("short", 0.5);
  const Execution before = outcome(trace, plain);
  const Execution after = outcome(trace, changed);
  const replay::Effect effect =
      replay::effect_of({trace, before, replay::Cost(trace, topology, plain)},
                        {trace, after, replay::Cost(trace, topology, changed)});
  CHECK(effect.before_ns == 10'000);
  CHECK(effect.after_ns == 10'000);
  CHECK(effect.changed == 1);
  CHECK(effect.changed_before_ns == 100);
  CHECK(effect.changed_after_ns == 50);
  CHECK(effect.on_path_ns == 0);
  CHECK_THAT(effect.why, ContainsSubstring("0.0 % of the critical path") &&
                             ContainsSubstring("kernels 100.0 %"));
}

TEST_CASE("issue times move with what the host waited for, not with the clock") {
  Story s;
  s.b.rank(0);
  const std::uint16_t thread = s.b.host(0, 1);
  const auto track = s.track(0, 1);
  const auto kernel = [&](Nanoseconds issue, Nanoseconds start, Nanoseconds ns) {
    trace::NewOp op = s.op(OpKind::kernel, track, ns);
    op.host = thread;
    op.issue = issue;
    op.start = start;
    return s.b.add(op);
  };
  const OpIndex first = kernel(0, 10, 1000);
  trace::NewOp sync = s.op(OpKind::sync, s.b.host_track(thread), 990);
  sync.host = thread;
  sync.start = sync.issue = 20;
  s.b.add(sync, trace::HostUse{trace::Target::stream, 0, track, 0, first});
  kernel(1050, 1060, 1000);  // 40 behind the end of the wait, 10 until it runs
  const Trace trace = s.b.finish();
  CHECK(outcome(trace).makespan_ns == 2060);
  CHECK(outcome(trace, with_scale("kernels", 0.5)).makespan_ns == 10 + 500 + 40 + 10 + 500);
  CHECK(outcome(trace, with_scale("host", 0.5)).makespan_ns == 10 + 1000 + 20 + 10 + 1000);
}

TEST_CASE(
    "a rank's program is repeated: collectives among all, messages to the neighbour of each") {
  Story s;
  const auto a = s.track(0, 1, 0);
  const auto b = s.track(1, 1, 1);
  s.kernel(a, 100, "k");
  s.collective(a, "world", 0);
  s.kernel(b, 100, "k");
  s.collective(b, "world", 0);
  s.message(a, b, 1000, 1);
  s.b.group_at(s.b.group("world")).ranks = {0, 1};
  const Trace two = s.b.finish();
  const Trace four = trace::repeat_rank(two, 0, 4);
  CHECK(four.ranks().size() == 4);
  CHECK(four.size() == 4 * 3);
  REQUIRE(four.groups().size() == 1);
  CHECK(four.groups()[0].ranks.size() == 4);
  std::size_t to_next = 0;
  for (const trace::Track& track : four.tracks()) {
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (four[op].kind == OpKind::send) to_next += four.comm(op).peer == (track.rank + 1) % 4;
    }
  }
  CHECK(to_next == 4);
  // 1 MiB among 4 with links of their own at a byte per ns: a quarter there and a quarter back
  const Execution done = outcome(four);
  CHECK(done.complete());
  CHECK(done.end(1) == 100 + 2 * (1 << 20) / 4);
}

TEST_CASE("a ring of messages stays one with more ranks") {
  Story s;
  constexpr std::uint32_t kRanks = 4;
  std::vector<trace::TrackIndex> tracks;
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    tracks.push_back(s.track(static_cast<int>(r), 1, static_cast<int>(r)));
  }
  const auto talk = [&](OpKind kind, std::uint32_t rank, std::uint32_t peer, std::uint32_t tag) {
    trace::CommUse use;
    use.bytes = 1000;
    use.peer = peer;
    use.tag = tag;
    s.b.add(s.op(kind, tracks[rank]), use);
  };
  for (std::uint32_t r = 0; r < kRanks; ++r) {  // each pair has a tag of its own
    talk(OpKind::send, r, (r + 1) % kRanks, r);
    talk(OpKind::recv, r, (r + kRanks - 1) % kRanks, (r + kRanks - 1) % kRanks);
  }
  const Trace eight = trace::repeat_rank(s.b.finish(), 0, 8);
  const Execution done = outcome(eight);
  CHECK(done.complete());
  CHECK(done.makespan_ns == 1000);
}

TEST_CASE("patterns of names") {
  CHECK(replay::meant("gemm", "gemm"));
  CHECK_FALSE(replay::meant("gemm", "gemm2"));
  CHECK(replay::meant("*", ""));
  CHECK(replay::meant("a*c*", "abcbd"));
  CHECK_FALSE(replay::meant("a*d", "abc"));
  CHECK(replay::meant("*Reduce*", "ncclDevKernel_AllReduce_Sum"));
}

#ifdef ACLSIM_EXE
using replay_test::Desk;
using Json = nlohmann::ordered_json;

TEST_CASE("the report of a change shows before and after, in text and JSON", "[verbs]") {
  const Desk desk;
  desk.write("t.json", R"([{"ph":"X","name":"gemm","pid":1,"tid":1,"ts":0,"dur":100},
      {"ph":"X","name":"gelu","pid":1,"tid":1,"ts":100,"dur":100}])");
  const std::string text = desk.out("replay t.json --scale gemm=0.5 --report r.json");
  CHECK_THAT(text, ContainsSubstring("what if  before 200.0 us, after 150.0 us (-25.0 %)"));
  const Json effect = Json::parse(desk.read("r.json"))["runs"][0]["what_if"];
  CHECK(effect["before_ns"] == 200'000);
  CHECK(effect["after_ns"] == 150'000);
  CHECK(effect["changed_ops"] == 1);
  CHECK_THAT(desk.out("replay t.json --links x2"),
             ContainsSubstring("it hardly moved: nothing in"));
  CHECK_THAT(desk.out("replay t.json --remove gelu"), ContainsSubstring("after 100.0 us"));
  const auto typo = desk.run("replay t.json --remove gellu");
  CHECK(typo.code == 2);
  CHECK_THAT(typo.err,
             ContainsSubstring("--remove gellu: no operation of the trace has this name"));
  CHECK(desk.run("replay t.json --links twice").code == 2);
  CHECK(desk.run("replay t.json --scale kernels=fast").code == 2);
  CHECK(desk.run("replay t.json --remove gelu --mode both").code == 2);
}

TEST_CASE("ranks are repeated under a network, which must have room for them", "[verbs]") {
  const Desk desk;
  desk.write("one.aclt.jsonl", R"({"aclt":1,"ranks":[0,1]}
{"def":"rank","id":0}
{"def":"rank","id":1}
{"def":"device","id":0,"rank":0}
{"def":"device","id":1,"rank":1}
{"def":"stream","id":1,"dev":0}
{"def":"stream","id":2,"dev":1}
{"def":"group","id":0,"name":"world","ranks":[0,1]}
{"op":"kernel","st":1,"d":1000}
{"op":"coll","st":1,"kind":"all_reduce","group":0,"seq":1,"bytes":64000,"d":70000}
{"op":"kernel","st":2,"d":1000}
{"op":"coll","st":2,"kind":"all_reduce","group":0,"seq":1,"bytes":64000,"d":70000}
)");
  desk.write("net.yml",
             "topology: [ Ring ]\nnpus_count: [ 64 ]\nbandwidth: [ 1 ]\nlatency: [ 10 ]\n");
  desk.out("replay one.aclt.jsonl --ranks 64 --topo net.yml --report r.json");
  const Json done = Json::parse(desk.read("r.json"))["runs"][0];
  CHECK(done["makespan_ns"] == 1000 + 2 * 63 * (1000 + 10));
  CHECK(done["what_if"]["before_ns"] == 71'000);
  const auto many = desk.run("replay one.aclt.jsonl --ranks 65 --topo net.yml");
  CHECK(many.code == 2);
  CHECK_THAT(many.err, ContainsSubstring("net.yml: has 64 ranks; expected one for rank 64"));
  CHECK_THAT(desk.run("replay one.aclt.jsonl --ranks 64").err,
             ContainsSubstring("the default topology has 8 devices"));
}
#endif
