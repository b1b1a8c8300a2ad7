// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/allocation.h"

#include <algorithm>

#include "runtime/acl/base/error.h"
#include "runtime/acl/core/call_place.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/memory/freed_memory.h"
#include "runtime/acl/memory/managed_memory.h"
#include "runtime/acl/memory/memory_pool.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

constexpr std::size_t kAlignment = 512;  // the largest alignment that device code requires
constexpr std::size_t kHostAlignment = 64;
constexpr std::size_t kOwnPage = 4096;  // advice about managed memory is kept by page
constexpr std::size_t kGrain = 32;      // sizes are rounded up to this

std::size_t whole_pages(std::size_t size) { return (size + kOwnPage - 1) / kOwnPage * kOwnPage; }

/// The padding after `size` bytes; the sum is the size that the hardware would allocate.
std::size_t padding_for(std::size_t size, std::size_t tail) {
  const std::size_t rounded = (size + kGrain - 1) / kGrain * kGrain;
  if (rounded < size || rounded + tail < rounded) {
    fail(ACL_ERROR_INVALID_PARAM, "size is {}, which overflows when rounded up", size);
  }
  return rounded + tail - size;
}

bool is_used_as(const std::optional<sim::Allocation>& allocation, MemoryLabel::Use use) {
  return allocation && MemoryLabel::of(*allocation).use == use;
}

void announce_free(const std::optional<sim::Allocation>& allocation, const void* pointer) {
  auto* const listener = watch::listener();
  if (!listener) return;
  if (!allocation || reinterpret_cast<std::uintptr_t>(pointer) != allocation->begin) {
    return listener->nothing_to_free(pointer);
  }
  const bool host = allocation->device == sim::kHostDevice;
  listener->freeing(pointer, allocation->size,
                    host ? watch::Freed::pinned_host : watch::Freed::device);
}

void* allocate_piece(Runtime& runtime, std::size_t size, const AllocationRequest& request) {
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
  std::size_t padding = padding_for(size, request.tail);
  if (auto* const intervener = watch::intervener()) intervener->before_allocation(request.device);
  sim::Memory& memory = runtime.memory();
  const bool followed =
      memory.closes_free() && request.device != sim::kHostDevice;  // by a closed page
  const bool own_pages = memory.bars_hosts() || followed;  // else a neighbour's would be barred too
  if (own_pages) padding = whole_pages(size + padding) - size;
  if (followed) padding += kOwnPage;
  const void* const caller = place_to_keep(request.caller);
  const auto aligned = [own_pages](std::size_t alignment) {
    return own_pages ? std::max(alignment, kOwnPage) : alignment;
  };
  if (request.device != sim::kHostDevice) {
    return runtime.section<FreedMemory>().with_room([&] {
      return memory.device(request.device)
          .allocate(size, aligned(kAlignment), padding, caller, request.label.pack());
    });
  }
  const bool managed = request.label.use == MemoryLabel::Use::managed;
  return memory.host().allocate(size, aligned(managed ? kOwnPage : kHostAlignment), padding, caller,
                                request.label.pack());
}

}  // namespace

void* allocate(Runtime& runtime, std::size_t size, const AllocationRequest& request) {
  void* const begin = allocate_piece(runtime, size, request);
  if (auto* const listener = watch::listener()) listener->allocated(begin, size, request.device);
  return begin;
}

void free_device(Runtime& runtime, void* pointer, const void* caller) {
  sim::AddressSpace* const space = runtime.memory().space_of(pointer);
  const auto allocation = runtime.memory().find(pointer);
  // Programs may free after the last reset of the device, which has freed the memory already.
  if (!allocation && space && space->forget_freed_by_all(pointer)) return;
  announce_free(allocation, pointer);
  const bool managed = is_used_as(allocation, MemoryLabel::Use::managed);
  const bool pooled = is_used_as(allocation, MemoryLabel::Use::pooled);
  const auto free = [&] {
    if (pooled) return runtime.section<MemoryPools>().free_now(pointer);
    if (!allocation || managed) return space->free(pointer, caller);
    return runtime.section<FreedMemory>().free(*space, pointer, allocation->size, caller);
  };
  if (!space || (space->device() == sim::kHostDevice && !managed) || !free()) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "devPtr is {}, which is not the start of a live device allocation (freed already, inside "
         "one, or host memory)",
         pointer);
  }
  if (managed) runtime.section<ManagedMemory>().forget(allocation->serial);
}

void free_host(Runtime& runtime, void* pointer) {
  sim::AddressSpace& host = runtime.memory().host();
  announce_free(runtime.memory().find(pointer), pointer);
  if (runtime.memory().space_of(pointer) != &host ||
      is_used_as(runtime.memory().find(pointer), MemoryLabel::Use::managed) ||
      !host.free(pointer)) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "hostPtr is {}, which is not the start of a live allocation of aclrtMallocHost", pointer);
  }
}

}  // namespace acl
