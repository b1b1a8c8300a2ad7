// SPDX-License-Identifier: Apache-2.0
// Host threads of several processes whose wait never ends.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "runtime/order/engine/cycle.h"
#include "runtime/order/processes/process_group.h"

namespace order {
namespace {

class CrossProcessDeadlocks {
 public:
  explicit CrossProcessDeadlocks(std::span<const ProcessLog> logs);
  std::vector<PlacedFinding> run();

 private:
  using Id = std::uint32_t;  // of an actor, among the actors of all processes
  struct Process {
    const ProcessLog* log;
    std::map<Actor, const SharedNode*> blocked;
    std::map<Actor, const SharedNode*> hosts;  // that wait
  };
  struct Item {
    std::size_t process;
    Epoch when;
    std::uint64_t generation;
  };
  struct Done {
    std::uint64_t records = 0;
    std::uint64_t waits = 0;
    std::uint64_t latest = 0;  // generation
  };
  /// One search, from a host thread that waits.
  struct Search {
    std::vector<Id> path;
    WaitsFor edges;
    std::size_t alone = 0;  // how long the path was at the first wait that nothing ends; 0: none
  };

  void take(std::size_t process, const SharedNode& node);
  bool is_done(const SharedNode& wait) const;
  std::vector<Item> ends(std::size_t process, const SharedNode& wait) const;
  bool host_is_stuck(std::size_t process, const SharedNode& host, Search& search);
  bool cannot_go_on(std::size_t process, Actor actor, Search& search);
  bool everybody_waits();
  Id id_of(std::size_t process, Actor actor);
  PlacedFinding finding(const Process& process, const SharedNode& host,
                        const std::vector<Id>& waits, bool cycle) const;

  std::vector<Process> processes_;
  std::map<SharedObject, std::vector<Item>> asked_;  // records that have not happened
  std::map<SharedObject, Done> done_;
  std::set<SharedObject> open_keys_, taken_keys_;  // exported; imported
  std::map<std::pair<std::size_t, Actor>, Id> ids_;
  std::vector<std::pair<std::size_t, Actor>> actors_;  // by id
};

CrossProcessDeadlocks::CrossProcessDeadlocks(std::span<const ProcessLog> logs) {
  for (std::size_t i = 0; i < logs.size(); ++i) {
    processes_.push_back({&logs[i], {}, {}});
    for (const SharedNode& node : logs[i].nodes) take(i, node);
  }
}

void CrossProcessDeadlocks::take(std::size_t process, const SharedNode& node) {
  using Kind = SharedNode::Kind;
  Process& of = processes_[process];
  switch (node.kind) {
    case Kind::asked:
      asked_[node.object].push_back({process, node.when, node.generation});
      return;
    case Kind::record: {
      if (node.object.kind == SharedObject::Kind::key) open_keys_.insert(node.object);
      Done& done = done_[node.object];
      ++done.records;
      done.latest = std::max(done.latest, node.generation);
      std::erase_if(asked_[node.object], [&](const Item& item) {
        return item.process == process && item.when.actor == node.when.actor &&
               item.when.count == node.when.count;
      });
      return;
    }
    case Kind::wait:
      if (node.object.kind == SharedObject::Kind::key) taken_keys_.insert(node.object);
      ++done_[node.object].waits;
      of.blocked.erase(node.when.actor);
      return;
    case Kind::blocked:
      of.blocked[node.when.actor] = &node;
      return;
    case Kind::host_waits:
      of.hosts[node.when.actor] = &node;
      return;
    case Kind::goes_on:
      of.blocked.erase(node.when.actor);
      of.hosts.erase(node.when.actor);
      return;
    default:
      return;
  }
}

bool inside_process(const SharedNode& wait) {
  return wait.object.kind == SharedObject::Kind::memory;
}

// A notify may keep one record at most: then this says yes too often.
bool CrossProcessDeadlocks::is_done(const SharedNode& wait) const {
  const auto at = done_.find(wait.object);
  if (inside_process(wait) || at == done_.end()) return false;
  if (wait.object.kind == SharedObject::Kind::event) return at->second.latest >= wait.generation;
  return at->second.records > at->second.waits;
}

// The items of which one ends the wait.
std::vector<CrossProcessDeadlocks::Item> CrossProcessDeadlocks::ends(std::size_t process,
                                                                     const SharedNode& wait) const {
  std::vector<Item> found;
  if (inside_process(wait)) {
    for (Actor actor = 0; actor < wait.known.end(); ++actor) {
      const std::uint32_t count = wait.known.of(actor);
      if (count != 0) found.push_back({process, {actor, count}, 0});
    }
  } else if (const auto at = asked_.find(wait.object); at != asked_.end()) {
    const bool event = wait.object.kind == SharedObject::Kind::event;
    for (const Item& item : at->second) {
      if (!event || item.generation >= wait.generation) found.push_back(item);
    }
  }
  return found;
}

CrossProcessDeadlocks::Id CrossProcessDeadlocks::id_of(std::size_t process, Actor actor) {
  const std::pair of(process, actor);
  const auto [at, added] = ids_.try_emplace(of, static_cast<Id>(actors_.size()));
  if (added) actors_.push_back(of);
  return at->second;
}

bool CrossProcessDeadlocks::cannot_go_on(std::size_t process, Actor actor, Search& search) {
  const auto blocked = processes_[process].blocked.find(actor);
  if (blocked == processes_[process].blocked.end()) return false;
  const Id id = id_of(process, actor);
  if (!search.edges.try_emplace(id).second) return true;  // seen
  search.path.push_back(id);
  const SharedNode& wait = *blocked->second;
  if (is_done(wait)) return false;
  const std::vector<Item> items = ends(process, wait);
  if (items.empty()) {
    if (search.alone == 0) search.alone = search.path.size();
    return !inside_process(wait);
  }
  for (const Item& item : items) {
    search.edges[id].push_back(id_of(item.process, item.when.actor));
    const auto& others = processes_[item.process].blocked;
    const auto before = others.find(item.when.actor);
    if (before == others.end() || before->second->when.count >= item.when.count) return false;
    if (!cannot_go_on(item.process, item.when.actor, search)) return false;
  }
  return true;
}

bool CrossProcessDeadlocks::host_is_stuck(std::size_t process, const SharedNode& host,
                                          Search& search) {
  for (Actor actor = 0; actor < host.known.end(); ++actor) {
    const std::uint32_t count = host.known.of(actor);
    if (count == 0) continue;
    const auto at = processes_[process].blocked.find(actor);
    if (at == processes_[process].blocked.end() || at->second->when.count > count) return false;
    return cannot_go_on(process, actor, search);
  }
  return false;
}

// No process is left that could enqueue an operation that ends a wait. That includes a wait of a
// cycle, since any process may record a shared object. A key that no process has imported belongs
// to a process that has not started yet.
bool CrossProcessDeadlocks::everybody_waits() {
  if (!std::includes(taken_keys_.begin(), taken_keys_.end(), open_keys_.begin(),
                     open_keys_.end())) {
    return false;
  }
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const Process& process = processes_[i];
    if (process.log->ended) continue;
    std::uint64_t threads = 1;
    for (const auto& [actor, host] : process.hosts) {
      threads = std::max(threads, host->generation);
      Search search;
      if (!host_is_stuck(i, *host, search)) return false;
    }
    if (process.hosts.size() < threads) return false;
  }
  return true;
}

std::vector<PlacedFinding> CrossProcessDeadlocks::run() {
  std::vector<PlacedFinding> findings;
  if (!everybody_waits()) return findings;
  std::set<std::vector<Id>> told;
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    for (const auto& [actor, host] : processes_[i].hosts) {
      Search search;
      if (!host_is_stuck(i, *host, search)) continue;
      std::vector<Id> waits = shortest_cycle(search.edges, search.path);
      const bool cycle = !waits.empty();
      if (!cycle) waits.assign(search.path.begin(), search.path.begin() + search.alone);
      std::vector<Id> key = waits;
      std::sort(key.begin(), key.end());
      if (told.insert(key).second) {
        findings.push_back(finding(processes_[i], *host, waits, cycle));
      }
    }
  }
  return findings;
}

PlacedFinding CrossProcessDeadlocks::finding(const Process& process, const SharedNode& host,
                                             const std::vector<Id>& waits, bool cycle) const {
  PlacedFinding made;
  made.rule = Rule::deadlock;
  made.level = cycle ? Level::error : Level::warning;
  made.op_info = place(host.op_info, *process.log);
  for (const Id id : waits) {
    const auto& [of, actor] = actors_[id];
    const PlacedOp wait = place(processes_[of].blocked.at(actor)->op_info, *processes_[of].log);
    if (made.other) {
      made.behind.push_back(wait);
    } else {
      made.other = wait;
    }
  }
  made.text = cycle ? "{it} never returns; these waits form a cycle: {waits}"
                    : "{it} may never return; every thread of every process is blocked, and no "
                      "enqueued operation satisfies these waits: {waits}";
  if (!cycle) {
    made.repair =
        "enqueue what one of these waits needs (a record, a write) before its process blocks";
  }
  return made;
}

}  // namespace

std::vector<PlacedFinding> deadlocks_across_processes(std::span<const ProcessLog> processes) {
  return CrossProcessDeadlocks(processes).run();
}

PlacedOp place(const OpInfo& op_info, const ProcessLog& log) {
  PlacedOp placed = place(op_info, nullptr);
  placed.process = log.name;
  if (const auto known = log.places.find(op_info.site); known != log.places.end()) {
    placed.place = known->second;
  }
  return placed;
}

}  // namespace order
