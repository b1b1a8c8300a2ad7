// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "device_sim/base/mutex.h"
#include "runtime/acl/watch/places.h"

namespace acl {

/// Places of calls as texts, each looked up once: "app.cpp:90". Any thread.
class PlaceTexts {
 public:
  /// `here`: names files below the current directory relative to it.
  explicit PlaceTexts(bool here) : here_(here) {}
  /// "" if the place is not known.
  std::string of(std::uint64_t site);

 private:
  const bool here_;
  sim::Mutex mutex_;
  std::unordered_map<std::uint64_t, std::string> known_ GUARDED_BY(mutex_);
  std::unique_ptr<Places> places_ GUARDED_BY(mutex_);
};

}  // namespace acl
