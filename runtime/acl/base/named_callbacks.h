// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"

namespace acl {

/// Functions of the program's that are registered under a name each, called in the order of their
/// registration.
template <class Function>
class NamedCallbacks {
 public:
  struct Entry {
    std::string name;
    Function function;
    void* args;
  };

  /// A null function takes the name out. Raises ACL_ERROR_RT_PARAM_INVALID for a name that is
  /// taken, or, to take out, that is not there.
  void set(const char* name, Function function, void* args) {
    const sim::LockGuard guard(mutex_);
    const auto it = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return entry.name == name; });
    if (function && it != entries_.end()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "regName is '{}', which has a callback already", name);
    }
    if (!function && it == entries_.end()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "regName is '{}', which has no callback to remove", name);
    }
    if (function) {
      entries_.push_back({name, function, args});
    } else {
      entries_.erase(it);
    }
    any_.store(!entries_.empty(), std::memory_order_relaxed);
  }

  /// Without a lock: a callback may register and remove others.
  template <class Call>
  void for_each(Call&& call) const {
    if (!any_.load(std::memory_order_relaxed)) return;
    std::vector<Entry> entries;
    {
      const sim::LockGuard guard(mutex_);
      entries = entries_;
    }
    for (const Entry& entry : entries) call(entry);
  }

  void clear() {
    const sim::LockGuard guard(mutex_);
    entries_.clear();
    any_.store(false, std::memory_order_relaxed);
  }

 private:
  mutable sim::Mutex mutex_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  std::atomic<bool> any_{false};
};

}  // namespace acl
