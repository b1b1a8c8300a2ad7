// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/ascendc/ranks/turn.h"

namespace ascendc::ranks {

/// The ranks of a communicator, as their kernels meet in it. Any thread.
///
/// The n-th turn that a rank commits meets the n-th turn of each other rank. After a failure all
/// ranks fail.
class Group {
 public:
  Group(std::string name, std::uint32_t ranks) : name_(std::move(name)), ranks_(ranks) {}

  /// The group of a communicator by its number; the first caller makes it. It lives as long as the
  /// process, because a rank may come after another one has failed.
  static std::shared_ptr<Group> of(std::uint64_t number, const std::string& name,
                                   std::uint32_t ranks);

  const std::string& name() const noexcept { return name_; }

  /// A kernel of the rank begins to prepare tasks. False: another one has not left yet.
  bool enter(std::uint32_t rank, const std::string& kernel);
  /// It is over. Turns of the rank that are not carried out fail the group.
  void leave(std::uint32_t rank, const std::string& why);

  /// Adds a turn of the rank, and carries out what all ranks have committed. Returns its number.
  std::uint64_t commit(std::uint32_t rank, Turn turn);

  enum class State : std::uint8_t { waits, over, failed };
  State state(std::uint64_t turn) const;
  /// Returns when the turn is over, the group has failed, or the time has passed.
  State wait(std::uint64_t turn, std::chrono::microseconds most);
  /// "rank 0 waits in AllReduce of 8 elements of float (main.cpp:18) for rank 1, whose kernel has
  /// not committed it"
  std::string waits_for(std::uint32_t rank, std::uint64_t turn) const;
  void fail(const std::string& why);
  /// Why it failed; empty: it has not.
  std::string failure() const;

 private:
  struct Rank {
    bool inside = false;
    std::string kernel{};
    std::deque<Turn> turns{};  // committed, and not carried out
    std::uint64_t committed = 0;
  };
  State state_of(std::uint64_t turn) const REQUIRES(mutex_);
  void fail_with(const std::string& why) REQUIRES(mutex_);
  void carry_out_next() REQUIRES(mutex_);

  const std::string name_;
  mutable sim::Mutex mutex_;
  sim::CondVar changed_;
  std::vector<Rank> ranks_ GUARDED_BY(mutex_);
  std::uint64_t over_ GUARDED_BY(mutex_) = 0;  // turns
  std::string failure_ GUARDED_BY(mutex_);
};

}  // namespace ascendc::ranks
