// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/reporter.h"

#include <algorithm>
#include <utility>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/failed_ops.h"
#include "runtime/acl/check/unknown_writers.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/findings/findings.h"

namespace acl {

void Reporter::add(order::Finding&& finding, std::uint64_t times) {
  if (finding.guess != order::Guess::none) weigh_guess(finding);
  const order::Level most = finding.without_race ? order::info(finding.rule).level : finding.level;
  if (most < config_.report_from) return;
  if (finding.level > order::Level::note) check_thread().told_at = finding.op_info.site;
  if (finding.where.size != 0) describe_memory(finding);
  failed_ops_.name_in(finding);
  findings_.add(std::move(finding), times);
}

void Reporter::report(order::Rule rule, std::string text, std::string_view title) {
  order::Finding finding(rule);
  if (finding.level < config_.report_from) return;
  finding.title = title;
  finding.op_info = op_info_of_call();
  finding.text = std::move(text);
  if (finding.level > order::Level::note) check_thread().told_at = finding.op_info.site;
  findings_.add(std::move(finding));
}

// The guess is that the suspected kernel wrote the bytes. It is worth a note only if kernels about
// which nothing is known, the host, or another process may have written them instead.
void Reporter::weigh_guess(order::Finding& finding) const {
  const order::Level most = order::info(finding.rule).level;
  if (config_.undeclared) {
    finding.level = std::min(most, *config_.undeclared);
    return;
  }
  if (finding.guess != order::Guess::only_they) return;
  if (!unknown_writers_.is_private(finding.where.begin)) finding.level = order::Level::note;
}

void Reporter::report_undeclared(const order::OpInfo& what) {
  if (!config_.undeclared) return;
  order::Finding finding(order::Rule::undeclared_kernel);
  finding.level = *config_.undeclared;
  finding.op_info = what;
  finding.text = "{it} does not declare what it accesses; races with it may be missed";
  add(std::move(finding));
}

void Reporter::describe_memory(order::Finding& finding) const {
  const auto found = runtime_.memory().find(reinterpret_cast<const void*>(finding.where.begin));
  if (!found) return;
  finding.memory = {found->begin, found->size, 0, -1};
  if (found->device != sim::kHostDevice) finding.memory.device = runtime_.logical(found->device);
  finding.memory.site = reinterpret_cast<std::uintptr_t>(found->caller);
}

}  // namespace acl
