// SPDX-License-Identifier: Apache-2.0
// The order rules on generated traces, on one core: millions of ops a second, from a trace in
// memory to the findings. For comparison, SimGrid runs the same DAG. A separate program, because
// its cases run for seconds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/simgrid.h"
#include "tools/check/check.h"
#include "tools/trace/generate.h"

namespace {

struct Case {
  const char* kind;
  unsigned devices;
  unsigned streams;  // per device
  bool finds;        // whether the trace has errors
};

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  const unsigned ops = quick ? 100'000 : 1'000'000;
  const Case cases[] = {{"racy", 8, 8, true},      {"racy", 8, 1, true},    {"ring", 8, 8, false},
                        {"pipeline", 8, 8, false}, {"random", 8, 8, false}, {"fanout", 8, 8, false},
                        {"random", 64, 64, false}, {"racy", 64, 64, true}};
  std::printf(
      "| trace | streams | ops | M ops/s | asked | SimGrid runs M ops/s | ratio |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const Case& one : cases) {
    trace::GenerateOptions options;
    options.kind = one.kind;
    options.devices = one.devices;
    options.streams = one.streams;
    options.ops = ops;
    const trace::Trace trace = trace::generate(options);
    double best = 0;
    for (int round = 0; round < (quick ? 1 : 5); ++round) {
      const double begin = bench::cpu_seconds();
      const check::Result result = check::check(trace, {});
      best = std::max(best, ops / (bench::cpu_seconds() - begin) / 1e6);
      if ((result.report.count(order::Level::error) != 0) != one.finds) {
        std::fputs("bench_check: the findings are not those of the trace\n", stderr);
        return 1;
      }
    }
    const bool asked = one.devices * one.streams <= 64;
    std::printf("| %s | %u | %u | %.2f | %s |", one.kind, one.devices * one.streams, ops, best,
                asked ? ">= 1" : "");
    const auto peer = bench::run_in_simgrid(trace);
    if (!peer) {
      std::printf(" - | - |\n");
      continue;
    }
    const double rate = ops / peer->seconds / 1e6;
    std::printf(" %.3f | %.1f |\n", rate, best / rate);
  }
  return 0;
}
