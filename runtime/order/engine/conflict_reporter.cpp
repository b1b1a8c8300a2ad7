// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/conflict_reporter.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "runtime/order/engine/sentences.h"

namespace order {
namespace {

constexpr const char* kUseAfterFree = "{it} uses {bytes} that {other} released before";
constexpr std::string_view kFreeLater =
    "free the memory after its last use: let {other} wait for an event that is recorded after {it}";
constexpr std::string_view kAfterFunction =
    "record an event after the host function, or wait for one before it; if host threads order "
    "the two, announce it with aclsimCheckRelease and aclsimCheckAcquire";

/// Whether one of two accesses releases the memory.
Release release_of(bool frees, const Shadow::Touch& earlier) {
  if (frees) return Release::by_it;
  return earlier.leaves == Shadow::Leaves::freed ? Release::by_other : Release::none;
}

// Some operation has written the bytes that two guesses touch. If that write may happen at the same
// time as the later guess, the two guesses may not both be reads.
Guess guess_of(const OpInfo& op_info, const Shadow::Touch& earlier, const VectorClock& known) {
  const Guess guess = guess_between(op_info, earlier.op_info);
  if (guess != Guess::may_read) return guess;
  if (earlier.content.count == 0 || known.covers(earlier.content)) return guess;
  const bool itself =
      earlier.content.actor == earlier.when.actor && earlier.content.count == earlier.when.count;
  return itself ? Guess::only_they : Guess::must_write;
}

/// The program called for the operation that is taken in now before the other one: the stream of
/// the operation waited, or it belongs to a graph that was launched before. If the numbers of the
/// calls are not known: an unordered access of the thread that launched a graph, or a kernel that
/// reports its accesses itself, came after the launch.
bool is_called_first(const OpInfo& now, const OpInfo& other) {
  if (now.called != 0 && other.called != 0) return is_called_before(now, other);
  return (now.in_graph || now.observed) && other.stream == OpInfo::kNoStream &&
         other.thread == now.thread;
}

/// The two have changed places.
Release exchanged(Release release) {
  if (release == Release::none) return release;
  return release == Release::by_it ? Release::by_other : Release::by_it;
}

}  // namespace

void ConflictReporter::redundant_wait(const OpInfo& wait, const OpInfo& record) {
  Finding finding(Rule::redundant_wait);
  finding.op_info = wait;
  finding.other = record;
  finding.text = "{it} adds no order; {other} already happens before it";
  report_(std::move(finding));
}

// With several host threads, one may have synchronised with another.
bool ConflictReporter::some_host_covers(Epoch epoch, const VectorClock* hosts_at_issue) const {
  if (epoch.count == 0) return false;
  if (hosts_at_issue) return hosts_at_issue->covers(epoch);
  return hosts_.count() > 1 ? hosts_.any_covers(epoch) : hosts_.begun_call_covers(epoch);
}

bool ConflictReporter::was_in_function(const Shadow::Touch& earlier) const {
  if (!clocks_[earlier.when.actor].host) return earlier.op_info.stream == OpInfo::kNoStream;
  return hosts_.was_in_function(earlier.when);
}

/// Items behind the one that is taken in now may conflict too, and have been called before.
void ConflictReporter::name_last_before(const Later& later, Release release, Finding& finding,
                                        Access& of_other) const {
  if (release != Release::none) return;
  const std::span<const Access> found(&finding.where, 1);
  const auto& all = later.accesses_of_other.empty() ? found : later.accesses_of_other;
  const auto last = queues_.last_before(later.actor, later.op_info, finding.op_info, all);
  if (!last) return;
  finding.other = last->op_info;
  finding.where = last->common;
  of_other = last->access;
}

void ConflictReporter::report(const Later& later, const Shadow::Conflict& conflict) {
  const auto& [actor, now, access, hosts_at_issue, accesses_of_other] = later;
  const OpInfo& before = conflict.earlier.op_info;
  const Access first = conflict.earlier.access(0, 0);
  Release release = release_of(access.frees, conflict.earlier);
  Rule rule = release != Release::none ? Rule::freed_in_use : Rule::race;
  const bool by_host = before.stream == OpInfo::kNoStream || now.stream == OpInfo::kNoStream;
  if (by_host && access.host) rule = Rule::host_buffer;
  if (conflict.ordered) rule = Rule::dead_handle;
  Finding finding(rule);
  set_guess(finding, guess_of(now, conflict.earlier, clocks_[actor].clock));
  const Epoch when = conflict.earlier.when;
  const bool others = when.actor != actor && !conflict.ordered;
  if (others && some_host_covers(when, hosts_at_issue)) {
    finding = Finding(Rule::host_threads_only);
  } else if (was_in_function(conflict.earlier) || hosts_.is_in_function(actor)) {
    finding.repair = kAfterFunction;
  }
  const bool swapped = !conflict.ordered && is_called_first(now, before);
  finding.op_info = swapped ? before : now;
  finding.other = swapped ? now : before;
  finding.other_waited = swapped;
  finding.where = conflict.bytes;
  finding.where.write = swapped ? first.write : access.write;
  Access of_other = swapped ? access : first;
  if (swapped) {
    finding.where.kind = first.kind;
    release = exchanged(release);
    name_last_before(later, release, finding, of_other);
  }
  finding.launch = launches_.find(finding.op_info);
  finding.other_launch = launches_.find(*finding.other);
  if (conflict.ordered) {
    finding.text = kUseAfterFree;
    finding.title = sentences::kUseAfterFreeTitle;
    finding.repair = sentences::kUseAfterFreeRepair;
  } else {
    finding.text = conflict_text(finding, release, of_other);
  }
  if (release == Release::by_other) finding.repair = kFreeLater;
  if (conflict.stuck) finding.repair = sentences::kUsedByStuckRepair;
  const bool sure = conflict.ordered || when.count == 0;
  if (sure) return report_(std::move(finding));
  report(std::move(finding), when, actor);
}

void ConflictReporter::report(Finding&& finding, Epoch before, Actor later) {
  const VectorClock& known = clocks_[later].clock;
  if (observer_ && observer_->doubts(before, hosts_.access_epoch(later), known, finding)) return;
  report_(std::move(finding));
}

}  // namespace order
