// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/links.h"

#include <cstdint>

#include "device_sim/base/mutex.h"

namespace sim {
namespace {
constexpr int kGroup = 4;  // devices under one switch in Topology::two_groups
}

Links::Links(const SystemConfig& config)
    : devices_(config.devices),
      peer_limit_(config.peer_limit),
      topology_(config.topology),
      hccs_(config.hccs),
      pix_(config.pix),
      on_chip_(config.on_chip),
      host_(config.host),
      enabled_(static_cast<std::size_t>(config.devices) *
               static_cast<std::size_t>(config.devices)) {}

LinkKind Links::kind(int a, int b) const {
  if (a == b) return LinkKind::none;
  if (a == kHostDevice || b == kHostDevice) return LinkKind::phb;
  if (topology_ == Topology::two_groups) {
    return a / kGroup == b / kGroup ? LinkKind::pix : LinkKind::none;
  }
  return LinkKind::hccs;
}

Links::EnableResult Links::enable(int device, int peer) {
  if (!reachable(device, peer)) return EnableResult::unreachable;
  if (device == kHostDevice || peer == kHostDevice) return EnableResult::ok;
  const sim::LockGuard guard(mutex_);
  int& count = enabled_[index(device, peer)];
  if (count == 0 && peer_limit_ != 0 && enabled_peers(device) >= peer_limit_) {
    return EnableResult::too_many_peers;
  }
  ++count;
  return EnableResult::ok;
}

bool Links::disable(int device, int peer) {
  const sim::LockGuard guard(mutex_);
  int& count = enabled_[index(device, peer)];
  if (count == 0) return false;
  --count;
  return true;
}

void Links::disable_all(int device) {
  const sim::LockGuard guard(mutex_);
  for (int other = 0; other < devices_; ++other) {
    enabled_[index(device, other)] = 0;
  }
}

int Links::open_ways(int a, int b) const {
  if (a == b || a == kHostDevice || b == kHostDevice) return 2;
  const sim::LockGuard guard(mutex_);
  return (enabled_[index(a, b)] > 0) + (enabled_[index(b, a)] > 0);
}

int Links::enabled_peers(int device) const {
  int peers = 0;
  for (int other = 0; other < devices_; ++other) peers += enabled_[index(device, other)] > 0;
  return peers;
}

const LinkCost& Links::cost(int from, int to) const {
  if (from == kHostDevice || to == kHostDevice) return host_;
  if (from == to) return on_chip_;
  return kind(from, to) == LinkKind::pix ? pix_ : hccs_;
}

Nanoseconds Links::transfer_ns(int from, int to, std::size_t bytes) const {
  const LinkCost& link = cost(from, to);
  const auto rate = static_cast<std::uint64_t>(link.bytes_per_second);
  if (rate == 0) return link.latency_ns;
  // In integers: a transfer that takes whole nanoseconds takes exactly those.
  __extension__ using Wide = unsigned __int128;
  return link.latency_ns +
         static_cast<Nanoseconds>((Wide{bytes} * 1'000'000'000 + rate - 1) / rate);
}

}  // namespace sim
