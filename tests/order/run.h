// SPDX-License-Identifier: Apache-2.0
// A small machine that runs a program in some order that its meaning allows, and reports to the
// engine.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "runtime/order/engine/engine.h"
#include "tests/order/program.h"

namespace ordertest {

/// The access in the form that the engine gets.
order::Access access(std::uintptr_t begin, std::size_t size, How how);

/// How far the machine runs ahead of the program.
enum class Pace : std::uint8_t { eager, random, lazy };

class Run {
 public:
  Run(const Program& program, Pace pace, std::uint64_t seed);

  /// In order of appearance. The site of an operation is the number of its call, from 1.
  const std::vector<order::Finding>& found() const { return found_; }
  /// By call: whether a sync_end learnt anything.
  const std::map<std::size_t, bool>& advanced() const { return learnt_; }
  /// The operations that never completed; empty: none.
  const std::string& stuck() const { return stuck_; }

 private:
  struct Item {
    std::size_t call;
    order::CompletionId completion_id = 0;
    std::size_t needs = kNothing;  // an item that must be over before: the record of a wait
  };
  struct Stream {
    order::Actor actor = 0;
    order::Actor server = 0;
    std::deque<Item> items;  // not over
    std::deque<Item> calls;  // for the server, in order
    bool called = false;     // the first item is a callback that has been handed to the server
    bool serving = false;    // the first of `calls` has begun
  };
  struct Sync {
    std::vector<std::pair<int, std::uint32_t>> streams;  // and how far each was issued
    std::shared_ptr<order::Node> node;
    std::vector<std::size_t> needs;
  };
  struct Row {  // of ops that touch nothing, by one host
    int stream;
    int host;
    std::uint32_t more;  // than the engine knows
  };
  static constexpr std::size_t kNothing = ~std::size_t{0};

  const Call& call(std::size_t index) const { return program_.calls[index]; }
  Stream& stream(const Call& c) { return streams_[static_cast<std::size_t>(c.stream)]; }
  order::Actor host(const Call& c) const { return hosts_[static_cast<std::size_t>(c.host)]; }
  order::OpInfo op_info(std::size_t index) const;
  static std::vector<order::Access> accesses(const Call& c);

  void open_stream(int index, order::Actor actor);
  void end_hosts(std::size_t index);
  void advance(Pace pace);
  void issue(std::size_t index);
  void issue_item(std::size_t index);
  void issue_op(std::size_t index);
  bool concerns_batched(const Call& c) const;
  void tell_batched();
  void issue_number(std::size_t index, Item& item);
  void begin_sync(std::size_t index);
  void end_sync(std::size_t index);
  void destroy(std::size_t index);
  bool step();
  bool can_step(const Stream& s) const;
  void step(Stream& s);
  void finish(Stream& s);
  void serve(Stream& s);
  void tell_quiet();
  bool over(std::size_t item) const { return item == kNothing || over_[item]; }
  void run_until_over(const std::vector<std::size_t>& needs);

  const Program program_;
  std::mt19937_64 random_;
  std::vector<order::Finding> found_;
  std::map<std::size_t, bool> learnt_;
  order::Engine engine_;
  std::vector<order::Actor> hosts_;
  std::vector<Stream> streams_;
  std::vector<bool> over_;  // by call
  std::optional<Row> row_;
  std::vector<order::Engine::Call> quiet_;  // callbacks that did nothing, and were not reported yet
  std::map<int, std::pair<std::shared_ptr<order::Node>, std::size_t>> events_;
  std::map<std::pair<What, int>, std::shared_ptr<order::Variable>> numbers_;
  std::map<std::pair<What, int>, std::uint64_t> values_;  // as the machine has them
  std::map<std::uint64_t, Sync> syncs_;
  std::string stuck_;
};

}  // namespace ordertest
