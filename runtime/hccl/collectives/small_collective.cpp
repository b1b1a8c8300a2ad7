// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/collectives/small_collective.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstring>

#include "runtime/hccl/base/error.h"
#include "runtime/hccl/reduce/reduce.h"

namespace hccl {
namespace {

std::byte* reach(embedded::Caller caller, const void* address, std::uint64_t bytes,
                 const char* argument, bool written) {
  if (bytes == 0) return nullptr;
  std::byte* engine = nullptr;
  if (const auto error = embedding().reach(caller, address, bytes, argument, written, engine)) {
    fail(HCCL_E_PARA, "{}", error.text);
  }
  return engine;
}

}  // namespace

SmallCollective::SmallCollective(const Communicator& communicator, embedded::Caller caller,
                                 const Small& small, const void* send, const void* receive)
    : RankOperation(communicator, caller),
      small_(small),
      send_(send),
      receive_(receive),
      from_(reach(caller, send, small.sent, "sendBuf", false)),
      to_(reach(caller, receive, small.received, "recvBuf", true)) {}

std::size_t SmallCollective::bytes() const noexcept {
  return std::max(small_.sent, small_.received);
}

std::vector<embedded::Range> SmallCollective::ranges() const {
  std::vector<embedded::Range> ranges;
  if (small_.sent != 0) ranges.push_back({send_, small_.sent, true, false});
  if (small_.received != 0) ranges.push_back({receive_, small_.received, false, true});
  return ranges;
}

std::unique_ptr<RankOperation::Run> SmallCollective::make_run() {
  auto run = std::make_unique<SmallRun>();
  run->number = links_->next_collective();
  line_up(*run, small_.call);
  return run;
}

// Posts the entry. Returns the first rank that has not posted; nothing if all have.
Awaited SmallCollective::gather(SmallRun& run, const Round& round) {
  if (!run.posted) {
    if (const int rank = links_->first_blocking(round); rank >= 0) return Awaited::rank(rank);
    post(round);
    run.posted = true;
  }
  for (; run.seen < links_->ranks(); ++run.seen) {
    if (!round.is_at(run.seen, Phase::posted)) return Awaited::rank(run.seen);
  }
  return Awaited::nothing();
}

// Once all ranks have posted, the collective cannot be part of a deadlock.
std::optional<RankOperation::Waits> SmallCollective::waits(const Run& any) const {
  const auto& run = static_cast<const SmallRun&>(any);
  if (run.seen == links_->ranks()) return std::nullopt;
  return Waits{{run.awaits.rank()}, run.posted, small_.call};
}

// Over a network a thread would have to poll.
bool SmallCollective::prepare(std::uint64_t id) {
  auto* const run = static_cast<SmallRun*>(find(id));
  if (!run || !links_->remote_ranks().empty() || begin(*run)) return false;
  return gather(*run, Round(links_->boards(), links_->me(), run->number)).is_nothing();
}

Awaited SmallCollective::advance(Run& any) {
  auto& run = static_cast<SmallRun&>(any);
  const Round round(links_->boards(), links_->me(), run.number);
  if (const Awaited peer = gather(run, round); !peer.is_nothing()) return peer;
  if (const Awaited peer = require_fit(round, run); peer.is_rank()) return peer;
  {
    const StepScope takes(*this, small_.takes == Small::Takes::reduced ? kReduces : kCopies,
                          small_.received);
    take(round);
  }
  round.end();
  links_->show_ended();
  links_->wake_others();
  return Awaited::nothing();
}

void SmallCollective::post(const Round& round) const {
  round.line().code = small_.code;
  Entry& entry = round.entry();
  entry.call = small_.call;
  entry.site = site_;
  if (from_)
    std::memcpy(small_data(links_->mine(), round.number(), small_.bytes), from_, small_.bytes);
  round.post();
  links_->show_line(round.number(), small_.sent);
  links_->wake_others();
}

const std::byte* SmallCollective::data_of(const Round& round, int rank) const noexcept {
  const Board& board = links_->boards()[static_cast<std::size_t>(rank)];
  return small_data(board, round.number(), small_.bytes);
}

void SmallCollective::take(const Round& round) const {
  switch (small_.takes) {
    case Small::Takes::reduced:
      return reduce_all(round);
    case Small::Takes::from_root:
      return copy_from(round, static_cast<int>(small_.call.root), 0);
    case Small::Takes::from_all:
      for (int rank = 0; rank < links_->ranks(); ++rank) {
        copy_from(round, rank, static_cast<std::uint64_t>(rank) * small_.bytes);
      }
      return;
    default:
      return;
  }
}

void SmallCollective::copy_from(const Round& round, int rank, std::uint64_t at) const {
  std::memcpy(to_ + at, data_of(round, rank), small_.bytes);
}

void SmallCollective::reduce_all(const Round& round) const {
  boost::container::small_vector<const std::byte*, 16> sources;
  for (int rank = 0; rank < links_->ranks(); ++rank) sources.push_back(data_of(round, rank));
  std::byte* const targets[] = {to_};
  reduce(static_cast<HcclDataType>(small_.call.type), static_cast<HcclReduceOp>(small_.call.op),
         {sources.data(), sources.size()}, targets, small_.bytes / small_.element);
}

}  // namespace hccl
