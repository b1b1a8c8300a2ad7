// SPDX-License-Identifier: Apache-2.0
// What a collective does for ranks of other hosts. Who sends puts its part where the receiver wants it,
// which all have shown before: into the receive buffer, or to the other parts that are reduced there.
#include <algorithm>

#include "runtime/hccl/collectives/collective.h"

namespace hccl {

void Collective::deliver(const Round& round) {
  if (on_board_) return;  // with the entry
  const int me = links_->me();
  for (const int rank : links_->remote_ranks()) {
    const Part& part = request_.send_parts[static_cast<std::size_t>(rank)];
    if (part.bytes == 0) continue;
    const Entry& entry = round.entry_of(rank);
    const Part& wanted = links_->boards()[static_cast<std::size_t>(rank)].parts(round.number())[me];
    const std::uint64_t at =
        request_.target == Target::none
            ? entry.receive.at + wanted.place
            : entry.staging.at + links_->place_among_remote(me, rank) * Staging::stride(part.bytes);
    links_->put(rank, at, {send_.engine() + part.offset, part.bytes});
    links_->show_phase(rank, round.number(), Phase::delivered);
  }
}

int Collective::first_undelivered(const Round& round) const {
  for (const int rank : links_->remote_ranks()) {
    if (round.entry_of(rank).holds_data || part_for_me(round, rank).bytes == 0) continue;
    if (!round.delivered_by(rank)) return rank;
  }
  return -1;
}

void Collective::deliver_results(const Round& round) {
  const std::uint64_t bytes = part_for_me(round, links_->me()).bytes;
  if (!reduces_parts() || request_.target == Target::own || bytes == 0) return;
  const bool to_root = request_.target == Target::root;
  const std::byte* const result =
      to_root ? staging_.result() : receive_.engine() + request_.target_offset;
  for (const int rank : links_->remote_ranks()) {
    if (to_root && static_cast<std::uint32_t>(rank) != request_.call.root) continue;
    links_->put(rank, round.entry_of(rank).receive.at + request_.target_offset, {result, bytes});
  }
}

// Nobody waits for it when all that was brought is on the boards.
void Collective::finish(const Round& round) {
  deliver_results(round);
  round.finish();
  if (!links_->remote_ranks().empty()) {
    bool lazily = request_.target == Target::none || request_.target == Target::own;
    for (int rank = 0; rank < links_->ranks(); ++rank) {
      lazily = lazily && round.entry_of(rank).holds_data;
    }
    links_->show_finished(round.number(), lazily);
  }
  links_->wake_others();
}

}  // namespace hccl
