// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "device_sim/ref.h"
#include "device_sim/signal.h"
#include "device_sim/spin_lock.h"
#include "runtime/acl/handle_table.h"

namespace acl {

class Context;
class Event;
class Runtime;
class Stream;

using EventTable = HandleTable<Event, HandleKind::event>;

/// An ACL event. Two natures:
///  - bound (default and Ex events): each record makes a new signal; a wait takes the signal of the
///    latest record at the time of the call;
///  - flag (old events with SYNC, or EXTERNAL): one signal that a record sets and a reset clears;
///    a wait passes when the flag is set, and may come before the record.
class Event : public sim::RefCounted<Event> {
 public:
  enum class Kind : std::uint8_t { plain, with_flag, ex };

  Event(Runtime& runtime, Context& context, Kind kind, std::uint32_t flags);
  ~Event();

  Context& context() const noexcept { return *context_; }
  bool is_ex() const noexcept { return kind_ == Kind::ex; }
  std::uint32_t flags() const noexcept { return flags_; }
  bool external() const noexcept;
  bool timed() const noexcept;
  /// Wait tasks on it are allowed.
  bool can_be_waited_for() const noexcept;
  /// The hardware number that the event holds; nullopt when it holds none (yet).
  std::optional<std::uint32_t> id() const;

  void record(Stream& stream);
  /// Enqueues a wait with a limit (0: none); does nothing where the runtime does nothing.
  void enqueue_wait(Stream& stream, std::uint64_t timeout_ns);
  void reset(Stream& stream);

  enum class Status : std::uint8_t { never_recorded, pending, done, reset };
  Status status() const;
  bool waits_outstanding() const;

  enum class SyncResult : std::uint8_t { done, timed_out };
  /// Blocks until the latest record has run; raises the error that its stream held then.
  SyncResult synchronize(const sim::Deadline& deadline);

  /// When the latest record ran, in nanoseconds of the device clock; raises the documented error
  /// for events that have no such time.
  std::uint64_t time_ns() const;

 private:
  struct Record {
    sim::Ref<sim::Signal> signal;
    sim::Ref<sim::Stream> stream;  // null: never recorded
    std::uint64_t sequence = 0;    // of the record task in that stream
    sim::Ref<sim::Signal> reset;   // bound events: done once a later reset has run
  };
  void take_id_late();
  Record latest() const;
  static Status status_of(const Record& record);

  Runtime& runtime_;
  const sim::Ref<Context> context_;
  const Kind kind_;
  const std::uint32_t flags_;
  const bool flag_like_;
  mutable sim::SpinLock lock_;
  std::optional<std::uint32_t> hardware_id_;
  Record latest_;
  sim::Ref<sim::WaitTally> tally_;
};

}  // namespace acl
