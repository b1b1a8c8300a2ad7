// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/order/engine/finding.h"

namespace acl {

class FailedOps;
class Findings;
class Runtime;
class UnknownWriters;

/// Completes findings (level, memory, failed operation) and keeps those at the reported level.
class Reporter {
 public:
  Reporter(Runtime& runtime, const CheckConfig& config, Findings& findings,
           const UnknownWriters& unknown_writers, const FailedOps& failed_ops)
      : runtime_(runtime),
        config_(config),
        findings_(findings),
        unknown_writers_(unknown_writers),
        failed_ops_(failed_ops) {}

  void add(order::Finding&& finding, std::uint64_t times = 1) REQUIRES(check_lock);
  /// Adds a finding of the call that the thread is in. `title`: a literal; empty: the rule's.
  /// Callable without the lock if the rule is one that calls report by themselves: such a finding
  /// is about no memory and about no order.
  void report(order::Rule rule, std::string text, std::string_view title = {});
  /// The first launch of a kernel that declares nothing.
  void report_undeclared(const order::OpInfo& what) REQUIRES(check_lock);

 private:
  void describe_memory(order::Finding& finding) const;
  /// Sets the level of a finding that rests on a guess.
  void weigh_guess(order::Finding& finding) const REQUIRES(check_lock);

  Runtime& runtime_;
  const CheckConfig& config_;
  Findings& findings_;
  const UnknownWriters& unknown_writers_;
  const FailedOps& failed_ops_;
};

}  // namespace acl
