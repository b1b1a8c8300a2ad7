// SPDX-License-Identifier: Apache-2.0
// Which findings follow from an earlier one.
#include <algorithm>
#include <string_view>

#include "runtime/order/report/report.h"

namespace order {
namespace {

bool same_place(const Place& a, const Place& b) {
  return a.file == b.file && a.line == b.line && a.module == b.module && a.offset == b.offset &&
         std::equal(a.callers.begin(), a.callers.end(), b.callers.begin(), b.callers.end(),
                    same_place);
}

bool same_op(const PlacedOp& a, const PlacedOp& b) {
  return a.what == b.what && a.stream == b.stream && same_place(a.place, b.place);
}

/// An op of a graph runs with each launch, so the same op in two findings does not relate them.
bool share_op(const PlacedFinding& a, const PlacedFinding& b) {
  const auto in_b = [&](const PlacedOp& op) {
    return !op.in_graph && (same_op(op, b.op_info) || (b.other && same_op(op, *b.other)));
  };
  return in_b(a.op_info) || (a.other && in_b(*a.other));
}

bool same_memory(const PlacedFinding& a, const PlacedFinding& b) {
  if (a.where.size == 0 || b.where.size == 0) return false;
  if (a.offset && b.offset) return a.where.begin - *a.offset == b.where.begin - *b.offset;
  return a.where.begin < b.where.begin + b.where.size &&
         b.where.begin < a.where.begin + a.where.size;
}

bool about_order(Rule rule) {
  return rule == Rule::race || rule == Rule::host_buffer || rule == Rule::freed_in_use;
}

bool holds(std::string_view call, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [call](std::string_view word) {
    return call.find(word) != std::string_view::npos;
  });
}

/// A later operation misses the work that a failed call leaves undone.
bool misses(const PlacedFinding& later, std::string_view failed) {
  switch (later.rule) {
    case Rule::unwritten_read:
      return holds(failed, {"Memcpy", "Memset", "Launch", "Execute", "Reduce", "Random"});
    case Rule::wait_never_recorded:
    case Rule::wait_before_record:
    case Rule::notify_unpaired:
    case Rule::deadlock:
      return holds(failed, {"Record", "Notify"});
    case Rule::race:
    case Rule::freed_in_use:
    case Rule::host_buffer:
      return holds(failed, {"Wait", "Record", "Synchronize"});
    case Rule::failed_call:
      return holds(failed, {"Malloc", "Create"}) &&
             !holds(later.op_info.what, {"Malloc", "Create"});
    default:
      return false;
  }
}

/// One of its operations is of the stream that the wait of the other finding should have stopped.
bool is_after_wait(const PlacedFinding& later, const PlacedOp& wait) {
  if (!wait.stream) return false;
  return later.op_info.stream == wait.stream || (later.other && later.other->stream == wait.stream);
}

/// The cause takes the order away that the later finding misses.
bool loses_order(const PlacedFinding& later, const PlacedFinding& cause) {
  if (!about_order(later.rule) && later.rule != Rule::unwritten_read) return false;
  switch (cause.rule) {
    case Rule::flag_not_reset:
    case Rule::wait_before_record:
      return is_after_wait(later, cause.op_info);
    case Rule::wait_never_recorded:
      return cause.op_info.stream ? is_after_wait(later, cause.op_info)
                                  : later.op_info.thread == cause.op_info.thread;
    case Rule::notify_unpaired:  // with a wait: it is recorded too often, so a wait may pass early
      return cause.other && is_after_wait(later, *cause.other);
    default:
      return false;
  }
}

/// Calls fail in a capture that an earlier call has broken, and with the graph that it did not
/// make.
bool misses_capture(const PlacedFinding& later, const PlacedFinding& cause) {
  if (cause.rule != Rule::capture_broken && cause.rule != Rule::blocking_call) return false;
  if (later.rule == Rule::unwritten_read) return true;
  const bool about_call = later.rule == Rule::failed_call || later.rule == Rule::dead_handle ||
                          later.rule == Rule::capture_broken;
  return about_call && holds(later.op_info.what, {"Capture", "mdlRI", "Execute", "Synchronize"}) &&
         !same_op(later.op_info, cause.op_info);
}

bool follows(const PlacedFinding& later, const PlacedFinding& cause) {
  if (later.process != cause.process || cause.level == Level::note) return false;
  if (loses_order(later, cause) || misses_capture(later, cause)) return true;
  if (cause.rule == Rule::failed_call) return misses(later, cause.op_info.what);
  if (!about_order(cause.rule) || !same_memory(later, cause)) return false;
  if (later.rule == Rule::unwritten_read) return true;
  return (about_order(later.rule) || later.rule == Rule::dead_handle) && share_op(later, cause);
}

/// A wait for an event that was not recorded yet is found before its record comes, if one does.
bool says_more(const PlacedFinding& later, const PlacedFinding& earlier) {
  return earlier.rule == Rule::wait_never_recorded && later.rule == Rule::wait_before_record &&
         later.process == earlier.process && same_op(later.op_info, earlier.op_info);
}

/// The finding that reports the failure of the operation: a wait that timed out, a failed task or
/// call. If no finding does: the operation itself.
PlacedFinding::Cause cause_of_failure(const Report& report, const PlacedOp& failed) {
  const auto tells = [&](const PlacedFinding& finding) {
    if (finding.rule == Rule::wait_timed_out) return same_op(finding.op_info, failed);
    return finding.rule == Rule::failed_call &&
           (same_op(finding.op_info, failed) || holds(finding.op_info.what, {"Synchronize"}));
  };
  const auto at = std::find_if(report.findings.begin(), report.findings.end(), tells);
  if (at == report.findings.end()) return {0, "failure of " + failed.what, failed.place};
  return {static_cast<std::size_t>(at - report.findings.begin()) + 1, title(*at),
          at->op_info.place};
}

/// A notify that is recorded too often is known only at the end.
void put_causes_first(std::vector<PlacedFinding>& findings) {
  for (std::size_t i = 1; i < findings.size(); ++i) {
    if (findings[i].rule != Rule::notify_unpaired) continue;
    const auto cause = findings.begin() + static_cast<std::ptrdiff_t>(i);
    const auto first = std::find_if(findings.begin(), cause, [&](const PlacedFinding& earlier) {
      return loses_order(earlier, *cause) && cause->level != Level::note;
    });
    std::rotate(first, cause, cause + 1);
  }
}

}  // namespace

void arrange(Report& report) {
  std::erase_if(report.findings, [copy = report.findings](const PlacedFinding& finding) {
    return std::any_of(copy.begin(), copy.end(),
                       [&](const PlacedFinding& other) { return says_more(other, finding); });
  });
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const PlacedFinding& a, const PlacedFinding& b) {
                     return (a.level != Level::note) > (b.level != Level::note);
                   });
  put_causes_first(report.findings);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    PlacedFinding& later = report.findings[i];
    later.cause.reset();
    for (std::size_t k = 0; k < i && !later.cause; ++k) {
      const PlacedFinding& cause = report.findings[k];
      if (follows(later, cause)) later.cause = {k + 1, title(cause), cause.op_info.place};
    }
    if (!later.cause && later.failed) later.cause = cause_of_failure(report, *later.failed);
  }
}

}  // namespace order
