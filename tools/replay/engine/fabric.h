// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "tools/replay/engine/cost.h"
#include "tools/replay/engine/options.h"
#include "tools/replay/topology/hops.h"

namespace replay {

/// The load of a collective on its hops. Alone it takes `ns`; during `lat` of it no byte moves.
struct Exchanged {
  std::span<const Load> loads;  // of one byte
  std::uint64_t bytes = 0;
  Nanoseconds ns = 0;
  Nanoseconds lat = 0;
};

/// The links between the devices while a replay runs: which op holds a link, and for how long. An
/// op that passes several links holds all of them for its whole duration.
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
  struct Link {
    Nanoseconds free_at = 0;
    OpIndex last = trace::kNone;
  };
  /// The same for several links at once.
  static Turn take(std::span<Link* const> links, OpIndex op, Nanoseconds at, Nanoseconds ns);
  /// The links of a collective; the pointers stay valid.
  std::vector<Link*> links_of(std::span<const Load> loads);

  // ---- share: transfers divide the bandwidth, max-min fair over links and ports ----

  struct Way {
    std::uint32_t index = 0;  // of links and ports
    double part = 1;          // of the flow's bytes
  };
  struct Flow {
    OpIndex op = trace::kNone;
    Nanoseconds begin = 0;
    Nanoseconds ns = 0;    // the duration alone
    Nanoseconds lat = 0;   // passes when all bytes are through
    double remaining = 0;  // bytes; for a collective, the bytes of its busiest hop
    double rate = 0;       // bytes per ns
    double most = std::numeric_limits<double>::max();  // the rate alone, if hops do not limit it
    OpIndex cause = trace::kNone;
    std::vector<Way> ways{};
  };
  /// `ns`: the duration alone. Times must not go back.
  void begin(const Route& route, OpIndex op, Nanoseconds at, Nanoseconds ns, OpIndex cause);
  void begin(const Exchanged& exchanged, OpIndex op, Nanoseconds at, OpIndex cause);
  /// The time at which the next flows end; the maximum: no flow.
  Nanoseconds next() const { return next_; }
  /// The flows that end at next(), in the order of their beginning.
  std::vector<Flow> end_next();

 private:
  Link& link(const Route& route);
  Link& link(std::uint64_t key);
  std::uint32_t way(std::uint64_t key, double bytes_per_second);
  void add_ways(const Route& route, Flow& flow);
  void add_ways(const Exchanged& exchanged, Flow& flow);
  void advance(Nanoseconds to);
  void divide();
  std::size_t fix(double level, std::uint32_t narrow, std::vector<double>& left,
                  std::vector<double>& users);

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
