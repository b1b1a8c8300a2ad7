// SPDX-License-Identifier: Apache-2.0
// Files of other tools, as look-alikes whose truth is known.
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/chakra_nodes.h"
#include "tests/trace/lookalike.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/formats/chakra_writer.h"
#include "tools/trace/formats/readers.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

using catch_compat::ContainsSubstring;
using trace::OpKind;
using trace::Provenance;

std::vector<trace::OpIndex> all(const trace::Trace& it, OpKind kind) {
  std::vector<trace::OpIndex> ops;
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind == kind) ops.push_back(op);
  }
  return ops;
}

trace::Nanoseconds end(const trace::Trace& it, trace::OpIndex op) {
  return it.start(op) + it.duration(op);
}

/// Checks facts about one rank of the job, which hold for every format.
void check_rank(const trace::Trace& it) {
  const trace::Summary sum = trace::summarise(it);
  CHECK(sum.devices == 1);
  CHECK(sum.streams == 3);
  CHECK(it.size() == 13);
  CHECK(sum.of(OpKind::record) == 3);
  CHECK(sum.waits_paired == 2);
  CHECK(sum.waits_inferred == 2);
  CHECK(sum.waits_ambiguous == 0);
  for (const trace::OpIndex wait : all(it, OpKind::wait)) {
    const trace::SyncUse& use = it.sync(wait);
    const bool blocked = it.duration(wait) > 200;
    CHECK(use.how == (blocked ? Provenance::time : Provenance::issue));
    // Either of two records in a row gives the same order; the later one is taken.
    CHECK(it.start(use.partner) == (blocked ? 49'040 : 89'000));
  }
}

void check_collective(const trace::Trace& it) {
  const std::vector<trace::OpIndex> joins = all(it, OpKind::join);
  REQUIRE(joins.size() == 1);
  CHECK(it.deps(joins[0]).size() == 2);  // the ends of its two planes
  const std::vector<trace::OpIndex> notifies = all(it, OpKind::notify);
  REQUIRE(notifies.size() == 1);
  const trace::Track& plane = it.tracks()[it.track_of(notifies[0])];
  CHECK(plane.size() == 3);
  REQUIRE(plane.plane_of != trace::kNone);
  CHECK(it.tracks()[plane.plane_of].id == 4);
  // A task that begins on another plane after the end of plane 0 depends on it.
  REQUIRE(it.deps(notifies[0]).size() == 1);
  CHECK(it[it.deps(notifies[0])[0].from].kind == OpKind::reduce);
  CHECK(it.copy(all(it, OpKind::reduce)[0]).bytes == 65536);
}

}  // namespace

TEST_CASE("a timeline of Ascend devices becomes streams, planes and inferred events", "[import]") {
  const trace::Trace it = trace::read_trace_bytes("trace_view.json", lookalike::ascend_timeline(0));
  check_rank(it);
  check_collective(it);
}

TEST_CASE("times of a timeline are kept to the nanosecond", "[import]") {
  const trace::Trace it = trace::read_trace_bytes("trace_view.json", lookalike::ascend_timeline(0));
  CHECK(it.base_ns() == 1736408883704643212 + 1'000);
  const trace::OpIndex copy = all(it, OpKind::copy)[0];
  CHECK(it.base_ns() + it.start(copy) == 1736408883704643212 + 95'500);
}

TEST_CASE("two timelines are two ranks whose clocks fit after their notifies", "[import]") {
  const support::TempDir dir;
  for (const int rank : {0, 1}) {
    const auto folder = dir.path() / ("rank" + std::to_string(rank) + "_ascend_pt");
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "trace_view.json") << lookalike::ascend_timeline(rank);
  }
  const trace::Trace it = trace::read_trace({dir.path().string()});
  CHECK(trace::summarise(it).notify_pairs == 2);
  REQUIRE(it.ranks().size() == 2);
  CHECK(it.ranks()[1].clock_offset_ns == -lookalike::kClockAhead);
  CHECK(it.ranks()[1].clock_bound_ns == lookalike::kNotifyDelay);
  for (const trace::OpIndex wait : all(it, OpKind::notify_wait)) {
    CHECK(end(it, wait) - it.start(it.sync(wait).partner) == lookalike::kNotifyDelay);
  }
  trace::ReadOptions as_recorded;
  as_recorded.align_clocks = false;
  const trace::Trace raw = trace::read_trace({dir.path().string()}, as_recorded);
  CHECK(raw.ranks()[1].clock_offset_ns == 0);
}

#if ACLSIM_HAVE_SQLITE
TEST_CASE("the database of a run says the same as its timeline", "[import]") {
  const support::TempDir dir;
  std::vector<std::string> paths;
  for (const int rank : {0, 1}) {
    paths.push_back((dir.path() / ("rank" + std::to_string(rank) + " 50%#.db")).string());
    lookalike::write_msprof_db(paths.back(), rank);
  }
  const trace::Trace one = trace::read_trace({paths[0]});
  check_rank(one);
  check_collective(one);
  const trace::Trace both = trace::read_trace(paths);
  CHECK(trace::summarise(both).notify_pairs == 2);
  CHECK(both.ranks()[1].clock_offset_ns == -lookalike::kClockAhead);
  CHECK(trace::summarise(both).devices == 2);
  // Nothing was written beside them.
  CHECK(std::distance(std::filesystem::directory_iterator(dir.path()), {}) == 2);
}

TEST_CASE("calls of a database that synchronise are waits of the host", "[import]") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "a.db").string();
  lookalike::write_msprof_db(path, 0);
  lookalike::add_call(path, "aclrtSynchronizeStreamWithTimeout", 20'000, 96'600, 77);
  lookalike::add_call(path, "aclrtSynchronizeDevice", 97'000, 230'500, 78);
  lookalike::add_call(path, "aclrtMalloc", 300, 400, 78);
  const trace::Trace it = trace::read_trace({path});
  const std::vector<trace::OpIndex> syncs = all(it, OpKind::sync);
  REQUIRE(syncs.size() == 2);
  const bool first = it.start(syncs[0]) < it.start(syncs[1]);
  const trace::OpIndex stream = syncs[first ? 0 : 1];
  const trace::OpIndex device = syncs[first ? 1 : 0];
  CHECK(it.tracks()[it.track_of(stream)].id == 77);  // not the thread that launched
  CHECK(it.host(stream).target == trace::Target::stream);
  CHECK(it.name(it.host(stream).partner) == "MEMCPY_ASYNC");  // the last that was over by then
  CHECK(it.duration(stream) == 76'600);
  CHECK(it.host(device).target == trace::Target::device);
  CHECK(it.name(device) == "aclrtSynchronizeDevice");
}

TEST_CASE("a database without tasks, or cut off, is refused", "[import]") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "a.db").string();
  lookalike::write_msprof_db(path, 0);
  std::string bytes = dir.read("a.db");
  bytes.resize(bytes.size() / 2);
  std::ofstream(dir.path() / "half.db") << bytes;
  CHECK_THROWS_AS(trace::read_trace({(dir.path() / "half.db").string()}), trace::InputError);
  bytes.resize(3000);
  std::ofstream(dir.path() / "little.db") << bytes;
  CHECK_THROWS_AS(trace::read_trace({(dir.path() / "little.db").string()}), trace::InputError);
}
#endif

TEST_CASE("the debug print of a graph pairs events by their ids", "[import]") {
  const trace::Trace it = trace::read_trace_bytes("graph.json", lookalike::graph_debug());
  const trace::Summary sum = trace::summarise(it);
  CHECK(sum.streams == 2);
  CHECK(sum.waits_exact == 1);
  CHECK(sum.waits_unrecorded == 1);
  CHECK(sum.notify_pairs == 1);
  CHECK(sum.of(OpKind::kernel) == 2);  // one is only called like a wait
  CHECK(it.name(0) == "add_float");    // by its number, not by its place in the file
  CHECK_FALSE(it[0].has(trace::kHasDuration));
  CHECK(it.start(0) == trace::kNoTime);
}

TEST_CASE("PyTorch's records and waits are put into the streams where they were called",
          "[import]") {
  const trace::Trace it = trace::read_trace_bytes("k.json", lookalike::kineto());
  const trace::Summary sum = trace::summarise(it);
  CHECK(it.ranks()[0].id == 3);
  CHECK(sum.streams == 2);
  CHECK(sum.waits_exact == 1);
  CHECK(sum.waits_inferred == 1);  // a record of the future is not believed
  std::vector<OpKind> first;
  for (trace::OpIndex op = it.tracks()[0].begin; op < it.tracks()[0].end; ++op) {
    first.push_back(it[op].kind);
  }
  CHECK(first == std::vector<OpKind>{OpKind::copy, OpKind::kernel, OpKind::record, OpKind::kernel,
                                     OpKind::record});
  const std::vector<trace::OpIndex> waits = all(it, OpKind::wait);
  REQUIRE(waits.size() == 2);
  CHECK(it.sync(waits[0]).partner == 2);
  CHECK(it.sync(waits[1]).partner == 4);
  CHECK(it.name(waits[0] + 1) == "second");
  CHECK(it.copy(0).src == trace::kHostMemory);
  CHECK(it.base_ns() + it.start(1) == 1'700'000'000'000'130'000);
  CHECK(it.duration(1) == 50'250);
}

TEST_CASE("tracks of any Chrome trace are lanes, and arrows edges", "[import]") {
  const trace::Trace it = trace::read_trace_bytes("c.json", lookalike::chrome());
  REQUIRE(it.size() == 2);
  CHECK(it.start(1) == 20'125);
  CHECK(it.duration(1) == 9'875);
  REQUIRE(it.deps(1).size() == 1);
  CHECK(it.deps(1)[0].from == 0);
  CHECK_THAT(it.remarks()[0].text, ContainsSubstring("1 slices inside"));
}

TEST_CASE("an event whose args are null is an event", "[import]") {
  const trace::Trace it = trace::read_trace_bytes(
      "c.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2,"args":null}])");
  CHECK(it.size() == 1);
  const trace::Trace kineto =
      trace::read_trace_bytes("k.json", R"({"schemaVersion":1,"traceEvents":[
        {"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1,"dur":2,"args":null}]})");
  CHECK(kineto.size() == 1);
}

TEST_CASE("every look-alike survives the way through the native format", "[import]") {
  for (const std::string& text : {lookalike::ascend_timeline(1), lookalike::graph_debug(),
                                  lookalike::kineto(), lookalike::chrome()}) {
    const trace::Trace it = trace::read_trace_bytes("x.json", text);
    const std::string native = trace::to_aclt(it);
    const trace::Trace again = trace::read_trace_bytes("x.aclt.jsonl", native);
    CHECK(trace::to_aclt(again) == native);
    const trace::Summary a = trace::summarise(it);
    const trace::Summary b = trace::summarise(again);
    CHECK(a.by_kind == b.by_kind);
    CHECK(a.waits_inferred == b.waits_inferred);
    CHECK(a.edges == b.edges);
    CHECK(a.streams == b.streams);
  }
}

TEST_CASE("sends written as Chakra traces are the same sends when read", "[import]") {
  if (!trace::has_protobuf()) return;
  const support::TempDir dir;
  const std::string native =
      "{\"aclt\":1}\n{\"def\":\"device\",\"id\":0,\"rank\":0}\n{\"def\":\"device\",\"id\":1,"
      "\"rank\":1}\n{\"def\":\"stream\",\"id\":1,\"dev\":0}\n{\"def\":\"stream\",\"id\":2,\"dev\":"
      "1}\n{\"op\":\"kernel\",\"st\":1,\"d\":7001,\"n\":\"k\"}\n"
      "{\"op\":\"send\",\"st\":1,\"peer\":1,\"tag\":4,\"bytes\":100}\n"
      "{\"op\":\"notify\",\"st\":1,\"nid\":1}\n"
      "{\"op\":\"recv\",\"st\":2,\"peer\":0,\"tag\":4,\"bytes\":100}\n"
      "{\"op\":\"nwait\",\"st\":2,\"nid\":1}\n"
      "{\"op\":\"coll\",\"st\":2,\"kind\":\"all_gather\",\"bytes\":64}\n";
  const trace::Trace it = trace::read_trace_bytes("n.aclt.jsonl", native);
  const auto paths = trace::write_chakra(it, (dir.path() / "out.et").string());
  REQUIRE(paths.size() == 2);
  lookalike::keep_only_nodes(paths);
  const trace::Trace read = trace::read_trace({dir.path().string()});
  CHECK(read.size() == it.size());
  CHECK(trace::summarise(read).send_pairs == 2);  // the notify became one
  CHECK(read.duration(0) == 8'000);               // rounded up to microseconds
  const trace::OpIndex send = all(read, OpKind::send)[0];
  CHECK(read.comm(send).tag == 4);
  CHECK(read.comm(send).bytes == 100);
  CHECK(read.comm(all(read, OpKind::collective)[0]).kind == trace::Collective::all_gather);
}

TEST_CASE("files that are no traces are refused by name, with what was expected", "[import]") {
  const auto [bytes, text] = GENERATE(table<std::string, const char*>({
      {"", "is empty"},
      {"hello", "is of no known format"},
      {"{\"a\":1}", "has no `traceEvents`"},
      {"[{\"ph\":\"X\",\"ts\":1,\"name\":\"a\"", "is truncated after event 0"},
      {"[{\"ph\":\"X\",\"ts\":1,\"name\":\"a", "is truncated after event 0"},
      {"[{\"ph\":\"X\",\"ts\":1,,\"name\":\"a\"}]", "not well-formed JSON after event 1"},
      {"[{\"ph\":\"X\",\"ts\":1,\"dur\":-5,\"name\":\"a\"}]", "is negative"},
      {"{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":1,"
       "\"dur\":-5,\"name\":\"a\",\"pid\":0,\"tid\":7}]}",
       "is negative"},
      {"[]", "has no slices"},
      // Also without what the profiler writes around its events.
      {"[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"ts\":1,\"dur\":5,\"name\":\"a\",\"pid\":0,\"tid\":7}]",
       "passed over 1 cpu_op"},
      {"[{\"ph\":\"X\",\"ts\":\"soon\",\"name\":\"a\"}]", "event 1 ('a'): `ts` is 'soon'"},
      {std::string("SQLite format 3\0", 16) + std::string(100, 'x'), "x.bin"},
      {std::string("\x0a\x0a\x03\x30\x2e", 5), "message 1"},
  }));
  std::string message = "accepted";
  try {
    trace::read_trace_bytes("x.bin", bytes);
  } catch (const trace::InputError& error) {
    message = error.what();
  }
  CHECK_THAT(message, ContainsSubstring("x.bin: ") && ContainsSubstring(text));
}
