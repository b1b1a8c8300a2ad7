// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/ipc_memory.h"

#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/memory/pages.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/call_place.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/ipc/ipc_sharing.h"
#include "runtime/acl/ipc/shared_page.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

/// The metadata that the importer receives.
struct SharedMemory {
  std::uint64_t offset;  // in the file
  std::uint64_t size;
  std::int32_t device;  // of the machine
  std::uint32_t reserved;
};

/// Opens both directions between two devices, unless they are open.
void enable_peers(Runtime& runtime, int a, int b) {
  if (a == b || runtime.links().open_both_ways(a, b)) return;
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    if (runtime.links().enable(from, to) != sim::Links::EnableResult::ok) {
      fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "device {} has {} peers enabled, which is its limit",
           runtime.logical(from), runtime.config().system.peer_limit);
    }
  }
}

}  // namespace

// ---- the process that has the memory ----

std::string IpcMemory::share(void* address, std::size_t size, bool everybody) {
  const MemoryLocation place = locate(runtime_, address, size, "devPtr");
  if (!place.on_device() || place.managed()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "devPtr is {}, which is no memory of a device", address);
  }
  SharedMemory told{0, size, place.device(), 0};
  Export shared{place.device(), size, runtime_.memory().space_of(address), address};
  const sim::Ref<sim::PhysicalMemory> mapped = runtime_.memory().mappings().memory_at(address);
  const sim::OwnedFd* file = nullptr;
  if (mapped) {
    if (mapped->adopted()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "devPtr is {}, memory that another process shares", address);
    }
    file = &mapped->file();
    told.offset = reinterpret_cast<std::uintptr_t>(address) - place.allocation->begin;
  } else {
    const auto part = shared.space->keep(address);
    if (!part) fail(ACL_ERROR_RT_PARAM_INVALID, "devPtr is {}, which was freed", address);
    file = part->file;
    told.offset = part->offset;
  }
  const sim::LockGuard guard(mutex_);
  try {
    const sim::IpcKey key =
        runtime_.section<IpcSharing>().share(IpcKind::memory, told, *file, everybody);
    exports_.emplace(key, shared);
    if (auto* const listener = watch::listener()) {
      listener->memory_shared(
          {reinterpret_cast<std::uintptr_t>(address), size, file_number(*file), told.offset, true});
    }
    return ipc_text_of(IpcKind::memory, key);
  } catch (...) {
    if (shared.space) shared.space->let_go(address);
    throw;
  }
}

void IpcMemory::require_exported(sim::IpcKey key) const {
  const sim::LockGuard guard(mutex_);
  if (exports_.count(key) == 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "key names no memory that this process exported");
  }
}

void IpcMemory::end(sim::IpcKey key, const Export& shared) {
  if (auto* const listener = watch::listener()) {
    listener->memory_withdrawn(shared.address, shared.size);
  }
  runtime_.section<IpcSharing>().withdraw(key);
  if (shared.space) shared.space->let_go(shared.address);
}

// ---- the process that uses it ----

void* IpcMemory::import(sim::IpcKey key, bool peers, const void* caller) {
  const int current = current_context(runtime_).device();
  const sim::LockGuard guard(mutex_);
  SharedMemory told{};
  // Asked of the owner each time: a key that is stale, or was taken back, is no good here either.
  sim::OwnedFd file = IpcSharing::import(IpcKind::memory, key, "key", told);
  if (const auto it = imports_.find(key); it != imports_.end()) {
    ++it->second.count;
    return it->second.address;
  }
  if (told.offset + told.size < told.size) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "key names {} bytes, more than there can be", told.size);
  }
  require_path(runtime_, told.device, current);
  // A device that this process does not see cannot be named either: its memory counts as local.
  const int device = runtime_.logical(told.device) >= 0 ? told.device : current;
  const std::size_t lead = told.offset % sim::kPage;
  const std::uint64_t number = file_number(file);
  auto memory =
      sim::PhysicalMemory::adopt(std::move(file), told.offset - lead, lead + told.size, device);
  if (peers) enable_peers(runtime_, current, device);
  sim::Mappings& mappings = runtime_.memory().mappings();
  void* const reservation = mappings.reserve(memory->size());
  try {
    mappings.map(reservation, std::move(memory), {}, place_to_keep(caller), lead, told.size);
  } catch (...) {
    mappings.release(reservation);
    throw;
  }
  void* const address = static_cast<std::byte*>(reservation) + lead;
  imports_.emplace(key, Import{device, reservation, address, 1});
  if (auto* const listener = watch::listener()) {
    listener->memory_shared(
        {reinterpret_cast<std::uintptr_t>(address), told.size, number, told.offset, false});
  }
  return address;
}

void IpcMemory::end(const Import& imported) {
  sim::Mappings& mappings = runtime_.memory().mappings();
  if (auto* const listener = watch::listener()) {
    const auto mapped = runtime_.memory().find(imported.address);
    if (mapped) listener->freeing(imported.address, mapped->size, watch::Freed::imported);
  }
  try {
    mappings.unmap(imported.address);
  } catch (const sim::MachineError&) {  // went with its device
  }
  try {
    mappings.release(imported.reservation);
  } catch (const sim::MachineError&) {  // the process starts over
  }
}

// ---- ends ----

void IpcMemory::close(sim::IpcKey key) {
  const sim::LockGuard guard(mutex_);
  if (const auto it = imports_.find(key); it != imports_.end()) {
    if (--it->second.count > 0) return;
    end(it->second);
    imports_.erase(it);
    return;
  }
  const auto it = exports_.find(key);
  if (it == exports_.end()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "key is not in use in this process (closed already?)");
  }
  end(key, it->second);
  exports_.erase(it);
}

void IpcMemory::device_ends(int device) {
  const sim::LockGuard guard(mutex_);
  std::erase_if(exports_, [&](const auto& entry) {
    if (entry.second.device != device) return false;
    end(entry.first, entry.second);
    return true;
  });
  std::erase_if(imports_, [&](const auto& entry) {
    if (entry.second.device != device) return false;
    end(entry.second);
    return true;
  });
}

void IpcMemory::reset() {
  const sim::LockGuard guard(mutex_);
  for (const auto& [key, shared] : exports_) end(key, shared);
  for (const auto& [key, imported] : imports_) end(imported);
  exports_.clear();
  imports_.clear();
}

std::size_t IpcMemory::live_handles() const {
  const sim::LockGuard guard(mutex_);
  return exports_.size() + imports_.size();
}

}  // namespace acl
