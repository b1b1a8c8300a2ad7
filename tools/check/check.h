// SPDX-License-Identifier: Apache-2.0
// The order checker's rules, applied to a trace.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/order/report/report.h"
#include "tools/replay/engine/options.h"
#include "tools/trace/trace.h"

namespace check {

struct Options {
  replay::Sends sends = replay::Sends::as_recorded;
};

struct Result {
  order::Report report;        // without version and program
  std::uint64_t left_out = 0;  // findings beyond the first thousand of a rule
  /// Of findings about two accesses that nothing orders: the earlier op and the later one.
  std::vector<std::pair<trace::OpIndex, trace::OpIndex>> unordered;
  std::vector<std::string> not_checked;  // "races: 16 of 16 kernels have no ranges"
  bool near_limit = false;  // a device had nearly all objects of one kind that it can have
};

/// Checks a trace by the order that it records (tracks, pairs, edges, calls of one thread). Only
/// the rules about clocks and overlaps use recorded times.
Result check(const trace::Trace& trace, const Options& options);

}  // namespace check
