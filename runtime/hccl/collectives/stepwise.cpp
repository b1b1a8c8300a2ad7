// SPDX-License-Identifier: Apache-2.0
// A collective that goes by a schedule: each rank waits for the one that has the next part for it,
// and for no other.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "runtime/hccl/base/types.h"
#include "runtime/hccl/collectives/collective.h"
#include "runtime/hccl/reduce/reduce.h"

namespace hccl {

Schedule Collective::make_schedule() const {
  const int me = links_->me();
  const int ranks = links_->ranks();
  switch (way_) {
    case Way::halving_doubling:
      return halving_doubling_all_reduce(me, ranks, request_.receive_bytes);
    case Way::ring:
      if (request_.call.kind == Kind::all_gather) {
        return ring_all_gather(me, ranks, request_.send_bytes());
      }
      return ring_all_reduce(me, ranks, request_.receive_bytes);
    default: return {};
  }
}

// What the others send needs the rank's own part there already.
void Collective::begin_schedule() {
  if (request_.call.kind != Kind::all_gather) return;
  const Part& mine = request_.receive_parts[static_cast<std::size_t>(links_->me())];
  std::byte* const to = receive_.engine() + mine.offset;
  if (to != send_.engine()) std::memmove(to, send_.engine(), mine.bytes);
}

// The rank that it waits for; -1: all steps are done.
int Collective::follow_schedule(const Round& round, CollectiveRun& run) {
  for (; run.step < schedule_.steps.size(); ++run.step) {
    const Step& step = schedule_.steps[run.step];
    if (step.taken.peer >= 0) {
      if (round.steps_of(step.taken.peer) < step.taken.number) return step.taken.peer;
      if (step.taken.staged) combine(step);
    }
    if (step.given.peer >= 0) give(round, step);
  }
  return -1;
}

// What has come is of lower ranks, where that matters.
void Collective::combine(const Step& step) {
  const Step::Part& taken = step.taken;
  std::byte* const targets[] = {receive_.engine() + taken.offset};
  const std::byte* const sources[] = {staging_.part(0) + taken.place,
                                      step.own ? send_.engine() + taken.offset : targets[0]};
  reduce(static_cast<HcclDataType>(request_.call.type), static_cast<HcclReduceOp>(request_.call.op),
         sources, targets, taken.bytes / request_.element);
}

void Collective::give(const Round& round, const Step& step) {
  const Step::Part& given = step.given;
  const bool as_brought = step.own && step.taken.peer < 0;
  const std::byte* const from = (as_brought ? send_ : receive_).engine() + given.offset;
  const Entry& entry = round.entry_of(given.peer);
  const std::uint64_t to = given.staged ? entry.staging.at + given.place
                                        : entry.receive.at + given.offset;
  links_->put(given.peer, to, {from, given.bytes});
  links_->show_steps(given.peer, round.number(), given.number);
}

// What was given last stays until it has arrived; the others may have finished then.
void Collective::end_schedule(CollectiveRun& run) {
  std::vector<int> told;
  for (const Step& step : schedule_.steps) {
    const int peer = step.given.peer;
    if (peer < 0 || std::find(told.begin(), told.end(), peer) != told.end()) continue;
    told.push_back(peer);
    run.results.push_back(std::make_shared<std::atomic<Links::Arrival>>(Links::Arrival::pending));
    links_->flush(peer, run.results.back());
  }
}

}  // namespace hccl
