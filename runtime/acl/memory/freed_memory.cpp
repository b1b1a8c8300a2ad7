// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/freed_memory.h"

#include <algorithm>

#include "device_sim/memory/address_space.h"
#include "runtime/acl/core/runtime.h"

namespace acl {
namespace {

// A stream that never ends must not keep all memory that a program frees.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::size_t kMostPieces = 1024;

}  // namespace

FreedMemory::FreedMemory(Runtime& runtime)
    : runtime_(runtime), seeded_(runtime.config().system.schedule == sim::Schedule::seeded) {}

std::vector<FreedMemory::Fence> FreedMemory::pending_tasks(int device) const {
  std::vector<Fence> fences;
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    const sim::Stream& core = stream->core();
    const std::uint64_t last = core.submitted();
    if (core.device() == device && core.retired() < last && !core.abandoned())
      fences.push_back({stream->id(), last});
  });
  return fences;
}

FreedMemory::Retired FreedMemory::retired_tasks() const {
  Retired retired;
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    const sim::Stream& core = stream->core();
    if (!core.abandoned()) retired[stream->id()] = core.retired();
  });
  return retired;
}

void FreedMemory::let_go(const Piece& piece) {
  piece.space->let_go(piece.address);
  bytes_ -= piece.size;
}

template <class Over>
void FreedMemory::let_go_if(const Over& over) {
  if (empty_.load(std::memory_order_acquire)) return;
  const sim::LockGuard guard(mutex_);
  std::erase_if(pieces_, [&](const Piece& piece) REQUIRES(mutex_) {
    if (!over(piece)) return false;
    let_go(piece);
    return true;
  });
  empty_.store(pieces_.empty(), std::memory_order_release);
}

bool FreedMemory::free(sim::AddressSpace& space, void* address, std::size_t size,
                       const void* caller) {
  sweep();
  std::vector<Fence> fences = pending_tasks(space.device());
  if (fences.empty() || size > kMostBytes) return space.free(address, caller);
  if (!space.free_later(address, caller)) return false;
  const sim::LockGuard guard(mutex_);
  pieces_.push_back({&space, address, size, std::move(fences)});
  bytes_ += size;
  empty_.store(false, std::memory_order_release);
  for (; bytes_ > kMostBytes || pieces_.size() > kMostPieces; pieces_.pop_front()) {
    let_go(pieces_.front());
  }
  return true;
}

void FreedMemory::sweep() {
  if (empty_.load(std::memory_order_acquire)) return;
  const Retired retired = retired_tasks();
  let_go_if([&](const Piece& piece) {
    return std::all_of(piece.fences.begin(), piece.fences.end(), [&](const Fence& fence) {
      const auto stream = retired.find(fence.stream);
      return stream == retired.end() || stream->second >= fence.last;
    });
  });
}

bool FreedMemory::give_up() {
  const bool any = !empty_.load(std::memory_order_acquire);
  let_go_if([](const Piece&) { return true; });
  return any;
}

void FreedMemory::device_ends(int device) {
  let_go_if([device](const Piece& piece) { return piece.space->device() == device; });
}

}  // namespace acl
