// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/rank_operations.h"

#include <algorithm>
#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/graph/launched_control.h"

namespace acl {
namespace {

std::uint64_t one_more(std::uint64_t arrived) { return arrived + 1; }

/// The name of the arrival in all processes; 0: all ranks of the rendezvous are in this process.
std::uint64_t key_of(const Rendezvous& rendezvous) {
  return rendezvous.other_keys.empty() ? 0 : rendezvous.own_key;
}

order::Variable::Test all_of(const Rendezvous& rendezvous) {
  return [ranks = rendezvous.ranks](std::uint64_t arrived) { return arrived >= ranks; };
}

std::uint64_t flag_set(std::uint64_t) { return 1; }
bool is_flag_set(std::uint64_t value) { return value == 1; }

/// Moves the reads to the front. Returns their number.
std::size_t reads_first(std::vector<order::Access>& accesses) {
  const auto reads = std::stable_partition(accesses.begin(), accesses.end(),
                                           [](const order::Access& one) { return !one.write; });
  return static_cast<std::size_t>(reads - accesses.begin());
}

const LaunchedControl* operation_of(const sim::Op& op) {
  if (op.kind != sim::OpKind::control) return nullptr;
  return dynamic_cast<const LaunchedControl*>(op.control.control);
}

}  // namespace

RankOperations::RankOperations(Runtime& runtime, CheckLock& lock, Actors& actors,
                               const GraphOps& graph_ops, GroupReports& group,
                               StreamAccesses& accesses)
    : runtime_(runtime),
      lock_(lock),
      actors_(actors),
      engine_(actors.engine()),
      graph_ops_(graph_ops),
      group_(group),
      stream_accesses_(accesses),
      settled_([this](const void* begin, std::size_t size)
                   REQUIRES(check_lock) { return actors_.settled(begin, size); }) {}

// Memory of a rank in another process is device memory, although this process has it on the host.
void RankOperations::take_accesses(const sim::Op& op) {
  accesses_.clear();
  append_accesses(runtime_.memory(), op, settled_, accesses_);
  for (order::Access& access : accesses_) {
    if (group_.is_peers_memory(access.begin)) access.host = false;
  }
}

RankOperations::RendezvousState& RankOperations::state_of(const Rendezvous& rendezvous) {
  RendezvousState& state = rendezvous_[{rendezvous.group, rendezvous.number}];
  if (!state.arrived) {
    state.arrived = std::make_shared<order::Variable>();
    state.arrived->closed = rendezvous.other_keys.empty();
    state.left = rendezvous.ranks;
  }
  return state;
}

void RankOperations::leave(const Rendezvous& rendezvous) {
  const auto it = rendezvous_.find({rendezvous.group, rendezvous.number});
  if (it != rendezvous_.end() && --it->second.left == 0) rendezvous_.erase(it);
}

const std::shared_ptr<order::Variable>& RankOperations::flag_of(const FlagUse& use) {
  std::shared_ptr<order::Variable>& flag = flags_[use.flag];
  if (!flag) flag = std::make_shared<order::Variable>();
  flag->closed = !use.crosses;
  return flag;
}

void RankOperations::submit_flag(sim::Op& op, order::Actor to, const order::OpInfo& what,
                                 const FlagUse& use) {
  stream_accesses_.begin(to, what, accesses_);
  const auto& flag = flag_of(use);
  if (use.sets) {
    op.completion_id = engine_.change(to, actors_.host(), what, flag, flag_set, false, accesses_);
    operations_.emplace(op.completion_id, Operation{{}, {op.completion_id}, {}, use});
  } else {
    op.completion_id =
        engine_.wait_for(to, actors_.host(), what, flag, is_flag_set, true, accesses_);
  }
  stream_accesses_.end(to, what, accesses_);
}

bool RankOperations::submit(sim::Op& op, order::Actor to, const order::OpInfo& what) {
  const LaunchedControl* const control = operation_of(op);
  if (!control) return false;
  take_accesses(op);
  stream_accesses_.check_freed(what, accesses_);
  if (const FlagUse use = control->flag(); use.flag != 0) {
    submit_flag(op, to, what, use);
    return true;
  }
  if (const std::vector<Rendezvous> all = control->rendezvous(); !all.empty()) {
    submit_rendezvous(op, to, what, all);
  } else {
    stream_accesses_.op(to, what, accesses_);
  }
  return true;
}

void RankOperations::submit_rendezvous(sim::Op& op, order::Actor to, const order::OpInfo& what,
                                       const std::vector<Rendezvous>& all) {
  stream_accesses_.begin(to, what, accesses_);
  Operation operation{all, {}, {}};
  const std::span<const order::Access> touched = accesses_;
  const std::size_t reads = reads_first(accesses_);
  for (const Rendezvous& rendezvous : all) {
    const bool first = operation.arrivals.empty();
    operation.arrivals.push_back(engine_.change(to, actors_.host(), what,
                                                state_of(rendezvous).arrived, one_more, true,
                                                touched.first(first ? reads : 0)));
  }
  for (const Rendezvous& rendezvous : all) {
    const bool last = operation.departures.size() + 1 == all.size();
    operation.departures.push_back(
        engine_.wait_for(to, actors_.host(), what, state_of(rendezvous).arrived, all_of(rendezvous),
                         false, last ? touched.subspan(reads) : touched.first(0)));
  }
  op.completion_id = operation.departures.back();
  stream_accesses_.end(to, what, accesses_);
  operations_.emplace(op.completion_id, std::move(operation));
}

void RankOperations::arrive(Operation& operation) {
  const auto arrivals = std::exchange(operation.arrivals, {});
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const bool meets = i < operation.rendezvous.size();
    const order::Epoch when = engine_.moment_of(arrivals[i]);
    const auto* const known = engine_.clock_of(arrivals[i]);
    const order::OpInfo what = engine_.op_info_of(arrivals[i]);
    if (known && meets) group_.report_key(key_of(operation.rendezvous[i]), when, *known, what);
    if (known && !meets) report_setting(operation.flag, when, *known, what);
    engine_.happened(arrivals[i], false);
  }
}

void RankOperations::report_setting(const FlagUse& use, order::Epoch when,
                                    const order::VectorClock& known, const order::OpInfo& what) {
  group_.report_key(use.key, when, known, what);
  group_.report_key(use.second_key, when, known, what);
}

void RankOperations::begins(sim::Stream& stream, const sim::Op& op) {
  const CheckLock::Entry guard(lock_);
  if (!stream.in_program()) {
    const auto it = operations_.find(op.completion_id);
    if (it != operations_.end()) arrive(it->second);
    return;
  }
  const LaunchedControl* const control = operation_of(op);
  const auto all = control ? control->rendezvous() : std::vector<Rendezvous>();
  const FlagUse use = control ? control->flag() : FlagUse();
  if (all.empty() && !use.sets) return;
  const order::Actor by = actors_.actor(stream.id());
  const order::OpInfo what = graph_ops_.op_info(stream, op);
  take_accesses(op);
  if (use.sets) {
    engine_.graph_runs().op(by, what, accesses_);
    engine_.graph_runs().change(by, what, *flag_of(use), flag_set, false);
    return report_setting(use, engine_.now(by), engine_.clock(by), what);
  }
  engine_.graph_runs().op(by, what, std::span(accesses_).first(reads_first(accesses_)));
  for (const Rendezvous& rendezvous : all) {
    engine_.graph_runs().change(by, what, *state_of(rendezvous).arrived, one_more, true);
    group_.report_key(key_of(rendezvous), engine_.now(by), engine_.clock(by), what);
  }
}

bool RankOperations::ran_in_graph(const sim::Stream& stream, const sim::Op& op) {
  const LaunchedControl* const control = operation_of(op);
  const auto all = control ? control->rendezvous() : std::vector<Rendezvous>();
  const FlagUse use = control ? control->flag() : FlagUse();
  if (use.flag != 0) {
    if (use.sets) return true;
    const order::Actor by = actors_.actor(stream.id());
    engine_.graph_runs().wait_for(by, *flag_of(use), is_flag_set, true);
    group_.report_key_taken(use.key, engine_.now(by), engine_.clock(by),
                            graph_ops_.op_info(stream, op));
    return true;
  }
  if (all.empty()) return false;
  const order::Actor by = actors_.actor(stream.id());
  const order::OpInfo what = graph_ops_.op_info(stream, op);
  for (const Rendezvous& rendezvous : all) {
    engine_.graph_runs().wait_for(by, *state_of(rendezvous).arrived, all_of(rendezvous), false);
    group_.report_departure(rendezvous, engine_.now(by), what);
    leave(rendezvous);
  }
  take_accesses(op);
  engine_.graph_runs().op(by, what, std::span(accesses_).subspan(reads_first(accesses_)));
  return true;
}

void RankOperations::flag_taken(const sim::Op& op) {
  const LaunchedControl* const control = operation_of(op);
  const FlagUse use = control ? control->flag() : FlagUse();
  if (use.sets || use.key == 0) return;
  const order::VectorClock* const known = engine_.clock_of(op.completion_id);
  group_.report_key_taken(use.key, engine_.moment_of(op.completion_id),
                          known ? *known : order::VectorClock(),
                          engine_.op_info_of(op.completion_id));
}

void RankOperations::completed(const sim::Op& op, sim::Failure failure) {
  const auto it = operations_.find(op.completion_id);
  if (it == operations_.end()) {
    if (group_.on() && !failure) flag_taken(op);
    return;
  }
  const Operation operation = std::move(it->second);
  operations_.erase(it);
  const bool failed = failure.error != sim::Error::none;
  for (const auto arrival : operation.arrivals) engine_.happened(arrival, failed);
  for (std::size_t i = 0; i < operation.departures.size(); ++i) {
    const auto departure = operation.departures[i];
    if (!failed) {
      group_.report_departure(operation.rendezvous[i], engine_.moment_of(departure),
                              engine_.op_info_of(departure));
    }
    if (departure != op.completion_id) engine_.happened(departure, failed);
  }
  for (const Rendezvous& rendezvous : operation.rendezvous) leave(rendezvous);
}

}  // namespace acl
