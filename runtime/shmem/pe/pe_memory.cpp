// SPDX-License-Identifier: Apache-2.0
// The heaps of a PE, and the translation of addresses.
#include <cstddef>
#include <span>

#include "device_sim/base/mutex.h"
#include "runtime/shmem/base/error.h"
#include "runtime/shmem/pe/pe.h"

namespace shmem {

// ---- the heaps ----

// Collective: if one of several PEs fails, the heaps are useless.
void Pe::make_host_side() {
  require_whole();
  try {
    const fabric::Moment end = control_limit();
    const MemoryKind sort{true, device_, "heaps of the host"};
    auto made = std::make_unique<HostSide>(*met_.group, sort, spec_, end);
    std::byte* const block = made->memory.engine(spec_.my_pe);
    host_side_ = std::move(made);
    connections_.add_host_side(met_.group, {block, host_side_->memory.bytes()}, end);
  } catch (const std::exception& error) {
    if (spec_.n_pes > 1)
      broken(
          fmt::format("PE {} could not make its heap of the host: {}", spec_.my_pe, error.what()));
    throw;
  }
}

Pe::HostSide& Pe::host_side() {
  const sim::LockGuard guard(host_side_mutex_);
  if (!host_memory_) {
    make_host_side();
    host_memory_ = &host_side_->memory;
  }
  return *host_side_;
}

std::byte* Pe::heap_begin(Side side) const {
  const SymmetricMemory* const memory = side == Side::host ? host_memory_.load() : &memory_;
  return memory ? memory->begin(spec_.my_pe) : nullptr;
}

void* Pe::allocate(Side side, std::size_t bytes, std::size_t alignment, bool zero) {
  SymmetricHeap& of = heap(side);
  void* const at = of.allocate(bytes, alignment, zero);
  try {
    barrier_all();
  } catch (...) {
    of.release(at);
    throw;
  }
  if (!at) refuse(of, bytes, alignment);
  return at;
}

// Called after the barrier, because the other PEs wait in it.
void Pe::refuse(SymmetricHeap& of, std::size_t bytes, std::size_t alignment) const {
  if (bytes == 0) fail(ACLSHMEM_INVALID_PARAM, "size is 0; expected bytes");
  if (!SymmetricHeap::is_alignment(alignment)) {
    fail(ACLSHMEM_INVALID_PARAM, "alignment is {}; expected a power of two of at most {}",
         alignment, SymmetricHeap::kMostAlignment);
  }
  fail(ACLSHMEM_MALLOC_FAILED, "no room for {} of {} bytes with alignment {}; {} are free", bytes,
       spec_.heap_bytes, alignment, of.free_bytes());
}

void Pe::release(Side side, void* address) {
  barrier_all();
  const bool none = side == Side::host && !host_memory_;
  if (none || !heap(side).release(address)) {
    fail(ACLSHMEM_INVALID_PARAM,
         "ptr is {}; expected what an allocation of the symmetric heap{} returned, once", address,
         side == Side::host ? " of the host" : "");
  }
}

// ---- addresses ----

Pe::Owned Pe::owner_of(const void* address) const noexcept {
  if (memory_.holds(spec_.my_pe, address)) return {&memory_, spec_.my_pe, 0};
  if (const int pe = memory_.owner_of(address); pe >= 0) return {&memory_, pe, 0};
  const SymmetricMemory* const of_host = host_memory_.load(std::memory_order_acquire);
  if (!of_host) return {};
  const int pe = of_host->owner_of(address);
  return pe >= 0 ? Owned{of_host, pe, kHostSide} : Owned{};
}

void* Pe::at(const void* address, int pe) const noexcept {
  if (pe < 0 || pe >= spec_.n_pes) return nullptr;
  const Owned owned = owner_of(address);
  if (owned.pe != spec_.my_pe || !owned.memory->engine(pe)) return nullptr;
  const std::byte* const begin = owned.memory->begin(owned.pe);
  return owned.memory->begin(pe) + (static_cast<const std::byte*>(address) - begin);
}

std::size_t Pe::offset_in(const Owned& owned, const void* address, std::size_t size,
                          const char* what) const {
  const std::byte* const begin = owned.memory->begin(owned.pe);
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - begin);
  if (size > owned.memory->bytes() - offset) {
    fail(ACLSHMEM_INVALID_PARAM,
         "{} is {}; {} bytes from there pass the end of the heap, which has {}", what, address,
         size, owned.memory->bytes());
  }
  return offset;
}

PeAddress Pe::remote(const void* address, std::size_t size, int pe, const char* what) const {
  if (pe < 0 || pe >= spec_.n_pes) {
    fail(ACLSHMEM_INVALID_PARAM, "pe is {}; expected 0 to {}", pe, spec_.n_pes - 1);
  }
  if (met_.group->lost()) fail(ACLSHMEM_INNER_ERROR, "{}", *loss());
  const Owned owned = owner_of(address);
  if (owned.pe == spec_.my_pe) {
    const std::size_t offset = offset_in(owned, address, size, what);
    std::byte* const block = owned.memory->engine(pe);
    return {block ? block + offset : nullptr, owned.base + offset};
  }
  if (owned.pe >= 0) {
    fail(ACLSHMEM_INVALID_PARAM,
         "{} is {}, an address of PE {}; expected the same place of this PE", what, address,
         owned.pe);
  }
  if (pe == spec_.my_pe) return {local(address, size, true, what), kElsewhere};
  fail(ACLSHMEM_INVALID_PARAM, "{} is {}; expected an address of the symmetric heap, {} to {}",
       what, address, static_cast<const void*>(heap_begin()),
       static_cast<const void*>(heap_begin() + memory_.bytes()));
}

std::byte* Pe::local(const void* address, std::size_t size, bool written, const char* what) const {
  if (const Owned owned = owner_of(address); owned.pe == spec_.my_pe) {
    return owned.memory->engine(owned.pe) + offset_in(owned, address, size, what);
  }
  acl::embedding::MemoryLocation place;
  if (const auto error = runtime_.locate(what, address, size, what, written, place)) {
    fail(ACLSHMEM_INVALID_PARAM, "{}", error.text);
  }
  return place.engine;
}

// ---- order ----

std::uint64_t Pe::tell_change(const PeAddress& spot, int pe, std::size_t size,
                              const WordEffect& effect, aclrtStream stream) {
  if (!published_.on() || !spot.here || spot.offset == kElsewhere) return 0;
  using By = PublishedOrder::By;
  acl::embedding::StreamInfo info;
  const bool captured = stream && !runtime_.find_stream(stream, info) && info.captured;
  return published_.changes(pe, spot.offset, size, effect, captured ? By::other : By::operation,
                            stream == nullptr);
}

std::size_t Pe::offset_of(const void* word) const noexcept {
  const Owned owned = owner_of(word);
  if (owned.pe != spec_.my_pe) return kElsewhere;
  const std::byte* const begin = owned.memory->begin(owned.pe);
  return owned.base + static_cast<std::size_t>(static_cast<const std::byte*>(word) - begin);
}

void Pe::tell_seen(const void* word, std::size_t size, const PublishedOrder::Ends& ends) {
  const std::size_t offset = published_.on() ? offset_of(word) : kElsewhere;
  if (offset != kElsewhere) published_.saw(spec_.my_pe, offset, size, ends);
}

}  // namespace shmem
