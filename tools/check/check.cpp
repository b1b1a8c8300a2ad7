// SPDX-License-Identifier: Apache-2.0
#include "tools/check/check.h"

#include "tools/check/findings.h"
#include "tools/check/lint.h"
#include "tools/check/walk.h"

namespace check {

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
  result.report.findings = findings.take();
  return result;
}

}  // namespace check
