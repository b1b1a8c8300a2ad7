// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/base/error.h"

namespace hccl {

/// The objects of one kind by handle. Handles are numbers, never dereferenced. Any thread.
template <class T>
class Handles {
 public:
  /// `noun`: the name of the objects in messages. `first`: handles are greater than it.
  Handles(const char* noun, std::uint64_t first) : noun_(noun), last_(first) {}
  std::uint64_t add(std::shared_ptr<T> object) {
    const sim::LockGuard guard(mutex_);
    all_.emplace(++last_, std::move(object));
    return last_;
  }
  /// Has no effect for an unknown handle.
  void remove(std::uint64_t handle) {
    std::shared_ptr<T> removed;
    const sim::LockGuard guard(mutex_);
    const auto it = all_.find(handle);
    if (it == all_.end()) return;
    removed = std::move(it->second);
    all_.erase(it);
  }
  /// Raises HCCL_E_PTR for 0, HCCL_E_PARA for an unknown handle.
  std::shared_ptr<T> find(std::uint64_t handle) const {
    if (handle == 0) fail(HCCL_E_PTR, "{} is 0", noun_);
    const sim::LockGuard guard(mutex_);
    const auto it = all_.find(handle);
    if (it == all_.end()) {
      fail(HCCL_E_PARA, "{} is {:#x}, which is none, or one of a destroyed communicator", noun_,
           handle);
    }
    return it->second;
  }

 private:
  const char* const noun_;
  mutable sim::Mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<T>> all_ GUARDED_BY(mutex_);
  std::uint64_t last_ GUARDED_BY(mutex_);
};

}  // namespace hccl
