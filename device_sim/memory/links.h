// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/system_config.h"
#include "device_sim/memory/address_space.h"

namespace sim {

/// The connections between devices, the accesses that devices have enabled, and the cost of a
/// transfer. The device `kHostDevice` is the host: it always reaches every device.
class Links {
 public:
  explicit Links(const SystemConfig& config);

  LinkKind kind(int a, int b) const;
  /// True when the topology has a path between two different devices.
  bool reachable(int a, int b) const { return kind(a, b) != LinkKind::none; }

  enum class EnableResult { ok, unreachable, too_many_peers };
  /// Opens the way from `device` to `peer`. Counted: n enables need n disables.
  EnableResult enable(int device, int peer);
  /// False when the way was not open.
  bool disable(int device, int peer);
  /// Closes every way from `device`. Paths that other devices opened to it remain; these devices
  /// close them.
  void disable_all(int device);
  /// How many of the two directions between two places are open: data flows with one.
  int open_ways(int a, int b) const;
  bool open_both_ways(int a, int b) const { return open_ways(a, b) == 2; }

  /// latency + bytes / bandwidth of the link between two places, rounded up to a nanosecond.
  Nanoseconds transfer_ns(int from, int to, std::size_t bytes) const;
  const LinkCost& cost(int from, int to) const;

 private:
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(devices_) +
           static_cast<std::size_t>(b);
  }
  int enabled_peers(int device) const REQUIRES(mutex_);

  const int devices_;
  const int peer_limit_;
  const Topology topology_;
  const LinkCost hccs_, pix_, on_chip_, host_;
  mutable sim::Mutex mutex_;
  std::vector<int> enabled_ GUARDED_BY(mutex_);  // count per ordered pair
};

}  // namespace sim
