// SPDX-License-Identifier: Apache-2.0
// Recordings, as the tools read them.
#include <signal.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/record/recorded.h"

using namespace recorded;
using catch_compat::ContainsSubstring;

namespace {

std::string shown(const Run& run) { return run.child.output + "\n" + run.text; }

/// The ops of one stream run one after the other, and no op begins before its call.
void check_times(const trace::Trace& it) {
  for (const trace::Track& track : it.tracks()) {
    trace::Nanoseconds end = trace::kNoTime;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (it.start(op) == trace::kNoTime) continue;
      if (end != trace::kNoTime) CHECK(it.start(op) >= end);
      end = it.start(op) + it.duration(op);
      if (it.issue(op) != trace::kNoTime) CHECK(it.start(op) >= it.issue(op));
    }
  }
}

std::vector<trace::Range> ranges(const trace::Trace& it, OpIndex op) {
  const auto all = it.ranges(op);
  return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("a wait is bound to the record before its call, however often the event is recorded") {
  const Run run("records_an_event_again");
  INFO(shown(run));
  REQUIRE(run.child.clean());
  const trace::Trace it = run.trace();
  const auto records = of_kind(it, OpKind::record);
  const auto waits = of_kind(it, OpKind::wait);
  REQUIRE(records.size() == 2);
  REQUIRE(waits.size() == 4);
  CHECK(it.sync(records[0]).generation == 1);
  CHECK(it.sync(records[1]).generation == 2);
  CHECK(it.sync(waits[0]).partner == records[0]);
  CHECK(it.sync(waits[1]).partner == records[1]);
  CHECK(it.sync(waits[2]).partner == records[1]);
  CHECK(it.start(waits[2]) == trace::kNoTime);
  CHECK(it.sync(waits[3]).generation == 0);
  const trace::Summary sum = trace::summarise(it);
  CHECK(sum.waits_exact == 3);
  CHECK(sum.waits_unrecorded == 1);
  const auto syncs = of_kind(it, OpKind::sync);
  REQUIRE(syncs.size() == 4);
  CHECK(it.host(syncs[0]).partner == records[1]);  // the last op of its stream
  CHECK(it.host(syncs[2]).target == trace::Target::event);
  CHECK(it.host(syncs[2]).generation == 2);
  CHECK(it.host(syncs[3]).generation == 0);
  check_times(it);
}

TEST_CASE("a wait for a flag comes before its record, and is bound to it") {
  const Run run("uses_a_flag");
  INFO(shown(run));
  REQUIRE(run.child.clean());
  const trace::Trace it = run.trace();
  const auto records = of_kind(it, OpKind::record);
  const auto waits = of_kind(it, OpKind::wait);
  REQUIRE(records.size() == 2);
  REQUIRE(waits.size() == 2);
  CHECK(it.sync(waits[0]).partner == records[0]);
  CHECK(it.sync(waits[1]).partner == records[1]);
  CHECK(of_kind(it, OpKind::reset).size() == 2);
}

TEST_CASE("notifies and their waits are paired") {
  const Run run("notifies_twice");
  INFO(shown(run));
  const trace::Trace it = run.trace();
  const auto notifies = of_kind(it, OpKind::notify);
  const auto waits = of_kind(it, OpKind::notify_wait);
  REQUIRE(notifies.size() == 2);
  REQUIRE(waits.size() == 2);
  CHECK(it.sync(waits[0]).partner == notifies[0]);
  CHECK(it.sync(waits[1]).partner == notifies[1]);
  CHECK(trace::summarise(it).notify_pairs == 2);
}

TEST_CASE("a wait for a value and the write that ends it name one word and its bytes") {
  const Run run("waits_for_a_value");
  INFO(shown(run));
  const trace::Trace it = run.trace();
  const OpIndex write = of_kind(it, OpKind::value_write).at(0);
  const OpIndex wait = of_kind(it, OpKind::value_wait).at(0);
  CHECK(it.value(write).object == it.value(wait).object);
  CHECK(it.value(write).value == 7);
  CHECK(it.value(wait).compare == trace::Compare::equal);
  CHECK(ranges(it, write).at(0).offset == 8);
  CHECK(ranges(it, write).at(0).write);
  CHECK_FALSE(ranges(it, wait).at(0).write);
}

namespace {

using Buffers = std::vector<std::uint32_t>;

/// The copies of moves_bytes; returns the buffer of the host's own array.
std::uint32_t check_copies(const trace::Trace& it, const Buffers& buffers) {
  const auto copies = of_kind(it, OpKind::copy);
  REQUIRE(copies.size() == 3);
  std::vector<OpIndex> by_host, by_stream;
  for (const OpIndex op : copies) {
    const bool host = it.tracks()[it.track_of(op)].kind == trace::TrackKind::host;
    (host ? by_host : by_stream).push_back(op);
  }
  REQUIRE(by_host.size() == 2);
  CHECK(it[by_host[0]].has(trace::kPageable));
  CHECK(it.copy(by_host[0]).src == trace::kHostMemory);
  CHECK(it.copy(by_host[0]).dst == 0);
  const auto there = ranges(it, by_host[0]);
  const auto back = ranges(it, by_host[1]);
  REQUIRE(there.size() == 2);
  REQUIRE(back.size() == 3);  // half of the host's bytes had a name already
  CHECK(back[1].buffer == there[0].buffer);
  CHECK(back[1].offset == 32);
  CHECK(back[1].bytes == 32);
  CHECK(back[2].buffer != there[0].buffer);

  const auto on_stream = ranges(it, by_stream.at(0));
  REQUIRE(on_stream.size() == 2);
  CHECK(on_stream[0].buffer == buffers[2]);
  CHECK_FALSE(on_stream[0].write);
  CHECK(on_stream[1].buffer == buffers[0]);
  CHECK(on_stream[1].offset == 16);
  CHECK(on_stream[1].bytes == 1000);
  CHECK(on_stream[1].write);
  return there[0].buffer;
}

/// The other transfers, the declarations of kernels, and the read of moves_bytes.
void check_declared(const trace::Trace& it, const Buffers& buffers, std::uint32_t host_buffer) {
  const OpIndex reduce = of_kind(it, OpKind::reduce).at(0);
  CHECK(it.copy(reduce).bytes == 256);
  CHECK(it.text(it.copy(reduce).reduction) == "sum:int32");
  CHECK(ranges(it, reduce).size() == 3);
  const auto fills = of_kind(it, OpKind::fill);
  REQUIRE(fills.size() == 2);
  const auto declared = ranges(it, named(it, "declared"));
  REQUIRE(declared.size() == 2);
  CHECK(declared[0].offset == 4);
  CHECK(declared[0].bytes == 40);
  CHECK(declared[1].buffer == buffers[1]);
  CHECK(declared[1].offset == 12);
  CHECK(declared[1].write);
  const auto in_place = ranges(it, named(it, "in_place"));
  REQUIRE(in_place.size() == 2);
  for (const auto& range : in_place) CHECK((range.offset == 8 && range.bytes == 16));
  CHECK(in_place[0].write != in_place[1].write);
  const auto read = ranges(it, named(it, "aclsimCheckRead"));
  REQUIRE(read.size() == 1);
  CHECK(read[0].buffer == host_buffer);
}

}  // namespace

TEST_CASE("every transfer and every declared argument says which bytes of which buffer") {
  const Run run("moves_bytes");
  INFO(shown(run));
  REQUIRE(run.child.clean());
  const trace::Trace it = run.trace();
  const auto allocs = of_kind(it, OpKind::alloc);
  REQUIRE(allocs.size() == 4);
  Buffers buffers;
  for (const OpIndex op : allocs) buffers.push_back(it.memory(op).buffer);
  CHECK(it.buffers()[buffers[1]].bytes == 8192);
  CHECK(it.buffers()[buffers[1]].device == 0);
  CHECK(it.buffers()[buffers[2]].device == trace::kHostMemory);
  CHECK(buffers[3] != buffers[0]);
  const OpIndex freed = of_kind(it, OpKind::free).at(0);
  CHECK(it.memory(freed).buffer == buffers[0]);
  check_declared(it, buffers, check_copies(it, buffers));
  check_times(it);
}

TEST_CASE("the ops of a graph stand there once for each launch, between its start and its end") {
  const Run run("launches_a_graph_twice");
  INFO(shown(run));
  REQUIRE(run.child.clean());
  const trace::Trace it = run.trace();
  const auto launches = of_kind(it, OpKind::launch);
  const auto joins = of_kind(it, OpKind::join);
  REQUIRE(launches.size() == 2);
  REQUIRE(joins.size() == 2);
  std::vector<OpIndex> heads, tails;
  for (OpIndex op = 0; op < it.size(); ++op) {
    if (it.name(op) == "head") heads.push_back(op);
    if (it.name(op) == "tail") tails.push_back(op);
  }
  REQUIRE(heads.size() == 2);
  REQUIRE(tails.size() == 2);
  for (int lap = 0; lap < 2; ++lap) {
    REQUIRE(it.deps(heads[lap]).size() == 1);
    CHECK(it.deps(heads[lap])[0].from == launches[lap]);
    const auto parts = it.deps(joins[lap]);
    const auto is_tail = [&](const trace::Edge& edge) { return edge.from == tails[lap]; };
    CHECK(std::any_of(parts.begin(), parts.end(), is_tail));
    CHECK(it.start(joins[lap]) + it.duration(joins[lap]) >=
          it.start(tails[lap]) + it.duration(tails[lap]));
  }
  const trace::Summary sum = trace::summarise(it);
  CHECK(sum.waits_exact == 4);
  CHECK(sum.waits_unrecorded == 0);
  CHECK(it.graphs().size() == 1);
  check_times(it);
}

TEST_CASE("calls know their lines") {
  const Run run("records_an_event_again");
  const trace::Trace it = run.trace();
  std::vector<std::string> sites;
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind == trace::OpKind::record) sites.emplace_back(it.site(op));
  }
  REQUIRE(sites.size() == 2);
  // Without libdw: the program and an offset.
  const bool line = sites[0].find("programs.cpp:") != std::string::npos;
  INFO(sites[0]);
  CHECK((line || sites[0].find("test_record+0x") != std::string::npos));
  CHECK(sites[0] != sites[1]);
}

TEST_CASE("every host thread has a lane, and tasks of one stream stand in the order they ran in") {
  const Run run("has_three_threads");
  INFO(run.child.output);
  REQUIRE(run.child.clean());
  const trace::Trace it = run.trace();
  CHECK(it.hosts().size() == 3);
  std::set<std::uint16_t> hosts;
  for (const OpIndex op : of_kind(it, OpKind::kernel)) hosts.insert(it[op].host);
  CHECK(hosts.size() == 3);
  CHECK(of_kind(it, OpKind::kernel).size() == 600);
  for (const OpIndex op : of_kind(it, OpKind::kernel)) CHECK(it.start(op) >= it.issue(op));
  check_times(it);
}

TEST_CASE("two runs of one seed are recorded alike but for their times") {
  const support::Environment seed{{"ACLSIM_SCHEDULE", "seeded"}, {"ACLSIM_SEED", "5"}};
  for (const char* program :
       {"works_with_two_streams", "moves_bytes", "launches_a_graph_twice", "uses_a_pool"}) {
    const Run first(program, seed);
    const Run second(program, seed);
    INFO(program);
    REQUIRE(first.child.clean());
    CHECK(first.text != second.text);
    CHECK(timeless(first.text) == timeless(second.text));
  }
}

TEST_CASE("what the host asked and was told is recorded") {
  const Run run("works_with_two_streams", {{"ACLSIM_SCHEDULE", "seeded"}});
  const trace::Trace it = run.trace();
  CHECK(of_kind(it, OpKind::query).size() == 1);
  const auto syncs = of_kind(it, OpKind::sync);
  REQUIRE(syncs.size() == 3);
  CHECK(it.host(syncs[2]).target == trace::Target::device);
  CHECK(it.name(named(it, "aclrtSetDevice")) == "aclrtSetDevice");
}

TEST_CASE("memory of a pool is given out and back in the order of its stream") {
  const Run run("uses_a_pool");
  INFO(shown(run));
  REQUIRE(run.child.clean());
  const trace::Trace it = run.trace();
  const auto allocs = of_kind(it, OpKind::alloc);
  const auto frees = of_kind(it, OpKind::free);
  REQUIRE(allocs.size() == 2);
  REQUIRE(frees.size() == 2);
  for (int lap = 0; lap < 2; ++lap) {
    CHECK(it[allocs[lap]].has(trace::kOrdered));
    CHECK(it.tracks()[it.track_of(frees[lap])].kind == trace::TrackKind::stream);
    CHECK(it.memory(allocs[lap]).buffer == it.memory(frees[lap]).buffer);
  }
  CHECK(it.memory(allocs[0]).buffer != it.memory(allocs[1]).buffer);
}

TEST_CASE("a program that leaves by exit leaves a whole recording") {
  const Run run("leaves_by_exit");
  CHECK(run.child.status == 7);
  const trace::Trace it = run.trace();
  CHECK(it.duration(named(it, "done")) > 0);
  CHECK(it.remarks().empty());
}

TEST_CASE("a program that is killed while it waits leaves what it waited for") {
  const Run run("is_killed_while_it_waits");
  INFO(shown(run));
  CHECK(run.child.signal == SIGKILL);
  const trace::Trace it = run.trace();
  CHECK(it.start(named(it, "done")) != trace::kNoTime);
  CHECK(it.start(named(it, "never")) == trace::kNoTime);
  const OpIndex sync = of_kind(it, OpKind::sync).at(0);
  CHECK(it.host(sync).partner == named(it, "never"));
  CHECK_FALSE(it[sync].has(trace::kHasDuration));
}

TEST_CASE("a forked child leaves its parent's recording alone") {
  const Run run("forks");
  INFO(shown(run));
  REQUIRE(run.child.clean());
  CHECK_THAT(run.text, !ContainsSubstring("\"n\":\"child\""));
  CHECK(run.trace().remarks().empty());
}

TEST_CASE("a task that failed says why") {
  const Run run("fails_in_a_kernel", {{"ACLSIM_FAULTS", "kernel"}});
  INFO(shown(run));
  REQUIRE(run.child.clean());
  CHECK_THAT(run.text, ContainsSubstring(R"("args":{"failed":)"));
  CHECK(run.trace().size() != 0);
}

TEST_CASE("a recording that cannot be written costs one line, a name in .gz the machine") {
  const auto nowhere =
      support::run_child("leaves_by_exit", {{"ACLSIM_RECORD", "/nonexistent/run.aclt.jsonl"}});
  CHECK(nowhere.status == 7);
  CHECK_THAT(nowhere.output,
             ContainsSubstring("aclsim: trace /nonexistent/run.aclt.jsonl: No such"));
  const auto packed = support::run_child("leaves_by_exit", {{"ACLSIM_RECORD", "run.gz"}});
  CHECK(packed.status != 7);
  CHECK_THAT(packed.output, ContainsSubstring("ACLSIM_RECORD: 'run.gz' is not valid; expected"));
}

TEST_CASE("a process of a job is the rank that its launcher says") {
  const Run run("leaves_by_exit", {{"RANK_ID", "x"}, {"RANK", "3"}});
  const trace::Trace it = run.trace();
  REQUIRE(it.ranks().size() == 1);
  CHECK(it.ranks()[0].id == 3);
}

TEST_CASE("%p in the name becomes the process") {
  const support::TempDir dir;
  const auto pattern = (dir.path() / "run.%p.aclt.jsonl").string();
  REQUIRE(support::run_child("leaves_by_exit", {{"ACLSIM_RECORD", pattern}}).status == 7);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    names.push_back(entry.path().filename().string());
  }
  REQUIRE(names.size() == 1);
  CHECK(std::regex_match(names[0], std::regex(R"(run\.[0-9]+\.aclt\.jsonl)")));
}

TEST_CASE("what a kernel touched is called what its memory was called at the launch") {
  const std::string guest = ACLSIM_GUEST_DIR "/planted_kernels";
  if (!std::filesystem::exists(guest)) return;  // built without kernels
  const support::TempDir dir;
  const auto path = (dir.path() / "run.aclt.jsonl").string();
  REQUIRE(std::system(("ACLSIM_RECORD='" + path + "' '" + guest + "' from_a_pool ok").c_str()) ==
          0);
  const trace::Trace it = trace::read_trace({path}, {});
  std::vector<std::uint32_t> given_out, written, given;
  for (OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind == OpKind::alloc && it[op].has(trace::kOrdered))
      given_out.push_back(it.memory(op).buffer);
    if (it[op].kind != OpKind::kernel || it.name(op) != "writes") continue;
    REQUIRE(it.ranges(op).size() == 1);
    written.push_back(it.ranges(op)[0].buffer);
    REQUIRE(it.given(op).size() == 2);
    given.push_back(it.given(op)[1].buffer);
  }
  CHECK(given_out.size() == 3);
  CHECK(written == given_out);
  CHECK(given == given_out);
}

TEST_CASE("a kernel that works on what it was not given is recorded with that, too") {
  const std::string guest = ACLSIM_GUEST_DIR "/planted_kernels";
  if (!std::filesystem::exists(guest)) return;
  const support::TempDir dir;
  const auto path = (dir.path() / "run.aclt.jsonl").string();
  REQUIRE(std::system(
              ("ACLSIM_RECORD='" + path + "' '" + guest + "' perhaps_written_anywhere").c_str()) ==
          0);
  const trace::Trace it = trace::read_trace({path}, {});
  const OpIndex told = named(it, "reads_where_told");
  REQUIRE(it.ranges(told).size() == 1);
  REQUIRE(it.given(told).size() == 2);
  CHECK(it.ranges(told)[0].buffer != it.given(told)[1].buffer);
}
