// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/topology/topology.h"

#include <algorithm>
#include <cmath>

#include "device_sim/base/link_description.h"

namespace replay {
namespace {

constexpr std::array<const char*, kLinkKinds> kWords{"HCCS", "PIX",     "PIB",     "PHB", "SYS",
                                                     "SIO",  "HCCS_SW", "on_chip", "host"};
static_assert(kWords.size() == kLinkKinds && sim::kLinkNames.size() == kLinkKinds);
constexpr std::array<std::uint32_t, kLinkKinds> kBits{0x01, 0x02, 0x04, 0x08, 0x10,
                                                      0x20, 0x40, 0,    0};

}  // namespace

Nanoseconds LinkCost::transfer_ns(std::uint64_t bytes) const {
  return lat_ns + static_cast<Nanoseconds>(std::ceil(static_cast<double>(bytes) * 1e9 / bw));
}

const char* word(LinkKind kind) { return kWords[static_cast<std::size_t>(kind)]; }

std::optional<LinkKind> link_kind(std::string_view text) {
  const auto found = sim::link_name_index(text);
  return found ? std::optional(static_cast<LinkKind>(*found)) : std::nullopt;
}

std::uint32_t topology_bit(LinkKind kind) { return kBits[static_cast<std::size_t>(kind)]; }

/// Costs measured in public runs of 910B devices. The costs of kinds that no run had are guesses of
/// the same order.
Topology::Topology() {
  const auto set = [this](LinkKind kind, LinkCost cost) {
    kinds[static_cast<std::size_t>(kind)] = cost;
  };
  set(LinkKind::hccs, {700, 16.5e9});
  set(LinkKind::pix, {1500, 20e9});
  set(LinkKind::pib, {1500, 20e9});
  set(LinkKind::phb, {2000, 20e9});
  set(LinkKind::sys, {3000, 12.5e9});
  set(LinkKind::sio, {700, 16.5e9});
  set(LinkKind::hccs_sw, {1000, 16.5e9});
  set(LinkKind::on_chip, {100, 580e9});
  set(LinkKind::host, {2000, 22e9});
}

LinkKind Topology::kind(std::int32_t a, std::int32_t b) const {
  if (a < 0 || b < 0) return LinkKind::host;
  if (a == b) return LinkKind::on_chip;
  const auto found = pairs.find(std::minmax(a, b));
  return found == pairs.end() ? between : found->second.kind;
}

namespace {

/// Hops from one coordinate to another; through a switch it is one.
std::uint32_t hops(const Dimension& dimension, std::uint32_t a, std::uint32_t b) {
  if (a == b) return 0;
  if (dimension.shape != Shape::ring) return 1;
  const std::uint32_t apart = a < b ? b - a : a - b;
  return std::min(apart, dimension.count - apart);
}

/// One dimension after the other; the slowest sets the pace.
LinkCost through(const std::vector<Dimension>& dimensions, std::uint32_t from, std::uint32_t to) {
  LinkCost way{0, 0};
  for (const Dimension& dimension : dimensions) {
    const std::uint32_t count = hops(dimension, from % dimension.count, to % dimension.count);
    from /= dimension.count;
    to /= dimension.count;
    if (count == 0) continue;
    way.lat_ns += count * dimension.link.lat_ns;
    way.bw = way.bw == 0 ? dimension.link.bw : std::min(way.bw, dimension.link.bw);
  }
  return way;
}

}  // namespace

LinkCost Topology::cost(std::int32_t from, std::int32_t to) const {
  if (!dimensions.empty() && from >= 0 && to >= 0 && from != to) {
    return through(dimensions, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
  }
  if (from >= 0 && to >= 0 && from != to && !pairs.empty()) {
    const auto found = pairs.find(std::minmax(from, to));
    if (found != pairs.end() && found->second.cost) return *found->second.cost;
  }
  return kinds[static_cast<std::size_t>(kind(from, to))];
}

const char* Topology::link_word(std::int32_t from, std::int32_t to) const {
  const LinkKind between_them = kind(from, to);
  if (dimensions.empty() || from < 0 || to < 0 || from == to) return word(between_them);
  const char* found = nullptr;
  auto a = static_cast<std::uint32_t>(from);
  auto b = static_cast<std::uint32_t>(to);
  for (const Dimension& dimension : dimensions) {
    if (a % dimension.count != b % dimension.count) {
      found = found ? "network" : word(dimension.shape);
    }
    a /= dimension.count;
    b /= dimension.count;
  }
  return found ? found : "network";
}

bool Topology::sets_cost_of(std::int32_t from, std::int32_t to) const {
  if (!dimensions.empty() && from >= 0 && to >= 0 && from != to) return true;
  if (from >= 0 && to >= 0 && from != to && pairs.contains(std::minmax(from, to))) return true;
  return set_by_file[static_cast<std::size_t>(kind(from, to))];
}

void Topology::speed_up(std::optional<LinkKind> only, double factor) {
  for (int k = 0; k < kLinkKinds; ++k) {
    const auto kind = static_cast<LinkKind>(k);
    const bool between_devices = kind != LinkKind::on_chip && kind != LinkKind::host;
    if (only ? *only == kind : between_devices) kinds[static_cast<std::size_t>(k)].bw *= factor;
  }
  for (auto& [ends, pair] : pairs) {
    if (pair.cost && (!only || *only == pair.kind)) pair.cost->bw *= factor;
  }
  if (only) return;
  for (Dimension& dimension : dimensions) dimension.link.bw *= factor;
  port_out *= factor;
  port_in *= factor;
}

const char* word(Shape shape) {
  constexpr const char* words[]{"ring", "full mesh", "switch"};
  return words[static_cast<int>(shape)];
}

namespace {
constexpr std::array<const char*, 5> kAlgorithms{"auto", "ring", "direct", "halving-doubling",
                                                 "tree"};
}

const char* word(Algorithm algorithm) { return kAlgorithms[static_cast<std::size_t>(algorithm)]; }

std::optional<Algorithm> algorithm_of(std::string_view text) {
  const auto found = std::find(kAlgorithms.begin(), kAlgorithms.end(), text);
  if (found == kAlgorithms.end()) return {};
  return static_cast<Algorithm>(found - kAlgorithms.begin());
}

}  // namespace replay
