// SPDX-License-Identifier: Apache-2.0
// Streams that can never go on.
#include <algorithm>
#include <deque>
#include <unordered_map>

#include "runtime/order/engine.h"

namespace order {
namespace {

/// Of each stream that stands, those of which one has to go on first.
using WaitsFor = std::unordered_map<Actor, std::vector<Actor>>;

/// The shortest circle of streams that wait for each other, from this one on; empty when it is in
/// none.
std::vector<Actor> way_back(const WaitsFor& edges, Actor stream) {
  std::unordered_map<Actor, Actor> waiter_of;
  std::deque<Actor> next{stream};
  while (!next.empty()) {
    const Actor at = next.front();
    next.pop_front();
    const auto others = edges.find(at);
    if (others == edges.end()) continue;
    for (const Actor other : others->second) {
      if (other != stream) {
        if (waiter_of.emplace(other, at).second) next.push_back(other);
        continue;
      }
      std::vector<Actor> way{at};
      while (way.back() != stream) way.push_back(waiter_of.at(way.back()));
      std::reverse(way.begin(), way.end());
      return way;
    }
  }
  return {};
}

}  // namespace

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
  for (const Actor one : path) edges.emplace(one, waits_for(one));
  std::vector<Actor> shortest;
  for (const Actor one : path) {
    const std::vector<Actor> way = way_back(edges, one);
    if (!way.empty() && (shortest.empty() || way.size() < shortest.size())) shortest = way;
  }
  if (shortest.empty()) return found;
  found.waits.clear();
  for (const Actor one : shortest) found.waits.push_back(actors_[one].waiting.front().deed);
  return found;
}

/// The streams of which one has to go on first; none when the stream does not stand at a wait.
std::vector<Actor> Engine::waits_for(Actor stream) const {
  const State& state = actors_[stream];
  if (!state.blocked || state.waiting.empty()) return {};
  const Item& at = state.waiting.front();
  std::vector<Actor> others;
  if (at.kind == Item::Kind::wait) {
    if (const auto recorder = recorder_of(*at.node)) others.push_back(*recorder);
  } else if (const Pending* const own = pending_.find(at.note)) {
    pending_.any([&](NoteId, const Pending& pending) {
      if (pending.kind == Item::Kind::change && pending.variable == own->variable) {
        others.push_back(pending.actor);
      }
      return false;
    });
  }
  return others;
}

Engine::Stuck Engine::stuck(const Node& node) const {
  const auto recorder = recorder_of(node);
  return recorder ? stuck(*recorder) : Stuck{};
}

/// The stream whose record of the node is still behind something.
std::optional<Actor> Engine::recorder_of(const Node& node) const {
  if (node.resolved) return std::nullopt;
  for (Actor actor = 0; actor < actors_.size(); ++actor) {
    for (const Item& item : actors_[actor].waiting) {
      if (item.kind == Item::Kind::record && item.node.get() == &node) return actor;
    }
  }
  return std::nullopt;
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
    return recorder && cannot_go_on(*recorder, path, found);
  }
  return at.kind == Item::Kind::wait_for && nobody_ends(at, path, found);
}

bool Engine::nobody_ends(const Item& wait, std::vector<Actor>& path, Stuck& found) const {
  const Pending* const own = pending_.find(wait.note);
  if (!own || own->has_time_limit) return false;
  const std::shared_ptr<Variable>& variable = own->variable;
  if (!variable->closed || own->test(variable->value())) return false;
  bool some = false;
  const bool may_end = pending_.any([&](NoteId note, const Pending& pending) {
    // A function of the program, or a graph, may do anything.
    if (pending.kind == Item::Kind::call || pending.kind == Item::Kind::blocking_call) return true;
    if (pending.kind != Item::Kind::change || pending.variable != variable) return false;
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
  return std::any_of(state.waiting.begin(), state.waiting.end(),
                     [note](const Item& item) { return item.note == note; });
}

}  // namespace order
