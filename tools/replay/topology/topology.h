// SPDX-License-Identifier: Apache-2.0
// What links there are between devices, and what a transfer and a signal cost on them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tools/replay/engine/options.h"

namespace replay {

/// A topology file that cannot be used: "FILE:LINE: key: what is wrong; expected what".
class TopologyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Latency in ns, bandwidth in bytes per second, each direction.
struct LinkCost {
  Nanoseconds lat_ns = 0;
  double bw = 1e9;

  /// lat_ns + bytes / bw, rounded up.
  Nanoseconds transfer_ns(std::uint64_t bytes) const;
  bool operator==(const LinkCost&) const = default;
};

/// Names and bits of the runtime's device topology; onchip and host are places that it has no bit
/// for.
enum class LinkKind : std::uint8_t { hccs, pix, pib, phb, sys, sio, hccs_sw, onchip, host };
inline constexpr int kLinkKinds = 9;
const char* word(LinkKind kind);
std::optional<LinkKind> link_kind(std::string_view text);
/// The bit of aclrtGetDevicesTopo; 0 for onchip and host.
std::uint32_t topology_bit(LinkKind kind);

/// A link that two devices have between them; `cost` where it differs from that of its kind.
struct Pair {
  LinkKind kind = LinkKind::hccs;
  std::optional<LinkCost> cost;
  bool operator==(const Pair&) const = default;
};

struct Topology {
  std::uint32_t devices = 8;
  LinkKind between = LinkKind::hccs;  // pairs that `pairs` does not name
  std::array<LinkCost, kLinkKinds> kinds;
  /// By device numbers, the smaller first.
  std::map<std::pair<std::int32_t, std::int32_t>, Pair> pairs;

  Nanoseconds launch_ns = 5000;           // from the call to the start, where the stream is idle
  Nanoseconds pageable_launch_ns = 5000;  // the same for copies of memory that is not pinned
  Nanoseconds record_ns = 20;
  Nanoseconds wake_ns = 440;  // from the end of a record to that of its wait
  Nanoseconds notify_ns = 720;
  Nanoseconds kernel_ns = 10'000;  // of kernels without a recorded duration
  double port_out = 0;             // bytes per second of a device over all its links; 0: no limit
  double port_in = 0;

  Topology();
  LinkKind kind(std::int32_t a, std::int32_t b) const;
  /// Between devices by their numbers; a negative one is the host, twice the same: on chip.
  const LinkCost& cost(std::int32_t from, std::int32_t to) const;
};

/// Throws TopologyError. `where` is the name of the file for messages.
Topology parse_topology(std::string_view toml, const std::string& where);
Topology read_topology(const std::string& path);
/// The file that parse_topology() makes the same topology of.
std::string to_toml(const Topology& topology);

}  // namespace replay
