// SPDX-License-Identifier: Apache-2.0
// A collective that follows a schedule: each rank waits only for the rank that has the next part
// for it.
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
  const Hosts& hosts = links_->hosts();
  const std::uint64_t bytes = request_.receive_bytes;
  if (!is_scheduled(algorithm_)) return {};
  if (request_.call.kind == Kind::all_gather) {
    return ring_all_gather(hosts, me, request_.send_bytes());
  }
  const bool rings = algorithm_ == Algorithm::ring || algorithm_ == Algorithm::hierarchical_ring;
  return rings ? ring_all_reduce(hosts, me, bytes) : halving_doubling_all_reduce(hosts, me, bytes);
}

const std::vector<int>& Collective::ranks_of_host() const noexcept {
  const Hosts& hosts = links_->hosts();
  return hosts.ranks_of(hosts.host_of(links_->me()));
}

// Copies the contributions of this host into place first, because steps send them from there.
void Collective::begin_schedule(const Round& round) {
  if (request_.call.kind != Kind::all_gather) return;
  for (const int rank : ranks_of_host()) {
    const Part& part = request_.receive_parts[static_cast<std::size_t>(rank)];
    std::byte* const to = receive_.engine() + part.offset;
    const std::byte* const from = source(round, rank);
    if (to != from) std::memmove(to, from, part.bytes);
  }
}

// Returns the rank that it waits for; -1: all steps are done.
int Collective::follow_schedule(const Round& round, CollectiveRun& run) {
  for (; run.step < schedule_.steps.size(); ++run.step) {
    const Step& step = schedule_.steps[run.step];
    if (step.taken.peer >= 0) {
      if (round.steps_of(step.taken.peer) < step.taken.number) return step.taken.peer;
      if (step.taken.staged) combine(round, step);
      if (step.completes) show_host(round, step.taken);
    }
    if (step.given.peer >= 0) give(round, step);
  }
  return -1;
}

// The operands of the ranks of this host, in the order of the ranks.
Collective::Sources Collective::operands_here(const Round& round, std::uint64_t offset) const {
  Sources all;
  for (const int rank : ranks_of_host()) {
    all.push_back(links_->locate(rank, round.entry_of(rank).send) + offset);
  }
  return all;
}

void Collective::reduce_to_own(const Sources& sources, const Step::Part& part) {
  std::byte* const targets[] = {receive_.engine() + part.offset};
  reduce(static_cast<HcclDataType>(request_.call.type), static_cast<HcclReduceOp>(request_.call.op),
         {sources.data(), sources.size()}, targets, part.bytes / request_.element);
}

// The received operand comes first: it is the result of lower ranks, if the order matters.
void Collective::combine(const Round& round, const Step& step) {
  const Step::Part& taken = step.taken;
  const StepScope reduces(*this, kReduces, taken.bytes, taken.peer);
  Sources sources;
  if (step.own) {
    sources = operands_here(round, taken.offset);
  } else {
    sources.push_back(receive_.engine() + taken.offset);
  }
  sources.insert(sources.begin(), staging_.part(0) + taken.place);
  reduce_to_own(sources, taken);
}

// Copies a complete part of the result to the other ranks of this host.
void Collective::show_host(const Round& round, const Step::Part& part) {
  for (const int rank : ranks_of_host()) {
    if (rank == links_->me()) continue;
    std::memcpy(links_->locate(rank, round.entry_of(rank).receive) + part.offset,
                receive_.engine() + part.offset, part.bytes);
  }
}

void Collective::give(const Round& round, const Step& step) {
  const Step::Part& given = step.given;
  const bool as_brought = step.own && step.taken.peer < 0;
  const bool alone = ranks_of_host().size() == 1;
  if (as_brought && !alone) reduce_to_own(operands_here(round, given.offset), given);
  const std::byte* const from = (as_brought && alone ? send_ : receive_).engine() + given.offset;
  const Entry& entry = round.entry_of(given.peer);
  const StepScope sends(*this, kSends, given.bytes, given.peer);
  const std::uint64_t to =
      given.staged ? entry.staging.at + given.place : entry.receive.at + given.offset;
  links_->put(given.peer, to, {from, given.bytes});
  links_->show_steps(given.peer, round.number(), given.number);
}

// The last parts that were put stay in memory until they are sent, possibly after the other ranks
// have finished.
void Collective::end_schedule(CollectiveRun& run) {
  for (const Step& step : schedule_.steps) {
    const int peer = step.given.peer;
    if (peer < 0 || std::count(run.given.begin(), run.given.end(), peer) != 0) continue;
    run.given.push_back(peer);
  }
}

// The first rank of this host that may still read this rank's buffers, or that has data for this
// rank.
int Collective::first_unfinished_here(const Round& round) const {
  for (const int rank : ranks_of_host()) {
    if (!round.is_at(rank, Phase::finished)) return rank;
  }
  return -1;
}

}  // namespace hccl
