// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/comm/communicator.h"

namespace hccl {

/// The communicators of this process. Handles are numbers, never dereferenced.
class Registry {
 public:
  static Registry& instance();

  HcclComm add(std::shared_ptr<Communicator> communicator);
  /// Raises HCCL_E_PTR for null, HCCL_E_PARA if the handle is not a communicator (any more).
  std::shared_ptr<Communicator> find(HcclComm handle) const;
  /// Finds a communicator of this process by name. If several ranks of this process have the name,
  /// the current device decides. Returns null if none has it.
  HcclComm find_name(const std::string& name, int device) const;
  /// Raises as find.
  std::shared_ptr<Communicator> remove(HcclComm handle);
  /// Raises HCCL_E_PARA if this process already has this rank of a communicator of that name. The
  /// name stays reserved until release_name, and as long as a communicator has it.
  void reserve_name(const std::string& name, std::uint32_t rank);
  void release_name(const std::string& name, std::uint32_t rank);

 private:
  mutable sim::Mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Communicator>> all_ GUARDED_BY(mutex_);
  std::set<std::pair<std::string, std::uint32_t>> names_ GUARDED_BY(mutex_);
  std::uint64_t last_ GUARDED_BY(mutex_) = 0;
};

/// Reserves a name while a communicator is being made.
class NameReservation {
 public:
  NameReservation(std::string name, std::uint32_t rank) : name_(std::move(name)), rank_(rank) {
    Registry::instance().reserve_name(name_, rank_);
  }
  ~NameReservation() { Registry::instance().release_name(name_, rank_); }
  NameReservation(const NameReservation&) = delete;
  NameReservation& operator=(const NameReservation&) = delete;

 private:
  const std::string name_;
  const std::uint32_t rank_;
};

}  // namespace hccl
