// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/hcomm/transfer.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "runtime/hccl/base/types.h"
#include "runtime/hccl/reduce/reduce.h"

namespace hccl {

Transfer::Transfer(const Communicator& communicator, embedded::Caller caller, Spec spec)
    : RankOperation(communicator, caller,
                    spec.limit_ns != 0 ? spec.limit_ns : communicator.exec_limit_ns()),
      spec_(std::move(spec)) {}

std::vector<int> Transfer::peers() const {
  if (!spec_.channel) return {};
  const auto device = links_->device_of(static_cast<int>(spec_.channel->remote()));
  return device ? std::vector<int>{*device} : std::vector<int>();
}

// Of a peer of another process the checker sees nothing.
embedded::FlagUse Transfer::flag() const {
  if ((!spec_.sets && !spec_.waits) || !spec_.channel->is_here()) return {};
  return {spec_.channel->flag_name(spec_.index, spec_.sets), spec_.sets};
}

int Transfer::advance(Run& run) {
  if (!spec_.problem.empty()) throw std::runtime_error(spec_.problem);
  if (spec_.waits) {
    std::uint64_t set = 1;
    std::atomic_ref<std::uint64_t> flag(spec_.channel->own_flag(spec_.index));
    if (!flag.compare_exchange_strong(set, 0)) return static_cast<int>(spec_.channel->remote());
    return kDone;
  }
  if (spec_.channel && spec_.channel->is_remote()) {
    return advance_remote(static_cast<TransferRun&>(run));
  }
  if (spec_.to) move();
  if (spec_.sets) {
    std::atomic_ref<std::uint64_t>(spec_.channel->peer_flag(spec_.index)).store(1);
    links_->wake_others();
  }
  return kDone;
}

// A read, or what is reduced there: the peer's bytes come first. Then what is written goes, and the flag
// behind it; it is done when all has arrived.
int Transfer::advance_remote(TransferRun& run) const {
  const bool reads = spec_.to != nullptr;
  if (!run.fetched) {
    if (!run.remote && (reads || (spec_.from && spec_.reduces))) begin_fetch(run);
    if (!arrived(run)) return kArrival;
    run.fetched = true;
    if (reads && spec_.reduces) {
      const std::byte* const sources[] = {spec_.to, run.remote->bytes.data()};
      std::byte* const targets[] = {spec_.to};
      reduce(spec_.type, spec_.op, sources, targets, spec_.bytes / size_of(spec_.type));
    }
  }
  if (reads) return kDone;
  if (!run.sent) send(run);
  run.sent = true;
  return arrived(run) ? kDone : kArrival;
}

bool Transfer::arrived(const TransferRun& run) const {
  if (!run.remote) return true;
  const Links::Arrival arrival = run.remote->arrival;
  if (arrival == Links::Arrival::failed) {
    throw std::runtime_error(fmt::format("{}: rank {} of another host is not there any more",
                                         spec_.name, spec_.channel->remote()));
  }
  return arrival == Links::Arrival::complete;
}

void Transfer::flush(TransferRun& run) const {
  links_->flush(static_cast<int>(spec_.channel->remote()), {run.remote, &run.remote->arrival});
}

void Transfer::begin_fetch(TransferRun& run) const {
  run.remote = std::make_shared<Remote>();
  std::byte* into = spec_.to;
  if (spec_.reduces) {
    run.remote->bytes.resize(spec_.bytes);
    into = run.remote->bytes.data();
  }
  links_->get(static_cast<int>(spec_.channel->remote()), spec_.there, {into, spec_.bytes});
  flush(run);
}

void Transfer::send(TransferRun& run) const {
  const int peer = static_cast<int>(spec_.channel->remote());
  if (spec_.from) {
    const std::byte* bytes = spec_.from;
    if (spec_.reduces) {
      std::byte* const targets[] = {run.remote->bytes.data()};
      const std::byte* const sources[] = {targets[0], spec_.from};
      reduce(spec_.type, spec_.op, sources, targets, spec_.bytes / size_of(spec_.type));
      bytes = targets[0];
    }
    links_->put(peer, spec_.there, {bytes, spec_.bytes});
  }
  if (spec_.sets) links_->set_word(peer, spec_.channel->peer_flag_offset(spec_.index), 1);
  if (!spec_.from) return;
  if (!run.remote) run.remote = std::make_shared<Remote>();
  run.remote->arrival = Links::Arrival::pending;
  flush(run);
}

void Transfer::move() const {
  if (!spec_.reduces) {
    std::memmove(spec_.to, spec_.from, spec_.bytes);
    return;
  }
  const std::byte* const sources[] = {spec_.to, spec_.from};
  std::byte* const targets[] = {spec_.to};
  reduce(spec_.type, spec_.op, sources, targets, spec_.bytes / size_of(spec_.type));
}

std::string Transfer::text(const Run&) const {
  const void* const here = site_.here();
  return fmt::format("{} of rank {} at {}{}", spec_.name, links_->me(),
                     here ? embedding().place_of(here) : site_.text(),
                     spec_.waits ? fmt::format(" (notify {})", spec_.index) : "");
}

}  // namespace hccl
