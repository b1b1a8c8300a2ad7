// SPDX-License-Identifier: Apache-2.0
// Random programs: with every conflict ordered, with one of the needed edges taken out again, and
// wild ones.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "tests/order/oracle.h"
#include "tests/order/program.h"

namespace ordertest {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  /// A program without a race. Most of its synchronisation is necessary.
  Program clean() { return make(0); }
  /// A program in which this share of the conflicts (in percent) is left as it is.
  Program wild(unsigned percent) { return make(percent); }
  /// The program with one edge less, so that something races; nothing if no edge is needed.
  /// `certain`: it races however host threads synchronise; else only if they do not synchronise.
  std::optional<Program> with_bug(const Program& clean, bool certain = true);
  /// The edge that it took out, or moved.
  const Call& planted() const { return planted_; }

 private:
  Program make(unsigned percent);
  void start();
  void act();
  void work();
  void row();
  void stray();
  void touch_nothing();
  void shuffle();
  void turn_over_streams();

  /// Adds the call, and orders it after the calls that it conflicts with.
  void place(Call call);
  void put(Call call) { program_.calls.push_back(std::move(call)); }
  void order_behind(std::size_t earlier, const Call& later);
  void order_item(int from, const Call& later);
  void order_number(int from, const Call& later);
  void synchronize(int host, int stream, int event);
  void tell(int from, int to);
  void tell_everything(const Call& later);
  void order_by_notify(int from, int to);
  void put_word(What what, int stream, int word, std::uint64_t value);
  bool races(std::size_t call) { return !Oracle(program_).races_of(call).empty(); }

  std::vector<Touch> touches(int first_buffer, bool plain);
  How how(bool plain);
  Touch touch(int first_buffer, How how);
  Call item(What what, int stream, int object = -1, std::uint64_t value = 0);
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  int any_host() { return below(program_.hosts); }
  int any_stream() { return alive_[static_cast<std::size_t>(below(alive_count()))]; }
  int alive_count() const { return static_cast<int>(alive_.size()); }

  std::mt19937_64 random_;
  Program program_;
  Call planted_;
  unsigned left_ = 0;
  std::size_t hot_ = 0;  // where a word lies that many ops touch
  std::vector<int> alive_;
  std::vector<int> ended_by_;  // by stream: the host; -1: lives
  int events_ = 1;
  int counters_ = 0;
  std::vector<std::uint64_t> words_;     // by stream: the value of its word
  std::vector<std::uint64_t> notifies_;  // how often each was used
  std::uint64_t syncs_ = 0;
};

}  // namespace ordertest
