// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/fabric.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace replay {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();
constexpr double kNoLimit = std::numeric_limits<double>::max();
constexpr std::int32_t kPort = -2;

}  // namespace

Fabric::Fabric(const Topology& topology, std::int32_t devices)
    : topology_(topology),
      side_(devices < 128 ? static_cast<std::size_t>(devices) + 1 : 0),
      few_(side_ * side_) {}

Fabric::Link& Fabric::link(const Route& route) {
  const auto most = static_cast<std::size_t>(std::max(route.from, route.to) + 1);
  // Members of a group may be none of the devices of the trace.
  if (most >= side_) return links_[pair_key(route.from, route.to)];
  return few_[static_cast<std::size_t>(route.from + 1) * side_ +
              static_cast<std::size_t>(route.to + 1)];
}

Fabric::Link& Fabric::link(std::uint64_t key) {
  if (!topology_.dimensions.empty()) return links_[key];
  return link(Route{static_cast<std::int32_t>(key >> 32) - 1, static_cast<std::int32_t>(key) - 1});
}

Fabric::Turn Fabric::take(std::span<Link* const> links, OpIndex op, Nanoseconds at,
                          Nanoseconds ns) {
  Turn turn{at, trace::kNone};
  for (const Link* const link : links) {
    if (link->free_at > turn.start) turn = {link->free_at, link->last};
  }
  for (Link* const link : links) *link = {turn.start + ns, op};
  return turn;
}

Fabric::Turn Fabric::take(const Route& route, OpIndex op, Nanoseconds at, Nanoseconds ns) {
  const bool between = route.from >= 0 && route.to >= 0 && route.from != route.to;
  if (topology_.dimensions.empty() || !between) {
    Link* const own = &link(route);
    return take(std::span<Link* const>(&own, 1), op, at, ns);
  }
  std::vector<Link*> links;
  for (const Hop& hop : hops_between(topology_, route.from, route.to)) {
    links.push_back(&link(hop.key));
  }
  return take(links, op, at, ns);
}

std::vector<Fabric::Link*> Fabric::links_of(std::span<const Load> loads) {
  std::vector<Link*> links;
  for (const Load& load : loads) links.push_back(&link(load.hop.key));
  return links;
}

std::uint32_t Fabric::way(std::uint64_t key, double bytes_per_second) {
  if (bytes_per_second <= 0) return trace::kNone;
  const auto [at, fresh] = ways_.try_emplace(key, static_cast<std::uint32_t>(capacity_.size()));
  if (fresh) capacity_.push_back(bytes_per_second / 1e9);
  return at->second;
}

void Fabric::add_ways(const Route& route, Flow& flow) {
  const auto add = [&](std::uint64_t key, double bw) {
    if (const std::uint32_t index = way(key, bw); index != trace::kNone) {
      flow.ways.push_back({index, 1});
    }
  };
  if (route.from == route.to) {
    return add(pair_key(route.from, route.to), topology_.cost(route.from, route.to).bw);
  }
  for (const Hop& hop : hops_between(topology_, route.from, route.to)) add(hop.key, hop.bw);
  add(pair_key(route.from, kPort), topology_.port_out);
  add(pair_key(kPort, route.to), topology_.port_in);
}

/// Each hop has the part of its time that the collective, alone, keeps it busy; the busiest counts
/// the bytes.
void Fabric::add_ways(const Exchanged& exchanged, Flow& flow) {
  const auto moving = static_cast<double>(flow.ns - flow.lat);
  const auto add = [&](std::uint64_t key, double bw, double bytes) {
    const std::uint32_t index = way(key, bw);
    if (index == trace::kNone) return;
    const double busy = std::min(1.0, bytes * 1e9 / (bw * moving));
    flow.ways.push_back({index, busy * bw / 1e9});
  };
  std::map<std::uint64_t, double> ports;
  const bool pairs = topology_.dimensions.empty();
  for (const Load& load : exchanged.loads) {
    const double bytes = load.bytes * static_cast<double>(exchanged.bytes);
    add(load.hop.key, load.hop.bw, bytes);
    if (!pairs) continue;
    ports[(load.hop.key & ~std::uint64_t{UINT32_MAX}) | UINT32_MAX] += bytes;
    ports[(std::uint64_t{UINT32_MAX} << 32) | (load.hop.key & UINT32_MAX)] += bytes;
  }
  for (const auto& [key, bytes] : ports) {
    const bool out = (key & UINT32_MAX) == UINT32_MAX;
    add(key, out ? topology_.port_out : topology_.port_in, bytes);
  }
  double busiest = 0;
  for (const Way& way : flow.ways) {
    const double busy = way.part / capacity_[way.index];
    if (busy <= busiest) continue;
    busiest = busy;
    flow.most = way.part;
  }
  for (Way& way : flow.ways) way.part /= flow.most;
  flow.remaining = moving * flow.most;
}

void Fabric::begin(const Route& route, OpIndex op, Nanoseconds at, Nanoseconds ns, OpIndex cause) {
  advance(at);
  const LinkCost cost = topology_.cost(route.from, route.to);
  Flow flow;
  flow.op = op;
  flow.begin = at;
  flow.ns = ns;
  flow.lat = std::min(cost.lat_ns, ns);
  flow.remaining = static_cast<double>(ns - flow.lat) * cost.bw / 1e9;
  flow.cause = cause;
  add_ways(route, flow);
  flows_.push_back(std::move(flow));
  divide();
}

void Fabric::begin(const Exchanged& exchanged, OpIndex op, Nanoseconds at, OpIndex cause) {
  advance(at);
  Flow flow;
  flow.op = op;
  flow.begin = at;
  flow.ns = exchanged.ns;
  flow.lat = std::min(exchanged.lat, exchanged.ns);
  flow.cause = cause;
  if (flow.ns > flow.lat) {
    add_ways(exchanged, flow);
  } else {
    flow.most = 1;
  }
  flows_.push_back(std::move(flow));
  divide();
}

void Fabric::advance(Nanoseconds to) {
  const auto passed = static_cast<double>(to - now_);
  now_ = to;
  for (Flow& flow : flows_) flow.remaining = std::max(0.0, flow.remaining - flow.rate * passed);
}

/// Sets the rate of the flows that the way `narrow` limits to `level`; without such a way, of the
/// flows whose own maximum is not above `level`. Returns their number.
std::size_t Fabric::fix(double level, std::uint32_t narrow, std::vector<double>& left,
                        std::vector<double>& users) {
  std::size_t fixed = 0;
  for (Flow& flow : flows_) {
    if (flow.rate >= 0) continue;
    const bool limited = narrow == trace::kNone
                             ? flow.most <= level
                             : std::any_of(flow.ways.begin(), flow.ways.end(),
                                           [&](const Way& way) { return way.index == narrow; });
    if (!limited) continue;
    flow.rate = level;
    ++fixed;
    for (const Way& way : flow.ways) {
      users[way.index] = std::max(0.0, users[way.index] - way.part);
      left[way.index] = std::max(0.0, left[way.index] - way.part * level);
    }
  }
  return fixed;
}

/// Progressive filling: the tightest limit fixes the rate of its flows, then the next one. A limit
/// is a way, or the rate that a collective has alone.
void Fabric::divide() {
  std::vector<double> left = capacity_;
  std::vector<double> users(capacity_.size(), 0);
  for (Flow& flow : flows_) {
    flow.rate = -1;
    for (const Way& way : flow.ways) users[way.index] += way.part;
  }
  for (std::size_t fixed = 0; fixed < flows_.size();) {
    std::uint32_t narrow = trace::kNone;
    double level = kNoLimit;
    for (const Flow& flow : flows_) {
      if (flow.rate < 0) level = std::min(level, flow.most);
    }
    for (std::uint32_t way = 0; way < left.size(); ++way) {
      if (users[way] <= 1e-9 || left[way] / users[way] >= level) continue;
      narrow = way;
      level = left[way] / users[way];
    }
    fixed += fix(level, narrow, left, users);
    if (narrow != trace::kNone) users[narrow] = 0;  // discards rounding errors
  }
  next_ = kNever;
  for (const Flow& flow : flows_) {
    const double ns = flow.remaining <= 0 ? 0 : std::ceil(flow.remaining / flow.rate);
    next_ = std::min(next_, now_ + static_cast<Nanoseconds>(ns));
  }
}

std::vector<Fabric::Flow> Fabric::end_next() {
  advance(next_);
  std::vector<Flow> ended;
  // Bytes that move within half a nanosecond are rounding errors.
  const auto through = [](const Flow& flow) { return flow.remaining < flow.rate / 2; };
  std::copy_if(flows_.begin(), flows_.end(), std::back_inserter(ended), through);
  std::erase_if(flows_, through);
  divide();
  return ended;
}

}  // namespace replay
