// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/processes/process_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "runtime/order/engine/notify_counts.h"
#include "runtime/order/engine/shadow.h"

namespace order {
namespace {

/// When, at the earliest, the clock of some host thread covered an actor up to a count.
class HostClocks {
 public:
  explicit HostClocks(Actor actors) : of_(actors) {}

  void add(const VectorClock& known, std::uint64_t time) {
    for (Actor actor = 0; actor < known.end(); ++actor) {
      const std::uint32_t count = known.of(actor);
      if (count == 0) continue;
      auto& steps = of_[actor];
      const auto at = steps.lower_bound(count);
      if (at != steps.end() && at->second <= time) continue;
      auto mine = steps.insert_or_assign(count, time).first;
      while (mine != steps.begin() && std::prev(mine)->second >= time) steps.erase(std::prev(mine));
    }
  }
  bool covered(Epoch epoch, std::uint64_t time) const {
    const auto at = of_[epoch.actor].lower_bound(epoch.count);
    return at != of_[epoch.actor].end() && at->second <= time;
  }

 private:
  std::vector<std::map<std::uint32_t, std::uint64_t>> of_;  // counts, and times that grow with them
};

/// Takes the nodes of all processes in, in an order that each of them could have seen.
class CrossProcessCheck {
 public:
  explicit CrossProcessCheck(std::span<const ProcessLog> logs)
      : host_clocks_(number_actors(logs)) {}
  AcrossProcesses run();

 private:
  struct ClockJoin {  // the clock that an actor has joined at a wait, and before it
    std::uint32_t count;
    VectorClock known;
  };
  struct Process {
    const ProcessLog* log;
    Actor first;  // of its actors, among all
    std::size_t next = 0;
    std::vector<std::vector<ClockJoin>> clock_joins;  // by its actors
  };
  using Generation = std::pair<SharedObject, std::uint64_t>;
  /// Names and places. Findings with equal ones are the same, also if their processes differ.
  using Side = std::pair<std::string, std::string>;
  using Pair = std::tuple<Rule, Level, Side, Side>;
  struct Paired {
    NotifyCounts counts;
    std::set<std::size_t> processes;
    OpInfo last;
  };

  Actor number_actors(std::span<const ProcessLog> logs);
  /// Some synchronisation that no log contains may order this after all else.
  bool is_doubtful(const SharedNode& node) const { return node.time >= order_lost_; }
  Process* choose();
  bool held(const SharedNode& node) const;
  void take(Process& process, const SharedNode& node);
  void take_wait(Process& process, const SharedNode& node);
  void take_access(Process& process, const SharedNode& node);
  void take_doubt(const Process& process, const SharedNode& node);
  void count_notify(const Process& process, const SharedNode& node);
  VectorClock known_at(const Process& process, const SharedNode& node) const;
  OpInfo global(const Process& process, const OpInfo& op_info);
  std::size_t index_of(const Process& process) const {
    return static_cast<std::size_t>(&process - processes_.data());
  }
  void tell(const SharedNode& node, const OpInfo& op_info, const Shadow::Conflict& conflict);
  void add(Finding finding, std::string repair);
  void withhold(const OpInfo& op_info, const OpInfo& other) {
    withheld_.emplace(op_info.site, other.site);
  }
  void tell_unpaired();
  PlacedOp place_of(const OpInfo& op_info) const;
  Side side_of(const OpInfo& op_info) const;

  std::vector<Process> processes_;
  std::vector<std::size_t> process_of_;  // by actor
  std::set<Generation> to_come_;
  std::uint64_t order_lost_ = ~std::uint64_t{0};  // the time
  HostClocks host_clocks_;
  std::map<Generation, VectorClock> records_;
  std::map<std::uint64_t, Shadow> memory_;          // by file
  std::set<std::pair<Actor, std::uint32_t>> ends_;  // accesses that ended memory
  std::map<SharedObject, Paired> notifies_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::uint64_t> site_numbers_;
  std::vector<std::pair<std::size_t, std::uint64_t>> sites_;  // process, site of it
  std::map<Pair, std::size_t> known_findings_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> withheld_;  // by their sites
  std::vector<PlacedFinding> findings_;
  std::vector<bool> exchanged_;  // the two sides of the finding, in its key
};

Actor CrossProcessCheck::number_actors(std::span<const ProcessLog> logs) {
  Actor next = 0;
  for (const ProcessLog& log : logs) {
    Actor actors = 0;
    for (const SharedNode& node : log.nodes) {
      actors = std::max({actors, node.when.actor + 1, node.known.end()});
      if (node.kind == SharedNode::Kind::record) to_come_.emplace(node.object, node.generation);
      if (node.kind == SharedNode::Kind::lost_order) order_lost_ = std::min(order_lost_, node.time);
    }
    process_of_.insert(process_of_.end(), actors, processes_.size());
    processes_.push_back({&log, next, 0, std::vector<std::vector<ClockJoin>>(actors)});
    next += actors;
  }
  return next;
}

// ---- the order of the nodes ----

bool CrossProcessCheck::held(const SharedNode& node) const {
  return node.kind == SharedNode::Kind::wait && to_come_.contains({node.object, node.generation});
}

// By the clock, so that the later operation is `op_info` in a finding, and the clocks of hosts at
// that time are known.
CrossProcessCheck::Process* CrossProcessCheck::choose() {
  Process* best = nullptr;
  bool best_held = false;
  for (Process& process : processes_) {
    if (process.next == process.log->nodes.size()) continue;
    const SharedNode& node = process.log->nodes[process.next];
    const bool is_held = held(node);
    const auto rank = [](bool waits, const SharedNode& n) { return std::pair(waits, n.time); };
    if (best && rank(best_held, best->log->nodes[best->next]) <= rank(is_held, node)) continue;
    best = &process;
    best_held = is_held;
  }
  return best;
}

AcrossProcesses CrossProcessCheck::run() {
  while (Process* const process = choose()) take(*process, process->log->nodes[process->next++]);
  tell_unpaired();
  return {std::move(findings_), withheld_.size()};
}

VectorClock CrossProcessCheck::known_at(const Process& process, const SharedNode& node) const {
  VectorClock known;
  for (Actor actor = 0; actor < node.known.end(); ++actor) {
    const std::uint32_t count = node.known.of(actor);
    if (count == 0) continue;
    known.raise({process.first + actor, count});
    const std::vector<ClockJoin>& clock_joins = process.clock_joins[actor];
    const auto after = std::upper_bound(
        clock_joins.begin(), clock_joins.end(), count,
        [](std::uint32_t c, const ClockJoin& clock_join) { return c < clock_join.count; });
    if (after != clock_joins.begin()) known.join(std::prev(after)->known);
  }
  return known;
}

void CrossProcessCheck::take(Process& process, const SharedNode& node) {
  count_notify(process, node);
  switch (node.kind) {
    case SharedNode::Kind::wait:
      return take_wait(process, node);
    case SharedNode::Kind::access:
      return take_access(process, node);
    case SharedNode::Kind::doubt:
      return take_doubt(process, node);
    case SharedNode::Kind::known:
      return host_clocks_.add(known_at(process, node), node.time);
    case SharedNode::Kind::record:
      to_come_.erase({node.object, node.generation});
      records_.try_emplace({node.object, node.generation}, known_at(process, node));
      return;
    default:
      return;  // deadlocks_across_processes's
  }
}

void CrossProcessCheck::take_wait(Process& process, const SharedNode& node) {
  const auto record = records_.find({node.object, node.generation});
  if (record == records_.end()) return;  // in no log
  std::vector<ClockJoin>& clock_joins = process.clock_joins[node.when.actor];
  VectorClock known = record->second;
  if (!clock_joins.empty()) known.join(clock_joins.back().known);
  clock_joins.push_back({node.when.count, std::move(known)});
}

// ---- memory ----

void CrossProcessCheck::take_access(Process& process, const SharedNode& node) {
  const VectorClock known = known_at(process, node);
  const Epoch when{process.first + node.when.actor, node.when.count};
  const OpInfo op_info = global(process, node.op_info);
  Access bytes = node.bytes;
  bytes.begin = node.object.offset;
  std::vector<Shadow::Conflict> conflicts;
  memory_[node.object.file].touch(bytes, when, known, op_info, conflicts);
  for (const Shadow::Conflict& conflict : conflicts) {
    // Ordered after a free: the bytes may belong to another allocation by now.
    if (conflict.ordered) continue;
    if (process_of_[conflict.earlier.when.actor] != index_of(process)) {
      tell(node, op_info, conflict);
    }
  }
  if (node.bytes.frees) ends_.emplace(when.actor, when.count);
  if (op_info.stream == OpInfo::kNoStream) host_clocks_.add(known, node.time);
}

// Inside of one process nothing orders the two; order may come through another one.
void CrossProcessCheck::take_doubt(const Process& process, const SharedNode& node) {
  const Epoch earlier{process.first + node.earlier.actor, node.earlier.count};
  if (known_at(process, node).covers(earlier)) return;
  Finding finding = *node.finding;
  finding.op_info = global(process, finding.op_info);
  if (finding.other) finding.other = global(process, *finding.other);
  if (is_doubtful(node)) return withhold(finding.op_info, finding.other.value_or(OpInfo{}));
  add(std::move(finding), "");
}

OpInfo CrossProcessCheck::global(const Process& process, const OpInfo& op_info) {
  const std::pair of(index_of(process), op_info.site);
  const auto [at, added] = site_numbers_.try_emplace(of, sites_.size());
  if (added) sites_.push_back(of);
  OpInfo result = op_info;
  result.site = at->second;
  return result;
}

PlacedOp CrossProcessCheck::place_of(const OpInfo& op_info) const {
  const auto& [index, site] = sites_[op_info.site];
  OpInfo of_process = op_info;
  of_process.site = site;
  return place(of_process, *processes_[index].log);
}

CrossProcessCheck::Side CrossProcessCheck::side_of(const OpInfo& op_info) const {
  const PlacedOp placed = place_of(op_info);
  std::string where = position(placed.place);
  if (where.empty()) where = fmt::format("{} of {}", sites_[op_info.site].second, placed.process);
  return {placed.what, std::move(where)};
}

constexpr const char* kNothing = "nothing, if the processes synchronise by other means";
constexpr const char* kKeepMemory =
    "keep the memory and its key until every process has finished with it";

void CrossProcessCheck::tell(const SharedNode& node, const OpInfo& op_info,
                             const Shadow::Conflict& conflict) {
  if (is_doubtful(node)) return withhold(op_info, conflict.earlier.op_info);
  const Epoch earlier = conflict.earlier.when;
  const bool after_end = ends_.contains({earlier.actor, earlier.count});
  const bool ends = node.bytes.frees;
  Finding finding(ends || after_end ? Rule::freed_in_use : Rule::race);
  set_guess(finding, guess_between(op_info, conflict.earlier.op_info));
  if (!after_end && host_clocks_.covered(earlier, node.time)) {
    finding = Finding(Rule::host_threads_only);
  }
  finding.op_info = op_info;
  finding.other = conflict.earlier.op_info;
  finding.where = conflict.bytes;
  finding.where.begin += node.bytes.begin - node.object.offset;
  finding.where.write = node.bytes.write;
  const Release release = ends ? Release::by_it : after_end ? Release::by_other : Release::none;
  finding.text = conflict_text(finding, release, conflict.earlier.access(0, 0), true);
  const bool note = finding.rule == Rule::host_threads_only;
  add(std::move(finding), note ? kNothing : ends || after_end ? kKeepMemory : "");
}

void CrossProcessCheck::add(Finding finding, std::string repair) {
  Side it = side_of(finding.op_info);
  Side other = finding.other ? side_of(*finding.other) : Side();
  const bool either_way = finding.rule == Rule::race || finding.rule == Rule::host_threads_only;
  const bool exchanged = either_way && finding.other && other < it;
  if (exchanged) std::swap(it, other);
  const Pair pair(finding.rule, finding.level, std::move(it), std::move(other));
  const auto [at, added] = known_findings_.try_emplace(pair, findings_.size());
  if (!added) {
    ++findings_[at->second].times;
    findings_[at->second].both_ways |= exchanged_[at->second] != exchanged;
    return;
  }
  PlacedFinding placed = place(finding, nullptr);
  placed.op_info = place_of(finding.op_info);
  if (finding.other) placed.other = place_of(*finding.other);
  placed.repair = std::move(repair);
  findings_.push_back(std::move(placed));
  exchanged_.push_back(exchanged);
}

// ---- notifies ----

void CrossProcessCheck::count_notify(const Process& process, const SharedNode& node) {
  using Kind = SharedNode::Kind;
  const bool record = node.kind == Kind::record;
  const bool dropped = node.kind == Kind::dropped;
  if (!record && !dropped && node.kind != Kind::wait) return;
  if (node.object.kind != SharedObject::Kind::notify) return;
  Paired& paired = notifies_[node.object];
  if (dropped) {
    ++(node.generation != 0 ? paired.counts.dropped_records : paired.counts.dropped_waits);
    return;
  }
  ++(record ? paired.counts.records : paired.counts.waits);
  paired.processes.insert(index_of(process));
  if (record || paired.counts.records == 0) paired.last = global(process, node.op_info);
}

// The last operations of a killed process are not known, nor the operations of an unchecked one.
void CrossProcessCheck::tell_unpaired() {
  const bool all_ended = std::all_of(processes_.begin(), processes_.end(),
                                     [](const Process& process) { return process.log->ended; });
  if (!all_ended) return;
  for (const auto& [object, paired] : notifies_) {
    if (paired.counts.balanced() || paired.processes.size() < 2) continue;
    Finding finding(Rule::notify_unpaired);
    finding.level = Level::warning;
    finding.op_info = paired.last;
    finding.text = fmt::format("all processes together made {} records and {} waits",
                               paired.counts.records, paired.counts.waits);
    add(std::move(finding), "");
  }
}

}  // namespace

AcrossProcesses check_across_processes(std::span<const ProcessLog> processes) {
  AcrossProcesses result = CrossProcessCheck(processes).run();
  for (PlacedFinding& finding : deadlocks_across_processes(processes))
    result.findings.push_back(std::move(finding));
  return result;
}

std::string withheld_text(std::size_t withheld) {
  return fmt::format(
      "races between processes: {} {} of accesses, which kernels, streams or other "
      "hosts may order in ways that the check does not see",
      withheld, withheld == 1 ? "pair" : "pairs");
}

}  // namespace order
