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
  /// Raises HCCL_E_PTR for null, HCCL_E_PARA for what is no communicator (any more).
  std::shared_ptr<Communicator> find(HcclComm handle) const;
  /// Of a rank of this process; the current device decides between several. Null: there is none.
  HcclComm find_name(const std::string& name, int device) const;
  /// Raises as find.
  std::shared_ptr<Communicator> remove(HcclComm handle);
  /// Raises HCCL_E_PARA when this process has this rank of that name already. The name is taken
  /// until release_name, or for as long as a communicator has it.
  void reserve_name(const std::string& name, std::uint32_t rank);
  void release_name(const std::string& name, std::uint32_t rank);

 private:
  mutable sim::Mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Communicator>> all_;
  std::set<std::pair<std::string, std::uint32_t>> names_;
  std::uint64_t last_ = 0;
};

/// A name that is reserved while a communicator is being made.
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
