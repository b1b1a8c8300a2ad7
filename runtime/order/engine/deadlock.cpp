// SPDX-License-Identifier: Apache-2.0
// Streams that can never go on.
#include <algorithm>

#include "runtime/order/engine/cycle.h"
#include "runtime/order/engine/engine.h"

namespace order {
void Engine::has_time_limit(CompletionId completion_id) {
  if (Pending* const at = pending_.find(completion_id)) at->has_time_limit = true;
}

Engine::Stuck Engine::stuck(Actor stream) const {
  if (!actors_[stream].blocked) return {};
  std::vector<Actor> path;
  Stuck found;
  if (!cannot_go_on(stream, path, found)) return {};
  if (!found.cycle) return found;
  WaitsFor edges;  // the search takes long
  for (const Actor one : path) {
    for (const Epoch& other : waits_for(one)) edges[one].push_back(other.actor);
  }
  const std::vector<Actor> shortest = shortest_cycle(edges, path);
  if (shortest.empty()) return found;
  found.waits.clear();
  for (const Actor one : shortest) found.waits.push_back(op_info_of(actors_[one].waiting.front()));
  return found;
}

/// The items of which one has to complete first; none when the stream is not blocked at a wait.
std::vector<Epoch> Engine::waits_for(Actor stream) const {
  const State& state = actors_[stream];
  if (!state.blocked || state.waiting.empty()) return {};
  const Item& at = state.waiting.front();
  std::vector<Epoch> others;
  if (at.kind == Item::Kind::wait) {
    if (const auto recorder = recorder_of(*at.node)) others.push_back(*recorder);
  } else if (const Pending* const own = pending_.find(at.completion_id)) {
    pending_.any([&](CompletionId, const Pending& pending) {
      if (pending.kind == Item::Kind::change && pending.number->variable == own->number->variable) {
        others.push_back({pending.actor, pending.op_info.number});
      }
      return false;
    });
  }
  return others;
}

Engine::Stuck Engine::stuck(const Node& node) const {
  const auto recorder = recorder_of(node);
  return recorder ? stuck(recorder->actor) : Stuck{};
}

std::optional<Epoch> Engine::recorder_of(const Node& node) const {
  if (node.resolved) return std::nullopt;
  for (Actor actor = 0; actor < actors_.size(); ++actor) {
    for (std::size_t i = 0; i < actors_[actor].waiting.size(); ++i) {
      const Item& item = actors_[actor].waiting[i];
      if (item.kind == Item::Kind::record && item.node.get() == &node) {
        return Epoch{actor, item.op_info.number};
      }
    }
  }
  return std::nullopt;
}

std::vector<Engine::BlockedWait> Engine::blocked_waits() const {
  std::vector<BlockedWait> all;
  for (Actor actor = 0; actor < actors_.size(); ++actor) {
    const State& state = actors_[actor];
    if (!state.blocked || state.waiting.empty()) continue;
    const Item& front = state.waiting.front();
    const Pending* const own = front.completion_id ? pending_.find(front.completion_id) : nullptr;
    const bool waits = front.kind == Item::Kind::wait || front.kind == Item::Kind::wait_for;
    if (!waits || (own && own->has_time_limit)) continue;
    BlockedWait& one = all.emplace_back();
    one.at = {actor, front.op_info.number};
    one.op_info = op_info_of(front);
    one.completion_id = front.completion_id;
    one.others_may_end = own && !own->number->variable->closed;
    for (const Epoch& other : waits_for(actor)) one.ended_by.raise(other);
  }
  return all;
}

bool Engine::calls_pending() const {
  return pending_.any([](CompletionId, const Pending& pending) {
    return pending.kind != Item::Kind::change && pending.kind != Item::Kind::wait_for;
  });
}

bool Engine::cannot_go_on(Actor stream, std::vector<Actor>& path, Stuck& found) const {
  const State& state = actors_[stream];
  if (!state.blocked || state.waiting.empty()) return false;
  if (std::find(path.begin(), path.end(), stream) != path.end()) return true;
  const Item& at = state.waiting.front();
  path.push_back(stream);
  found.waits.push_back(op_info_of(at));
  if (at.kind == Item::Kind::wait) {
    const auto recorder = recorder_of(*at.node);
    return recorder && cannot_go_on(recorder->actor, path, found);
  }
  return at.kind == Item::Kind::wait_for && nobody_ends(at, path, found);
}

bool Engine::nobody_ends(const Item& wait, std::vector<Actor>& path, Stuck& found) const {
  const Pending* const own = pending_.find(wait.completion_id);
  if (!own || own->has_time_limit) return false;
  const Variable& variable = *own->number->variable;
  // A function of the program, or a graph, may do anything.
  if (!variable.closed || calls_pending() || may_be_written(variable)) return false;
  std::vector<const Pending*> all, coming;
  bool some_stand = false;
  pending_.any([&](CompletionId completion_id, const Pending& pending) {
    if (pending.kind != Item::Kind::change || pending.number->variable.get() != &variable) {
      return false;
    }
    all.push_back(&pending);
    const std::size_t before = path.size(), reported = found.waits.size();
    if (is_blocked_before(completion_id, actors_[pending.actor]) &&
        cannot_go_on(pending.actor, path, found)) {
      some_stand = true;
      return false;
    }
    path.resize(before);
    found.waits.resize(reported);
    coming.push_back(&pending);
    return false;
  });
  const bool passes = enough(coming, *own->number, 1);
  if (passes && enough(all, *own->number, waits_in(actors_[own->actor], *own->number)))
    return false;
  if (passes) some_stand = false;  // a later wait of the stream's is what nothing ends
  if (!some_stand) {
    found.cycle = false;
    found.address = variable.address;
    found.value = variable.value();
  }
  return true;
}

/// So many waits of the stream's take the number away from each other.
std::size_t Engine::waits_in(const State& state, const Pending::Number& number) const {
  if (!number.adds_or_clears) return 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < state.waiting.size(); ++i) {
    if (state.waiting[i].kind != Item::Kind::wait_for) continue;
    const Pending* const other = pending_.find(state.waiting[i].completion_id);
    if (other && other->number->variable == number.variable) ++count;
  }
  return count;
}

/// The current value and the pending changes satisfy so many waits.
bool Engine::enough(const std::vector<const Pending*>& coming, const Pending::Number& wait,
                    std::size_t wanted) {
  std::uint64_t value = wait.variable->value();
  std::size_t passed = 0;
  const auto pass = [&] {
    if (!wait.test(value)) return;
    ++passed;
    value = 0;
  };
  pass();
  for (const Pending* const change : coming) {
    if (passed >= wanted) return true;
    value = change->number->update(value);
    pass();
  }
  return passed >= wanted;
}

/// By an op whose end no thread is ordered after. Whoever has set the word as a value since is
/// known.
bool Engine::may_be_written(const Variable& word) const {
  if (word.address == 0) return false;
  bool written = false;
  shadow_.visit(word.address, 1, [&](const Shadow::Touch& touch, const Access&) {
    if (!touch.write) return;
    written = touch.kind != AccessKind::atomic && (written || !any_host_covers(touch.when));
  });
  return written || writes_waiting(word.address, 1);
}

bool Engine::may_be_written_before(const Access& range, Actor host) const {
  bool written = writes_waiting(range.begin, range.size);
  shadow_.visit(range.begin, range.size, [&](const Shadow::Touch& touch, const Access& bytes) {
    written = written || (bytes.write && !covers(host, touch.when));
  });
  return written;
}

/// Items that are queued write some of the bytes, not as the word that is waited for.
bool Engine::writes_waiting(std::uintptr_t begin, std::size_t size) const {
  const auto writes = [&](const Access& access) {
    return access.write && access.kind != AccessKind::atomic && access.begin < begin + size &&
           begin < access.begin + access.size;
  };
  for (const State& state : actors_) {
    for (std::size_t i = 0; i < state.waiting.size(); ++i) {
      const std::vector<Access>& accesses = state.waiting[i].accesses;
      if (std::any_of(accesses.begin(), accesses.end(), writes)) return true;
    }
  }
  return false;
}

bool Engine::may_be_released_later(Actor stream) const {
  std::vector<Actor> seen;
  return may_be_released_later(stream, seen);
}

bool Engine::may_be_released_later(Actor stream, std::vector<Actor>& seen) const {
  if (std::find(seen.begin(), seen.end(), stream) != seen.end()) return false;
  seen.push_back(stream);
  const Fifo<Item>& waiting = actors_[stream].waiting;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i].kind == Item::Kind::wait_for) return true;
    if (waiting[i].kind != Item::Kind::wait) continue;
    const auto recorder = recorder_of(*waiting[i].node);
    if (recorder && may_be_released_later(recorder->actor, seen)) return true;
  }
  return false;
}

/// The item is queued behind the item at which its stream is blocked.
bool Engine::is_blocked_before(CompletionId completion_id, const State& state) const {
  for (std::size_t i = 0; i < state.waiting.size(); ++i) {
    if (state.waiting[i].completion_id == completion_id) return true;
  }
  return false;
}

}  // namespace order
