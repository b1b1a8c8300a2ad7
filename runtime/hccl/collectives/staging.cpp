// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/collectives/staging.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/base/error.h"

namespace hccl {

// ---- the shelf ----

StagingShelf::~StagingShelf() {
  for (const Block& block : blocks_) embedding().free(physical_device_, block.owned);
}

void StagingShelf::provide(std::uint64_t bytes) {
  const sim::LockGuard guard(mutex_);
  const auto fits = [bytes](const Block& block) { return block.bytes >= bytes; };
  if (std::none_of(blocks_.begin(), blocks_.end(), fits)) add(bytes);
}

StagingShelf::Block& StagingShelf::take(std::uint64_t bytes) {
  const sim::LockGuard guard(mutex_);
  const auto free = std::find_if(blocks_.begin(), blocks_.end(), [bytes](const Block& block) {
    return !block.taken && block.bytes >= bytes;
  });
  Block& block = free == blocks_.end() ? add(bytes) : *free;
  block.taken = true;
  return block;
}

void StagingShelf::give_back(Block& block) {
  const sim::LockGuard guard(mutex_);
  block.taken = false;
}

StagingShelf::Block& StagingShelf::add(std::uint64_t bytes) {
  Block block{.bytes = bytes};
  if (const auto error = embedding().allocate(physical_device_, bytes, block.owned)) {
    fail(HCCL_E_MEMORY, "no {} bytes for what other hosts send: {}", bytes, error.text);
  }
  block.memory = static_cast<std::byte*>(embedding().engine(block.owned));
  return blocks_.emplace_back(block);
}

// ---- of one operation ----

Staging::Staging(Communicator& communicator, std::uint64_t bytes, std::size_t parts)
    : physical_device_(communicator.physical_device()),
      parts_(parts),
      stride_(stride(bytes)),
      shelf_(bytes == 0 ? nullptr : communicator.shared<StagingShelf>([&communicator] {
        return std::make_shared<StagingShelf>(communicator.physical_device());
      })) {
  if (shelf_) shelf_->provide((parts_ + 1) * stride_);
}

void Staging::take() {
  if (!shelf_ || block_) return;
  block_ = &shelf_->take((parts_ + 1) * stride_);
  acl::embedding::DeviceFile file;
  embedding().device_file(physical_device_, file);
  ref_ = {static_cast<std::uint64_t>(block_->memory - file.engine), true};
}

void Staging::give_back() noexcept {
  if (block_) shelf_->give_back(*block_);
  block_ = nullptr;
}

}  // namespace hccl
