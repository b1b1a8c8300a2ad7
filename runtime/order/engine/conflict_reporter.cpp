// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/conflict_reporter.h"

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

/// The accesses of a graph are reported when it runs, the accesses of an observed kernel when the
/// kernel is complete. The accesses of the launching thread before the launch are ordered before
/// them; so an unordered access of that thread came after the launch.
bool launched_first(const OpInfo& it, const OpInfo& earlier) {
  return (it.in_graph || it.observed) && earlier.stream == OpInfo::kNoStream &&
         earlier.thread == it.thread;
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

void ConflictReporter::report(const Later& later, const Shadow::Conflict& conflict) {
  const auto& [actor, op_info, access, hosts_at_issue] = later;
  const OpInfo& earlier = conflict.earlier.op_info;
  const bool by_host = earlier.stream == OpInfo::kNoStream || op_info.stream == OpInfo::kNoStream;
  const Release release = release_of(access.frees, conflict.earlier);
  Rule rule = release != Release::none ? Rule::freed_in_use : Rule::race;
  if (by_host && access.host) rule = Rule::host_buffer;
  if (conflict.ordered) rule = Rule::dead_handle;
  Finding finding(rule);
  set_guess(finding, guess_of(op_info, conflict.earlier, clocks_[actor].clock));
  const bool others = conflict.earlier.when.actor != actor && !conflict.ordered;
  if (others && some_host_covers(conflict.earlier.when, hosts_at_issue)) {
    finding = Finding(Rule::host_threads_only);
  } else if (was_in_function(conflict.earlier) || hosts_.is_in_function(actor)) {
    finding.repair = kAfterFunction;
  }
  const Access first = conflict.earlier.access(0, 0);
  const bool swapped = release == Release::none && launched_first(op_info, earlier);
  finding.op_info = swapped ? earlier : op_info;
  finding.other = swapped ? op_info : earlier;
  finding.where = conflict.bytes;
  finding.where.write = swapped ? first.write : access.write;
  finding.text =
      conflict.ordered ? kUseAfterFree : conflict_text(finding, release, swapped ? access : first);
  if (conflict.ordered) {
    finding.title = sentences::kUseAfterFreeTitle;
    finding.repair = sentences::kUseAfterFreeRepair;
  }
  if (release == Release::by_other) finding.repair = kFreeLater;
  const bool sure = conflict.ordered || conflict.earlier.when.count == 0;
  if (sure) return report_(std::move(finding));
  report(std::move(finding), conflict.earlier.when, actor);
}

void ConflictReporter::report(Finding&& finding, Epoch before, Actor later) {
  const VectorClock& known = clocks_[later].clock;
  if (observer_ && observer_->doubts(before, hosts_.access_epoch(later), known, finding)) return;
  report_(std::move(finding));
}

}  // namespace order
