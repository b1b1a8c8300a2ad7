// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/verdict.h"

#include <fmt/format.h>

#include <cmath>

#include "tools/replay/results/naming.h"

namespace replay {

bool deviates(const Options& options, bool other_topology) {
  return options.cost == CostSource::model || !options.gaps || options.scale != 1 ||
         options.what_if.any() || options.jitter != 0 || options.sends != Sends::as_recorded ||
         other_topology;
}

Verdict verdict_of(const Execution& run, const Summary& summary, double tolerance, bool deviates) {
  Verdict found;
  if (!run.complete()) return found;
  const double limit = tolerance >= 0 ? tolerance : kUsualTolerance;
  if (summary.accuracy && (tolerance >= 0 || !deviates)) {
    const auto recorded = static_cast<double>(summary.accuracy->makespan_ns);
    const double off = static_cast<double>(run.makespan_ns) - recorded;
    if (std::abs(off) * 100 > limit * recorded) {
      found.why = fmt::format("makespan off by more than {} %", limit);
      found.warnings.push_back(fmt::format(
          "the replay takes {} and the recording took {} ({:+.1f} %): the trace does not say all "
          "that happened; do not build on this replay",
          time_text(run.makespan_ns), time_text(summary.accuracy->makespan_ns),
          recorded == 0 ? 0 : off * 100 / recorded));
    }
  }
  const trace::Evidence& evidence = summary.evidence;
  if (evidence.tracks_overlap()) {
    if (!found.why.empty()) found.why += ", ";
    found.why += "operations of one stream overlap";
    found.warnings.push_back(fmt::format(
        "{} of {} ops begin before the one before them on their stream has ended: they did not run "
        "one after the other, as the replay takes them",
        count_text(evidence.overlaps), count_text(evidence.timed)));
  }
  return found;
}

}  // namespace replay
