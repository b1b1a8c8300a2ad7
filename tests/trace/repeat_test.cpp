// SPDX-License-Identifier: Apache-2.0
// A rank of a profile repeated for many ranks; the profile records its collectives by their parts.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/lookalike.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/files/output_file.h"
#include "tools/trace/parts.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/repeat.h"
#include "tools/trace/summary.h"

namespace {

using trace::Collective;
using trace::kNone;
using trace::OpIndex;
using trace::OpKind;

OpIndex the_only(const trace::Trace& it, OpKind kind) {
  OpIndex found = kNone;
  for (OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind != kind) continue;
    REQUIRE(found == kNone);
    found = op;
  }
  REQUIRE(found != kNone);
  return found;
}

/// As it is read, and read again from the native format.
std::vector<trace::Trace> both(const support::TempDir& dir, trace::Trace read) {
  const std::string path = (dir.path() / "native.aclt.jsonl").string();
  trace::OutputFile file(path);
  trace::write_aclt(read, file);
  file.close();
  std::vector<trace::Trace> traces;
  traces.push_back(std::move(read));
  traces.push_back(trace::read_trace({path}));
  return traces;
}

void check_whole(const trace::Trace& it, Collective kind, std::uint64_t bytes) {
  const OpIndex whole = the_only(it, OpKind::join);
  REQUIRE(it[whole].use != kNone);
  const trace::CommUse& use = it.comm(whole);
  CHECK(use.kind == kind);
  CHECK(use.bytes == bytes);
  REQUIRE(use.group != kNone);
  CHECK(it.groups()[use.group].size == 2);
}

void check_repeated(const trace::Trace& it, Collective kind, std::uint64_t bytes) {
  const trace::Trace made = trace::repeat_rank(it, 0, 64);
  const trace::Summary sum = trace::summarise(made);
  CHECK(sum.of(OpKind::collective) == 64);
  CHECK(sum.of(OpKind::join) == 0);
  CHECK(sum.of(OpKind::notify) == 0);
  CHECK(sum.of(OpKind::notify_wait) == 0);
  CHECK(sum.of(OpKind::reduce) == 0);
  CHECK(sum.of(OpKind::kernel) == 64 * trace::summarise(it).of(OpKind::kernel));
  std::set<std::uint32_t> groups;
  for (OpIndex op = 0; op < made.size(); ++op) {
    if (made[op].kind != OpKind::collective) continue;
    CHECK(made.comm(op).kind == kind);
    CHECK(made.comm(op).bytes == bytes);
    CHECK(made.duration(op) == it.duration(the_only(it, OpKind::join)));
    groups.insert(made.comm(op).group);
  }
  REQUIRE(groups.size() == 1);
  CHECK(made.groups()[*groups.begin()].ranks.size() == 64);
}

}  // namespace

TEST_CASE("a collective of parts is one operation among more ranks, which says what it moves") {
  const support::TempDir dir;
  const bool gathers = GENERATE(false, true);
  const std::string name = gathers ? "hcom_allGather__210_0_1" : "hcom_allReduce__210_0_1";
  const Collective kind = gathers ? Collective::all_gather : Collective::all_reduce;
  const std::uint64_t bytes = gathers ? 2 * 8000 : 8000;  // a rank has the bytes of both
  std::vector<trace::Trace> read;
  read.push_back(
      trace::read_trace_bytes("trace_view.json", lookalike::ascend_timeline_of(name, 2000)));
#if ACLSIM_HAVE_SQLITE
  const std::string path = (dir.path() / "msprof_0.db").string();
  lookalike::write_msprof_db(path, 0);
  lookalike::add_collective(path, name, 2000);
  read.push_back(trace::read_trace({path}));
#endif
  for (trace::Trace& one : read) {
    for (const trace::Trace& it : both(dir, std::move(one))) {
      check_whole(it, kind, bytes);
      check_repeated(it, kind, bytes);
    }
  }
}

TEST_CASE("a collective of parts of which nothing is told keeps its time among more ranks") {
  const trace::Trace it = trace::read_trace_bytes("t.json", lookalike::ascend_timeline(0));
  CHECK(it[the_only(it, OpKind::join)].use == kNone);
  check_repeated(it, Collective::none, trace::kUnknownBytes);
}

TEST_CASE("groups that are smaller than the largest one are of neighbours, also of one file") {
  const trace::Trace it = trace::read_trace_bytes("one.aclt.jsonl", R"({"aclt":1,"ranks":[0]}
{"def":"rank","id":0}
{"def":"device","id":0,"rank":0}
{"def":"stream","id":1,"dev":0}
{"def":"group","id":0,"name":"all","ranks":[],"size":8}
{"def":"group","id":1,"name":"pair","ranks":[],"size":2}
{"op":"coll","st":1,"kind":"all_reduce","group":0,"seq":0,"bytes":64000,"d":70000}
{"op":"coll","st":1,"kind":"all_gather","group":1,"seq":0,"bytes":64000,"d":70000}
)");
  const trace::Trace made = trace::repeat_rank(it, 0, 16);
  for (OpIndex op = 0; op < made.size(); ++op) {
    const std::vector<std::uint32_t>& ranks = made.groups()[made.comm(op).group].ranks;
    const bool pair = made.comm(op).kind == Collective::all_gather;
    CHECK(ranks.size() == (pair ? 2 : 16));
    const std::uint32_t own = made.tracks()[made.track_of(op)].rank;
    CHECK(std::count(ranks.begin(), ranks.end(), own) == 1);
  }
}

TEST_CASE("a collective of parts has its name, by which it is taken out and scaled with them") {
  const trace::Trace it = trace::read_trace_bytes(
      "trace_view.json", lookalike::ascend_timeline_of("hcom_allReduce__210_0_1", 2000));
  const OpIndex whole = the_only(it, OpKind::join);
  CHECK(it.text(it[whole].name) == "hcom_allReduce__210_0_1");
  CHECK(trace::parts_of(it, whole).size() == 4);
}

#if ACLSIM_HAVE_SQLITE
TEST_CASE("two databases of one device are two runs, and a copy of one is refused") {
  const support::TempDir dir;
  const std::string first = (dir.path() / "first.db").string();
  const std::string second = (dir.path() / "second.db").string();
  lookalike::write_msprof_db(first, 0);
  std::filesystem::copy_file(first, second);
  CHECK_THROWS_WITH(trace::read_trace({first, second}),
                    second + ": has the same content as " + first + "; expected every file once");
  lookalike::add_call(second, "aclrtCall", 1'000, 2'000, 9);
  const trace::Trace both = trace::read_trace({first, second});
  CHECK(both.size() == 2 * trace::read_trace({first}).size());
  CHECK(trace::summarise(both).ranks == 2);
  bool said = false;
  for (const trace::Remark& remark : both.remarks()) {
    said = said || remark.text.find("taken as rank 1") != std::string::npos;
  }
  CHECK(said);
}
#endif

#if ACLSIM_HAVE_SQLITE && defined(ACLSIM_EXE)
TEST_CASE("a collective that is taken out takes its parts with it", "[verbs]") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "msprof_0.db").string();
  lookalike::write_msprof_db(path, 0);
  lookalike::add_collective(path, "hcom_allReduce__210_0_1", 2000);
  const std::string report = (dir.path() / "report").string();
  const std::string command = "'" ACLSIM_EXE "' replay '" + path + "' --remove 'hcom*' --report '" +
                              report + "' --quiet >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  const auto run = nlohmann::json::parse(dir.read("report"))["runs"][0];
  CHECK(run["what_if"]["before_ns"] == 228'000 - 1'000);
  // The copy on stream 2 is the last; the wait before it, which did not block, took 20 ns.
  CHECK(run["makespan_ns"] == 96'500 - 20 - 1'000);
}

TEST_CASE("a profile of Ascend is repeated under a network", "[verbs]") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "msprof_0.db").string();
  lookalike::write_msprof_db(path, 0);
  lookalike::add_collective(path, "hcom_allReduce__210_0_1", 2000);
  const std::string net = dir.write(
      "net.yml", "topology: [ Ring ]\nnpus_count: [ 64 ]\nbandwidth: [ 1 ]\nlatency: [ 10 ]\n");
  const std::string report = (dir.path() / "report").string();
  const std::string command = "'" ACLSIM_EXE "' replay '" + path + "' --ranks 64 --topo '" + net +
                              "' --quiet --report '" + report + "' >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  const auto run = nlohmann::json::parse(dir.read("report"))["runs"][0];
  CHECK(run["what_if"]["before_ns"] == 228'000 - 1'000);  // the last part
  // 8000 bytes round a ring of 64, from 100 us on; the job begins at 1 us.
  CHECK(run["makespan_ns"] == 100'000 + 2 * 63 * (8000 / 64 + 10) - 1'000);
  CHECK(run["what_if"]["without_bytes"] == 0);
}
#endif
