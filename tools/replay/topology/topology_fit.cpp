// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/topology/topology_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "device_sim/base/link_description.h"
#include "tools/replay/engine/cost.h"

namespace replay {
namespace {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;

struct Sample {
  double bytes;
  double ns;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The line through the samples, weighed by 1 / ns so that short transfers count as much as long
/// ones; where only one size was seen, the latency stays as it was.
LinkCost line(const std::vector<Sample>& samples, const LinkCost& base) {
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  for (const Sample& s : samples) {
    const double weight = 1 / (s.ns * s.ns);
    w += weight;
    wx += weight * s.bytes;
    wy += weight * s.ns;
    wxx += weight * s.bytes * s.bytes;
    wxy += weight * s.bytes * s.ns;
  }
  const double spread = w * wxx - wx * wx;
  if (spread > 1e-6 * w * wxx) {
    const double slope = (w * wxy - wx * wy) / spread;
    const double start = (wy - slope * wx) / w;
    if (slope > 0 && start >= 0) return {std::llround(start), std::round(1e9 / slope)};
  }
  std::vector<double> speeds;
  for (const Sample& s : samples) {
    const double ns = std::max(1.0, s.ns - static_cast<double>(base.lat_ns));
    speeds.push_back(s.bytes / ns * 1e9);
  }
  return {base.lat_ns, std::max(1.0, std::round(median(std::move(speeds))))};
}

class Fitter {
 public:
  Fitter(const trace::Trace& trace, const Topology& base)
      : trace_(trace), cost_(trace, base, options_) {
    fit_.topology = base;
    fit_.topology.devices =
        std::max<std::uint32_t>(1, static_cast<std::uint32_t>(trace.devices().size()));
    for (std::int32_t d = 0; d < static_cast<std::int32_t>(trace.devices().size()); ++d) {
      fit_.topology.devices =
          std::max(fit_.topology.devices, static_cast<std::uint32_t>(cost_.number(d)) + 1);
    }
  }

  Fit fit() {
    for (OpIndex op = 0; op < trace_.size(); ++op) look(op);
    for (const auto& [kind, samples] : links_) fit_link(kind, samples);
    fit_median("sync.record_ns", records_, fit_.topology.record_ns);
    fit_median("sync.notify_ns", notifies_, fit_.topology.notify_ns);
    fit_median("sync.wake_ns", wakes_, fit_.topology.wake_ns);
    fit_median("host.launch_ns", launches_, fit_.topology.launch_ns);
    return std::move(fit_);
  }

 private:
  void look(OpIndex op) {
    const trace::Op& it = trace_[op];
    if (!it.has(trace::kHasDuration)) return;
    const Nanoseconds ns = trace_.duration(op);
    switch (it.kind) {
      case OpKind::copy:
      case OpKind::reduce:
        if (ns > 0 && cost_.bytes(op) > 0) {
          const Route route = cost_.route(op);
          links_[fit_.topology.kind(route.from, route.to)].push_back(
              {static_cast<double>(cost_.bytes(op)), static_cast<double>(ns)});
        }
        break;
      case OpKind::record:
        records_.push_back(static_cast<double>(ns));
        break;
      case OpKind::notify:
        notifies_.push_back(static_cast<double>(ns));
        break;
      case OpKind::wait:
      case OpKind::notify_wait:
        look_at_wait(op, ns);
        break;
      case OpKind::kernel:
        look_at_launch(op);
        break;
      default:
        break;
    }
  }

  /// Waits that stood: from the end of the record to theirs.
  void look_at_wait(OpIndex op, Nanoseconds ns) {
    constexpr Nanoseconds kStood = 200;
    if (trace_[op].use == kNone || ns < kStood || trace_.start(op) == kNoTime) return;
    const OpIndex partner = trace_.sync(op).partner;
    if (partner == kNone || trace_.start(partner) == kNoTime) return;
    const Nanoseconds told = trace_.start(partner) + trace_.duration(partner);
    const Nanoseconds wake = trace_.start(op) + ns - told;
    if (told > trace_.start(op) && wake >= 0) wakes_.push_back(static_cast<double>(wake));
  }

  /// Kernels that came to an idle stream: from their issue to their start.
  void look_at_launch(OpIndex op) {
    if (trace_.issue(op) == kNoTime || trace_.start(op) == kNoTime) return;
    const trace::Track& track = trace_.tracks()[trace_.track_of(op)];
    if (op != track.begin && trace_.start(op - 1) != kNoTime &&
        trace_.start(op - 1) + trace_.duration(op - 1) > trace_.issue(op)) {
      return;
    }
    const Nanoseconds ns = trace_.start(op) - trace_.issue(op);
    if (ns >= 0) launches_.push_back(static_cast<double>(ns));
  }

  void fit_link(LinkKind kind, const std::vector<Sample>& samples) {
    LinkCost& cost = fit_.topology.kinds[static_cast<std::size_t>(kind)];
    cost = line(samples, cost);
    std::vector<double> off;
    for (const Sample& s : samples) {
      const auto ns = static_cast<double>(cost.transfer_ns(static_cast<std::uint64_t>(s.bytes)));
      off.push_back(std::abs(ns - s.ns) / s.ns * 100);
    }
    FitLine row;
    row.what = fmt::format("link.{}", sim::kLinkNames[static_cast<std::size_t>(kind)]);
    row.samples = samples.size();
    row.link = cost;
    row.off_percent = median(std::move(off));
    fit_.lines.push_back(row);
  }

  void fit_median(const char* what, std::vector<double>& values, Nanoseconds& target) {
    if (values.empty()) return;
    FitLine row;
    row.what = what;
    row.samples = values.size();
    row.ns = target = std::llround(median(values));
    fit_.lines.push_back(row);
  }

  const trace::Trace& trace_;
  Options options_;
  Cost cost_;
  Fit fit_;
  std::map<LinkKind, std::vector<Sample>> links_;
  std::vector<double> records_, notifies_, wakes_, launches_;
};

}  // namespace

Fit fit_topology(const trace::Trace& trace, const Topology& base) {
  return Fitter(trace, base).fit();
}

}  // namespace replay
