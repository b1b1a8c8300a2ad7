// SPDX-License-Identifier: Apache-2.0
#include "tools/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/check/findings.h"
#include "tools/check/flags.h"
#include "tools/check/lint.h"
#include "tools/check/outcomes.h"
#include "tools/check/walk.h"
#include "tools/trace/outcome.h"

namespace check {
namespace {

struct Kernels {
  std::size_t all = 0, without = 0;
};

/// Counts the launches. A kernel that touches no memory has no range, just as a kernel that
/// declares nothing; the trace does not distinguish them.
Kernels count_kernels(const trace::Trace& trace) {
  Kernels kernels;
  for (trace::OpIndex op = 0; op < trace.size(); ++op) {
    if (trace[op].kind != trace::OpKind::kernel) continue;
    ++kernels.all;
    if (!trace[op].has(trace::kHasRanges)) ++kernels.without;
  }
  return kernels;
}

std::size_t copies_without_ranges(const trace::Trace& trace) {
  std::size_t count = 0;
  for (trace::OpIndex op = 0; op < trace.size(); ++op) {
    const trace::OpKind kind = trace[op].kind;
    const bool moves =
        kind == trace::OpKind::copy || kind == trace::OpKind::fill || kind == trace::OpKind::reduce;
    if (moves && !trace[op].has(trace::kHasRanges)) ++count;
  }
  return count;
}

/// Asynchronous operations of recordings that use memory which host code reaches by itself.
std::size_t uses_of_host_memory(const trace::Trace& trace) {
  std::size_t count = 0;
  for (const trace::Track& track : trace.tracks()) {
    const bool recorded = track.kind == trace::TrackKind::stream &&
                          track.source < trace.sources().size() &&
                          trace::is_recording(trace, trace.sources()[track.source]);
    for (trace::OpIndex op = track.begin; recorded && op < track.end; ++op) {
      const auto ranges = trace.ranges(op);
      count += std::any_of(ranges.begin(), ranges.end(), [&](const trace::Range& range) {
        return trace.buffers()[range.buffer].device == trace::kHostMemory;
      });
    }
  }
  return count;
}

bool some_end_is_missing(const trace::Trace& trace) {
  const auto sources = trace.sources();
  return std::any_of(sources.begin(), sources.end(), [&](const trace::Source& source) {
    return !source.ended && trace::is_recording(trace, source);
  });
}

/// The parts of the trace that are not checked: an empty report does not prove that they are
/// correct.
std::vector<std::string> not_checked(const trace::Trace& trace, std::size_t failed_calls,
                                     const Outside& outside, std::size_t withheld) {
  std::vector<std::string> parts;
  const Kernels kernels = count_kernels(trace);
  if (kernels.without != 0) {
    parts.push_back(
        fmt::format("races: {} of {} kernels have no ranges", kernels.without, kernels.all));
  }
  if (const std::size_t copies = copies_without_ranges(trace); copies != 0) {
    parts.push_back(
        fmt::format("races of {} cop{}: buffers unknown", copies, copies == 1 ? "y" : "ies"));
  }
  if (const std::size_t uses = uses_of_host_memory(trace); uses != 0) {
    parts.push_back(fmt::format("what host code itself does to the memory of {} operation{}", uses,
                                uses == 1 ? "" : "s"));
  }
  for (std::string& text : outside.not_checked()) parts.push_back(std::move(text));
  if (withheld != 0) {
    parts.push_back(fmt::format("races of {} pair{} of accesses, which another process may order",
                                withheld, withheld == 1 ? "" : "s"));
  }
  if (failed_calls != 0) {
    parts.push_back(
        fmt::format("{} failed call{}: handles, resources, captures and addresses are "
                    "not recorded",
                    failed_calls, failed_calls == 1 ? "" : "s"));
  }
  if (some_end_is_missing(trace)) {
    parts.push_back("how the program ended: the recording stops before (a signal, a kill)");
  }
  return parts;
}

}  // namespace

Result check(const trace::Trace& trace, const Options& options) {
  Findings findings(trace);
  for (const trace::Remark& remark : trace.remarks()) {
    if (remark.level == trace::Level::warning) findings.add(remark);
  }
  const Coverage coverage(trace);
  lint_events(trace, coverage, findings);
  lint_notifies(trace, coverage, findings);
  lint_messages(trace, coverage, findings);
  lint_collectives(trace, coverage, findings);
  lint_edges(trace, findings);
  lint_copies(trace, findings);
  const Flags flags(trace);
  lint_times(trace, flags, findings);
  const std::size_t failed_calls = lint_outcomes(trace, findings);
  flags.tell(findings);
  Walk walk(trace, options, coverage.outside(), flags, findings);
  walk.run();
  findings.weigh_early_waits();
  Result result;
  result.left_out = findings.left_out();
  result.unordered = findings.unordered();
  result.report.findings = findings.take();
  result.not_checked = not_checked(trace, failed_calls, coverage.outside(), walk.withheld());
  return result;
}

}  // namespace check
