// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace replay {
namespace {

using trace::OpKind;

std::uint64_t mixed_bits(std::uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// Device ids of several hosts repeat; then the index in the trace is the number.
std::vector<std::int32_t> numbers_of(std::span<const trace::Device> devices) {
  std::vector<std::int32_t> numbers;
  std::set<std::int32_t> seen;
  for (const trace::Device& device : devices) {
    numbers.push_back(device.id);
    if (device.id < 0) break;
    seen.insert(device.id);
  }
  if (seen.size() == devices.size()) return numbers;
  numbers.resize(devices.size());
  for (std::size_t d = 0; d < numbers.size(); ++d) numbers[d] = static_cast<std::int32_t>(d);
  return numbers;
}

}  // namespace

Cost::Cost(const trace::Trace& trace, const Topology& topology, const Options& options)
    : trace_(trace),
      topology_(topology),
      options_(options),
      wake_ns_(topology.wake_ns),
      numbers_(numbers_of(trace.devices())),
      first_of_rank_(trace.ranks().size(), -1) {
  for (std::size_t d = trace.devices().size(); d-- > 0;) {
    first_of_rank_[trace.devices()[d].rank] = static_cast<std::int32_t>(d);
  }
}

Nanoseconds Cost::of(OpIndex op, LaneIndex lane) const {
  const trace::Op& it = trace_[op];
  if (trace::waits(it.kind)) return 0;
  Nanoseconds ns = recorded(it) ? trace_.duration(op) : model(op, lane);
  if (it.kind == OpKind::kernel && options_.scale != 1) {
    ns = std::llround(static_cast<double>(ns) * options_.scale);
  }
  return options_.jitter == 0 ? ns : jittered(op, ns);
}

Nanoseconds Cost::jittered(OpIndex op, Nanoseconds ns) const {
  const std::uint64_t bits = mixed_bits(mixed_bits(options_.seed) ^ op) >> 11;
  const double u = static_cast<double>(bits) * 0x1p-52 - 1;  // -1 .. 1
  return std::max<Nanoseconds>(0,
                               std::llround(static_cast<double>(ns) * (1 + options_.jitter * u)));
}

Nanoseconds Cost::model(OpIndex op, LaneIndex lane) const {
  const trace::Op& it = trace_[op];
  switch (it.kind) {
    case OpKind::kernel:
      return it.has(trace::kHasDuration) ? trace_.duration(op) : topology_.kernel_ns;
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
    case OpKind::send: {
      if (bytes(op) == 0 && it.has(trace::kHasDuration)) return trace_.duration(op);
      const Route way = route(op, lane);
      return topology_.cost(way.from, way.to).transfer_ns(bytes(op));
    }
    case OpKind::collective:
    case OpKind::barrier:
      return collective_ns(op);
    case OpKind::record:
    case OpKind::reset:
    case OpKind::value_write:
      return topology_.record_ns;
    case OpKind::notify:
      return topology_.notify_ns;
    default:
      return trace_.duration(op);  // delays, callbacks, host calls: nothing to model
  }
}

std::uint64_t Cost::bytes(OpIndex op) const {
  const trace::Op& it = trace_[op];
  if (it.use == trace::kNone) return 0;
  const bool comm = it.kind == OpKind::send || it.kind == OpKind::recv ||
                    it.kind == OpKind::collective || it.kind == OpKind::barrier;
  const std::uint64_t known = comm ? trace_.comm(op).bytes : trace_.copy(op).bytes;
  return known == trace::kUnknownBytes ? 0 : known;
}

std::int32_t Cost::device_of_rank(std::uint32_t rank) const {
  return rank < first_of_rank_.size() ? first_of_rank_[rank] : -1;
}

std::int32_t Cost::numbers() const {
  std::int32_t most = 0;
  for (const std::int32_t number : numbers_) most = std::max(most, number + 1);
  return most;
}

Route Cost::route(OpIndex op, LaneIndex at) const {
  const trace::Op& it = trace_[op];
  const trace::Lane& lane = trace_.lanes()[at == trace::kNone ? trace_.lane_of(op) : at];
  const auto own = lane.device == trace::kNone ? device_of_rank(lane.rank)
                                               : static_cast<std::int32_t>(lane.device);
  if (it.use == trace::kNone) return {number(own), number(own)};
  if (it.kind == OpKind::send) return {number(own), number(device_of_rank(trace_.comm(op).peer))};
  const trace::CopyUse& use = trace_.copy(op);
  const auto known = [own](std::int32_t device) {
    return device == trace::kUnknownDevice ? own : device;
  };
  if (it.kind == OpKind::fill) return {number(known(use.dst)), number(known(use.dst))};
  return {number(known(use.src)), number(known(use.dst))};
}

Nanoseconds Cost::launch(OpIndex op) const {
  return trace_[op].has(trace::kPageable) ? topology_.pageable_launch_ns : topology_.launch_ns;
}

/// Rings, as the usual algorithms do them: n - 1 steps of a n-th of the bytes, twice for an
/// all-reduce; the slowest link of the ring sets the pace.
Nanoseconds Cost::collective_ns(OpIndex op) const {
  const trace::Op& it = trace_[op];
  if (it.use == trace::kNone) return trace_.duration(op);
  const trace::CommUse& use = trace_.comm(op);
  std::vector<std::int32_t> ring;
  if (use.group != trace::kNone) {
    for (const std::uint32_t rank : trace_.groups()[use.group].ranks) {
      ring.push_back(number(device_of_rank(rank)));
    }
  }
  if (ring.empty()) {
    for (const std::int32_t device : first_of_rank_) ring.push_back(number(device));
  }
  LinkCost slowest{0, 1e18};
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const LinkCost& link = topology_.cost(ring[i], ring[(i + 1) % ring.size()]);
    slowest = {std::max(slowest.lat_ns, link.lat_ns), std::min(slowest.bw, link.bw)};
  }
  const auto n = static_cast<std::uint64_t>(ring.size());
  const auto steps = static_cast<Nanoseconds>(n - 1);
  const std::uint64_t most = bytes(op) - bytes(op) / n;  // (n - 1) / n of them
  switch (use.kind) {
    case trace::Collective::all_reduce:
      return 2 * (steps * slowest.lat_ns + LinkCost{0, slowest.bw}.transfer_ns(most));
    case trace::Collective::all_gather:
    case trace::Collective::reduce_scatter:
    case trace::Collective::reduce_scatter_block:
    case trace::Collective::all_to_all:
      return steps * slowest.lat_ns + LinkCost{0, slowest.bw}.transfer_ns(most);
    case trace::Collective::none:
    case trace::Collective::barrier:
      return 2 * slowest.lat_ns * static_cast<Nanoseconds>(std::bit_width(n - 1));
    default:  // to one or from one, in a pipeline
      return steps * slowest.lat_ns + LinkCost{0, slowest.bw}.transfer_ns(bytes(op));
  }
}

}  // namespace replay
