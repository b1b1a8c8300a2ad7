// SPDX-License-Identifier: Apache-2.0
// The common part of two traces of one job, and their first difference.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/replay/desk.h"
#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tools/replay/results/compare_traces.h"
#include "tools/replay/results/naming.h"

namespace {

using catch_compat::ContainsSubstring;
using story::Story;
using trace::OpKind;
using trace::Trace;

replay::TraceDifference difference(const Trace& a, const Trace& b) {
  const replay::Options options;
  const replay::Execution run_a = replay::run_virtual(a, story::plain(), options);
  const replay::Execution run_b = replay::run_virtual(b, story::plain(), options);
  return replay::compare_traces({a, run_a}, {b, run_b}, false);
}

/// On one rank: stream `first` computes, stream `second` copies `bytes` when it has.
Trace job_of(int rank, int first, int second, std::uint64_t bytes, bool extra = false) {
  Story s;
  const auto a = s.track(rank, first, rank);
  const auto b = s.track(rank, second, rank);
  s.kernel(a, 100, "gemm");
  if (extra) s.kernel(a, 10, "check");
  const auto record = s.record(a, 7);
  s.wait(b, 7, record);
  s.b.add(s.op(OpKind::copy, b, 50), trace::CopyUse{bytes, 0, trace::kHostMemory});
  return s.b.finish();
}

}  // namespace

TEST_CASE("ranks and streams with other numbers are compared by what they do") {
  const auto found = difference(job_of(0, 7, 8, 4096), job_of(3, 21, 20, 4096));
  CHECK(found.matched == 4);
  CHECK(found.only_a == 0);
  CHECK(found.only_b == 0);
  CHECK(found.first.empty());
  REQUIRE(found.renamed.size() == 3);
  CHECK(found.renamed[0] == "rank 0 is compared with rank 3");
  CHECK_THAT(found.renamed[1],
             ContainsSubstring("stream 7 is compared with ") && ContainsSubstring("stream 21"));
}

TEST_CASE("ops that one trace has are listed, and the first of them is where they part") {
  const auto found = difference(job_of(0, 7, 8, 4096), job_of(0, 7, 8, 4096, true));
  CHECK(found.matched == 4);
  REQUIRE(found.only.size() == 1);
  CHECK(found.only[0].in_b);
  CHECK(found.only[0].what == "check");
  CHECK(found.only[0].count == 1);
  CHECK(found.first_ns == 100);
  CHECK_THAT(found.first, ContainsSubstring("only b has op 2 (kernel check) on device 0 stream 7"));
}

TEST_CASE("a copy of other bytes is another op") {
  const auto found = difference(job_of(0, 7, 8, 4096), job_of(0, 7, 8, 8192));
  CHECK(found.matched == 3);
  REQUIRE(found.only.size() == 2);
  CHECK(found.only[0].what == "device-to-host of 4096 bytes");
  CHECK(found.only[1].what == "device-to-host of 8192 bytes");
}

TEST_CASE("a wait for another record is a difference of structure") {
  const auto make = [](bool second) {
    Story s;
    const auto a = s.track(0, 1);
    const auto b = s.track(0, 2);
    s.kernel(a, 100, "one");
    const auto first = s.record(a, 1);
    s.kernel(a, 100, "two");
    const auto other = s.record(a, 2);
    s.wait(b, second ? 2 : 1, second ? other : first);
    s.kernel(b, 10, "behind");
    return s.b.finish();
  };
  const Trace a = make(false);
  const Trace b = make(true);
  const auto found = difference(a, b);
  CHECK(found.matched == 6);
  CHECK_THAT(found.first,
             ContainsSubstring("waits for op 2 (record) on device 0 stream 1 in a, for "
                               "op 4 (record) on device 0 stream 1 in b"));
}

TEST_CASE("host calls and copies have the names that people know them by") {
  Story s;
  s.b.rank(0);
  const auto track = s.track(0, 1);
  const std::uint16_t thread = s.b.host(0, 1);
  const auto kernel = s.kernel(track, 10);
  s.b.add(s.op(OpKind::copy, track), trace::CopyUse{8, trace::kHostMemory, 0});
  s.b.add(s.op(OpKind::copy, track), trace::CopyUse{8, 0, 0});
  s.b.add(s.op(OpKind::copy, track), trace::CopyUse{8, trace::kUnknownDevice, 0});
  for (const trace::Target target :
       {trace::Target::stream, trace::Target::event, trace::Target::device}) {
    trace::NewOp op = s.op(OpKind::sync, s.b.host_track(thread));
    op.host = thread;
    s.b.add(op, trace::HostUse{target, 0, track, 0, kernel});
  }
  const Trace trace = s.b.finish();
  std::vector<std::string> names;
  for (trace::OpIndex op = 0; op < trace.size(); ++op) names.push_back(replay::op_title(trace, op));
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"aclrtSynchronizeDevice", "aclrtSynchronizeEvent",
                                          "aclrtSynchronizeStream", "device-to-device",
                                          "host-to-device", "kernel", "memcpy"});
}

#ifdef ACLSIM_EXE
TEST_CASE("diff of two ranks of a job says what it compares with what", "[verbs]") {
  const replay_test::Desk desk;
  const auto rank = [](int id, const char* more) {
    return fmt::format(R"({{"aclt":1,"ranks":[{0}]}}
{{"def":"rank","id":{0}}}
{{"def":"device","id":0,"rank":{0},"num":{0}}}
{{"def":"stream","id":1,"dev":0}}
{{"op":"kernel","st":1,"n":"gemm","d":1000}}
{1}{{"op":"kernel","st":1,"n":"gelu","d":500}}
)",
                       id, more);
  };
  desk.write("a.aclt.jsonl", rank(0, ""));
  desk.write("b.aclt.jsonl", rank(5, R"({"op":"kernel","st":1,"n":"extra","d":10})"
                                     "\n"));
  const std::string text = desk.out("diff a.aclt.jsonl b.aclt.jsonl");
  CHECK_THAT(text, ContainsSubstring("rank 0 is compared with rank 5"));
  CHECK_THAT(text, ContainsSubstring("first difference of structure, at 1.0 us: only b has op 2"));
  CHECK_THAT(text, ContainsSubstring("extra"));
  // The stream is one stream, which takes 10 ns more.
  CHECK_THAT(text, ContainsSubstring("1.5 us  1.5 us  +10 ns"));
  const auto json =
      nlohmann::ordered_json::parse(desk.out("diff --json a.aclt.jsonl b.aclt.jsonl"));
  CHECK(json["only"][0]["what"] == "extra");
  CHECK(json["ops_matched"] == 2);
  // Jobs of several ranks are folders.
  for (const char* const job : {"one", "two"}) std::filesystem::create_directory(desk.path() / job);
  for (const char* const file : {"one/a", "one/b", "two/a"}) {
    desk.write(std::string(file) + ".aclt.jsonl", rank(file[4] == 'a' ? 0 : 5, ""));
  }
  CHECK_THAT(desk.out("diff one two"),
             ContainsSubstring("ops: 2 the same in both, 2 only in a, 0 only in b"));
}
#endif
