// SPDX-License-Identifier: Apache-2.0
// A collective as phases, one for each dimension in which its members differ.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tools/replay/topology/topology.h"

namespace replay {

/// Members along one dimension, and the links between them.
struct Phase {
  Shape shape = Shape::full;
  std::uint32_t n = 1;
  double lat = 0;  // ns
  double bw = 1;   // bytes per ns
  std::array<Algorithm, kExchanges> algorithms{};
  std::uint32_t stride = 0;  // between the numbers of neighbours; 0: these are not one dimension
  std::uint32_t count = 0;   // of the dimension, members or not
  double port = 0;           // bytes per ns of one member over all links; 0: no limit

  double steps() const { return static_cast<double>(n - 1); }
  double log2_up() const { return static_cast<double>(std::bit_width(n - 1)); }

  Algorithm algorithm(Exchange exchange) const {
    const Algorithm wished = algorithms[static_cast<std::size_t>(exchange)];
    const bool halves = std::has_single_bit(n);
    if (wished == Algorithm::halving_doubling && !halves) return Algorithm::ring;
    if (wished != Algorithm::automatic) return wished;
    if (shape == Shape::full || exchange == Exchange::all_to_all) return Algorithm::direct;
    return shape == Shape::switched && halves ? Algorithm::halving_doubling : Algorithm::ring;
  }

  /// Each member sends a part of `bytes` to each other member, all at once.
  double direct(double bytes) const {
    const double part = bytes / static_cast<double>(n);
    double through = part / bw;
    double hops = 1;
    if (shape == Shape::switched) through = steps() * part / bw;
    if (shape == Shape::ring) {  // the busiest link carries the bytes that pass half of the ring
      const auto pairs = static_cast<double>(std::uint64_t{n} * n / 4);
      through = part * std::max(1.0, pairs / 2) / bw;
      hops = std::max(1.0, std::floor(static_cast<double>(n) / 2));
    }
    if (port > 0) through = std::max(through, steps() * part / port);
    return through + hops * lat;
  }
  /// A reduce-scatter of `bytes`, or an all-gather that ends with them.
  double half(double bytes, Exchange exchange) const {
    const double most = bytes * steps() / static_cast<double>(n);
    switch (algorithm(exchange)) {
      case Algorithm::direct:
        return direct(bytes);
      case Algorithm::halving_doubling:
      case Algorithm::tree:
        return most / bw + log2_up() * lat;  // S/2 + S/4 + ... of n = 2^k are all but S/n
      default:
        return most / bw + steps() * lat;
    }
  }
  double all_to_all(double bytes) const {
    if (algorithm(Exchange::all_to_all) == Algorithm::direct) return direct(bytes);
    return bytes * steps() / static_cast<double>(n) / bw + steps() * lat;
  }
  /// From one member to all or back, in a pipeline.
  double spread(double bytes) const {
    return bytes / bw + (shape == Shape::ring ? steps() : log2_up()) * lat;
  }
};

/// The phases of members that fill a block of a network; other members have one phase, with the
/// slowest of their links.
std::vector<Phase> phases_of(const Topology& topology, std::span<const std::int32_t> members);

}  // namespace replay
