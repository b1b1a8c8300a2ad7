// SPDX-License-Identifier: Apache-2.0
#include "bench/simgrid.h"

#ifdef ACLSIM_HAVE_SIMGRID

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace bench {
namespace {

bool waits(const trace::Trace& trace, trace::OpIndex op) {
  const trace::OpKind kind = trace[op].kind;
  return (kind == trace::OpKind::wait || kind == trace::OpKind::notify_wait) &&
         trace.sync(op).partner != trace::kNone;
}

double resident_bytes() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) * 1024;
}

PeerFigure simulate(const trace::Trace& trace) {
  namespace sg = simgrid::s4u;
  const double before = resident_bytes();
  std::string name = "bench";
  // Stacks of 64 KiB, because there may be thousands of actors. A second in SimGrid is a nanosecond
  // here, so that its clock, a double, can represent each nanosecond.
  std::string stack = "--cfg=contexts/stack-size:64";
  std::string quiet = "--log=root.thresh:error";
  char* argv[] = {name.data(), stack.data(), quiet.data(), nullptr};
  int argc = 3;
  sg::Engine engine(&argc, argv);
  auto* const zone = sg::create_full_zone("machine");
  auto* const host = zone->create_host("host", 1e9);
  zone->seal();

  std::vector<std::uint32_t> uses(trace.size(), 0);
  for (trace::OpIndex op = 0; op < trace.size(); ++op) {
    if (waits(trace, op)) ++uses[trace.sync(op).partner];
  }
  std::vector<sg::SemaphorePtr> records(trace.size());
  for (trace::OpIndex op = 0; op < trace.size(); ++op) {
    if (uses[op] != 0) records[op] = sg::Semaphore::create(0);
  }
  for (const trace::Track& track : trace.tracks()) {
    sg::Actor::create("stream", host, [&trace, &uses, &records, track] {
      for (trace::OpIndex op = track.begin; op < track.end; ++op) {
        if (waits(trace, op)) {
          records[trace.sync(op).partner]->acquire();
          continue;
        }
        if (trace.duration(op) > 0)
          sg::this_actor::sleep_for(static_cast<double>(trace.duration(op)));
        for (std::uint32_t u = 0; u < uses[op]; ++u) records[op]->release();
      }
    });
  }
  const double begin = cpu_seconds();
  engine.run();
  return {cpu_seconds() - begin, resident_bytes() - before, sg::Engine::get_clock()};
}

}  // namespace

std::optional<PeerFigure> run_in_simgrid(const trace::Trace& trace) {
  int ends[2];
  if (::pipe(ends) != 0) return std::nullopt;
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    const PeerFigure made = simulate(trace);
    const bool sent = ::write(ends[1], &made, sizeof made) == sizeof made;
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  PeerFigure figure;
  const bool got = ::read(ends[0], &figure, sizeof figure) == sizeof figure;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!got || status != 0) return std::nullopt;
  return figure;
}

}  // namespace bench

#else

namespace bench {

std::optional<PeerFigure> run_in_simgrid(const trace::Trace&) { return std::nullopt; }

}  // namespace bench

#endif
