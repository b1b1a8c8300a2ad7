// SPDX-License-Identifier: Apache-2.0
// Operations between ranks. Each is two items of its stream: it arrives, with all that it reads,
// and it goes on once all that it meets have arrived, with all that it writes. So another rank,
// which goes on too then, is not ordered after what this one writes. What meets in other processes
// is in the log of all processes. An operation that uses a flag is one item.
#include <algorithm>
#include <iterator>
#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/graph/launched_control.h"

namespace acl {
namespace {

std::uint64_t one_more(std::uint64_t arrived) { return arrived + 1; }

/// What the arrival is called in all processes; 0: no other process comes.
std::uint64_t key_of(const Meeting& meeting) {
  return meeting.other_keys.empty() ? 0 : meeting.own_key;
}

order::Variable::Test all_of(const Meeting& meeting) {
  return [ranks = meeting.ranks](std::uint64_t arrived) { return arrived >= ranks; };
}

std::uint64_t flag_set(std::uint64_t) { return 1; }
bool is_flag_set(std::uint64_t value) { return value == 1; }

/// What is read comes first. Returns how much that is.
std::size_t part(std::vector<order::Access>& accesses) {
  const auto reads = std::stable_partition(accesses.begin(), accesses.end(),
                                           [](const order::Access& one) { return !one.write; });
  return static_cast<std::size_t>(reads - accesses.begin());
}

const LaunchedControl* operation_of(const sim::Op& op) {
  if (op.kind != sim::OpKind::control) return nullptr;
  return dynamic_cast<const LaunchedControl*>(op.control.control);
}

}  // namespace

// Memory of a peer in another process is a device's there.
void Checker::take_accesses(const sim::Op& op) {
  accesses_.clear();
  append_accesses(runtime_.memory(), op, settled_, accesses_);
  for (order::Access& access : accesses_) {
    const auto after = peers_memory_.upper_bound(access.begin);
    if (after == peers_memory_.begin()) continue;
    const auto& [begin, size] = *std::prev(after);
    if (access.begin - begin < size) access.host = false;
  }
}

Checker::MeetingState& Checker::state_of(const Meeting& meeting) {
  MeetingState& state = meetings_[{meeting.group, meeting.number}];
  if (!state.arrived) {
    state.arrived = std::make_shared<order::Variable>();
    state.arrived->closed = meeting.other_keys.empty();
    state.left = meeting.ranks;
  }
  return state;
}

void Checker::leave_meeting(const Meeting& meeting) {
  const auto it = meetings_.find({meeting.group, meeting.number});
  if (it != meetings_.end() && --it->second.left == 0) meetings_.erase(it);
}

const std::shared_ptr<order::Variable>& Checker::state_of(const FlagUse& use) {
  std::shared_ptr<order::Variable>& flag = flags_[use.flag];
  if (!flag) flag = std::make_shared<order::Variable>();
  flag->closed = !use.crosses;
  return flag;
}

void Checker::submit_flag(sim::Op& op, order::Actor to, const order::OpInfo& what,
                          const FlagUse& use) {
  host_buffers_.forget_written(accesses_);
  check_blocks(what, accesses_);
  note_issue(to);
  const auto& flag = state_of(use);
  if (use.sets) {
    op.completion_id = engine_.change(to, host(), what, flag, flag_set, false, accesses_);
    operations_.emplace(op.completion_id, Operation{{}, {op.completion_id}, {}, use.key});
  } else {
    op.completion_id = engine_.wait_for(to, host(), what, flag, is_flag_set, true, accesses_);
  }
  bar_hosts(to, what, accesses_);
}

bool Checker::submit_operation(sim::Op& op, order::Actor to, const order::OpInfo& what) {
  const LaunchedControl* const control = operation_of(op);
  if (!control) return false;
  take_accesses(op);
  const std::vector<Meeting> meetings = control->meetings();
  tell_gone(what, accesses_);
  if (const FlagUse use = control->flag(); use.flag != 0) {
    submit_flag(op, to, what, use);
    return true;
  }
  if (meetings.empty()) {
    submit_touching(to, what, accesses_);
    return true;
  }
  host_buffers_.forget_written(accesses_);
  check_blocks(what, accesses_);
  Operation operation{meetings, {}, {}, 0};
  note_issue(to);
  const std::span<const order::Access> touched = accesses_;
  const std::size_t reads = part(accesses_);
  for (const Meeting& meeting : meetings) {
    const bool first = operation.arrivals.empty();
    operation.arrivals.push_back(engine_.change(to, host(), what, state_of(meeting).arrived,
                                                one_more, true, touched.first(first ? reads : 0)));
  }
  for (const Meeting& meeting : meetings) {
    const bool last = operation.departures.size() + 1 == meetings.size();
    operation.departures.push_back(
        engine_.wait_for(to, host(), what, state_of(meeting).arrived, all_of(meeting), false,
                         last ? touched.subspan(reads) : touched.first(0)));
  }
  op.completion_id = operation.departures.back();
  bar_hosts(to, what, accesses_);
  operations_.emplace(op.completion_id, std::move(operation));
  return true;
}

void Checker::arrive(Operation& operation) {
  const auto arrivals = std::exchange(operation.arrivals, {});
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const bool meets = i < operation.meetings.size();
    const std::uint64_t key = meets ? key_of(operation.meetings[i]) : operation.key;
    if (const auto* const known = engine_.clock_of(arrivals[i])) {
      tell_key(key, engine_.moment_of(arrivals[i]), *known, engine_.op_info_of(arrivals[i]));
    }
    engine_.happened(arrivals[i], false);
  }
}

// Before any that meets it can go on.
void Checker::operation_begins(sim::Stream& stream, const sim::Op& op) {
  const Entry guard(*this);
  if (!stream.in_program()) {
    const auto it = operations_.find(op.completion_id);
    if (it != operations_.end()) arrive(it->second);
    return;
  }
  const LaunchedControl* const control = operation_of(op);
  const std::vector<Meeting> meetings = control ? control->meetings() : std::vector<Meeting>();
  const FlagUse use = control ? control->flag() : FlagUse();
  if (meetings.empty() && !use.sets) return;
  const order::Actor by = actor(stream.id());
  const order::OpInfo what = op_info_in_graph(stream, op);
  take_accesses(op);
  if (use.sets) {
    engine_.run_op(by, what, accesses_);
    engine_.run_change(by, what, *state_of(use), flag_set, false);
    return tell_key(use.key, engine_.now(by), engine_.clock(by), what);
  }
  engine_.run_op(by, what, std::span(accesses_).first(part(accesses_)));
  for (const Meeting& meeting : meetings) {
    engine_.run_change(by, what, *state_of(meeting).arrived, one_more, true);
    tell_key(key_of(meeting), engine_.now(by), engine_.clock(by), what);
  }
}

// False: it is no such operation, or one that meets nobody here.
bool Checker::operation_ran_in_graph(const sim::Stream& stream, const sim::Op& op) {
  const LaunchedControl* const control = operation_of(op);
  const std::vector<Meeting> meetings = control ? control->meetings() : std::vector<Meeting>();
  const FlagUse use = control ? control->flag() : FlagUse();
  if (use.flag != 0) {
    if (use.sets) return true;
    const order::Actor by = actor(stream.id());
    engine_.run_wait_for(by, *state_of(use), is_flag_set, true);
    tell_taken(use.key, engine_.now(by), op_info_in_graph(stream, op));
    return true;
  }
  if (meetings.empty()) return false;
  const order::Actor by = actor(stream.id());
  const order::OpInfo what = op_info_in_graph(stream, op);
  for (const Meeting& meeting : meetings) {
    engine_.run_wait_for(by, *state_of(meeting).arrived, all_of(meeting), false);
    tell_departure(meeting, engine_.now(by), what);
    leave_meeting(meeting);
  }
  take_accesses(op);
  engine_.run_op(by, what, std::span(accesses_).subspan(part(accesses_)));
  return true;
}

void Checker::flag_taken(const sim::Op& op) {
  const LaunchedControl* const control = operation_of(op);
  const FlagUse use = control ? control->flag() : FlagUse();
  if (use.sets || use.key == 0) return;
  tell_taken(use.key, engine_.moment_of(op.completion_id), engine_.op_info_of(op.completion_id));
}

void Checker::operation_completed(const sim::Op& op, sim::Failure failure) {
  const auto it = operations_.find(op.completion_id);
  if (it == operations_.end()) {
    if (group_log_ && !failure) flag_taken(op);
    return;
  }
  const Operation operation = std::move(it->second);
  operations_.erase(it);
  const bool failed = failure.error != sim::Error::none;
  for (const auto arrival : operation.arrivals) engine_.happened(arrival, failed);
  for (std::size_t i = 0; i < operation.departures.size(); ++i) {
    const auto departure = operation.departures[i];
    if (!failed) {
      tell_departure(operation.meetings[i], engine_.moment_of(departure),
                     engine_.op_info_of(departure));
    }
    if (departure != op.completion_id) engine_.happened(departure, failed);
  }
  for (const Meeting& meeting : operation.meetings) leave_meeting(meeting);
}

}  // namespace acl
