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

// A flag of a peer in another process is set to the key of this setting, so that the peer can
// identify it.
std::unique_ptr<RankOperation::Run> Transfer::make_run() {
  auto run = std::make_unique<TransferRun>();
  if (spec_.sets && spec_.channel->crosses()) {
    // distinguishes flags from collectives and sends
    constexpr std::uint64_t kFlags = std::uint64_t{1} << 63;
    run->key = key_of(kFlags | spec_.channel->flag_name(0, true), spec_.channel->next_setting(),
                      links_->me());
    if (run->key == 0) run->key = 1;
  }
  return run;
}

// The checker does not see flags of a peer on another host.
embedded::FlagUse Transfer::flag_of(const Run& run) const {
  if ((!spec_.sets && !spec_.waits) || spec_.channel->is_remote()) return {};
  const bool crosses = spec_.channel->crosses();
  return {.flag = spec_.channel->flag_name(spec_.index, spec_.sets),
          .sets = spec_.sets,
          .crosses = crosses,
          .key = crosses && spec_.sets ? static_cast<const TransferRun&>(run).key : 0};
}

Awaited Transfer::advance(Run& any) {
  auto& run = static_cast<TransferRun&>(any);
  if (!spec_.problem.empty()) throw std::runtime_error(spec_.problem);
  if (spec_.waits) {
    const std::uint64_t set =
        std::atomic_ref<std::uint64_t>(spec_.channel->own_flag(spec_.index)).exchange(0);
    if (set == 0) return Awaited::rank(static_cast<int>(spec_.channel->remote()));
    if (spec_.channel->crosses()) run.took = set;
    return Awaited::nothing();
  }
  const bool began = run.remote || run.sent;  // the peer may free the memory once it has the bytes
  if (spec_.region && !began) require_region();
  if (spec_.channel && spec_.channel->is_remote()) return advance_remote(run);
  if (spec_.to) move();
  if (spec_.sets) {
    std::atomic_ref<std::uint64_t>(spec_.channel->peer_flag(spec_.index)).store(run.key);
    links_->wake_others();
  }
  return Awaited::nothing();
}

// A read, and a reduction into the peer's memory, first gets the peer's bytes. Then the result is
// put, and the flag is set after it. The operation is complete when everything has arrived.
Awaited Transfer::advance_remote(TransferRun& run) const {
  const bool reads = spec_.to != nullptr;
  if (!run.fetched) {
    if (!run.remote && (reads || (spec_.from && spec_.reduces))) begin_fetch(run);
    if (!arrived(run)) return Awaited::arrival();
    run.fetched = true;
    if (reads && spec_.reduces) {
      const std::byte* const sources[] = {spec_.to, run.remote->bytes.data()};
      std::byte* const targets[] = {spec_.to};
      reduce(spec_.type, spec_.op, sources, targets, spec_.bytes / size_of(spec_.type));
    }
  }
  if (reads) return Awaited::nothing();
  if (!run.sent) send(run);
  run.sent = true;
  return arrived(run) ? Awaited::nothing() : Awaited::arrival();
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

void Transfer::require_region() const {
  if (!spec_.channel->was_freed(*spec_.region)) return;
  throw std::runtime_error(
      fmt::format("{}: {} bytes are in memory of rank {} (\"{}\") that was freed", spec_.name,
                  spec_.bytes, spec_.channel->remote(), spec_.region->tag));
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
