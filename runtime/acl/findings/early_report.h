// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "runtime/order/engine/finding.h"
#include "runtime/order/report/report.h"

namespace acl {

/// The findings so far of a process that may not reach the end, at which they are reported:
/// each finding is sent at once, and taken back when the report is written. Not thread-safe.
class EarlyReport {
 public:
  explicit EarlyReport(std::string mailbox);

  void add(const order::Finding& finding);
  /// The findings so far do not count any more.
  void clear();
  /// All is reported, and nothing more is to come.
  void finish();

 private:
  order::Place place_of(std::uint64_t site);

  const std::string mailbox_;
  const std::uint64_t instance_;  // a program that replaces this one by exec has its own
  bool sent_ = false;
  bool finished_ = false;
  std::unordered_map<std::uint64_t, order::Place> places_;
};

}  // namespace acl
