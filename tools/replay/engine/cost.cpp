// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/cost.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "device_sim/base/split_mix.h"
#include "tools/replay/results/naming.h"
#include "tools/replay/topology/collective_cost.h"
#include "tools/trace/parts.h"

namespace replay {
namespace {

using trace::OpKind;

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

/// The numbers of devices in a network: their ranks if each rank has one device.
std::vector<std::int32_t> ranks_of(const trace::Trace& trace) {
  std::vector<std::int32_t> numbers;
  std::set<std::int32_t> seen;
  for (const trace::Device& device : trace.devices()) {
    numbers.push_back(trace.ranks()[device.rank].id);
    seen.insert(numbers.back());
  }
  return seen.size() == numbers.size() ? numbers : numbers_of(trace.devices());
}

std::shared_ptr<const Topology> faster(const Topology& topology, const WhatIf& what_if) {
  if (what_if.links.empty()) return nullptr;
  const auto own = std::make_shared<Topology>(topology);
  for (const WhatIf::Factor& link : what_if.links) {
    own->speed_up(link.what.empty() ? std::nullopt : link_kind(link.what), link.factor);
  }
  return own;
}

bool moves(OpKind kind) {
  return kind == OpKind::copy || kind == OpKind::fill || kind == OpKind::reduce ||
         kind == OpKind::send;
}
bool meets(OpKind kind) { return kind == OpKind::collective || kind == OpKind::barrier; }

}  // namespace

Cost::Cost(const trace::Trace& trace, const Topology& topology, const Options& options)
    : trace_(trace),
      own_(faster(topology, options.what_if)),
      base_(topology),
      topology_(own_ ? own_.get() : &topology),
      options_(options),
      plain_(!options.what_if.any()),
      wake_ns_(topology.wake_ns),
      numbers_(topology.dimensions.empty() ? numbers_of(trace.devices()) : ranks_of(trace)),
      first_of_rank_(trace.ranks().size(), -1) {
  for (std::size_t d = trace.devices().size(); d-- > 0;) {
    first_of_rank_[trace.devices()[d].rank] = static_cast<std::int32_t>(d);
  }
  kernels_ = options.scale;
  if (!plain_) prepare_names();
}

/// Fills the factors by name and the ops that are removed.
void Cost::prepare_names() {
  std::vector<const WhatIf::Factor*> named;
  for (const WhatIf::Factor& scale : options_.what_if.scales) {
    double* const whole = scale.what == "kernels"         ? &kernels_
                          : scale.what == "copies"        ? &copies_
                          : scale.what == "communication" ? &communication_
                          : scale.what == "host"          ? &host_factor_
                                                          : nullptr;
    if (whole) *whole *= scale.factor;
    if (!whole) named.push_back(&scale);
  }
  if (named.empty() && options_.what_if.removed.empty()) return;
  if (!named.empty()) factors_.assign(trace_.size(), 1);
  if (!options_.what_if.removed.empty()) removed_.assign(trace_.size(), false);
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    const std::string_view title = op_title(trace_, op);
    const std::string_view word = op_word(trace_, op);
    const auto is = [&](const std::string& what) {
      return meant(what, title) || meant(what, word);
    };
    std::vector<OpIndex> all{op};  // with the parts of a whole
    if (trace_[op].kind == OpKind::join) {
      for (const OpIndex part : trace::parts_of(trace_, op)) all.push_back(part);
    }
    for (const WhatIf::Factor* const scale : named) {
      if (!is(scale->what)) continue;
      for (const OpIndex one : all) factors_[one] *= scale->factor;
    }
    for (const std::string& pattern : options_.what_if.removed) {
      if (!is(pattern)) continue;
      for (const OpIndex one : all) removed_[one] = true;
    }
  }
}

Nanoseconds Cost::of(OpIndex op, TrackIndex track) const {
  const trace::Op& it = trace_[op];
  if (trace::waits(it.kind)) return 0;
  Nanoseconds ns = recorded(op, track) ? trace_.duration(op) : model(op, track, *topology_);
  if (!plain_) {
    ns = changed(op, track, ns);
  } else if (it.kind == OpKind::kernel && kernels_ != 1) {
    ns = std::llround(static_cast<double>(ns) * kernels_);
  }
  return options_.jitter == 0 ? ns : jittered(op, ns);
}

/// Whether bytes go over a link between devices.
bool Cost::on_links(OpIndex op, TrackIndex track) const {
  const OpKind kind = trace_[op].kind;
  if (meets(kind)) return true;
  if (!moves(kind) || trace_[op].use == trace::kNone) return false;
  const Route way = route(op, track);
  return way.from >= 0 && way.to >= 0 && way.from != way.to;
}

bool Cost::lacks_bytes(OpIndex op) const {
  const trace::Op& it = trace_[op];
  const WhatIf& asked = options_.what_if;
  const bool whole = it.kind == OpKind::collective;
  if (plain_ || !it.has(trace::kHasDuration) || it.use == trace::kNone) return false;
  if (!whole && !moves(it.kind)) return false;
  if (!on_links(op, trace::kNone)) return false;
  const trace::Collective kind = whole ? trace_.comm(op).kind : trace::Collective::none;
  if (kind == trace::Collective::barrier) return false;
  if (bytes(op) != 0 && !(whole && kind == trace::Collective::none)) return false;
  return asked.topology || !asked.links.empty() || (whole && asked.collectives);
}

/// Whether what was asked for has the model say what this takes, though it was recorded.
bool Cost::told(OpIndex op, TrackIndex track) const {
  const trace::Op& it = trace_[op];
  const WhatIf& asked = options_.what_if;
  if (meets(it.kind)) {
    const bool named = it.use != trace::kNone && trace_.comm(op).kind != trace::Collective::none;
    const bool known = it.kind == OpKind::barrier || (named && bytes(op) != 0);
    if (!known || it.use == trace::kNone || members(trace_.comm(op)).size() < 2) return false;
    const TrackIndex at = track == trace::kNone ? trace_.track_of(op) : track;
    const std::int32_t own = number(device_of_rank(trace_.tracks()[at].rank));
    return asked.collectives || (asked.topology && base_.sets_cost_of(own, own == 0 ? 1 : 0));
  }
  if (!asked.topology) return false;
  if (moves(it.kind)) {
    if (bytes(op) == 0) return false;
    const Route way = route(op, track);
    return base_.sets_cost_of(way.from, way.to);
  }
  const bool signals = it.kind == OpKind::record || it.kind == OpKind::reset ||
                       it.kind == OpKind::value_write || it.kind == OpKind::notify;
  return signals && base_.sync_set_by_file;
}

double Cost::factor(OpIndex op, TrackIndex track) const {
  const double named = factors_.empty() ? 1 : factors_[op];
  switch (trace_[op].kind) {
    case OpKind::kernel:
      return named * kernels_;
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
      return named * (on_links(op, track) ? communication_ : copies_);
    case OpKind::send:
    case OpKind::recv:
    case OpKind::collective:
    case OpKind::barrier:
      return named * communication_;
    case OpKind::api:
      return named * host_factor_;
    default:
      return named;
  }
}

/// A recorded duration includes the cost of the recorded links. With other links it changes by the
/// same factor as the model.
Nanoseconds Cost::changed(OpIndex op, TrackIndex track, Nanoseconds ns) const {
  if (removed(op)) return 0;
  double now = static_cast<double>(ns);
  if (own_ && recorded(op, track) && on_links(op, track) && bytes(op) != 0) {
    const auto before = static_cast<double>(model(op, track, base_));
    if (before > 0) now *= static_cast<double>(model(op, track, *topology_)) / before;
  }
  return std::llround(now * factor(op, track));
}

Nanoseconds Cost::jittered(OpIndex op, Nanoseconds ns) const {
  const std::uint64_t bits = sim::split_mix(sim::split_mix(options_.seed) ^ op) >> 11;
  const double u = static_cast<double>(bits) * 0x1p-52 - 1;  // -1 .. 1
  return std::max<Nanoseconds>(0,
                               std::llround(static_cast<double>(ns) * (1 + options_.jitter * u)));
}

Nanoseconds Cost::model(OpIndex op, TrackIndex track, const Topology& topology) const {
  const trace::Op& it = trace_[op];
  switch (it.kind) {
    case OpKind::kernel:
      return it.has(trace::kHasDuration) ? trace_.duration(op) : topology.kernel_ns;
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
    case OpKind::send: {
      if (bytes(op) == 0 && it.has(trace::kHasDuration)) return trace_.duration(op);
      const Route way = route(op, track);
      return topology.cost(way.from, way.to).transfer_ns(bytes(op));
    }
    case OpKind::collective:
    case OpKind::barrier:
      return collective_cost(op, topology);
    case OpKind::record:
    case OpKind::reset:
    case OpKind::value_write:
      return topology.record_ns;
    case OpKind::notify:
      return topology.notify_ns;
    default:
      return trace_.duration(op);  // delays, callbacks, host calls: nothing to model
  }
}

std::uint64_t Cost::bytes(OpIndex op) const {
  const trace::Op& it = trace_[op];
  if (it.use == trace::kNone || (!moves(it.kind) && !meets(it.kind) && it.kind != OpKind::recv)) {
    return 0;
  }
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

Route Cost::route(OpIndex op, TrackIndex at) const {
  const trace::Op& it = trace_[op];
  const trace::Track& track = trace_.tracks()[at == trace::kNone ? trace_.track_of(op) : at];
  const auto own = track.device == trace::kNone ? device_of_rank(track.rank)
                                                : static_cast<std::int32_t>(track.device);
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
  return trace_[op].has(trace::kPageable) ? topology_->pageable_launch_ns : topology_->launch_ns;
}

/// Numbers of the members; a rank that is not in the trace is represented by its id.
std::vector<std::int32_t> Cost::members(const trace::CommUse& use) const {
  std::vector<std::int32_t> found;
  if (use.group != trace::kNone) {
    const trace::Group& group = trace_.groups()[use.group];
    for (const std::uint32_t rank : group.ranks) {
      const std::int32_t device = device_of_rank(rank);
      found.push_back(device >= 0 ? number(device) : trace_.ranks()[rank].id);
    }
  }
  if (found.empty()) {
    for (const std::int32_t device : first_of_rank_) {
      if (device >= 0) found.push_back(number(device));
    }
  }
  if (use.group == trace::kNone) return found;
  // Only the size is known: missing members get unused numbers.
  std::int32_t next = 0;
  while (found.size() < trace_.groups()[use.group].size) {
    while (std::find(found.begin(), found.end(), next) != found.end()) ++next;
    found.push_back(next);
  }
  return found;
}

std::vector<Load> Cost::loads(OpIndex op) const {
  const trace::CommUse& use = trace_.comm(op);
  return loads_of(*topology_, use.kind, members(use));
}

Nanoseconds Cost::latency(OpIndex op) const {
  const trace::CommUse& use = trace_.comm(op);
  return collective_ns(*topology_, use.kind, members(use), 0);
}

Nanoseconds Cost::collective_cost(OpIndex op, const Topology& topology) const {
  const trace::Op& it = trace_[op];
  if (it.use == trace::kNone) return trace_.duration(op);
  const trace::CommUse& use = trace_.comm(op);
  if (bytes(op) == 0 && use.kind != trace::Collective::barrier && it.has(trace::kHasDuration)) {
    return trace_.duration(op);
  }
  const std::vector<std::int32_t> all = members(use);
  const bool alone = all.size() < 2 && it.has(trace::kHasDuration);  // the others are not known
  return alone ? trace_.duration(op) : collective_ns(topology, use.kind, all, bytes(op));
}

}  // namespace replay
