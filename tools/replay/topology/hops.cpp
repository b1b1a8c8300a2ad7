// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/topology/hops.h"

#include <algorithm>
#include <map>

#include "tools/replay/topology/collective_phases.h"

namespace replay {
namespace {

using trace::Collective;

// Keys: the dimension (0: pair_key()), whose link, and which of it.
constexpr std::uint32_t kUp = 0x7FFFFFFE, kDown = 0x7FFFFFFF;  // round a ring; to a switch, from it

std::uint64_t key(std::size_t dimension, std::uint32_t whose, std::uint32_t which) {
  return (std::uint64_t{dimension} << 56) | (std::uint64_t{whose & 0xFFFFFF} << 32) | which;
}

/// Calls `visit(hop, part)` for each hop of a way, `part` being how much of the bytes take it.
class Ways {
 public:
  Ways(const Topology& topology, bool halves) : topology_(topology), halves_(halves) {}

  template <class Visit>
  void go(std::int32_t from, std::int32_t to, const Visit& visit) const {
    if (from == to) return;
    if (topology_.dimensions.empty() || from < 0 || to < 0) {
      visit(Hop{pair_key(from, to), topology_.cost(from, to).bw}, 1.0);
      return;
    }
    auto at = static_cast<std::uint32_t>(from);
    const auto end = static_cast<std::uint32_t>(to);
    std::uint32_t stride = 1;
    for (std::size_t d = 0; d < topology_.dimensions.size(); ++d) {
      const Dimension& dimension = topology_.dimensions[d];
      const std::uint32_t here = at / stride % dimension.count;
      const std::uint32_t there = end / stride % dimension.count;
      if (here != there) pass(d, stride, at, there, visit);
      at = at - here * stride + there * stride;
      stride *= dimension.count;
    }
  }

 private:
  template <class Visit>
  void pass(std::size_t d, std::uint32_t stride, std::uint32_t at, std::uint32_t there,
            const Visit& visit) const {
    const Dimension& dimension = topology_.dimensions[d];
    const double bw = dimension.link.bw;
    const std::uint32_t here = at / stride % dimension.count;
    const std::uint32_t first = at - here * stride;  // the first rank along the dimension
    const auto number = [&](std::uint32_t place) { return first + place * stride; };
    if (dimension.shape == Shape::full) return visit(Hop{key(d + 1, at, there), bw}, 1.0);
    if (dimension.shape == Shape::switched) {
      visit(Hop{key(d + 1, at, kUp), bw}, 1.0);
      visit(Hop{key(d + 1, number(there), kDown), bw}, 1.0);
      return;
    }
    const std::uint32_t up = (there + dimension.count - here) % dimension.count;
    const std::uint32_t down = dimension.count - up;
    const double part = halves_ && up == down ? 0.5 : 1;
    for (std::uint32_t i = 0; up <= down && i < up; ++i) {
      visit(Hop{key(d + 1, number((here + i) % dimension.count), kUp), bw}, part);
    }
    for (std::uint32_t i = 0; (down < up || part < 1) && i < down; ++i) {
      const std::uint32_t place = (here + dimension.count - i) % dimension.count;
      visit(Hop{key(d + 1, number(place), kDown), bw}, part);
    }
  }

  const Topology& topology_;
  bool halves_;
};

class Loads {
 public:
  Loads(const Topology& topology, std::span<const std::int32_t> members)
      : ways_(topology, true), members_(members), phases_(phases_of(topology, members)) {}

  std::vector<Load> of(Collective kind) {
    add(kind);
    std::vector<Load> all;
    if (loads_.size() > kMostLoads) return all;
    for (const auto& [key, load] : loads_) all.push_back(load);
    return all;
  }

 private:
  void add(Collective kind) {
    switch (kind) {
      case Collective::all_reduce:
        return halves(2, Exchange::all_reduce);
      case Collective::all_gather:
        return halves(1, Exchange::all_gather);
      case Collective::reduce_scatter:
      case Collective::reduce_scatter_block:
        return halves(1, Exchange::reduce_scatter);
      case Collective::all_to_all:
        for (const Phase& phase : phases_) exchange(phase, Exchange::all_to_all, 1);
        return;
      case Collective::none:
      case Collective::barrier:
        return;
      default:
        for (const Phase& phase : phases_) {
          for (const auto& line : lines(phase)) round(line, 1);
        }
    }
  }

  /// Each phase works on the bytes that the one before left.
  void halves(double bytes, Exchange kind) {
    for (const Phase& phase : phases_) {
      exchange(phase, kind, bytes);
      bytes /= static_cast<double>(phase.n);
    }
  }

  void exchange(const Phase& phase, Exchange kind, double bytes) {
    const auto n = static_cast<double>(phase.n);
    for (const auto& line : lines(phase)) {
      switch (phase.algorithm(kind)) {
        case Algorithm::direct:
          for (const std::int32_t from : line) {
            for (const std::int32_t to : line) send(from, to, bytes / n);
          }
          break;
        case Algorithm::halving_doubling:
          for (std::size_t apart = 1; apart < line.size(); apart *= 2) {
            const double step = bytes * static_cast<double>(apart) / n;
            for (std::size_t i = 0; i < line.size(); ++i) send(line[i], line[i ^ apart], step);
          }
          break;
        default:
          round(line, bytes * (n - 1) / n);
      }
    }
  }

  void round(const std::vector<std::int32_t>& line, double bytes) {
    for (std::size_t i = 0; i < line.size(); ++i) send(line[i], line[(i + 1) % line.size()], bytes);
  }

  void send(std::int32_t from, std::int32_t to, double bytes) {
    if (loads_.size() > kMostLoads) return;
    ways_.go(from, to, [&](const Hop& hop, double part) {
      const auto [at, fresh] = loads_.try_emplace(hop.key, Load{hop, 0});
      at->second.bytes += bytes * part;
    });
  }

  /// The members of each part of the network that makes the phase on its own.
  std::vector<std::vector<std::int32_t>> lines(const Phase& phase) const {
    if (phase.stride == 0) return {{members_.begin(), members_.end()}};
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> by_place;
    const auto stride = static_cast<std::int32_t>(phase.stride);
    const auto span = static_cast<std::int32_t>(phase.stride * phase.count);
    for (const std::int32_t member : members_) {
      by_place[{member / span, member % stride}].push_back(member);
    }
    std::vector<std::vector<std::int32_t>> found;
    for (auto& [place, line] : by_place) {
      std::sort(line.begin(), line.end());
      found.push_back(std::move(line));
    }
    return found;
  }

  Ways ways_;
  std::span<const std::int32_t> members_;
  std::vector<Phase> phases_;
  std::map<std::uint64_t, Load> loads_;
};

}  // namespace

std::vector<Hop> hops_between(const Topology& topology, std::int32_t from, std::int32_t to) {
  std::vector<Hop> hops;
  Ways(topology, false).go(from, to, [&](const Hop& hop, double) { hops.push_back(hop); });
  return hops;
}

std::vector<Load> loads_of(const Topology& topology, Collective kind,
                           std::span<const std::int32_t> members) {
  if (members.size() < 2) return {};
  return Loads(topology, members).of(kind);
}

}  // namespace replay
