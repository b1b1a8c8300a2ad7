// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <unordered_map>

#include "device_sim/base/clock.h"
#include "device_sim/base/load_aware_deadline.h"
#include "device_sim/base/mutex.h"
#include "device_sim/drivers/thread_order.h"

namespace sim {

class Parker;
class Stream;

/// Lets the host threads of a program continue one at a time, in an order that a seed decides. A
/// thread takes part from its first call on: it requests the turn token at each call, keeps it
/// while it is back in the program, and gives it up while it sleeps in the machine and when it
/// ends. If a holder makes no call for some milliseconds while others wait, and does not merely
/// lack a processor, the runtime assumes that it is blocked outside, and it loses the turn token.
///
/// Real time influences the order if a thread comes from outside while another thread holds the
/// turn token: the order then depends on which of them came first. The functions that can detect
/// this return true in that case.
class TurnToken : public std::enable_shared_from_this<TurnToken> {
 public:
  explicit TurnToken(std::uint64_t seed);

  /// A call of the calling thread begins; returns when it may go on, as the holder.
  bool enter();
  /// The holder goes back to the program.
  void out();
  /// The calling thread is in the machine again. False when it is not the holder (any more).
  bool back();
  /// The holder is about to sleep until that many ops of the stream have left it, or anything
  /// moves.
  bool sleep(const Stream& stream, std::uint64_t target);
  /// The calling thread slept, or was never the holder: returns when it is.
  void resume();
  bool mine() const;
  /// True when the caller, asleep until now, has the turn token or asks for it: it is to resume.
  bool called() const;
  /// Takes the turn token if no thread holds it; true when the caller holds it afterwards.
  bool take_if_free();
  /// Gives the turn token up, if the caller has it.
  bool give_up();

  /// Something can move: sleepers ask for the turn token.
  void wake_all();
  /// The same for those whose target is reached.
  void wake_reached();
  /// True while a thread holds it.
  bool held() const;
  /// False when that thread (what pthread_self says in it) holds the turn token, asks for it or
  /// sleeps in the machine: it cannot serve callbacks now.
  bool is_elsewhere(std::uint64_t thread) const;

 private:
  struct Player {
    Parker* parker = nullptr;
    ThreadOrder::Position order;  // as threads were created
    bool asking = false;
    bool unsure = false;             // asks since a moment that only real time knows
    bool dozing = false;             // asks while asleep: it cannot take the token from a holder
    const Stream* stream = nullptr;  // asleep for it
    std::uint64_t target = 0;
  };
  struct Farewell;

  Player& me() REQUIRES(mutex_);
  void ask(Player& player, bool unsure) REQUIRES(mutex_);
  template <class Which>
  void wake(Which which) EXCLUDES(mutex_);
  bool settle_unsure() REQUIRES(mutex_);
  void hand_to(Player& player) REQUIRES(mutex_);
  void pass_on() REQUIRES(mutex_);
  void go_out() REQUIRES(mutex_);
  void rouse() REQUIRES(mutex_);
  Player& pick(Player* with) REQUIRES(mutex_);
  /// Releases mutex_ while it sleeps.
  void await(Player& player) REQUIRES(mutex_);
  void forget(std::uint64_t thread) EXCLUDES(mutex_);

  mutable sim::Mutex mutex_;
  std::mt19937_64 random_ GUARDED_BY(mutex_);
  ThreadOrder order_ GUARDED_BY(mutex_);
  // By pthread_self.
  std::unordered_map<std::uint64_t, Player> players_ GUARDED_BY(mutex_);
  // By the order in which the threads were created, which is the same in every run.
  std::map<ThreadOrder::Position, Player*> asking_ GUARDED_BY(mutex_);
  Player* holder_ GUARDED_BY(mutex_) = nullptr;
  bool inside_ GUARDED_BY(mutex_) = false;  // the holder is inside the machine
  // When a holder outside loses the turn token, unless it or a requesting thread lacks a processor.
  Deadline stolen_at_ GUARDED_BY(mutex_) = Deadline::never();
  LoadAwareDeadline extension_ GUARDED_BY(mutex_){std::chrono::nanoseconds(0)};
};

}  // namespace sim
