// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/fabric.h"

#include <algorithm>
#include <cmath>

namespace replay {
namespace {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

std::uint64_t key(std::int32_t from, std::int32_t to) {
  return (std::uint64_t{static_cast<std::uint32_t>(from)} << 32) | static_cast<std::uint32_t>(to);
}

}  // namespace

Fabric::Fabric(const Topology& topology, std::int32_t devices)
    : topology_(topology),
      side_(devices < 128 ? static_cast<std::size_t>(devices) + 1 : 0),
      few_(side_ * side_) {}

Fabric::Link& Fabric::link(const Route& route) {
  if (side_ == 0) return links_[key(route.from, route.to)];
  return few_[static_cast<std::size_t>(route.from + 1) * side_ +
              static_cast<std::size_t>(route.to + 1)];
}

Fabric::Turn Fabric::take(const Route& route, OpIndex op, Nanoseconds at, Nanoseconds ns) {
  Link& own = link(route);
  const Turn turn{std::max(at, own.free_at), own.free_at > at ? own.last : trace::kNone};
  own = {turn.start + ns, op};
  return turn;
}

std::uint32_t Fabric::way(std::uint64_t key, double bytes_per_second) {
  if (bytes_per_second <= 0) return trace::kNone;
  const auto [at, fresh] = ways_.try_emplace(key, static_cast<std::uint32_t>(capacity_.size()));
  if (fresh) capacity_.push_back(bytes_per_second / 1e9);
  return at->second;
}

void Fabric::begin(const Route& route, OpIndex op, Nanoseconds at, Nanoseconds ns, OpIndex cause) {
  advance(at);
  const LinkCost cost = topology_.cost(route.from, route.to);
  Flow flow;
  flow.op = op;
  flow.begin = at;
  flow.lat = std::min(cost.lat_ns, ns);
  flow.remaining = static_cast<double>(ns - flow.lat) * cost.bw / 1e9;
  flow.cause = cause;
  const bool between = route.from != route.to;
  constexpr std::int32_t kPort = -2;
  flow.ways = {way(key(route.from, route.to), cost.bw),
               between ? way(key(route.from, kPort), topology_.port_out) : trace::kNone,
               between ? way(key(kPort, route.to), topology_.port_in) : trace::kNone};
  flows_.push_back(flow);
  divide();
}

void Fabric::advance(Nanoseconds to) {
  const auto passed = static_cast<double>(to - now_);
  now_ = to;
  for (Flow& flow : flows_) flow.remaining = std::max(0.0, flow.remaining - flow.rate * passed);
}

/// Progressive filling: the way that gives its flows least fixes their rate, then the next one.
void Fabric::divide() {
  std::vector<double> left = capacity_;
  std::vector<std::uint32_t> users(capacity_.size(), 0);
  for (Flow& flow : flows_) {
    flow.rate = -1;
    for (const std::uint32_t way : flow.ways) {
      if (way != trace::kNone) ++users[way];
    }
  }
  for (std::size_t fixed = 0; fixed < flows_.size();) {
    std::uint32_t narrow = trace::kNone;
    for (std::uint32_t way = 0; way < left.size(); ++way) {
      if (users[way] == 0) continue;
      if (narrow == trace::kNone || left[way] / users[way] < left[narrow] / users[narrow]) {
        narrow = way;
      }
    }
    const double rate = left[narrow] / users[narrow];
    for (Flow& flow : flows_) {
      if (flow.rate >= 0 ||
          std::find(flow.ways.begin(), flow.ways.end(), narrow) == flow.ways.end())
        continue;
      flow.rate = rate;
      ++fixed;
      for (const std::uint32_t way : flow.ways) {
        if (way == trace::kNone) continue;
        --users[way];
        left[way] = std::max(0.0, left[way] - rate);
      }
    }
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
  // What half a nanosecond moves is rounding.
  const auto through = [](const Flow& flow) { return flow.remaining < flow.rate / 2; };
  std::copy_if(flows_.begin(), flows_.end(), std::back_inserter(ended), through);
  std::erase_if(flows_, through);
  divide();
  return ended;
}

}  // namespace replay
