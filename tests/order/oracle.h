// SPDX-License-Identifier: Apache-2.0
// The order of the operations of a program, by brute force: a graph of all operations and its
// transitive closure. Shares nothing with the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/order/program.h"

namespace ordertest {

class Oracle {
 public:
  explicit Oracle(const Program& program);

  /// Bytes that two calls touch without order, one of them writing.
  struct Race {
    std::size_t first;  // calls, the one that was issued first first
    std::size_t second;
    std::size_t begin;
    std::size_t size;
  };
  const std::vector<Race>& races() const { return races_; }
  /// Those with one call.
  std::vector<Race> races_of(std::size_t call) const;
  bool race_between(std::size_t a, std::size_t b, std::size_t begin, std::size_t size) const;
  /// Two unordered accesses of these kinds conflict.
  static bool clash(How a, How b);
  /// One of two calls that touch memory comes before the other.
  bool ordered(std::size_t a, std::size_t b) const {
    return before(owner(a), owner(b)) || before(owner(b), owner(a));
  }
  /// The bytes were freed after call `a`, and before `b`: what `b` touches are others.
  bool freed_between(std::size_t a, std::size_t b, std::size_t byte) const;

  /// False: a cycle, or a notify that is used again before it was waited for.
  bool well_formed() const { return well_formed_; }
  /// A wait for an event that was recorded before.
  bool is_bound(std::size_t call) const {
    return program_.calls[call].what == What::wait && of_[call].bound != kNone;
  }
  /// Such a wait orders nothing new.
  bool redundant(std::size_t wait) const;
  /// The clock of the thread of a sync_end advances; none for streams without items.
  std::optional<bool> learns(std::size_t sync_end) const;
  /// Before the later call is issued some host thread is sure to know that the earlier one is over.
  bool host_knew(std::size_t earlier, std::size_t later) const;
  /// As host_knew, but also when a callback's thread may or may not have known it.
  bool host_may_have_known(std::size_t earlier, std::size_t later) const;

 private:
  using Node = std::size_t;
  static constexpr Node kNone = ~Node{0};
  struct Nodes {
    Node point = kNone;   // in the host thread
    Node heard = kNone;   // `tell`: in the other host thread
    Node item = kNone;    // in the stream
    Node served = kNone;  // callback: in its thread
    Node tail = kNone;    // in the stream, when it is over
    Node bound = kNone;   // wait: the record or notify or notify
    Node before_in_host = kNone;
    std::vector<Node> targets;  // sync
  };

  Node add();
  void edge(Node from, Node to);
  void add_points(std::size_t call);
  void add_item(std::size_t call);
  void add_meaning(std::size_t call);
  void add_pairs();
  Node last_record(std::size_t call) const;
  bool close();
  bool notifies_alternate() const;
  bool before_without_pair(Node node, std::size_t call) const;
  bool before(Node a, Node b) const;
  Node owner(std::size_t call) const;
  void find_races();
  void compare(std::size_t a, std::size_t b);
  std::vector<Node> targets(std::size_t sync_begin) const;
  bool knew(std::size_t earlier, std::size_t later, bool surely) const;

  const Program& program_;
  std::vector<Nodes> of_;  // per call
  std::vector<std::vector<Node>> edges_;
  std::vector<std::vector<Node>> into_;  // the same, from their ends
  std::vector<Node> last_of_host_;
  std::vector<Node> last_of_stream_;
  std::vector<Node> last_served_;
  std::vector<std::vector<std::uint64_t>> ancestors_;
  std::vector<std::vector<std::size_t>> frees_;  // per buffer: the calls
  std::vector<Race> races_;
  bool well_formed_ = true;
};

}  // namespace ordertest
