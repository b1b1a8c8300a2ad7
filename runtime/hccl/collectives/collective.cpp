// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/collectives/collective.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/hccl/base/error.h"
#include "runtime/hccl/base/types.h"
#include "runtime/hccl/reduce/reduce.h"

namespace hccl {

Collective::Collective(Communicator& communicator, embedded::Caller caller, Request request,
                       Buffer send, Buffer receive)
    : RankOperation(communicator, caller),
      request_(std::move(request)),
      algorithm_(choose_algorithm(task_of(request_, links_->hosts()))),
      schedule_(make_schedule()),
      on_board_(fits_on_board(request_.send_bytes())),
      send_(std::move(send)),
      receive_(std::move(receive)),
      forwards_(links_->hosts().layered() && is_same_for_all(request_.call.kind)),
      forwards_results_(links_->hosts().layered() && !on_board_ && request_.target == Target::all),
      reduces_first_(links_->hosts().layered() && reduces_parts() &&
                     is_integer(static_cast<HcclDataType>(request_.call.type))),
      staging_(make_staging(communicator)),
      partials_(communicator, reduces_first_ && !is_scheduled(algorithm_) ? most_for_remote() : 0) {
}

bool Collective::reduces_parts() const noexcept {
  return !on_board_ && request_.target != Target::none;
}

Staging Collective::make_staging(Communicator& communicator) const {
  if (is_scheduled(algorithm_)) return {communicator, schedule_.staging_bytes, 0};
  const Part& mine = request_.send_parts[static_cast<std::size_t>(links_->me())];
  return {communicator, reduces_parts() ? mine.bytes : 0};
}

std::size_t Collective::bytes() const noexcept {
  return std::max(request_.send_bytes(), request_.receive_bytes);
}

std::vector<embedded::Range> Collective::ranges() const {
  std::vector<embedded::Range> ranges;
  if (send_.bytes() != 0) ranges.push_back({send_.address(), send_.bytes(), true, false});
  if (receive_.bytes() != 0) ranges.push_back({receive_.address(), receive_.bytes(), false, true});
  return ranges;
}

std::unique_ptr<RankOperation::Run> Collective::make_run() {
  auto run = std::make_unique<CollectiveRun>();
  run->number = links_->next_collective();
  line_up(*run, request_.call);
  return run;
}

// Once all ranks have posted, the collective cannot be part of a deadlock.
std::optional<RankOperation::Waits> Collective::waits(const Run& any) const {
  const auto& run = static_cast<const CollectiveRun&>(any);
  if (run.stage > Stage::posted) return std::nullopt;
  return Waits{{run.awaits.rank()}, static_cast<std::uint64_t>(run.stage), request_.call};
}

Awaited Collective::advance(Run& any) {
  auto& run = static_cast<CollectiveRun&>(any);
  const Round round(links_->boards(), links_->me(), run.number);
  if (run.stage == Stage::enqueued) {
    if (const int rank = round.first_blocking(); rank >= 0) return Awaited::rank(rank);
    staging_.take();
    partials_.take();
    post(round);
    run.stage = Stage::posted;
  }
  if (run.stage == Stage::posted) {
    if (const int rank = round.first_missing(); rank >= 0) return Awaited::rank(rank);
    if (const Awaited rest = require_fit(round, run); rest.is_rank()) return rest;
    require_equal_pairs(round);
    if (is_scheduled(algorithm_)) {
      begin_schedule(round);
    } else {
      deliver(round);
    }
    run.stage = is_scheduled(algorithm_) ? Stage::scheduled : Stage::delivered;
  }
  if (run.stage == Stage::scheduled) {
    if (const int rank = follow_schedule(round, run); rank >= 0) return Awaited::rank(rank);
    end_schedule(run);
    finish(round);
    await_sent(run);
    run.stage = Stage::finished;
  }
  if (run.stage == Stage::delivered) {
    if (const int rank = first_undelivered(round); rank >= 0) return Awaited::rank(rank);
    work(round);
    deliver_results(round, run);
    run.stage = Stage::reduced;
  }
  if (run.stage == Stage::reduced) {
    if (const int rank = first_unreduced(round); rank >= 0) return Awaited::rank(rank);
    forward_results(round);
    finish(round);
    await_sent(run);
    run.stage = Stage::finished;
  }
  const int rank = is_scheduled(algorithm_) ? first_unfinished_here(round) : first_unended(round);
  if (rank >= 0) return Awaited::rank(rank);
  if (!arrived(run)) return Awaited::arrival();
  receive_.unstage();
  staging_.give_back();
  partials_.give_back();
  return Awaited::nothing();
}

// Other ranks read the send buffer unless its data is on the board, and they may write the receive
// buffer.
bool Collective::others_use_buffers() const noexcept {
  if (!on_board_ || request_.target == Target::all) return true;
  return request_.target == Target::root &&
         static_cast<std::uint32_t>(links_->me()) == request_.call.root;
}

void Collective::post(const Round& round) {
  round.line().code = 0;
  Entry& entry = round.entry();
  entry.call = request_.call;
  entry.site = site_;
  entry.send = send_.ref();
  entry.receive = receive_.ref();
  entry.staging = staging_.ref();
  entry.holds_data = on_board_;
  entry.steps = 0;
  const Board& board = links_->mine();
  Part* const parts = board.parts(round.number());
  std::copy(request_.send_parts.begin(), request_.send_parts.end(), parts);
  for (std::size_t rank = 0; rank < request_.receive_parts.size(); ++rank) {
    parts[rank].expected = request_.receive_parts[rank].bytes;
    parts[rank].place = request_.receive_parts[rank].offset;
  }
  receive_.stage();  // keeps the bytes that no rank writes
  if (!on_board_) {
    send_.stage();
  } else if (send_.bytes() != 0) {
    std::memcpy(board.data(round.number()), send_.program(), request_.send_bytes());
  }
  round.post();
  links_->show_entry(round.number(), on_board_);
  links_->wake_others();
}

void Collective::require_equal_pairs(const Round& round) const {
  const auto pair = round.first_unequal_pair();
  if (!pair) return;
  const Entry& from = round.entry_of(pair->from);
  const Entry& to = round.entry_of(pair->to);
  throw Mismatch{
      fmt::format("operation {}: {} and sends {} bytes to rank {}, but {} and expects {}",
                  round.number() + 1, called(pair->from, from.call, from.site), pair->sent,
                  pair->to, called(pair->to, to.call, to.site), pair->expected)};
}

Part Collective::part_for_me(const Round& round, int from) const {
  const Board& board = links_->boards()[static_cast<std::size_t>(from)];
  return board.parts(round.number())[links_->me()];
}

const std::byte* Collective::source(const Round& round, int from) const {
  const Entry& entry = round.entry_of(from);
  if (!entry.holds_data && links_->is_remote(from)) {
    return staging_.part(links_->hosts().place_of_rank(from, links_->me()));
  }
  const Board& board = links_->boards()[static_cast<std::size_t>(from)];
  const std::byte* const begin =
      entry.holds_data ? board.data(round.number()) : links_->locate(from, entry.send);
  return begin + part_for_me(round, from).offset;
}

Collective::Sources Collective::sources(const Round& round) const {
  const Hosts& hosts = links_->hosts();
  Sources all;
  for (int rank = 0; rank < links_->ranks(); ++rank) {
    if (!reduces_first_ || !links_->is_remote(rank)) all.push_back(source(round, rank));
  }
  for (std::uint32_t host = 0; reduces_first_ && host < hosts.count(); ++host) {
    if (host == hosts.host_of(links_->me())) continue;
    all.push_back(staging_.part(hosts.place_of_host(host, links_->me())));
  }
  return all;
}

void Collective::work(const Round& round) {
  if (request_.target != Target::none) {
    const StepScope reduces(*this, kReduces, part_for_me(round, links_->me()).bytes);
    reduce_part(round);
  } else if (!request_.receive_parts.empty()) {
    const StepScope copies(*this, kCopies, request_.receive_bytes);
    fetch(round);
  }
}

void Collective::fetch(const Round& round) {
  for (int turn = 0; turn < links_->ranks(); ++turn) {
    // each rank begins with another source
    const int rank = (links_->me() + turn) % links_->ranks();
    const Part& part = request_.receive_parts[static_cast<std::size_t>(rank)];
    // the data has arrived already
    if (links_->is_remote(rank) && !round.entry_of(rank).holds_data) continue;
    std::byte* const to = receive_.engine() + part.offset;
    const std::byte* const from = source(round, rank);
    if (part.bytes != 0 && to != from) std::memmove(to, from, part.bytes);
  }
  forward(round);
}

// The receive buffers of this host that get the result.
Collective::Targets Collective::targets(const Round& round) const {
  const auto there = [&](int rank) {
    return links_->locate(rank, round.entry_of(rank).receive) + request_.target_offset;
  };
  const auto root = static_cast<int>(request_.call.root);
  Targets all;
  switch (request_.target) {
    case Target::own:
      all.push_back(receive_.engine());
      break;
    case Target::root:
      all.push_back(links_->is_remote(root) ? staging_.result() : there(root));
      break;
    default:
      for (int rank = 0; rank < links_->ranks(); ++rank) {
        if (!links_->is_remote(rank)) all.push_back(there(rank));
      }
  }
  return all;
}

void Collective::reduce_part(const Round& round) {
  const std::uint64_t bytes = part_for_me(round, links_->me()).bytes;
  if (bytes == 0) return;
  const Sources from = sources(round);
  const Targets to = targets(round);
  reduce(static_cast<HcclDataType>(request_.call.type), static_cast<HcclReduceOp>(request_.call.op),
         {from.data(), from.size()}, {to.data(), to.size()}, bytes / request_.element);
}

}  // namespace hccl
