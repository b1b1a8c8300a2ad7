// SPDX-License-Identifier: Apache-2.0
// Facts about public sample traces, checked if the folder with them exists.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/catch.h"
#include "tools/trace/formats/readers.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

using trace::OpKind;

/// The path of a sample, or "" with a note.
std::string sample(const std::string& name) {
  const char* const folder = std::getenv("ACLSIM_TEST_SAMPLE_TRACES");
  const std::string path =
      std::string(folder ? folder : ACLSIM_SOURCE_DIR "/../shared/traces") + "/" + name;
  if (std::filesystem::exists(path)) return path;
  WARN("skipped: no " << path);
  return {};
}

}  // namespace

TEST_CASE("one rank's database: 552 tasks, 16 records, 10 waits, all paired", "[samples]") {
  const std::string path = sample("ascend/torchnpu_level1_rank0.db");
  if (path.empty() || !trace::has_sqlite()) return;
  const trace::Trace it = trace::read_trace({path});
  const trace::Summary sum = trace::summarise(it);
  CHECK(it.size() - sum.of(OpKind::sync) == 552);  // and the host's waits
  CHECK(sum.devices == 1);
  CHECK(sum.streams == 4);
  CHECK(sum.of(OpKind::mark) == 2);
  CHECK(sum.of(OpKind::record) == 16);
  CHECK(sum.of(OpKind::wait) == 10);
  CHECK(sum.waits_paired == 10);
  CHECK(sum.waits_ambiguous == 0);
  int blocked = 0;
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind == OpKind::wait && it.duration(op) > 200) ++blocked;
  }
  CHECK(blocked == 5);
}

TEST_CASE("both ranks: 32 notify pairs, clocks 15.2 us apart, then no effect before its cause",
          "[samples]") {
  const std::string first = sample("ascend/torchnpu_level1_rank0.db");
  const std::string second = sample("ascend/torchnpu_level1_rank1.db");
  if (first.empty() || second.empty() || !trace::has_sqlite()) return;
  const trace::Trace it = trace::read_trace({first, second});
  CHECK(trace::summarise(it).notify_pairs == 32);
  std::uint32_t one = 0;
  while (it.ranks()[one].id != 1) ++one;
  const trace::Rank& rank = it.ranks()[one];
  CHECK(std::abs(-rank.clock_offset_ns - 15'200) <= 100);
  CHECK(rank.clock_bound_ns <= 1'200);
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind != OpKind::notify_wait || it.sync(op).partner == trace::kNone) continue;
    const trace::Nanoseconds took = it.start(op) + it.duration(op) - it.start(it.sync(op).partner);
    CHECK(took >= 0);
  }
}

TEST_CASE("a timeline: times to 1 ns, 16 records of which two are place holders", "[samples]") {
  const std::string path = sample("ascend/torchnpu_level1_rank0.trace_view.json");
  if (path.empty()) return;
  const trace::Trace it = trace::read_trace({path});
  const trace::Summary sum = trace::summarise(it);
  CHECK(it.devices()[0].id == 0);
  CHECK(sum.of(OpKind::record) == 16);
  CHECK(sum.of(OpKind::wait) == 10);
  CHECK(sum.waits_paired == 10);
  bool found = false;
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    found = found || it.base_ns() + it.start(op) == 1736408883704643212;
  }
  CHECK(found);
}

TEST_CASE("the debug print: 25 records, 15 waits, 6 matched, 9 never recorded", "[samples]") {
  const std::string path = sample("ascend/aclgraph_debug.json");
  if (path.empty()) return;
  const trace::Summary sum = trace::summarise(trace::read_trace({path}));
  CHECK(sum.streams == 5);
  CHECK(sum.of(OpKind::record) == 25);
  CHECK(sum.of(OpKind::wait) == 15);
  CHECK(sum.waits_exact == 6);
  CHECK(sum.waits_unrecorded == 9);
}

TEST_CASE("PyTorch's profile: 20 waits, all exact", "[samples]") {
  const std::string path = sample("kineto/alexnet_20_stream_waits.json.gz");
  if (path.empty()) return;
  const trace::Summary sum = trace::summarise(trace::read_trace({path}));
  CHECK(sum.of(OpKind::wait) == 20);
  CHECK(sum.waits_exact == 20);
}

TEST_CASE("the ring of eight ranks: 280 nodes, every send meets its receive", "[samples]") {
  const std::string path = sample("chakra/ring_allreduce_8npus");
  if (path.empty() || !trace::has_protobuf()) return;
  const trace::Trace it = trace::read_trace({path});
  const trace::Summary sum = trace::summarise(it);
  CHECK(it.size() == 280);
  CHECK(sum.ranks == 8);
  CHECK(sum.send_pairs == 112);
  for (const trace::Track& track : it.tracks()) CHECK(it[track.begin].kind == OpKind::send);
}
