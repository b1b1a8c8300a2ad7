// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/recycled.h"
#include "device_sim/base/ref.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/signal.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/core/capture_gate.h"
#include "runtime/acl/core/event_reset.h"
#include "runtime/acl/core/record_signal.h"
#include "runtime/acl/ipc/ipc_event.h"
#include "runtime/acl/watch/listener.h"

namespace acl {

class Context;
struct CaptureMark;
class Event;
class Runtime;
class Stream;

using EventTable = HandleTable<Event, HandleKind::event>;

/// An ACL event. Two natures:
///  - bound (default and Ex events): each record makes a new signal; a wait takes the signal of the
///    latest record at the time of the call. After a reset has run, and in the stream of the reset
///    from the call on, it takes the signal of the record that will follow;
///  - flag (old events with SYNC, or EXTERNAL): one signal that a record sets and a reset clears;
///    a wait passes when the flag is set, and may come before the record.
class Event : public sim::RefCounted<Event>, public sim::Recycled<Event> {
 public:
  enum class Kind : std::uint8_t { plain, with_flag, ex };

  /// `ipc`: the state that an event with ACL_EVENT_IPC shares with other processes.
  Event(Runtime& runtime, Context& context, Kind kind, std::uint32_t flags,
        sim::Ref<IpcEvent> ipc = {});
  ~Event();

  Context& context() const noexcept { return *context_; }
  bool is_ex() const noexcept { return kind_ == Kind::ex; }
  std::uint32_t flags() const noexcept { return flags_; }
  bool external() const noexcept;
  IpcEvent* ipc() const noexcept { return ipc_.get(); }
  bool timed() const noexcept;
  /// Its number for listeners, from 1; 0: no listener was registered when it was made.
  std::uint64_t number() const noexcept { return number_; }
  static std::uint64_t new_number() noexcept;
  /// The one signal of an event that is a flag; null for others.
  sim::Signal* flag() const noexcept { return flag_.get(); }
  /// Wait tasks on it are allowed.
  bool can_be_waited_for() const noexcept {
    return (flags_ & (ACL_EVENT_SYNC | kInternalSync | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC)) != 0;
  }
  /// The hardware number that the event holds; nullopt when it holds none (yet).
  std::optional<std::uint32_t> id() const;

  void record(Stream& stream, void* handle);
  /// A record inside a capture; introspection returns `handle`.
  void set_captured(CaptureMark mark);
  /// The mark of the capture that the event was recorded in last, while that is under way; else an
  /// empty one.
  CaptureMark captured() const;
  /// Raises ACL_ERROR_RT_EVENT_CAPTURED while that capture is under way.
  void require_not_captured() const;
  /// The first use says whether records (or waits) are external; a different one later raises
  /// ACL_ERROR_RT_PARAM_INVALID.
  void agree_on_record_flag(std::uint32_t flag);
  void agree_on_wait_flag(std::uint32_t flag);

  /// A model that records the event was launched: `announce`, then, with the launch as a task of
  /// `stream`, `bind`; the run completes it.
  using Announced = sim::Ref<RecordSignal>;
  Announced announce_external_record();
  void bind_external_record(Announced announced, sim::Stream& stream, std::uint64_t sequence);
  void complete_external_record(sim::Stream& by, sim::Nanoseconds now);
  /// For a recording: the record that was announced first and has not run; the latest one.
  TaskFacts announced() const;
  TaskFacts latest_facts() const;
  /// The signal for which a model's external wait has to wait; null if it need not wait.
  sim::Ref<sim::Signal> pending_record();
  /// An external wait in `stream` is over.
  void passed_external_wait(const sim::Stream& stream);
  /// Enqueues a wait with a time limit (0: none). Nothing where no wait is needed.
  void enqueue_wait(Stream& stream, void* handle, std::uint64_t timeout_ns);
  void reset(Stream& stream);

  // Parts of a record and a wait, for calls without listeners, of an event that is bound and used
  // only in this process.
  /// A record to be enqueued, then kept; null if the complete path must handle the call.
  sim::Ref<RecordSignal> make_plain_record(sim::Stream& core) {
    const bool has_id = kind_ == Kind::ex || has_hardware_id_.load(std::memory_order_acquire);
    if (ipc_ || flag_ || !has_id || StreamOrder::kept()) return {};
    auto record = sim::make_ref<RecordSignal>(core, std::uint64_t{0});
    record->generation = next_generation();
    return record;
  }
  /// From now on the record is the latest. Returns the one before.
  sim::Ref<RecordSignal> keep_latest(sim::Ref<RecordSignal> record) {
    lock_.lock();
    std::swap(latest_, record);
    if (after_.reset || captured_ || first_record_) [[unlikely]] {
      end_marks_and_unlock();
    } else {
      lock_.unlock();
    }
    return record;
  }
  /// The signal of a wait for the event.
  struct PlainWait {
    enum class Need : std::uint8_t { wait, nothing, unknown };
    Need need = Need::unknown;
    sim::Ref<RecordSignal> record;
    sim::Ref<sim::WaitTally> tally;
  };
  PlainWait plain_wait(const sim::Stream& core) const {
    if (ipc_ || flag_ || !can_be_waited_for() || CaptureGate::any()) return {};
    const sim::LockGuard guard(lock_);
    const RecordSignal* const record = latest_.get();
    if (!record || record->past || after_.reset || (!is_ex() && !tally_)) return {};
    const bool covered = &record->stream() == &core || (is_ex() && record->done());
    if (covered) return {PlainWait::Need::nothing, {}, {}};
    return {PlainWait::Need::wait, latest_, is_ex() ? nullptr : tally_};
  }

  /// The program destroys the event: reports the waits that are not complete.
  void report_destruction() const;

  enum class Status : std::uint8_t { never_recorded, pending, done, reset };
  Status status() const;
  bool waits_outstanding() const;

  enum class SyncResult : std::uint8_t { done, timed_out };
  /// Blocks until the latest record has run; raises the error that its stream held then.
  /// If the event was reset, waits for the next record first.
  SyncResult synchronize(const sim::Deadline& deadline);

  /// Made before a thread reads the latest record. While it lives, listeners keep their data about
  /// that record, even if the event is recorded again.
  class Query {
   public:
    explicit Query(const Event& event) noexcept;
    Query(Query&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    ~Query() {
      if (event_) event_->queries_.fetch_sub(1, std::memory_order_release);
    }

   private:
    const Event* event_;  // null: no listener is registered
  };

  /// When the latest record ran, in nanoseconds of the device clock.
  struct Ran {
    Query query;
    std::uint64_t time_ns;
    sim::Ref<RecordSignal> record;
  };
  /// Raises the documented error for events that have no such time.
  Ran ran() const;
  /// Reports to listeners that the program knows of the completion.
  void report(const Ran& ran) const;

 private:
  /// The bit that the runtime itself gives to plain events: they can be waited for.
  static constexpr std::uint32_t kInternalSync = 4;

  TaskFacts facts(std::uint64_t generation) const {
    return {TaskFacts::What::event, number_, generation};
  }
  /// The signal that the record completes.
  sim::Signal& signal_of(RecordSignal& record) const noexcept {
    return flag_ ? *flag_ : static_cast<sim::Signal&>(record);
  }
  watch::EventRecord shown(RecordSignal* record) const noexcept {
    if (!record) return {this, flag_.get(), nullptr, 0};
    return {this, &signal_of(*record), nullptr, record->generation};
  }
  watch::EventRecord shown_ipc(std::uint64_t number) const {
    return {this, nullptr, &ipc_->word(), number};
  }
  void end_marks_and_unlock() RELEASE(lock_);
  bool needs_no_task(Stream& stream, RecordSignal* record);
  std::uint64_t next_generation() noexcept {
    return generations_.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  void set_flag(Stream& stream);
  bool awaits_next(const sim::Stream& core) const REQUIRES(lock_);
  /// Returns when the event is not reset any more. False: the time is over.
  bool await_next_record(const sim::Deadline& deadline);
  bool record_redirected(Stream& stream, void* handle);
  bool wait_captured(Stream& stream, void* handle);
  [[noreturn]] void refuse_in_capture() const;
  void record_ipc(Stream& stream);
  void wait_ipc(Stream& stream, std::uint64_t timeout_ns);
  Status ipc_status() const;
  SyncResult synchronize_ipc(const sim::Deadline& deadline);
  SyncResult synchronize_with_nothing() const;
  void require_not_redirected(const Stream& stream) const;
  void take_id_late();
  sim::Ref<RecordSignal> latest() const;
  struct Latest {
    sim::Ref<RecordSignal> record;
    Status status = Status::never_recorded;
  };
  Latest latest_and_status() const;
  Status status_of(RecordSignal& record, const EventReset* reset) const;

  Runtime& runtime_;
  const sim::Ref<Context> context_;
  const Kind kind_;
  const std::uint32_t flags_;
  const sim::Ref<IpcEvent> ipc_;
  const std::uint64_t number_;
  std::atomic<std::uint64_t> generations_{0};
  mutable std::atomic<std::uint32_t> queries_{0};  // queries in progress
  std::atomic<std::uint32_t> synchronizing_{0};    // host threads; with a listener only
  mutable sim::SpinLock lock_;
  std::optional<std::uint32_t> hardware_id_ GUARDED_BY(lock_);
  std::atomic<bool> has_hardware_id_{false};         // a plain event
  sim::Ref<sim::Signal> flag_;                       // the one signal of an event that is a flag
  sim::Ref<RecordSignal> latest_ GUARDED_BY(lock_);  // null: never recorded
  AfterReset after_ GUARDED_BY(lock_);  // of bound events: the reset after the latest record
  // External records of launches that have not run yet: few.
  std::vector<Announced> announced_ GUARDED_BY(lock_);
  // Done once the event has been recorded (again); made on demand.
  sim::Ref<sim::Signal> first_record_ GUARDED_BY(lock_);
  std::unique_ptr<CaptureMark> captured_ GUARDED_BY(lock_);
  std::optional<std::uint32_t> record_flag_ GUARDED_BY(lock_);
  std::optional<std::uint32_t> wait_flag_ GUARDED_BY(lock_);
  sim::Ref<sim::WaitTally> tally_ GUARDED_BY(lock_);
};

}  // namespace acl
