// SPDX-License-Identifier: Apache-2.0
// A real profile of two ranks, if it is present; it is not part of the project.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/results/naming.h"
#include "tools/replay/results/summary.h"
#include "tools/trace/read_trace.h"

namespace {

namespace fs = std::filesystem;
using replay::time_text;

fs::path profiles() {
  const char* const folder = std::getenv("ACLSIM_TEST_SAMPLE_TRACES");
  return fs::path(folder ? folder : ACLSIM_SOURCE_DIR "/../shared/traces") / "ascend";
}

trace::Trace read(bool with_edges) {
  trace::ReadOptions options;
  trace::Trace trace = trace::read_trace({(profiles() / "torchnpu_level1_rank0.db").string(),
                                          (profiles() / "torchnpu_level1_rank1.db").string()},
                                         options);
  for (trace::OpIndex op = 0; op < trace.size() && !with_edges; ++op) {
    if (trace[op].kind != trace::OpKind::wait || trace[op].use == trace::kNone) continue;
    trace.sync(op).partner = trace::kNone;
    trace.sync(op).generation = 0;
  }
  return trace;
}

replay::Accuracy accuracy(const trace::Trace& trace, double off) {
  const replay::Options options;
  const replay::Topology topology;
  const replay::Cost cost(trace, topology, options);
  const replay::Execution run = replay::run_virtual(trace, topology, options);
  REQUIRE(run.complete());
  const replay::Accuracy found = *replay::summarise(trace, run, cost).accuracy;
  const double makespan =
      static_cast<double>(run.makespan_ns) / static_cast<double>(found.makespan_ns);
  UNSCOPED_INFO("start error p50 " << time_text(found.p50_ns) << " p99 " << time_text(found.p99_ns)
                                   << " max " << time_text(found.max_ns) << ", worst "
                                   << replay::op_name(trace, found.worst) << ", makespan "
                                   << makespan);
  CHECK(makespan > 1 - off);
  CHECK(makespan < 1 + off);
  return found;
}

}  // namespace

TEST_CASE("a profile of two ranks is replayed as it was, by the edges that were inferred") {
  if (!fs::exists(profiles() / "torchnpu_level1_rank0.db")) {
    WARN("skipped: " << profiles().string() << " is not there");
    return;
  }
  const replay::Accuracy with = accuracy(read(true), 0.01);
  CHECK(with.p99_ns < 100'000);
  CHECK(with.max_ns < 5'000'000);
  WARN("start error p50 " << time_text(with.p50_ns) << " p99 " << time_text(with.p99_ns) << " max "
                          << time_text(with.max_ns));
  // A rank that is not among the files delayed the job by 80 of 141 ms.
  const trace::Trace trace = read(true);
  const replay::Execution run = replay::run_virtual(trace, replay::Topology(), replay::Options());
  CHECK(replay::critical_path(trace, run).others_ns > run.makespan_ns / 2);
  // The makespan is as good without a single event: only the starts show that the order is lost.
  CHECK(accuracy(read(false), 0.04).max_ns > 50'000'000);
}

TEST_CASE("every profile that is there is replayed as it was, to 1 % and 100 us") {
  std::vector<std::string> found;
  for (const char* const folder : {"ascend", "kineto"}) {
    std::error_code error;
    for (const auto& file : fs::directory_iterator(profiles().parent_path() / folder, error)) {
      const std::string name = file.path().filename().string();
      if (name != "aclgraph_debug.json") found.push_back(file.path().string());  // has no times
    }
  }
  if (found.empty()) WARN("skipped: " << profiles().string() << " is not there");
  for (const std::string& file : found) {
    CAPTURE(file);
    CHECK(accuracy(trace::read_trace({file}), 0.01).p99_ns < 100'000);
  }
}
