// SPDX-License-Identifier: Apache-2.0
// Virtual replay of synthetic traces on one core: ops a second and bytes an op, compared with the
// same DAG in SimGrid, if it is installed. A separate program, because its cases run for seconds.
// `bench_replay --simgrid FILE` reads a trace and runs it in SimGrid, for bench/traces.py.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bench/simgrid.h"
#include "tools/replay/engine/simulator.h"
#include "tools/trace/builder.h"
#include "tools/trace/read_trace.h"

namespace {

using trace::OpIndex;
using trace::OpKind;

struct Case {
  unsigned streams;
  unsigned ops;
  bool copies;   // a quarter of the ops are copies, which queue on links
  double asked;  // M ops/s; 0: no required value
};

/// Half kernels, a quarter records, a quarter waits for one of the last records of other streams;
/// with copies, these take half of the kernels' places.
trace::Trace make(const Case& wish) {
  constexpr unsigned kDevices = 8;
  std::mt19937 random(wish.streams);
  trace::Builder b({false, false, false, false, false, false, false});
  std::vector<trace::TrackIndex> tracks;
  for (unsigned s = 0; s < wish.streams; ++s) {
    tracks.push_back(b.stream(b.device(b.rank(0), static_cast<int>(s % kDevices)), s));
  }
  std::vector<OpIndex> recent;
  std::size_t oldest = 0;
  for (unsigned i = 0; i < wish.ops; ++i) {
    trace::NewOp op;
    op.track = tracks[random() % tracks.size()];
    const unsigned what = i % 4;
    if (what == 1) {
      op.kind = OpKind::record;
      const OpIndex made =
          b.add(op, trace::SyncUse{0, i, trace::kNone, 0, trace::Provenance::exact});
      if (recent.size() < 4096)
        recent.push_back(made);
      else
        recent[oldest++ % recent.size()] = made;
    } else if (what == 3 && !recent.empty()) {
      op.kind = OpKind::wait;
      b.add(op,
            trace::SyncUse{0, 1, recent[random() % recent.size()], 1, trace::Provenance::exact});
    } else if (what == 2 && wish.copies) {
      op.kind = OpKind::copy;
      b.add(op, trace::CopyUse{1 + random() % 1'000'000, static_cast<int>(random() % kDevices),
                               static_cast<int>(random() % kDevices)});
    } else {
      op.duration = 1 + random() % 100'000;
      b.add(op);
    }
  }
  return b.finish();
}

replay::Topology topology() {
  replay::Topology t;
  t.record_ns = t.wake_ns = 0;  // as in SimGrid
  return t;
}

struct Figure {
  double rate = 0;  // M ops/s
  double bytes = 0;
  trace::Nanoseconds makespan = 0;
};

Figure replay_case(const trace::Trace& trace, int rounds) {
  Figure best;
  for (int r = 0; r < rounds; ++r) {
    const double begin = bench::cpu_seconds();
    const replay::Execution run = replay::run_virtual(trace, topology(), {});
    const double rate = trace.size() / (bench::cpu_seconds() - begin) / 1e6;
    if (!run.complete() || run.done_ops != trace.size()) {
      std::fputs("bench_replay: the replay did not run all ops\n", stderr);
      std::exit(1);
    }
    best.rate = std::max(best.rate, rate);
    best.bytes = static_cast<double>(trace.resident_bytes() + run.resident_bytes()) / trace.size();
    best.makespan = run.makespan_ns;
  }
  return best;
}

int simgrid_of(const char* file) {
  return bench::run_in_simgrid(trace::read_trace({file})) ? 0 : 1;
}

void print_peer(const std::optional<bench::PeerFigure>& peer, const Case& one, const Figure& ours,
                bool& same) {
  if (!peer) {
    std::printf(" - | - | - | - | - |\n");
    return;
  }
  const double rate = one.ops / peer->seconds / 1e6;
  const double bytes = peer->bytes / one.ops;
  same = std::abs(peer->makespan - static_cast<double>(ours.makespan)) < 0.5;
  std::printf(" %.3f | %.0f | %.0f | %.1f | %s |\n", rate, ours.rate / rate, bytes,
              bytes / ours.bytes, same ? "yes" : "NO");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == "--simgrid") return simgrid_of(argv[2]);
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  const unsigned ops = quick ? 100'000 : 1'000'000;
  const Case cases[] = {{8, ops, false, 0},    {64, ops, false, 5}, {512, ops, false, 0},
                        {4096, ops, false, 2}, {64, ops, true, 5},  {4096, ops, true, 2}};
  std::printf(
      "| streams | ops | M ops/s | asked | bytes an op | asked | SimGrid M ops/s | ratio | "
      "SimGrid bytes an op | ratio | same makespan "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool all_same = true;
  for (const Case& one : cases) {
    const trace::Trace trace = make(one);
    const Figure ours = replay_case(trace, quick ? 1 : 5);
    char asked[16] = "";
    if (one.asked > 0) std::snprintf(asked, sizeof asked, ">= %.0f", one.asked);
    std::printf("| %u%s | %u | %.1f | %s | %.1f | <= 48 |", one.streams,
                one.copies ? ", copies queue" : "", one.ops, ours.rate, asked, ours.bytes);
    bool same = true;  // SimGrid's model has no copies that queue
    print_peer(one.copies ? std::nullopt : bench::run_in_simgrid(trace), one, ours, same);
    all_same = all_same && same;
  }
  return all_same ? 0 : 1;
}
