// SPDX-License-Identifier: Apache-2.0
// Streams that can never go on.
#include <algorithm>

#include "runtime/order/circle.h"
#include "runtime/order/engine.h"

namespace order {
void Engine::has_time_limit(NoteId note) {
  if (Pending* const at = pending_.find(note)) at->has_time_limit = true;
}

Engine::Stuck Engine::stuck(Actor stream) const {
  if (!actors_[stream].blocked) return {};
  std::vector<Actor> path;
  Stuck found;
  if (!cannot_go_on(stream, path, found)) return {};
  if (!found.cycle) return found;
  WaitsFor edges;  // to look for them takes long
  for (const Actor one : path) {
    for (const Epoch& other : waits_for(one)) edges[one].push_back(other.actor);
  }
  const std::vector<Actor> shortest = shortest_circle(edges, path);
  if (shortest.empty()) return found;
  found.waits.clear();
  for (const Actor one : shortest) found.waits.push_back(actors_[one].waiting.front().deed);
  return found;
}

/// The items of which one has to be over first; none when the stream does not stand at a wait.
std::vector<Epoch> Engine::waits_for(Actor stream) const {
  const State& state = actors_[stream];
  if (!state.blocked || state.waiting.empty()) return {};
  const Item& at = state.waiting.front();
  std::vector<Epoch> others;
  if (at.kind == Item::Kind::wait) {
    if (const auto recorder = recorder_of(*at.node)) others.push_back(*recorder);
  } else if (const Pending* const own = pending_.find(at.note)) {
    pending_.any([&](NoteId, const Pending& pending) {
      if (pending.kind == Item::Kind::change && pending.number->variable == own->number->variable) {
        others.push_back({pending.actor, pending.deed.number});
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
        return Epoch{actor, item.deed.number};
      }
    }
  }
  return std::nullopt;
}

std::vector<Engine::Standing> Engine::standing() const {
  std::vector<Standing> all;
  for (Actor actor = 0; actor < actors_.size(); ++actor) {
    const State& state = actors_[actor];
    if (!state.blocked || state.waiting.empty()) continue;
    const Item& front = state.waiting.front();
    const Pending* const own = front.note ? pending_.find(front.note) : nullptr;
    const bool waits = front.kind == Item::Kind::wait || front.kind == Item::Kind::wait_for;
    if (!waits || (own && own->has_time_limit)) continue;
    Standing& one = all.emplace_back();
    one.at = {actor, front.deed.number};
    one.deed = front.deed;
    one.note = front.note;
    one.others_may_end = own && !own->number->variable->closed;
    for (const Epoch& other : waits_for(actor)) one.ended_by.raise(other);
  }
  return all;
}

bool Engine::calls_pending() const {
  return pending_.any([](NoteId, const Pending& pending) {
    return pending.kind == Item::Kind::call || pending.kind == Item::Kind::blocking_call;
  });
}

bool Engine::cannot_go_on(Actor stream, std::vector<Actor>& path, Stuck& found) const {
  const State& state = actors_[stream];
  if (!state.blocked || state.waiting.empty()) return false;
  if (std::find(path.begin(), path.end(), stream) != path.end()) return true;
  const Item& at = state.waiting.front();
  path.push_back(stream);
  found.waits.push_back(at.deed);
  if (at.kind == Item::Kind::wait) {
    const auto recorder = recorder_of(*at.node);
    return recorder && cannot_go_on(recorder->actor, path, found);
  }
  return at.kind == Item::Kind::wait_for && nobody_ends(at, path, found);
}

bool Engine::nobody_ends(const Item& wait, std::vector<Actor>& path, Stuck& found) const {
  const Pending* const own = pending_.find(wait.note);
  if (!own || own->has_time_limit) return false;
  const std::shared_ptr<Variable>& variable = own->number->variable;
  if (!variable->closed || own->number->test(variable->value())) return false;
  bool some = false;
  const bool may_end = pending_.any([&](NoteId note, const Pending& pending) {
    // A function of the program, or a graph, may do anything.
    if (pending.kind == Item::Kind::call || pending.kind == Item::Kind::blocking_call) return true;
    if (pending.kind != Item::Kind::change || pending.number->variable != variable) return false;
    some = true;
    const State& by = actors_[pending.actor];
    return !stands_before(note, by) || !cannot_go_on(pending.actor, path, found);
  });
  if (may_end) return false;
  if (!some) found.cycle = false;
  return some || hosts_.size() == 1;
}

/// The item is queued behind something that its stream stands at.
bool Engine::stands_before(NoteId note, const State& state) const {
  for (std::size_t i = 0; i < state.waiting.size(); ++i) {
    if (state.waiting[i].note == note) return true;
  }
  return false;
}

}  // namespace order
