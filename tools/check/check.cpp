// SPDX-License-Identifier: Apache-2.0
#include "tools/check/check.h"

#include <fmt/format.h>

#include "tools/check/findings.h"
#include "tools/check/lint.h"
#include "tools/check/walk.h"

namespace check {
namespace {

struct Kernels {
  std::size_t all = 0, without = 0;
};

/// Launches; a kernel that touches nothing says so by no range at all, which cannot be told apart.
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

/// What no finding may be taken to mean that it is in order.
std::vector<std::string> not_judged(const trace::Trace& trace) {
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
  lint_times(trace, findings);
  Walk(trace, options, findings).run();
  Result result;
  result.left_out = findings.left_out();
  result.unordered = findings.unordered();
  result.report.findings = findings.take();
  result.not_judged = not_judged(trace);
  return result;
}

}  // namespace check
