// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/collectives/staging.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/base/error.h"

namespace hccl {

// ---- the pool ----

StagingPool::~StagingPool() {
  for (const Slot& slot : slots_) embedding().free(physical_device_, slot.owned);
}

void StagingPool::provide(std::uint64_t bytes) {
  const sim::LockGuard guard(mutex_);
  const auto fits = [bytes](const Slot& slot) { return slot.bytes >= bytes; };
  if (std::none_of(slots_.begin(), slots_.end(), fits)) add(bytes);
}

StagingPool::Slot& StagingPool::take(std::uint64_t bytes) {
  const sim::LockGuard guard(mutex_);
  const auto free = std::find_if(slots_.begin(), slots_.end(), [bytes](const Slot& slot) {
    return !slot.taken && slot.bytes >= bytes;
  });
  Slot& slot = free == slots_.end() ? add(bytes) : *free;
  slot.taken = true;
  return slot;
}

void StagingPool::give_back(Slot& slot) {
  const sim::LockGuard guard(mutex_);
  slot.taken = false;
}

StagingPool::Slot& StagingPool::add(std::uint64_t bytes) {
  Slot slot{.bytes = bytes};
  if (const auto error = embedding().allocate(physical_device_, bytes, slot.owned)) {
    fail(HCCL_E_MEMORY, "no {} bytes for what other hosts send: {}", bytes, error.text);
  }
  slot.memory = static_cast<std::byte*>(embedding().engine(slot.owned));
  return slots_.emplace_back(slot);
}

// ---- of one operation ----

Staging::Staging(Communicator& communicator, std::uint64_t bytes, std::size_t parts)
    : physical_device_(communicator.physical_device()),
      parts_(parts),
      stride_(stride(bytes)),
      pool_(bytes == 0 ? nullptr : communicator.shared<StagingPool>([&communicator] {
        return std::make_shared<StagingPool>(communicator.physical_device());
      })) {
  if (pool_) pool_->provide((parts_ + 1) * stride_);
}

void Staging::take() {
  if (!pool_ || slot_) return;
  slot_ = &pool_->take((parts_ + 1) * stride_);
  acl::embedding::DeviceFile file;
  embedding().device_file(physical_device_, file);
  ref_ = {static_cast<std::uint64_t>(slot_->memory - file.engine), true};
}

void Staging::give_back() noexcept {
  if (slot_) pool_->give_back(*slot_);
  slot_ = nullptr;
}

}  // namespace hccl
