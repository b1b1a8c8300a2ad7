// SPDX-License-Identifier: Apache-2.0
// The links between devices, and the costs of transfers and signals on them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Kinds of the runtime's device topology, then two that it has no bit for. They are in the order
/// of sim::kLinkNames.
enum class LinkKind : std::uint8_t { hccs, pix, pib, phb, sys, sio, hccs_sw, on_chip, host };
inline constexpr int kLinkKinds = 9;
const char* word(LinkKind kind);
std::optional<LinkKind> link_kind(std::string_view text);
/// The bit of aclrtGetDevicesTopo; 0 for on_chip and host.
std::uint32_t topology_bit(LinkKind kind);

/// The link between two devices; `cost` is set if it differs from the cost of its kind.
struct Pair {
  LinkKind kind = LinkKind::hccs;
  std::optional<LinkCost> cost;
  bool operator==(const Pair&) const = default;
};

/// How the ranks along one dimension of a network are connected.
enum class Shape : std::uint8_t { ring, full, switched };
const char* word(Shape shape);

/// How the members of a collective exchange their data. automatic: chosen for the links. tree: two
/// binary trees, each with half of the bytes.
enum class Algorithm : std::uint8_t { automatic, ring, direct, halving_doubling, tree };
const char* word(Algorithm algorithm);
std::optional<Algorithm> algorithm_of(std::string_view text);

/// Collectives whose algorithm can be chosen.
enum class Exchange : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all };
inline constexpr int kExchanges = 4;

/// A dimension of a network, in which rank r has the coordinates of r in mixed radix, the first
/// dimension running fastest.
struct Dimension {
  Shape shape = Shape::ring;
  std::uint32_t count = 1;
  LinkCost link;  // of a hop
  std::array<Algorithm, kExchanges> algorithms{};
  bool operator==(const Dimension&) const = default;
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
  Nanoseconds wake_ns = 440;  // from the end of a record to the end of its wait
  Nanoseconds notify_ns = 720;
  Nanoseconds kernel_ns = 10'000;  // of kernels without a recorded duration
  double port_out = 0;             // bytes per second of a device over all its links; 0: no limit
  double port_in = 0;
  Algorithm collectives = Algorithm::automatic;
  /// Not empty: a network of ranks. Then `between`, `pairs` and kinds between devices mean nothing.
  std::vector<Dimension> dimensions;
  /// The kinds whose cost the file sets.
  std::array<bool, kLinkKinds> set_by_file{};
  bool sync_set_by_file = false;
  std::vector<std::string> remarks;  // keys of the file that are not used

  Topology();
  LinkKind kind(std::int32_t a, std::int32_t b) const;
  /// Between devices by their numbers; a negative one is the host, twice the same: on chip.
  LinkCost cost(std::int32_t from, std::int32_t to) const;
  /// The kind of a link, or the shape of a network's dimension.
  const char* link_word(std::int32_t from, std::int32_t to) const;
  /// Whether the file sets the cost of this link.
  bool sets_cost_of(std::int32_t from, std::int32_t to) const;
  /// Bandwidths times a factor, of one kind of link or of all between devices.
  void speed_up(std::optional<LinkKind> kind, double factor);
};

/// A topology file, or a configuration file of the emulator, of which [link.*] and
/// machine.devices are read. Throws TopologyError. `where` is the name of the file for messages.
Topology parse_topology(std::string_view toml, const std::string& where);
Topology read_topology(const std::string& path);
/// A network in the YAML form of ASTRA-sim's analytical backend.
Topology parse_network(std::string_view yaml, const std::string& where);
/// Algorithms of collectives from the JSON form of ASTRA-sim's systems.
void read_system(const std::string& path, Topology& topology);
/// The file that parse_topology() makes the same topology of.
std::string to_toml(const Topology& topology);

}  // namespace replay
