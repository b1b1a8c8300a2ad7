// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/conflict_reporter.h"
#include "runtime/order/engine/engine_observer.h"
#include "runtime/order/engine/graph_op.h"
#include "runtime/order/engine/host_threads.h"
#include "runtime/order/engine/host_touches.h"
#include "runtime/order/engine/overtaking_accesses.h"
#include "runtime/order/engine/shadow.h"
#include "runtime/order/engine/variable.h"

namespace order {

/// The accesses to memory: records each of them, reports its conflicts with earlier ones, and keeps
/// the memory words that streams wait for.
class Accesses {
 public:
  Accesses(const Clocks& clocks, const HostThreads& hosts, ConflictReporter& reporter,
           EngineObserver* observer)
      : clocks_(clocks), hosts_(hosts), reporter_(reporter), observer_(observer) {}

  /// The actor's accesses, which happen now. If several accesses of one actor conflict with the
  /// operation, the last one that was called before it is reported, or the first one after it: an
  /// order with that one orders all of them.
  /// `hosts_at_issue`: the clock of all hosts when the operation was issued; null: it is issued
  /// now.
  void take(Actor actor, const OpInfo& op_info, std::span<const Access> accesses,
            const VectorClock* hosts_at_issue);
  /// The same for ops of a stream that follow each other. Advances the stream's clock.
  /// `overtakes`: they may be taken in before operations that were called earlier.
  void take(Actor stream, VectorClock& clock, std::span<const GraphOp> ops,
            const VectorClock* hosts_at_issue, bool overtakes);
  /// From here on a stream is blocked: its operations will be taken in late.
  void begin_overtaking() noexcept { overtakes_ = true; }
  /// No stream is blocked any more.
  void end_overtaking() noexcept {
    overtakes_ = false;
    overtaking_.clear();
  }
  /// The host frees the range: reports operations that may still use it, but none of the actors for
  /// which `skip` is true. True: there are some.
  using Skip = std::function<bool(Actor)>;
  bool report_users(Actor host, const OpInfo& op_info, const Access& range,
                    const VectorClock* hosts_at_issue, const Skip& skip);
  /// Forgets the accesses to the bytes.
  void erase(const Access& range) {
    shadow_.erase(range.begin, range.size);
    if (overtakes_) overtaking_.erase(range);
    if (touches_) [[unlikely]]
      touches_->erase(range);
  }
  /// Host code of the thread accesses the byte, outside of calls. True: it conflicts.
  bool touched(Actor host, const OpInfo& op_info, const Access& byte, Actor counter);
  /// Forgets the words in the bytes.
  void erase_words(const Access& range);

  const Shadow& shadow() const noexcept { return shadow_; }
  /// The memory word at the address, which ops may write without `change`. Kept until the memory
  /// is freed.
  const std::shared_ptr<Variable>& word(std::uintptr_t address);
  /// Joins the clocks of the writers of the word, which a wait has seen.
  void join_writer(VectorClock& clock, std::uintptr_t address) const;
  /// An op whose end no thread is ordered after may have written the word as data.
  bool may_be_written(const Variable& word) const;

 private:
  void overwrite_words(const Access& range);
  bool covers(const Shadow::Conflict& one, const Shadow::Conflict& other, const OpInfo& now) const;
  void keep_closest_of_each_actor(const OpInfo& now);
  void look_at_overtaking(Actor actor, const OpInfo& op_info, std::span<const Access> accesses);
  void attend(Actor actor, const OpInfo& op_info, const Access& access,
              const VectorClock* hosts_at_issue);

  const Clocks& clocks_;
  const HostThreads& hosts_;
  ConflictReporter& reporter_;
  EngineObserver* observer_;
  std::map<std::uintptr_t, std::shared_ptr<Variable>> words_;  // with waits, by address
  Shadow shadow_;
  OvertakingAccesses overtaking_;
  bool overtakes_ = false;
  std::unique_ptr<HostTouches> touches_;     // null: host code was not seen to touch anything
  bool attends_ = false;                     // there are words or touches
  std::vector<Shadow::Conflict> conflicts_;  // of one call, else empty; kept for its capacity
};

}  // namespace order
