// SPDX-License-Identifier: Apache-2.0
#include "tests/order/oracle.h"

#include <algorithm>
#include <cstddef>

namespace ordertest {
namespace {

template <class T>
T& at(std::vector<T>& all, int index, T fresh) {
  const auto i = static_cast<std::size_t>(index);
  if (i >= all.size()) all.resize(i + 1, fresh);
  return all[i];
}

}  // namespace

Oracle::Oracle(const Program& program)
    : program_(program), of_(program.calls.size()), frees_(kBuffers) {
  for (std::size_t i = 0; i < of_.size(); ++i) {
    add_points(i);
    const Call& call = program_.calls[i];
    if (call.what == What::wait) of_[i].bound = last_record(i);
    const bool nothing = call.what == What::wait && of_[i].bound == kNone;
    if (is_item(call) && !nothing) add_item(i);
    add_meaning(i);
  }
  add_pairs();
  well_formed_ = close() && notifies_alternate();
  if (!well_formed_) return;
  find_races();
}

Oracle::Node Oracle::add() {
  edges_.emplace_back();
  into_.emplace_back();
  return edges_.size() - 1;
}

void Oracle::edge(Node from, Node to) {
  if (from == kNone) return;
  edges_[from].push_back(to);
  into_[to].push_back(from);
}

// The operations of a host thread have the order of its calls.
void Oracle::add_points(std::size_t i) {
  const Call& call = program_.calls[i];
  Nodes& nodes = of_[i];
  Node& last = at(last_of_host_, call.host, kNone);
  nodes.before_in_host = last;
  nodes.point = add();
  edge(last, nodes.point);
  last = nodes.point;
  if (call.what != What::tell) return;
  Node& hearer = at(last_of_host_, call.other, kNone);
  nodes.heard = add();
  edge(hearer, nodes.heard);
  edge(nodes.point, nodes.heard);
  hearer = nodes.heard;
}

// An item comes after the previous item of its stream, and after the earlier calls of its thread.
void Oracle::add_item(std::size_t i) {
  const Call& call = program_.calls[i];
  Nodes& nodes = of_[i];
  Node& last = at(last_of_stream_, call.stream, kNone);
  nodes.item = nodes.tail = add();
  edge(last, nodes.item);
  edge(nodes.point, nodes.item);
  if (call.what == What::callback) {
    Node& served = at(last_served_, call.stream, kNone);
    nodes.served = add();
    edge(served, nodes.served);
    edge(nodes.item, nodes.served);
    served = nodes.served;
    if (call.blocking) {
      nodes.tail = add();
      edge(nodes.item, nodes.tail);
      edge(nodes.served, nodes.tail);
    }
  }
  at(last_of_stream_, call.stream, kNone) = nodes.tail;
}

// The items that a synchronise that begins with this call waits for.
std::vector<Oracle::Node> Oracle::targets(std::size_t i) const {
  const Call& call = program_.calls[i];
  if (call.stream >= 0) {
    const auto stream = static_cast<std::size_t>(call.stream);
    if (stream < last_of_stream_.size()) return {last_of_stream_[stream]};
    return {};
  }
  if (call.object < 0) return last_of_stream_;
  return {last_record(i)};
}

// The last record of the event of call i before that call.
Oracle::Node Oracle::last_record(std::size_t i) const {
  for (std::size_t k = i; k-- > 0;) {
    const Call& other = program_.calls[k];
    const bool same = other.object == program_.calls[i].object;
    if (other.what == What::record && same) return of_[k].item;
  }
  return kNone;
}

void Oracle::add_meaning(std::size_t i) {
  const Call& call = program_.calls[i];
  Nodes& nodes = of_[i];
  switch (call.what) {
    case What::wait:
      if (nodes.item != kNone) edge(nodes.bound, nodes.item);
      break;
    case What::sync_begin:
      nodes.targets = targets(i);
      break;
    case What::sync_end:
      for (std::size_t k = 0; k < i; ++k) {
        const Call& other = program_.calls[k];
        if (other.what != What::sync_begin || other.value != call.value) continue;
        nodes.targets = of_[k].targets;
        for (const Node target : nodes.targets) edge(target, nodes.point);
      }
      break;
    case What::destroy:
      for (const Node target : targets(i)) edge(target, nodes.point);
      at(last_of_stream_, call.stream, kNone) = kNone;
      break;
    case What::create:
      at(last_of_stream_, call.stream, kNone) = nodes.point;
      break;
    case What::free:
      frees_[static_cast<std::size_t>(call.object)].push_back(i);
      break;
    default:
      break;
  }
}

// Changes of numbers and the waits for them, in any order of issue.
void Oracle::add_pairs() {
  for (std::size_t i = 0; i < of_.size(); ++i) {
    const Call& wait = program_.calls[i];
    for (std::size_t k = 0; k < of_.size(); ++k) {
      const Call& change = program_.calls[k];
      if (change.object != wait.object) continue;
      const bool pairs = (wait.what == What::notify_wait && change.what == What::notify &&
                          change.value == wait.value) ||
                         (wait.what == What::word_wait && change.what == What::write_word &&
                          change.value == wait.value) ||
                         (wait.what == What::counter_wait && change.what == What::add);
      if (!pairs) continue;
      edge(of_[k].item, of_[i].item);
      of_[i].bound = of_[k].item;
    }
  }
}

// Takes nodes whose predecessors were all taken; false when some are left over.
bool Oracle::close() {
  const std::size_t count = edges_.size();
  const std::size_t words = (count + 63) / 64;
  ancestors_.assign(count, std::vector<std::uint64_t>(words, 0));
  std::vector<std::size_t> missing(count, 0);
  for (const auto& out : edges_) {
    for (const Node to : out) ++missing[to];
  }
  std::vector<Node> ready;
  for (Node node = 0; node < count; ++node) {
    if (missing[node] == 0) ready.push_back(node);
  }
  std::size_t taken = 0;
  for (; !ready.empty(); ++taken) {
    const Node from = ready.back();
    ready.pop_back();
    for (const Node to : edges_[from]) {
      for (std::size_t w = 0; w < words; ++w) ancestors_[to][w] |= ancestors_[from][w];
      ancestors_[to][from / 64] |= std::uint64_t{1} << (from % 64);
      if (--missing[to] == 0) ready.push_back(to);
    }
  }
  return taken == count;
}

bool Oracle::before(Node a, Node b) const { return (ancestors_[b][a / 64] >> (a % 64) & 1) != 0; }

// Before the item of the call, also if what the call means did not order it.
bool Oracle::before_without_pair(Node node, std::size_t call) const {
  const Nodes& nodes = of_[call];
  const auto& into = into_[nodes.item];
  const bool twice = std::count(into.begin(), into.end(), nodes.bound) > 1;
  return std::any_of(into.begin(), into.end(), [&](Node from) {
    if (from == nodes.bound && !twice) return false;
    return from == node || before(node, from);
  });
}

// The successors of a wait for a notify: its next record, and its next wait, which could consume
// the record instead.
bool Oracle::notifies_alternate() const {
  for (std::size_t i = 0; i < of_.size(); ++i) {
    const Call& wait = program_.calls[i];
    if (wait.what != What::notify_wait) continue;
    for (std::size_t k = 0; k < of_.size(); ++k) {
      const Call& other = program_.calls[k];
      const bool same = (other.what == What::notify || other.what == What::notify_wait) &&
                        other.object == wait.object;
      if (!same || other.value <= wait.value) continue;
      if (!before_without_pair(of_[i].tail, k)) return false;
    }
  }
  return true;
}

Oracle::Node Oracle::owner(std::size_t i) const {
  const Nodes& nodes = of_[i];
  if (nodes.served != kNone) return nodes.served;
  return nodes.item != kNone ? nodes.item : nodes.point;
}

void Oracle::find_races() {
  for (std::size_t a = 0; a < of_.size(); ++a) {
    for (std::size_t b = a + 1; b < of_.size(); ++b) {
      if (program_.calls[a].touches.empty() || program_.calls[b].touches.empty()) continue;
      if (!ordered(a, b)) compare(a, b);
    }
  }
}

bool Oracle::clash(How a, How b) {
  constexpr bool kClash[kHows][kHows] = {
      // read write  sum   max    set    wait
      {false, true, true, true, false, false},    // read
      {true, true, true, true, true, false},      // write
      {true, true, false, true, true, false},     // sum
      {true, true, true, false, true, false},     // max
      {false, true, true, true, false, false},    // set a word
      {false, false, false, false, false, false}  // wait for it
  };
  return kClash[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

// The call that frees them is the last user.
bool Oracle::freed_between(std::size_t a, std::size_t b, std::size_t byte) const {
  const std::vector<std::size_t>& frees = frees_[byte / kBufferSize];
  return std::any_of(frees.begin(), frees.end(),
                     [&](std::size_t free) { return free >= a && free < b; });
}

// No access of any kind to freed memory is allowed.
void Oracle::compare(std::size_t a, std::size_t b) {
  const bool frees = program_.calls[a].what == What::free || program_.calls[b].what == What::free;
  for (const Touch& first : program_.calls[a].touches) {
    for (const Touch& second : program_.calls[b].touches) {
      if (!frees && !clash(first.how, second.how)) continue;
      const std::size_t begin = std::max(first.begin, second.begin);
      const std::size_t end = std::min(first.begin + first.size, second.begin + second.size);
      if (begin >= end || freed_between(a, b, begin)) continue;
      races_.push_back({a, b, begin, end - begin});
    }
  }
}

std::vector<Oracle::Race> Oracle::races_of(std::size_t call) const {
  std::vector<Race> found;
  for (const Race& race : races_) {
    if (race.first == call || race.second == call) found.push_back(race);
  }
  return found;
}

bool Oracle::race_between(std::size_t a, std::size_t b, std::size_t begin, std::size_t size) const {
  return std::any_of(races_.begin(), races_.end(), [&](const Race& race) {
    return race.first == std::min(a, b) && race.second == std::max(a, b) && race.begin <= begin &&
           begin + size <= race.begin + race.size;
  });
}

bool Oracle::redundant(std::size_t wait) const {
  return before_without_pair(of_[wait].bound, wait);
}

std::optional<bool> Oracle::learns(std::size_t sync_end) const {
  const Nodes& nodes = of_[sync_end];
  bool learns = false;
  for (const Node target : nodes.targets) {
    if (target == kNone) continue;
    const bool created = std::any_of(of_.begin(), of_.end(),
                                     [&](const Nodes& other) { return other.point == target; });
    if (created) return std::nullopt;
    const Node last = nodes.before_in_host;
    learns |= last == kNone || (target != last && !before(target, last));
  }
  return learns;
}

bool Oracle::knew(std::size_t earlier, std::size_t later, bool surely) const {
  const Node node = owner(earlier);
  const auto covers = [&](Node point) {
    return point != kNone && (point == node || before(node, point));
  };
  // A function's thread runs only functions: it publishes none of its accesses in them.
  const auto served_by_the_same = [&](std::size_t i) {
    return of_[earlier].served != kNone &&
           program_.calls[i].stream == program_.calls[earlier].stream;
  };
  for (std::size_t i = 0; i < later; ++i) {
    if (covers(of_[i].point) || covers(of_[i].heard)) return true;
    if (!surely && covers(of_[i].served) && !served_by_the_same(i)) return true;
  }
  return false;
}

bool Oracle::host_knew(std::size_t earlier, std::size_t later) const {
  return knew(earlier, later, true);
}

bool Oracle::host_may_have_known(std::size_t earlier, std::size_t later) const {
  return knew(earlier, later, false);
}

}  // namespace ordertest
