// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device_sim/streams/signal.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/order/engine/engine.h"
#include "runtime/order/processes/process_group.h"

namespace sim {
class Memory;
class Word;
struct Op;
}  // namespace sim

namespace acl {

class Notify;
class Reporter;
class UnknownWriters;

/// A value in a page that other processes may map too.
struct SharedValue {
  order::SharedObject object;
  // Counters of a notify in the same page; null: an event, whose records are numbered.
  std::atomic<std::uint64_t>* records = nullptr;
  std::atomic<std::uint64_t>* waits = nullptr;
};

/// The signals and words that streams wait for, as nodes and variables of the order engine. Each
/// carries its own in its slot for a listener (`attached`).
class SyncObjects {
 public:
  struct Use {
    order::Epoch when;
    order::OpInfo op_info;
  };
  /// The state that a signal or a word carries.
  struct Attached {
    Attached() noexcept {}    // NOLINT: if it is defaulted, make_shared writes all zeros first
    order::Node node;         // of its record
    bool recorded = false;    // `node` is in use
    std::uint32_t index = 0;  // of this object in recent_
    bool reported = false;    // `event_recorded` was called for it
    std::shared_ptr<order::Variable> variable;  // of a flag or a value
    // Of a flag, in the order of the calls: a wait followed its record; then another record did.
    bool waited = false;
    bool stale = false;
    bool once = false;  // the flag of one record
    order::OpInfo last_wait;
    std::unique_ptr<SharedValue> shared;  // null: not shared with other processes
    std::vector<Use> waits;               // of a notify: the last wait of each stream
  };

  SyncObjects(sim::Memory& memory, CheckLock& lock, Actors& actors, Reporter& reporter,
              const UnknownWriters& unknown_writers)
      : memory_(memory),
        lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        reporter_(reporter),
        unknown_writers_(unknown_writers) {}

  // --- signals ---
  static Attached& attached(sim::Signal& signal) {
    if (!signal.attached) signal.attached = std::make_shared<Attached>();
    return *static_cast<Attached*>(signal.attached.get());
  }
  /// Null: the signal was not recorded, or is a flag.
  static order::Node* node_of(const sim::Signal& signal) {
    auto* const at = static_cast<Attached*>(signal.attached.get());
    return at && at->recorded ? &at->node : nullptr;
  }
  /// The clock of a wait for the flag that has ended; nothing if the signal is none.
  static std::optional<order::VectorClock> passed_flag(const sim::Signal& signal)
      REQUIRES(check_lock);
  order::Node& new_node(sim::Signal& signal) REQUIRES(check_lock);
  /// The event has been recorded again, with another signal: releases the node of this one, if the
  /// thread that recorded the event has reported that.
  void release_node(sim::Signal& signal) REQUIRES(check_lock) {
    const auto& at = *static_cast<Attached*>(signal.attached.get());
    if (!at.reported) return;
    // The next record takes the node. Otherwise the thread that ends the last op with the signal
    // would have to free it.
    next_recent_ = at.index;
    signal.attached.reset();
  }
  void make_flag(sim::Signal& signal) EXCLUDES(check_lock);
  /// The same for a signal of one record, unless it is a flag or was recorded.
  void make_flag_once(sim::Signal& signal) EXCLUDES(check_lock);

  // --- words ---
  std::shared_ptr<order::Variable> variable(sim::Word& word, const char* name) REQUIRES(check_lock);
  /// The variable of a word of device memory.
  std::shared_ptr<order::Variable> value_at(std::uintptr_t address) REQUIRES(check_lock);
  void make_shared(sim::Word& word, const char* name, const SharedValue& shared)
      EXCLUDES(check_lock);
  /// Null: not shared with other processes.
  static const SharedValue* shared_of(const sim::Word& word);
  static const SharedValue* shared_of(const sim::Op& op);
  /// Keeps the last wait of each stream: a thread that is ordered after it is ordered after the
  /// earlier ones.
  void keep_wait(sim::Word& word, Use use) REQUIRES(check_lock);

  // --- notifies ---
  void notify_created(const Notify& notify) EXCLUDES(check_lock);
  void notify_destroying(const Notify& notify) EXCLUDES(check_lock);
  void notify_destroyed(const Notify& notify) EXCLUDES(check_lock);
  void notify_reset(const Notify& notify) EXCLUDES(check_lock);
  /// The program ends.
  void report_unpaired_notifies() REQUIRES(check_lock);

  void clear() REQUIRES(check_lock) { notifies_.clear(); }

 private:
  void report_unpaired(order::Variable& notify, const char* when) REQUIRES(check_lock);

  sim::Memory& memory_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  const UnknownWriters& unknown_writers_;
  std::uint32_t next_recent_ GUARDED_BY(check_lock) = 0;
  // The state of recent records, for reuse.
  std::array<std::shared_ptr<Attached>, 64> recent_ GUARDED_BY(check_lock);
  std::vector<std::weak_ptr<order::Variable>> notifies_ GUARDED_BY(check_lock);
};

/// An access to a word that tasks wait for or write.
inline order::Access word_access(std::uintptr_t address, bool write) {
  return {address, sizeof(std::uint64_t), write, false, false, order::AccessKind::atomic};
}

}  // namespace acl
