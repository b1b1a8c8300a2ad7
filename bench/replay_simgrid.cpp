// SPDX-License-Identifier: Apache-2.0
#include "bench/replay_simgrid.h"

#ifdef ACLSIM_HAVE_SIMGRID

#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace bench {

bool have_simgrid() { return true; }

PeerFigure run_in_simgrid(const trace::Trace& trace) {
  namespace sg = simgrid::s4u;
  std::string name = "bench";
  // Stacks of 64 KiB, as there may be thousands of actors. A second there is a nanosecond here, so
  // that its clock, a double, keeps every one of them.
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
    if (trace[op].kind == trace::OpKind::wait) ++uses[trace.sync(op).partner];
  }
  std::vector<sg::SemaphorePtr> records(trace.size());
  for (trace::OpIndex op = 0; op < trace.size(); ++op) {
    if (uses[op] != 0) records[op] = sg::Semaphore::create(0);
  }
  for (const trace::Lane& lane : trace.lanes()) {
    sg::Actor::create("stream", host, [&trace, &uses, &records, lane] {
      for (trace::OpIndex op = lane.begin; op < lane.end; ++op) {
        switch (trace[op].kind) {
          case trace::OpKind::record:
            for (std::uint32_t u = 0; u < uses[op]; ++u) records[op]->release();
            break;
          case trace::OpKind::wait:
            records[trace.sync(op).partner]->acquire();
            break;
          default:
            sg::this_actor::sleep_for(static_cast<double>(trace.duration(op)));
        }
      }
    });
  }
  const double begin = cpu_seconds();
  engine.run();
  return {cpu_seconds() - begin, sg::Engine::get_clock()};
}

}  // namespace bench

#else

namespace bench {

bool have_simgrid() { return false; }
PeerFigure run_in_simgrid(const trace::Trace&) { return {}; }

}  // namespace bench

#endif
