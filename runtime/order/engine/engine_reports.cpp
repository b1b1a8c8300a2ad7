// SPDX-License-Identifier: Apache-2.0
// What the machine reports: items that are over, functions that host threads run, runs of graphs.
#include <algorithm>
#include <utility>

#include "runtime/order/engine/engine.h"

namespace order {

// ---- reports of the machine ----

void Engine::dropped(CompletionId completion_id, bool expected) {
  do_not_count(completion_id);
  Pending* const at = pending_.find(completion_id);
  if (at && !expected) at->unserved = false;
  happened(completion_id, true);
}

void Engine::happened(CompletionId completion_id, bool failed) {
  Pending* const at = pending_.find(completion_id);
  if (!at) return;
  Pending& pending = *at;
  if (pending.kind == Item::Kind::call && !failed) return;  // its function may still come
  const Actor stream = pending.actor;
  bool stood = false;
  switch (pending.kind) {
    case Item::Kind::change:
      if (!failed) {
        const Pending::Number& number = *pending.number;
        number.variable->change(number.update, number.adds_or_clears, clock_at(pending));
      }
      break;
    case Item::Kind::wait_for:
      if (!failed) {
        const Pending::Number& number = *pending.number;
        pass(stream, *number.variable, number.test, number.adds_or_clears);
      }
      stood = true;
      break;
    case Item::Kind::blocking_call:
    case Item::Kind::launch:
    case Item::Kind::kernel:
      stood = true;
      break;
    default:
      break;
  }
  if (failed && pending.unserved) never_served_.push_back(std::move(pending));
  pending_.erase(completion_id);
  if (stood) unblock(stream);
}

Engine::Item* Engine::item_of(const Pending& pending, CompletionId completion_id) {
  if (pending.actor == kEnded) return nullptr;
  Fifo<Item>& waiting = actors_[pending.actor].waiting;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i].completion_id == completion_id) return &waiting[i];
  }
  return nullptr;
}

void Engine::accessed(CompletionId completion_id, std::span<const Access> accesses) {
  const Pending* const at = pending_.find(completion_id);
  Item* const item = at ? item_of(*at, completion_id) : nullptr;
  if (!item) return;
  item->accesses.assign(accesses.begin(), accesses.end());
  item->op_info.declared = item->op_info.observed = true;
  item->op_info.sole = false;
}

void Engine::pass(Actor stream, Variable& variable, const Variable::Test& test, bool clears) {
  VectorClock& clock = actors_[stream].clock;
  if (const auto by = variable.passed(test)) {
    clock.join(*by);
  } else if (variable.address != 0) {
    join_writer(clock, variable.address);
  }
  if (clears) variable.change([](std::uint64_t) { return 0; }, false, clock);
}

const std::shared_ptr<Variable>& Engine::word(std::uintptr_t address) {
  std::shared_ptr<Variable>& found = words_[address];
  if (found) return found;
  found = std::make_shared<Variable>();
  found->address = address;
  found->first.reset();
  return found;
}

void Engine::overwrite_words(const Access& range) {
  if (!range.write || range.kind == AccessKind::atomic) return;
  for (auto at = words_.lower_bound(range.begin);
       at != words_.end() && at->first < range.begin + range.size; ++at) {
    at->second->overwritten();
  }
}

// The word was written by an op like any other, or by a host thread: by all reductions since the
// last plain write, else by that. What sets the word as a value is a change of its own, and did not
// satisfy the wait. The clock of the writer by now covers what it covered then.
void Engine::join_writer(VectorClock& clock, std::uintptr_t address) const {
  VectorClock plain, reductions;
  shadow_.visit(address, 1, [&](const Shadow::Touch& write, const Access&) {
    const Actor by = write.when.actor;
    if (!write.write || write.kind == AccessKind::atomic) return;
    VectorClock known = actors_[by].clock;
    known.set(by, write.when.count);
    (write.kind == AccessKind::plain ? plain : reductions).join(known);
  });
  clock.join(reductions.empty() ? plain : reductions);
}

OpInfo Engine::op_info_of(CompletionId completion_id) const {
  const Pending* const at = pending_.find(completion_id);
  return at ? at->op_info : OpInfo{};
}

const VectorClock* Engine::clock_of(CompletionId completion_id) const {
  const Pending* const at = pending_.find(completion_id);
  return at ? &clock_at(*at) : nullptr;
}

const VectorClock& Engine::clock_at(const Pending& pending) const {
  static const VectorClock nothing;
  if (pending.kind == Item::Kind::blocking_call) return actors_[pending.actor].clock;
  return pending.clock ? pending.clock->clock : nothing;
}

Epoch Engine::moment_of(CompletionId completion_id) const {
  const Pending* const at = pending_.find(completion_id);
  return at ? Epoch{at->actor, at->op_info.number} : Epoch{};
}

bool Engine::blocks(CompletionId completion_id) const {
  const Pending* const at = pending_.find(completion_id);
  return at && at->kind == Item::Kind::blocking_call;
}

void Engine::call_begins(CompletionId completion_id, Actor host) {
  Pending* const at = pending_.find(completion_id);
  if (!at) return;
  at->unserved = false;
  enter_function(host, clock_at(*at), at->actor, hosts_clock_of(*at, completion_id));
}

void Engine::call_ends(CompletionId completion_id, Actor host) {
  if (Pending* const at = pending_.find(completion_id)) {
    if (at->kind == Item::Kind::blocking_call) {
      end_function(host, actors_[at->actor].clock);
    } else {
      pending_.erase(completion_id);
    }
  }
  leave_function(host);
}

void Engine::called(std::span<const Call> calls) {
  while (!calls.empty()) {
    const Pending* const at = pending_.find(calls[0].completion_id);
    std::size_t over = 1;
    if (at && at->kind == Item::Kind::blocking_call) {
      over = end_row(at->actor, calls);
    } else if (at) {
      if (actors_[calls[0].host].crew)
        tell(clock_at(*at));
      else
        join_clock(calls[0].host, clock_at(*at));
      pending_.erase(calls[0].completion_id);
    }
    calls = calls.subspan(over);
  }
}

// Of a row of calls in one stream that one thread runs, the last one carries the clocks of all: the
// thread did nothing between them. Returns how many they are.
std::size_t Engine::end_row(Actor stream, std::span<const Call> calls) {
  State& state = actors_[stream];
  const Actor host = calls[0].host;
  const std::size_t row = row_of(state, stream, calls);
  if (row == 0) {
    pending_.erase(calls[0].completion_id);
    return 1;
  }
  for (const Call& call : calls.first(row - 1)) {
    pending_.erase(call.completion_id);
    state.clock.advance(stream, state.waiting.front().ops + 1);
    state.waiting.pop_front();
  }
  pending_.erase(calls[row - 1].completion_id);
  if (actors_[host].crew) {
    tell(state.clock);
  } else {
    if (actors_[host].clock.share(state.clock)) clock_advanced(host);
    step(host);
  }
  leave(state, stream);
  unblock(stream);
  return row;
}

// The stream is blocked at the first (else 0). It comes straight to the others, and nobody asks for
// its clock in between.
std::size_t Engine::row_of(State& state, Actor stream, std::span<const Call> calls) {
  if (state.waiting.empty() || state.waiting.front().completion_id != calls[0].completion_id)
    return 0;
  const std::size_t most = std::min(calls.size(), state.waiting.size());
  std::uint32_t before_mark = state.next_mark - state.clock.of(stream);
  std::size_t row = 1;
  for (; row < most; ++row) {
    const std::uint32_t items = state.waiting[row - 1].ops + 1;
    const Item& next = state.waiting[row];
    if (items > before_mark || next.completion_id != calls[row].completion_id ||
        calls[row].host != calls[0].host || next.kind != Item::Kind::blocking_call ||
        next.host_clock != state.joined) {
      break;
    }
    before_mark -= items;
  }
  return row;
}

// ---- graphs ----

void Engine::run_begins(CompletionId launch, Actor stream) {
  const Pending* const at = pending_.find(launch);
  if (!at) return;
  actors_[stream].clock.join(clock_at(*at));
  const Fifo<Item>& waiting = actors_[at->actor].waiting;
  actors_[stream].hosts_clock = waiting.empty() ? nullptr : waiting.front().hosts_clock;
  step(stream);
}

void Engine::run_ends(CompletionId launch, Actor stream) {
  if (const Pending* const at = pending_.find(launch)) {
    actors_[at->actor].clock.join(actors_[stream].clock);
  }
}

void Engine::inner_run_begins(Actor outer, const VectorClock& before, Actor stream) {
  State& state = actors_[stream];
  state.clock.join(before);
  state.hosts_clock = actors_[outer].hosts_clock;
  step(stream);
}

void Engine::inner_run_ends(Actor outer, Actor stream) {
  actors_[outer].clock.join(actors_[stream].clock);
}

void Engine::run_op(Actor stream, const OpInfo& op_info, std::span<const Access> accesses) {
  step(stream);
  const Snapshot& hosts = actors_[stream].hosts_clock;
  hosts_clock_at_issue_ = hosts ? &hosts->clock : nullptr;
  take_accesses(stream, op_info, accesses);
  hosts_clock_at_issue_ = nullptr;
}

void Engine::run_call_begins(Actor stream, Actor host) {
  step(stream);
  enter_function(host, actors_[stream].clock, stream, actors_[stream].hosts_clock);
}

void Engine::run_call_ends(Actor stream, Actor host, bool blocking) {
  if (blocking) end_function(host, actors_[stream].clock);
  leave_function(host);
}

void Engine::run_record(Actor stream, const OpInfo& op_info, Node& node) {
  step(stream);
  node.record = op_info;
  resolve(node, actors_[stream].clock);
}

void Engine::run_wait(Actor stream, const Node& node) {
  step(stream);
  if (node.resolved) actors_[stream].clock.join(node.clock);
}

void Engine::run_change(Actor stream, const OpInfo& op_info, Variable& variable,
                        const Variable::Update& update, bool adds) {
  step(stream);
  variable.last = op_info;
  ++variable.counts.records;
  variable.change(update, adds, actors_[stream].clock);
}

void Engine::run_wait_for(Actor stream, Variable& variable, const Variable::Test& test,
                          bool clears) {
  step(stream);
  ++variable.counts.waits;
  pass(stream, variable, test, clears);
}

}  // namespace order
