// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"

namespace acl {

/// How often each task of each device ran, and for how long.
class OpStatistics {
 public:
  void add(int device, const char* name, const char* type, sim::Nanoseconds duration);
  /// A table of one device: a line of titles, then one for each name and type, the longest total
  /// first.
  std::string csv(int device) const;

 private:
  struct Sum {
    std::uint64_t count = 0;
    sim::Nanoseconds total = 0;
    sim::Nanoseconds shortest = 0;
    sim::Nanoseconds longest = 0;
  };
  using Key = std::tuple<int, std::string, std::string>;  // device, type, name

  mutable sim::Mutex mutex_;
  std::map<Key, Sum> sums_ GUARDED_BY(mutex_);
};

}  // namespace acl
