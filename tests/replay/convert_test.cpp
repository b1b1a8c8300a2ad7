// SPDX-License-Identifier: Apache-2.0
// A trace that is written in another format takes as long as before.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/chakra_nodes.h"
#include "tests/trace/kineto_text.h"
#include "tools/replay/engine/simulator.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/formats/chakra_writer.h"
#include "tools/trace/formats/readers.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

using lookalike::KinetoText;
using replay::Execution;
using trace::Trace;

Trace read_text(const std::string& text, const char* name) {
  return trace::read_trace_bytes(name, text);
}

Execution replayed(const Trace& trace) {
  return replay::run_virtual(trace, replay::Topology{}, replay::Options{});
}

/// A thread launches kernels to three streams and waits for the device now and then; each stream
/// runs one kernel after the other.
std::string random_profile(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  KinetoText text;
  std::vector<double> busy(3);
  double host = 0;
  for (int correlation = 1; correlation <= 40; ++correlation) {
    host += 1 + below(20);
    if (below(5) == 0) {
      const double until = std::max(host, *std::max_element(busy.begin(), busy.end()));
      text.call("cudaDeviceSynchronize", host, until + 2 - host, correlation);
      host = until + 2;
      continue;
    }
    text.call("cudaLaunchKernel", host, 1, correlation);
    const auto stream = static_cast<std::size_t>(below(3));
    const double start = std::max(busy[stream], host + 3) + below(4);
    const int duration = 1 + below(60);
    text.kernel("k", 7 + static_cast<int>(stream), start, duration, correlation);
    busy[stream] = start + duration;
    host += 1;
  }
  return text.text();
}

}  // namespace

TEST_CASE("a synchronise with a device waits for the same ops after a conversion", "[convert]") {
  KinetoText text;
  text.call("cudaLaunchKernel", 0, 2, 1).kernel("first", 7, 5, 20, 1);
  text.call("cudaDeviceSynchronize", 10, 20, 2);
  text.call("cudaLaunchKernel", 40, 2, 3).kernel("second", 7, 45, 20, 3);
  const Trace it = read_text(text.text(), "p.json");
  const Trace again = read_text(trace::to_aclt(it), "p.aclt.jsonl");
  const Execution before = replayed(it), after = replayed(again);
  REQUIRE(before.complete());
  REQUIRE(after.complete());
  CHECK(before.makespan_ns == 65'000);
  CHECK(after.makespan_ns == 65'000);
}

TEST_CASE("profiles with synchronises take as long after a conversion", "[convert]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    const Trace it = read_text(random_profile(seed), "p.json");
    const std::string native = trace::to_aclt(it);
    const Trace again = read_text(native, "p.aclt.jsonl");
    const Execution before = replayed(it), after = replayed(again);
    REQUIRE(before.complete());
    REQUIRE(after.complete());
    REQUIRE(after.makespan_ns == before.makespan_ns);
    REQUIRE(trace::summarise(again).by_kind == trace::summarise(it).by_kind);
    REQUIRE(trace::to_aclt(again) == native);
  }
}

TEST_CASE("a Chakra trace contains the end of a wait, and not its duration twice", "[convert]") {
  if (!trace::has_protobuf()) return;
  const std::string sync = GENERATE("cudaDeviceSynchronize", "cudaStreamSynchronize");
  CAPTURE(sync);
  KinetoText text;
  text.call("cudaLaunchKernel", 0, 2, 1).kernel("first", 7, 5, 200, 1);
  text.call(sync, 10, 200, 2);  // 5 us longer than the kernel
  const support::TempDir dir;
  const auto paths = trace::write_chakra(read_text(text.text(), "p.json"), dir.path() / "out.et");
  lookalike::keep_only_nodes(paths);
  const Trace it = trace::read_trace(paths);
  REQUIRE(it.size() == 2);
  CHECK(it.tracks().size() == 2);  // the thread is no part of the stream
  const Execution run = replayed(it);
  REQUIRE(run.complete());
  CHECK(run.makespan_ns == 205'000);  // since the start of the kernel
}

TEST_CASE("in a Chakra trace a launch depends on the synchronise before it", "[convert]") {
  if (!trace::has_protobuf()) return;
  KinetoText text;
  text.call("cudaLaunchKernel", 0, 2, 1).kernel("first", 7, 5, 200, 1);
  text.call("cudaStreamSynchronize", 10, 200, 2);
  text.call("cudaLaunchKernel", 220, 2, 3).kernel("second", 8, 230, 50, 3);
  const support::TempDir dir;
  const auto paths = trace::write_chakra(read_text(text.text(), "p.json"), dir.path() / "out.et");
  lookalike::keep_only_nodes(paths);
  const Trace it = trace::read_trace(paths);
  replay::Options slow;
  slow.scale = 2;
  const Execution run = replay::run_virtual(it, replay::Topology{}, slow);
  REQUIRE(run.complete());
  // 400 us for the first, 5 us of the call after it, 20 us until the second, which takes 100 us.
  CHECK(run.makespan_ns == 525'000);
}

TEST_CASE("an op behind untimed ops keeps the time after what these wait for", "[convert]") {
  // Ops as a reader of Chakra makes them of waits: without times, with edges.
  const std::string native =
      "{\"aclt\":1}\n{\"def\":\"device\",\"id\":0,\"rank\":0}\n"
      "{\"def\":\"stream\",\"id\":0,\"dev\":0}\n{\"def\":\"stream\",\"id\":1,\"dev\":0}\n"
      "{\"i\":1,\"op\":\"kernel\",\"st\":0,\"t\":0,\"d\":1000,\"n\":\"a\"}\n"
      "{\"i\":2,\"op\":\"kernel\",\"st\":0,\"d\":0,\"n\":\"record\"}\n"
      "{\"i\":3,\"op\":\"kernel\",\"st\":1,\"d\":0,\"n\":\"wait\",\"dep\":[2]}\n"
      "{\"i\":4,\"op\":\"kernel\",\"st\":1,\"t\":1100,\"d\":50,\"n\":\"b\"}\n"
      "{\"i\":5,\"op\":\"kernel\",\"st\":0,\"t\":1200,\"d\":50,\"n\":\"c\",\"dep\":[3]}\n";
  const Execution run = replayed(read_text(native, "p.aclt.jsonl"));
  REQUIRE(run.complete());
  CHECK(run.makespan_ns == 1'250);
}
