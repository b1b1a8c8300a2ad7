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

int Transfer::advance(Run&) {
  if (!spec_.problem.empty()) throw std::runtime_error(spec_.problem);
  if (spec_.waits) {
    std::uint64_t set = 1;
    std::atomic_ref<std::uint64_t> flag(spec_.channel->own_flag(spec_.index));
    if (!flag.compare_exchange_strong(set, 0)) return static_cast<int>(spec_.channel->remote());
    return kDone;
  }
  if (spec_.to) move();
  if (spec_.sets) {
    std::atomic_ref<std::uint64_t>(spec_.channel->peer_flag(spec_.index)).store(1);
    links_->wake_others();
  }
  return kDone;
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
