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
#include "runtime/order/processes/word_choice.h"

namespace order {
namespace {

SharedObject key_object(std::uint64_t key) { return {SharedObject::Kind::key, key, 0}; }

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
  /// A clock of all processes.
  struct Known {
    VectorClock clock;
    bool doubtful = false;  // synchronisation that no log contains may come before it, too
    void join(const Known& other) {
      clock.join(other.clock);
      doubtful |= other.doubtful;
    }
  };
  struct ClockJoin {  // what an actor has joined at a wait, and before it
    std::uint32_t count;
    Known known;
  };
  struct Process {
    const ProcessLog* log;
    Actor first;  // of its actors, among all
    std::size_t next = 0;
    std::vector<std::vector<ClockJoin>> clock_joins;  // by its actors
    // The clock of its own actors that comes before each `lost_order` of the process. Null: it lost
    // no order.
    std::optional<VectorClock> before_loss;
  };
  struct Record {
    Epoch when;
    Known known;
  };
  /// An access to symmetric memory.
  struct SymmetricAccess {
    std::size_t process;
    const SharedNode* node;
    Known known;
  };
  /// A write of the bytes of a word that a `chosen` waits for.
  struct WordWrite {
    std::uint64_t begin, end;
    Epoch when;
    VectorClock known;
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
  void note(Process& process, const SharedNode& node);
  Process* choose();
  bool held(const Process& process, const SharedNode& node) const;
  std::vector<std::size_t> chosen_by(const Process& process, const SharedNode& node) const;
  void take(Process& process, const SharedNode& node);
  void take_wait(Process& process, const SharedNode& node);
  void take_choice(Process& process, const SharedNode& node);
  void join(Process& process, const SharedNode& node, Known known);
  void take_access(Process& process, const SharedNode& node);
  void take_symmetric();
  void touch(const Process& process, const SharedNode& node, const Known& known);
  /// The position of an access, which decides which of two a finding names as the earlier one.
  struct Rank {
    std::uint64_t steps;  // of all actors, before it
    std::size_t process;
    Actor actor;
    std::uint32_t count;
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  Rank rank_of(const Process& process, const SharedNode& node, const VectorClock& known) const;
  void take_doubt(const Process& process, const SharedNode& node);
  void count_notify(const Process& process, const SharedNode& node);
  Known known_at(const Process& process, const SharedNode& node) const;
  OpInfo global(const Process& process, const OpInfo& op_info);
  std::size_t index_of(const Process& process) const {
    return static_cast<std::size_t>(&process - processes_.data());
  }
  void tell(const Process& process, const SharedNode& node, const OpInfo& op_info,
            const Shadow::Conflict& conflict);
  bool is_first(Epoch when, const OpInfo& op_info, bool writes, const Shadow::Touch& other) const;
  void swap_sides(Finding& finding, const Shadow::Touch& earlier) const;
  bool only_hosts_order(const SharedNode& node, Epoch earlier) const;
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
  std::map<Generation, Record> records_;
  std::map<std::uint64_t, Shadow> memory_;          // by file
  std::set<std::pair<Actor, std::uint32_t>> ends_;  // accesses that ended memory
  struct AccessFacts {
    Rank rank;
    std::uintptr_t base;  // of the memory, in the process
    bool doubtful;
  };
  std::map<std::pair<Actor, std::uint32_t>, AccessFacts> accesses_;
  struct FirstAccess {
    OpInfo op_info;
    Rank rank;
  };
  std::map<std::pair<std::uint64_t, const char*>, FirstAccess> first_of_;  // by site and name
  std::map<Side, Rank> first_at_;  // the first access of each place
  std::vector<SymmetricAccess> symmetric_;
  std::map<std::uint64_t, std::vector<WordWrite>> word_writes_;                       // by file
  std::map<std::uint64_t, std::set<std::pair<std::uint64_t, std::uint64_t>>> words_;  // their bytes
  std::set<std::pair<Actor, std::uint32_t>> changes_;  // operations that change words
  std::map<SharedObject, Paired> notifies_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::uint64_t> site_numbers_;
  std::vector<std::pair<std::size_t, std::uint64_t>> sites_;  // process, site of it
  std::map<Pair, std::size_t> known_findings_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> withheld_;  // by their sites
  std::vector<PlacedFinding> findings_;
  std::vector<bool> exchanged_;  // the two sides of the finding, in its key
  HostClocks host_clocks_;       // after the members that number_actors fills
};

Actor CrossProcessCheck::number_actors(std::span<const ProcessLog> logs) {
  Actor next = 0;
  for (const ProcessLog& log : logs) {
    Actor actors = 0;
    for (const SharedNode& node : log.nodes) {
      actors = std::max({actors, node.when.actor + 1, node.known.end()});
      if (node.kind == SharedNode::Kind::record) to_come_.emplace(node.object, node.generation);
    }
    process_of_.insert(process_of_.end(), actors, processes_.size());
    processes_.push_back({&log, next, 0, std::vector<std::vector<ClockJoin>>(actors), {}});
    for (const SharedNode& node : log.nodes) note(processes_.back(), node);
    next += actors;
  }
  return next;
}

// Collects the facts that must be known before the first node is taken.
void CrossProcessCheck::note(Process& process, const SharedNode& node) {
  using Kind = SharedNode::Kind;
  if (node.kind == Kind::access) {
    const Rank rank = rank_of(process, node, node.known);
    const OpInfo op_info = global(process, node.op_info);
    const auto [at, added] =
        first_of_.try_emplace({op_info.site, op_info.what}, FirstAccess{op_info, rank});
    if (!added) at->second.rank = std::min(at->second.rank, rank);
  }
  if (node.kind == Kind::chosen) {
    words_[node.object.file].emplace(node.object.offset, node.object.offset + node.generation);
  }
  if (node.kind == Kind::record && node.object.kind == SharedObject::Kind::key) {
    changes_.emplace(process.first + node.when.actor, node.when.count);
  }
  if (node.kind != Kind::lost_order) return;
  if (process.before_loss) {
    process.before_loss->meet(node.known);
  } else {
    process.before_loss = node.known;
  }
}

// ---- the order of the nodes ----

bool CrossProcessCheck::held(const Process& process, const SharedNode& node) const {
  if (node.kind == SharedNode::Kind::chosen) {
    const std::vector<std::size_t> chosen = chosen_by(process, node);
    return std::any_of(chosen.begin(), chosen.end(), [&](std::size_t i) {
      return to_come_.contains({key_object(node.changes[i].key), 1});
    });
  }
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
    const bool is_held = held(process, node);
    const auto rank = [](bool waits, const SharedNode& n) { return std::pair(waits, n.time); };
    if (best && rank(best_held, best->log->nodes[best->next]) <= rank(is_held, node)) continue;
    best = &process;
    best_held = is_held;
  }
  return best;
}

AcrossProcesses CrossProcessCheck::run() {
  for (const auto& [of, first] : first_of_) {
    const auto [at, added] = first_at_.try_emplace(side_of(first.op_info), first.rank);
    if (!added) at->second = std::min(at->second, first.rank);
  }
  while (Process* const process = choose()) take(*process, process->log->nodes[process->next++]);
  take_symmetric();
  tell_unpaired();
  return {std::move(findings_), withheld_.size()};
}

CrossProcessCheck::Known CrossProcessCheck::known_at(const Process& process,
                                                     const SharedNode& node) const {
  Known known;
  known.doubtful = process.before_loss && !process.before_loss->covers(node.when);
  for (Actor actor = 0; actor < node.known.end(); ++actor) {
    const std::uint32_t count = node.known.of(actor);
    if (count == 0) continue;
    known.clock.raise({process.first + actor, count});
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
    case SharedNode::Kind::chosen:
      return take_choice(process, node);
    case SharedNode::Kind::access:
      return take_access(process, node);
    case SharedNode::Kind::doubt:
      return take_doubt(process, node);
    case SharedNode::Kind::known:
      return host_clocks_.add(known_at(process, node).clock, node.time);
    case SharedNode::Kind::record:
      to_come_.erase({node.object, node.generation});
      records_.try_emplace(
          {node.object, node.generation},
          Record{{process.first + node.when.actor, node.when.count}, known_at(process, node)});
      return;
    default:
      return;  // deadlocks_across_processes's
  }
}

void CrossProcessCheck::take_wait(Process& process, const SharedNode& node) {
  const auto record = records_.find({node.object, node.generation});
  if (record != records_.end()) join(process, node, record->second.known);  // else in no log
}

// A wait that needed no task may be in the log before an earlier wait of its stream.
void CrossProcessCheck::join(Process& process, const SharedNode& node, Known known) {
  std::vector<ClockJoin>& clock_joins = process.clock_joins[node.when.actor];
  const auto later = std::upper_bound(
      clock_joins.begin(), clock_joins.end(), node.when.count,
      [](std::uint32_t c, const ClockJoin& clock_join) { return c < clock_join.count; });
  for (auto at = later; at != clock_joins.end(); ++at) at->known.join(known);
  if (later != clock_joins.begin()) known.join(std::prev(later)->known);
  clock_joins.insert(later, {node.when.count, std::move(known)});
}

// ---- waits for words ----

std::vector<std::size_t> CrossProcessCheck::chosen_by(const Process& process,
                                                      const SharedNode& node) const {
  const VectorClock known = known_at(process, node).clock;
  const auto record_of = [&](std::size_t i) -> const Record* {
    const auto record = records_.find({key_object(node.changes[i].key), 1});
    return record == records_.end() ? nullptr : &record->second;
  };
  const auto before = [&](std::size_t i) {
    const Record* const record = record_of(i);
    return record && known.covers(record->when);
  };
  const auto rewritten = [&](std::size_t i) {
    const auto writes = word_writes_.find(node.object.file);
    if (writes == word_writes_.end()) return false;
    const std::uint64_t begin = node.object.offset, end = begin + node.generation;
    return std::any_of(writes->second.begin(), writes->second.end(), [&](const WordWrite& write) {
      return write.begin < end && begin < write.end && known.covers(write.when) &&
             write.known.covers(record_of(i)->when);
    });
  };
  return chosen_changes(node.changes, {before, rewritten});
}

void CrossProcessCheck::take_choice(Process& process, const SharedNode& node) {
  Known known;
  for (const std::size_t i : chosen_by(process, node)) {
    const auto record = records_.find({key_object(node.changes[i].key), 1});
    if (record != records_.end()) known.join(record->second.known);
  }
  join(process, node, std::move(known));
}

// ---- memory ----

void CrossProcessCheck::take_access(Process& process, const SharedNode& node) {
  Known known = known_at(process, node);
  const Epoch when{process.first + node.when.actor, node.when.count};
  if (node.op_info.stream == OpInfo::kNoStream) host_clocks_.add(known.clock, node.time);
  if (node.object.kind != SharedObject::Kind::symmetric) return touch(process, node, known);
  const std::uint64_t begin = node.object.offset, end = begin + node.bytes.size;
  const auto words = words_.find(node.object.file);
  const bool of_word =
      node.bytes.write && words != words_.end() && !changes_.contains({when.actor, when.count}) &&
      std::any_of(words->second.begin(), words->second.end(),
                  [&](const auto& word) { return word.first < end && begin < word.second; });
  if (of_word) word_writes_[node.object.file].push_back({begin, end, when, known.clock});
  symmetric_.push_back({index_of(process), &node, std::move(known)});
}

// It depends on nothing but the order that the calls establish: an access has more steps before it
// than each access that happens before it.
CrossProcessCheck::Rank CrossProcessCheck::rank_of(const Process& process, const SharedNode& node,
                                                   const VectorClock& known) const {
  std::uint64_t steps = 0;
  for (Actor actor = 0; actor < known.end(); ++actor) steps += known.of(actor);
  return {steps, index_of(process), node.when.actor, node.when.count};
}

void CrossProcessCheck::take_symmetric() {
  const auto rank = [this](const SymmetricAccess& access) {
    return rank_of(processes_[access.process], *access.node, access.known.clock);
  };
  std::stable_sort(symmetric_.begin(), symmetric_.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  for (const SymmetricAccess& access : symmetric_)
    touch(processes_[access.process], *access.node, access.known);
}

void CrossProcessCheck::touch(const Process& process, const SharedNode& node, const Known& known) {
  const Epoch when{process.first + node.when.actor, node.when.count};
  const OpInfo op_info = global(process, node.op_info);
  Access bytes = node.bytes;
  bytes.begin = node.object.offset;
  std::vector<Shadow::Conflict> conflicts;
  memory_[node.object.file].touch(bytes, when, known.clock, op_info, conflicts);
  accesses_.try_emplace({when.actor, when.count},
                        AccessFacts{rank_of(process, node, known.clock),
                                    node.bytes.begin - node.object.offset, known.doubtful});
  for (const Shadow::Conflict& conflict : conflicts) {
    // Ordered after a free: the bytes may belong to another allocation by now.
    if (conflict.ordered) continue;
    const Epoch earlier = conflict.earlier.when;
    if (process_of_[earlier.actor] == index_of(process)) continue;
    if (known.doubtful || accesses_.at({earlier.actor, earlier.count}).doubtful) {
      withhold(op_info, conflict.earlier.op_info);
    } else {
      tell(process, node, op_info, conflict);
    }
  }
  if (node.bytes.frees) ends_.emplace(when.actor, when.count);
}

// Inside of one process nothing orders the two; order may come through another one.
void CrossProcessCheck::take_doubt(const Process& process, const SharedNode& node) {
  const Epoch earlier{process.first + node.earlier.actor, node.earlier.count};
  const Known known = known_at(process, node);
  if (known.clock.covers(earlier)) return;
  Finding finding = *node.finding;
  finding.op_info = global(process, finding.op_info);
  if (finding.other) finding.other = global(process, *finding.other);
  if (known.doubtful) return withhold(finding.op_info, finding.other.value_or(OpInfo{}));
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

/// Hosts may have ordered the two by means of their own, such as a pipe. If the memory is
/// symmetric, no such order counts: when the one ended and the other began differs from run to run.
bool CrossProcessCheck::only_hosts_order(const SharedNode& node, Epoch earlier) const {
  return node.object.kind != SharedObject::Kind::symmetric &&
         host_clocks_.covered(earlier, node.time);
}

/// Whether the finding names the access as the earlier one of the two. Unlike the order of accesses
/// that race, this is the same in each run: a write comes before a read, else the place that
/// processes reach first, each counted by its own steps.
bool CrossProcessCheck::is_first(Epoch when, const OpInfo& op_info, bool writes,
                                 const Shadow::Touch& other) const {
  if (writes != other.write) return writes;
  const Side it = side_of(op_info), other_side = side_of(other.op_info);
  if (it != other_side) return first_at_.at(it) < first_at_.at(other_side);
  return accesses_.at({when.actor, when.count}).rank <
         accesses_.at({other.when.actor, other.when.count}).rank;
}

void CrossProcessCheck::swap_sides(Finding& finding, const Shadow::Touch& earlier) const {
  std::swap(finding.op_info, *finding.other);
  finding.where.write = earlier.write;
  finding.where.begin += accesses_.at({earlier.when.actor, earlier.when.count}).base;
}

void CrossProcessCheck::tell(const Process& process, const SharedNode& node, const OpInfo& op_info,
                             const Shadow::Conflict& conflict) {
  const Epoch earlier = conflict.earlier.when;
  const bool after_end = ends_.contains({earlier.actor, earlier.count});
  const bool ends = node.bytes.frees;
  Finding finding(ends || after_end ? Rule::freed_in_use : Rule::race);
  set_guess(finding, guess_between(op_info, conflict.earlier.op_info));
  if (!after_end && only_hosts_order(node, earlier)) {
    finding = Finding(Rule::host_threads_only);
  }
  finding.op_info = op_info;
  finding.other = conflict.earlier.op_info;
  finding.where = conflict.bytes;
  finding.where.write = node.bytes.write;
  const Release release = ends ? Release::by_it : after_end ? Release::by_other : Release::none;
  const Epoch when{process.first + node.when.actor, node.when.count};
  const bool first =
      release == Release::none && is_first(when, op_info, node.bytes.write, conflict.earlier);
  if (first) {
    swap_sides(finding, conflict.earlier);
  } else {
    finding.where.begin += node.bytes.begin - node.object.offset;
  }
  const Access other = first ? node.bytes : conflict.earlier.access(0, 0);
  finding.text = conflict_text(finding, release, other, true);
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
