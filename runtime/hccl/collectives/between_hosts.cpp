// SPDX-License-Identifier: Apache-2.0
// The part of a collective that serves ranks of other hosts. A sender puts its part directly at the
// place that the receiver has published: in the receive buffer, or in the staging memory for
// operands of a reduction.
#include <algorithm>
#include <cstring>

#include "runtime/hccl/base/types.h"
#include "runtime/hccl/collectives/collective.h"
#include "runtime/hccl/reduce/reduce.h"

namespace hccl {

std::uint64_t Collective::most_for_remote() const noexcept {
  std::uint64_t most = 0;
  for (const int rank : links_->remote_ranks()) {
    most = std::max(most, request_.send_parts[static_cast<std::size_t>(rank)].bytes);
  }
  return most;
}

// ---- parts ----

void Collective::deliver(const Round& round) {
  if (on_board_) return;  // the data travels with the entry
  const int me = links_->me();
  const Hosts& hosts = links_->hosts();
  for (const int rank : links_->remote_ranks()) {
    const Part& part = request_.send_parts[static_cast<std::size_t>(rank)];
    if (part.bytes == 0) continue;
    if (reduces_first_) {
      if (hosts.agent(hosts.host_of(me), rank) == me) deliver_partial(round, rank);
      continue;
    }
    if (forwards_ && hosts.agent(hosts.host_of(rank), me) != rank) continue;
    const Entry& entry = round.entry_of(rank);
    const Part& wanted = links_->boards()[static_cast<std::size_t>(rank)].parts(round.number())[me];
    const std::uint64_t at =
        request_.target == Target::none
            ? entry.receive.at + wanted.place
            : entry.staging.at + hosts.place_of_rank(me, rank) * Staging::stride(part.bytes);
    const StepScope sends(*this, kSends, part.bytes, rank);
    links_->put(rank, at, {send_.engine() + part.offset, part.bytes});
    links_->show_phase(rank, round.number(), Phase::delivered);
  }
}

// Reduces the part for `owner` over all ranks of this host, and puts it.
void Collective::deliver_partial(const Round& round, int owner) {
  const int me = links_->me();
  const Hosts& hosts = links_->hosts();
  const std::uint32_t host = hosts.host_of(me);
  const std::uint64_t bytes = request_.send_parts[static_cast<std::size_t>(owner)].bytes;
  std::vector<const std::byte*> parts;
  for (const int rank : hosts.ranks_of(host)) {
    const Part& part =
        links_->boards()[static_cast<std::size_t>(rank)].parts(round.number())[owner];
    parts.push_back(links_->locate(rank, round.entry_of(rank).send) + part.offset);
  }
  const std::byte* partial = parts.front();
  const StepScope sends(*this, kSends, bytes, owner);
  if (parts.size() > 1) {
    std::byte* const targets[] = {partials_.part(hosts.place_of_rank(owner, me))};
    reduce(static_cast<HcclDataType>(request_.call.type),
           static_cast<HcclReduceOp>(request_.call.op), parts, targets, bytes / request_.element);
    partial = targets[0];
  }
  const std::uint64_t at =
      round.entry_of(owner).staging.at + hosts.place_of_host(host, owner) * Staging::stride(bytes);
  links_->put(owner, at, {partial, bytes});
  links_->show_phase(owner, round.number(), Phase::delivered);
}

int Collective::first_undelivered(const Round& round) const {
  const int me = links_->me();
  const Hosts& hosts = links_->hosts();
  for (const int rank : links_->remote_ranks()) {
    if (round.entry_of(rank).holds_data || part_for_me(round, rank).bytes == 0) continue;
    if (reduces_first_ && hosts.agent(hosts.host_of(rank), me) != rank) continue;
    if (forwards_ && hosts.agent(hosts.host_of(me), rank) != me) continue;
    if (!round.delivered_by(rank)) return rank;
  }
  return -1;
}

// Forwards data that has arrived for this host to its other ranks.
void Collective::forward(const Round& round) {
  if (!forwards_) return;
  const int me = links_->me();
  const Hosts& hosts = links_->hosts();
  const std::uint32_t host = hosts.host_of(me);
  for (const int from : links_->remote_ranks()) {
    if (round.entry_of(from).holds_data || hosts.agent(host, from) != me) continue;
    const Part& mine = request_.receive_parts[static_cast<std::size_t>(from)];
    for (const int to : hosts.ranks_of(host)) {
      if (to == me || mine.bytes == 0) continue;
      const Part& theirs =
          links_->boards()[static_cast<std::size_t>(to)].parts(round.number())[from];
      std::memcpy(links_->locate(to, round.entry_of(to).receive) + theirs.place,
                  receive_.engine() + mine.offset, mine.bytes);
    }
  }
}

// ---- results ----

// The other ranks may have finished before the result has arrived, so this rank keeps the result
// until the transport has sent or copied it.
void Collective::deliver_results(const Round& round, CollectiveRun& run) {
  if (!reduces_parts() || request_.target == Target::own) return;
  const std::uint64_t bytes = part_for_me(round, links_->me()).bytes;
  const bool to_root = request_.target == Target::root;
  const Hosts& hosts = links_->hosts();
  const std::byte* const result =
      to_root ? staging_.result() : receive_.engine() + request_.target_offset;
  for (const int rank : links_->remote_ranks()) {
    if (bytes == 0 || (to_root && static_cast<std::uint32_t>(rank) != request_.call.root)) continue;
    if (forwards_results_ && hosts.agent(hosts.host_of(rank), links_->me()) != rank) continue;
    const StepScope sends(*this, kSends, bytes, rank);
    links_->put(rank, round.entry_of(rank).receive.at + request_.target_offset, {result, bytes});
    if (bytes > fabric::kCopiedPut) run.given.push_back(rank);
  }
  if (!forwards_results_) return;
  round.show_reduced();
  links_->show_phase(round.number(), Phase::reduced);
  links_->wake_others();
}

// A transfer to a rank that has finished and left fails, which does not matter. The loss of a rank
// is reported elsewhere.
bool Collective::arrived(const CollectiveRun& run) noexcept {
  return std::all_of(run.results.begin(), run.results.end(),
                     [](const auto& arrival) { return *arrival != Links::Arrival::pending; });
}

int Collective::first_unreduced(const Round& round) const {
  if (!forwards_results_) return -1;
  const Hosts& hosts = links_->hosts();
  for (const int rank : links_->remote_ranks()) {
    if (hosts.agent(hosts.host_of(links_->me()), rank) != links_->me()) continue;
    if (!round.is_at(rank, Phase::reduced)) return rank;
  }
  return -1;
}

void Collective::forward_results(const Round& round) {
  if (!forwards_results_) return;
  const int me = links_->me();
  const Hosts& hosts = links_->hosts();
  const std::uint32_t host = hosts.host_of(me);
  for (const int from : links_->remote_ranks()) {
    const Part& share = request_.send_parts[static_cast<std::size_t>(from)];
    if (hosts.agent(host, from) != me || share.bytes == 0) continue;
    for (const int to : hosts.ranks_of(host)) {
      if (to == me) continue;
      std::memcpy(links_->locate(to, round.entry_of(to).receive) + share.offset,
                  receive_.engine() + share.offset, share.bytes);
    }
  }
}

// ---- the end ----

// Other hosts are notified before the collective is counted as finished: after that, the entry may
// hold the next call, and a late message of this one must not follow the line of the next one.
void Collective::finish(const Round& round) {
  links_->show_phase(round.number(), Phase::finished);
  round.finish();
  links_->show_ended();
  links_->wake_others();
}

// Called after `finish`, whose messages carry the last puts along.
void Collective::await_sent(CollectiveRun& run) {
  for (const int rank : run.given) {
    run.results.push_back(std::make_shared<std::atomic<Links::Arrival>>(Links::Arrival::pending));
    links_->flush_sources(rank, run.results.back());
  }
}

// The first rank that may still read this rank's buffers, or that has data for this rank.
int Collective::first_unended(const Round& round) const {
  bool waits = others_use_buffers();
  for (const int rank : links_->remote_ranks()) {
    waits = waits || (forwards_ && !round.entry_of(rank).holds_data);
  }
  if (!waits) return -1;
  if (!forwards_results_) return round.first_unfinished();
  for (int rank = 0; rank < links_->ranks(); ++rank) {
    // A rank of another host only needs to have its result: then it has everything that it needs to
    // finish.
    if (!round.is_at(rank, links_->is_remote(rank) ? Phase::reduced : Phase::finished)) return rank;
  }
  return -1;
}

}  // namespace hccl
