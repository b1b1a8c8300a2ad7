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

/// Lets the host threads of a program go on one at a time, in an order that a seed decides. A
/// thread takes part from its first call on: it asks at each call, keeps the turn token while it is
/// back in the program, and gives it up while it sleeps in the machine and when it ends. A holder
/// that makes no call for some milliseconds while others wait, and does not only lack a processor,
/// is taken to be blocked outside and loses the turn token.
///
/// Where the order of two threads hangs on which of them came first, real time has a say: a thread
/// that comes from outside while another holds the turn token. The functions that can find that out
/// return true then.
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
  /// Takes the turn token if nobody has it; true when the caller has it afterwards.
  bool take_if_free();
  /// Gives the turn token up, if the caller has it.
  bool give_up();

  /// Something can move: sleepers ask for the turn token.
  void wake_all();
  /// The same for those whose target is reached.
  void wake_reached();
  /// True while somebody has it.
  bool held() const;
  /// False when that thread (what pthread_self says in it) holds the turn token, asks for it or
  /// sleeps in the machine: it cannot serve callbacks now.
  bool is_elsewhere(std::uint64_t thread) const;

 private:
  struct Player {
    Parker* parker = nullptr;
    ThreadOrder::Place order;  // as threads were created
    bool asking = false;
    bool unsure = false;             // asks since a moment that only real time knows
    bool dozing = false;             // asks in its sleep: it can take the turn token from nobody
    const Stream* stream = nullptr;  // asleep for it
    std::uint64_t target = 0;
  };
  struct Farewell;

  Player& me();  // these with mutex_
  void ask(Player& player, bool unsure);
  template <class Which>
  void wake(Which which);
  bool settle_unsure();
  void hand_to(Player& player);
  void pass_on();
  void go_out();
  void rouse();
  Player& pick(Player* with);
  void await(sim::UniqueLock<sim::Mutex>& guard, Player& player);
  void forget(std::uint64_t thread);  // takes mutex_

  mutable sim::Mutex mutex_;
  std::mt19937_64 random_;
  ThreadOrder order_;
  std::unordered_map<std::uint64_t, Player> players_;  // by pthread_self
  std::map<ThreadOrder::Place, Player*> asking_;       // by order: the same every run
  Player* holder_ = nullptr;
  bool inside_ = false;                     // the holder is inside the machine
  Deadline stolen_at_ = Deadline::never();  // when a holder outside loses the turn token ...
  LoadAwareDeadline extension_{
      std::chrono::nanoseconds(0)};  // ... unless it, or who comes, lacks a processor
};

}  // namespace sim
