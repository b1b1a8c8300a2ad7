// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/order/engine/finding.h"

namespace acl {

/// The settings of the checker, as plain data.
struct CheckConfig {
  bool on = false;
  order::Level report_from = order::Level::note;  // lower levels are counted and not reported
  std::vector<std::string> outputs;               // files; their ending says the format
  std::string suppressions;                       // a file; empty: none
  // The level of findings about kernels that declare no ranges, and of each such kernel; nothing:
  // as the findings deserve, and no finding for a kernel by itself.
  std::optional<order::Level> undeclared;
  // From which level on the process ends with 1 instead of 0; nothing: never.
  std::optional<order::Level> fail_on;
  unsigned stack = 1;         // frames of the program that a finding shows of a call
  bool guard_reads = false;   // find touches of the host that come too early
  bool quiet = false;         // no text on stderr
  std::string group_mailbox;  // an address; empty: other processes do not matter
};

}  // namespace acl
