// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "tools/replay/engine/cost.h"
#include "tools/replay/engine/options.h"

namespace replay {

/// The links between the devices, while a replay runs: who has one, for how long.
class Fabric {
 public:
  /// `devices`: one more than the largest number of one.
  Fabric(const Topology& topology, std::int32_t devices);

  // ---- fifo: a link serves one transfer after the other ----

  struct Turn {
    Nanoseconds start;
    OpIndex before;  // the transfer that it had to wait for; kNone: it did not wait
  };
  /// Gives the link to `op` for `ns`, from `at` on or when it is free.
  Turn take(const Route& route, OpIndex op, Nanoseconds at, Nanoseconds ns);

  // ---- share: transfers divide the bandwidth, max-min fair over links and ports ----

  struct Flow {
    OpIndex op = trace::kNone;
    Nanoseconds begin = 0;
    Nanoseconds lat = 0;   // passes when all bytes are through
    double remaining = 0;  // bytes
    double rate = 0;       // bytes per ns
    OpIndex cause = trace::kNone;
    std::array<std::uint32_t, 3> ways{};  // link, port out, port in; kNone: no limit
  };
  /// `ns`: what it takes alone. Times must not go back.
  void begin(const Route& route, OpIndex op, Nanoseconds at, Nanoseconds ns, OpIndex cause);
  /// When the next flows end; the maximum: none.
  Nanoseconds next() const { return next_; }
  /// Those that end at next(), in the order of their beginning.
  std::vector<Flow> end_next();

 private:
  struct Link {
    Nanoseconds free_at = 0;
    OpIndex last = trace::kNone;
  };
  Link& link(const Route& route);
  std::uint32_t way(std::uint64_t key, double bytes_per_second);
  void advance(Nanoseconds to);
  void divide();

  const Topology& topology_;
  std::size_t side_;       // of `few_`; 0: there are too many devices for it
  std::vector<Link> few_;  // by from and to, each one more
  std::unordered_map<std::uint64_t, Link> links_;
  std::unordered_map<std::uint64_t, std::uint32_t> ways_;
  std::vector<double> capacity_;  // by way, bytes per ns
  std::vector<Flow> flows_;
  Nanoseconds now_ = 0;
  Nanoseconds next_ = std::numeric_limits<Nanoseconds>::max();
};

}  // namespace replay
