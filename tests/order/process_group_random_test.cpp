// SPDX-License-Identifier: Apache-2.0
// Random histories of processes that share memory, against a brute-force oracle: who comes before
// whom by paths through single edges, without clocks.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "runtime/order/processes/process_group.h"
#include "tests/order/coverage.h"
#include "tests/order/oracle.h"
#include "tests/order/run.h"
#include "tests/order/seeds.h"
#include "tests/support/catch.h"

namespace {

using order::Actor;
using order::Level;
using order::ProcessLog;
using order::Rule;
using order::SharedNode;
using order::SharedObject;
using order::VectorClock;
using ordertest::How;

constexpr Actor kActors = 3;  // of a process: its host thread, and two streams
constexpr Actor kHost = 0;
constexpr std::size_t kNone = ~std::size_t{0};

/// A step of the history, as the oracle sees it.
struct Step {
  std::size_t process;
  Actor actor;
  std::vector<std::size_t> behind;  // steps
  bool access = false;
  How how = How::read;
  bool host_knows = false;  // from here on a host thread is ordered after all that is before it
  std::size_t begin = 0;
  std::size_t end = 0;
};

class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed) {
    const std::size_t count = 2 + below(2);
    for (std::size_t i = 0; i < count; ++i) processes_.emplace_back().log.name = std::to_string(i);
    for (std::size_t i = below(40); i < 45; ++i) step();
  }
  /// The place of a step is a line of its number, from 1.
  std::vector<ProcessLog> logs() const {
    std::vector<ProcessLog> logs;
    for (const Process& process : processes_) {
      ProcessLog& log = logs.emplace_back(process.log);
      for (const SharedNode& node : log.nodes) {
        log.places[node.op_info.site].line = static_cast<std::uint32_t>(node.op_info.site);
      }
    }
    return logs;
  }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  struct Access {
    order::Epoch when;
    std::size_t step;
  };
  struct Process {
    ProcessLog log;
    std::vector<Access> accesses;
    VectorClock clocks[kActors];
    std::size_t last[kActors] = {kNone, kNone, kNone};
  };

  std::size_t below(std::size_t limit) { return random_() % limit; }

  /// A step of the actor, after its last one; a stream's step is ordered after its host's clock.
  Step& begin(std::size_t index, Actor actor) {
    Process& process = processes_[index];
    VectorClock& clock = process.clocks[actor];
    clock.set(actor, clock.of(actor) + 1);
    Step& made = steps_.emplace_back(Step{index, actor, {}});
    follow(made, process.last[actor]);
    if (actor != kHost) {
      clock.join(process.clocks[kHost]);
      follow(made, process.last[kHost]);
    }
    process.last[actor] = steps_.size() - 1;
    return made;
  }
  static void follow(Step& step, std::size_t other) {
    if (other != kNone) step.behind.push_back(other);
  }

  SharedNode& write_down(std::size_t index, Actor actor, SharedNode::Kind kind) {
    Process& process = processes_[index];
    SharedNode& node = process.log.nodes.emplace_back();
    node.kind = kind;
    node.when = {actor, process.clocks[actor].of(actor)};
    node.time = steps_.size();
    if (kind != SharedNode::Kind::wait) node.known = process.clocks[actor];
    node.op_info.site = steps_.size();
    node.op_info.what = "op";
    node.op_info.stream = actor == kHost ? order::OpInfo::kNoStream : actor;
    return node;
  }

  void step() {
    const std::size_t process = below(processes_.size());
    const auto stream = static_cast<Actor>(1 + below(2));
    switch (below(9)) {
      case 0:
      case 1:
      case 2:
        return access(process, stream);
      case 3:
        return access(process, kHost);
      case 4:
        return record(process, stream);
      case 5:
        return wait(process, below(3) == 0 ? kHost : stream);
      case 6:
        return join(process, stream, 3 - stream);
      case 7:
        return synchronize(process, stream);
      default:
        return below(2) == 0 ? record_notify(process, stream) : wait_notify(process, stream);
    }
  }

  void access(std::size_t process, Actor actor) {
    Step& made = begin(process, actor);
    made.access = true;
    constexpr How kOften[] = {How::read, How::write};
    made.how = below(3) != 0 ? kOften[below(2)] : static_cast<How>(below(ordertest::kHows));
    made.begin = below(6);
    made.end = made.begin + 1 + below(3);
    made.host_knows = actor == kHost;
    SharedNode& node = write_down(process, actor, SharedNode::Kind::access);
    node.object = {SharedObject::Kind::memory, 1, made.begin};
    node.bytes = ordertest::access(made.begin, made.end - made.begin, made.how);
    doubt(process, actor);
  }
  /// A race that the process finds from its own operations alone.
  void doubt(std::size_t index, Actor actor) {
    Process& process = processes_[index];
    const Step later = steps_.back();
    const order::Epoch when{actor, process.clocks[actor].of(actor)};
    for (const Access& earlier : process.accesses) {
      const Step& step = steps_[earlier.step];
      const bool apart = step.begin >= later.end || later.begin >= step.end;
      const bool conflict = !apart && ordertest::Oracle::clash(step.how, later.how);
      if (!conflict || process.clocks[actor].covers(earlier.when)) continue;
      SharedNode& node = write_down(index, actor, SharedNode::Kind::doubt);
      node.earlier = earlier.when;
      order::Finding finding(Rule::race);
      finding.op_info = node.op_info;
      finding.other = node.op_info;
      finding.other->site = earlier.step + 1;
      node.finding = std::make_shared<order::Finding>(std::move(finding));
    }
    process.accesses.push_back({when, steps_.size() - 1});
  }
  void record(std::size_t process, Actor stream) {
    begin(process, stream);
    records_.push_back(steps_.size() - 1);
    SharedNode& node = write_down(process, stream, SharedNode::Kind::record);
    node.object = {SharedObject::Kind::event, 2, 0};
    node.generation = records_.size();
  }
  void wait(std::size_t process, Actor actor) {
    if (records_.empty()) return;
    begin(process, actor).behind.push_back(records_.back());
    SharedNode& node = write_down(process, actor, SharedNode::Kind::wait);
    node.object = {SharedObject::Kind::event, 2, 0};
    node.generation = records_.size();
    if (actor != kHost) return;
    steps_.back().host_knows = true;
    write_down(process, kHost, SharedNode::Kind::known);
  }
  void record_notify(std::size_t process, Actor stream) {
    begin(process, stream);
    notify_records_.push_back(steps_.size() - 1);
    SharedNode& node = write_down(process, stream, SharedNode::Kind::record);
    node.object = {SharedObject::Kind::notify, 3, 0};
    node.generation = notify_records_.size();
  }
  void wait_notify(std::size_t process, Actor stream) {
    if (notify_waits_ == notify_records_.size()) return;
    begin(process, stream).behind.push_back(notify_records_[notify_waits_++]);
    SharedNode& node = write_down(process, stream, SharedNode::Kind::wait);
    node.object = {SharedObject::Kind::notify, 3, 0};
    node.generation = notify_waits_;
  }
  /// A stream waits for another one of its process.
  void join(std::size_t process, Actor stream, Actor other) {
    Step& made = begin(process, stream);
    follow(made, processes_[process].last[other]);
    processes_[process].clocks[stream].join(processes_[process].clocks[other]);
  }
  void synchronize(std::size_t process, Actor stream) {
    Step& made = begin(process, kHost);
    follow(made, processes_[process].last[stream]);
    made.host_knows = true;
    processes_[process].clocks[kHost].join(processes_[process].clocks[stream]);
    write_down(process, kHost, SharedNode::Kind::known);
  }

  std::mt19937_64 random_;
  std::vector<Process> processes_;
  std::vector<Step> steps_;
  std::vector<std::size_t> records_;
  std::vector<std::size_t> notify_records_;
  std::size_t notify_waits_ = 0;
};

class GroupOracle {
 public:
  explicit GroupOracle(const std::vector<Step>& steps) : steps_(steps), before_(steps.size()) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      before_[i].insert(i);
      for (const std::size_t j : steps[i].behind) {
        before_[i].insert(before_[j].begin(), before_[j].end());
      }
    }
  }
  bool race(std::size_t a, std::size_t b) const {
    const Step &x = steps_[a], &y = steps_[b];
    if (!meet(a, b) || !ordertest::Oracle::clash(x.how, y.how)) return false;
    return !ordered(a, b);
  }
  bool ordered(std::size_t a, std::size_t b) const {
    return before_[b].contains(a) || before_[a].contains(b);
  }
  /// The two access the same bytes.
  bool meet(std::size_t a, std::size_t b) const {
    const Step &x = steps_[a], &y = steps_[b];
    return x.access && y.access && x.begin < y.end && y.begin < x.end;
  }
  bool same_process(std::size_t a, std::size_t b) const {
    return steps_[a].process == steps_[b].process;
  }
  /// Some host knew that `a` is over when `b` was asked for.
  bool known(std::size_t a, std::size_t b) const {
    for (std::size_t i = 0; i <= b; ++i) {
      if (i != b && steps_[i].host_knows && before_[i].contains(a)) return true;
    }
    return false;
  }
  struct Sums {
    std::size_t errors = 0, notes = 0, inside = 0;
  };
  Sums sums() const {
    Sums sums;
    for (std::size_t b = 0; b < steps_.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (!race(a, b)) continue;
        ++(same_process(a, b) ? sums.inside : known(a, b) ? sums.notes : sums.errors);
      }
    }
    return sums;
  }

 private:
  const std::vector<Step>& steps_;
  std::vector<std::set<std::size_t>> before_;  // steps, themselves included
};

}  // namespace

TEST_CASE("races between processes: none missed, none made up", "[process-group][random]") {
  std::size_t racy = 0, clean = 0;
  const std::vector<std::uint64_t> seeds = ordertest::seeds(ordertest::kPrograms);
  for (const std::uint64_t seed : seeds) {
    INFO("seed " << seed);
    const History history(seed);
    const GroupOracle oracle(history.steps());
    const auto findings = order::check_across_processes(history.logs()).findings;
    std::size_t errors = 0, inside = 0;
    for (const auto& finding : findings) {
      if (finding.rule == Rule::notify_unpaired) continue;
      // A finding names the two in an order that does not depend on the times.
      const std::size_t a = finding.op_info.place.line - 1, b = finding.other->place.line - 1;
      const std::size_t earlier = std::min(a, b), later = std::max(a, b);
      INFO(fmt::format("{} and {}", earlier, later));
      REQUIRE(oracle.race(earlier, later));
      if (oracle.same_process(earlier, later)) {
        ++inside;
        continue;
      }
      REQUIRE(oracle.known(earlier, later) == (finding.rule == Rule::host_threads_only));
      errors += finding.level == Level::error;
    }
    const GroupOracle::Sums sums = oracle.sums();
    REQUIRE(inside == sums.inside);
    // Behind a race inside of a process another one may hide.
    if (sums.inside == 0) {
      REQUIRE((errors != 0) == (sums.errors != 0));
      REQUIRE(findings.empty() == (sums.errors + sums.notes == 0));
      ++(sums.errors != 0 ? racy : clean);
    }
  }
  if (seeds.size() < 200) return;  // of few programs few are racy, by chance none
  CHECK(racy > seeds.size() / 25);
  CHECK(clean > seeds.size() / 25);
}

TEST_CASE("docs/development.md says what the random histories of processes contain",
          "[.][coverage]") {
  ordertest::MetAccesses met;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const History history(seed);
    const GroupOracle oracle(history.steps());
    for (std::size_t b = 0; b < history.steps().size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (!oracle.meet(a, b) || oracle.same_process(a, b)) continue;
        met.add(static_cast<std::size_t>(history.steps()[a].how),
                static_cast<std::size_t>(history.steps()[b].how), oracle.ordered(a, b));
      }
    }
  }
  ordertest::require_documented("histories of processes", met.table());
}
