// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/comm/registry.h"

#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

// Handles do not look like addresses.
constexpr std::uint64_t kMark = std::uint64_t{0xcc1} << 48;

}  // namespace

Registry& Registry::instance() {
  static auto* const registry = new Registry;  // programs call in until the process exits
  return *registry;
}

HcclComm Registry::add(std::shared_ptr<Communicator> communicator) {
  const sim::LockGuard guard(mutex_);
  all_[++last_] = std::move(communicator);
  return reinterpret_cast<HcclComm>(kMark | last_);
}

std::shared_ptr<Communicator> Registry::find(HcclComm handle) const {
  if (!handle) fail(HCCL_E_PTR, "comm is null");
  const sim::LockGuard guard(mutex_);
  const auto it = all_.find(reinterpret_cast<std::uintptr_t>(handle) ^ kMark);
  if (it == all_.end()) fail(HCCL_E_PARA, "comm {} is no communicator, or was destroyed", handle);
  return it->second;
}

HcclComm Registry::find_name(const std::string& name, int device) const {
  const sim::LockGuard guard(mutex_);
  std::uint64_t found = 0;
  for (const auto& [number, communicator] : all_) {
    if (communicator->name() != name) continue;
    if (found == 0 || communicator->device() == device) found = number;
  }
  return found == 0 ? nullptr : reinterpret_cast<HcclComm>(kMark | found);
}

std::shared_ptr<Communicator> Registry::remove(HcclComm handle) {
  std::shared_ptr<Communicator> found = find(handle);
  const sim::LockGuard guard(mutex_);
  all_.erase(reinterpret_cast<std::uintptr_t>(handle) ^ kMark);
  return found;
}

void Registry::reserve_name(const std::string& name, std::uint32_t rank) {
  const sim::LockGuard guard(mutex_);
  bool taken = names_.count({name, rank}) != 0;
  for (const auto& [number, communicator] : all_) {
    taken = taken || (communicator->name() == name && communicator->rank() == rank);
  }
  if (taken) {
    fail(HCCL_E_PARA, "this process has rank {} of a communicator named '{}' already", rank, name);
  }
  names_.insert({name, rank});
}

void Registry::release_name(const std::string& name, std::uint32_t rank) {
  const sim::LockGuard guard(mutex_);
  names_.erase({name, rank});
}

}  // namespace hccl
