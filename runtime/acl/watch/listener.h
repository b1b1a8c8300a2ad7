// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>

#include "device_sim/streams/op.h"
#include "runtime/acl/watch/kernel_finding.h"
#include "runtime/acl/watch/misuse.h"
#include "runtime/acl/watch/task_facts.h"
#include "runtime/trace/sink.h"

namespace sim {
class DeferredReports;
class PhysicalMemory;
class Program;
class Signal;
class Stream;
class Word;
}  // namespace sim

namespace acl {
class Event;
class Model;
class Notify;
class Stream;
}  // namespace acl

namespace acl::watch {

/// The events that a listener wants to hear. Events that no listener wants cost nothing.
enum class Interest : unsigned {
  acts = 1,  // acts of the program: all functions that `Listener` adds to `trace_output::Sink`
  spans =
      2,  // intervals: calls, ranges, marks, tasks as the machine runs them (`trace_output::Sink`)
  runs = 4,  // with acts: kernels and functions of the program begin and end
  ends = 8,  // with acts: each task ends; the machine then runs no kernels in rows
};
constexpr Interest operator|(Interest a, Interest b) {
  return static_cast<Interest>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool wants(Interest interests, Interest one) {
  return (static_cast<unsigned>(interests) & static_cast<unsigned>(one)) != 0;
}

/// One record of an event: the `number`-th of this event, or, of an IPC event, of all processes.
struct EventRecord {
  const Event* event;
  sim::Signal* signal;  // completed by the record; null: the event is an IPC event
  sim::Word* word;      // of an IPC event: holds the number of the last complete record
  std::uint64_t number;
};

/// Why a wait for an event needs no task.
enum class Elided : std::uint8_t {
  never_recorded,  // it orders nothing
  refused,         // the same, and the call fails
  same_stream,     // the stream's own order covers it
  complete,        // the record has run
};

/// A host thread's wait for the device.
struct Wait {
  enum class For : std::uint8_t {
    stream,          // the program named it
    stream_of_many,  // one of several streams that a call waits for
    stream_end,      // it is about to be destroyed
    event,
    next_record,  // a call that records an event again, which was reset; `event` follows
    device,       // a call that waits for all streams; each stream is reported too
    callbacks,    // for functions to run, without a time limit; the thread runs them too
  };
  For what = For::stream;
  bool untimed = true;                  // it has no time limit, and something to wait for
  int device = 0;                       // the machine's, of `device`
  Stream* stream = nullptr;             // of the first three
  const EventRecord* record = nullptr;  // of `event` and `next_record`
  // Of streams and `event`: the wait is over when that many ops have left this stream; null:
  // another process moves it.
  sim::Stream* core = nullptr;
  std::uint64_t target = 0;
};

/// Room in which a listener keeps its data from the beginning of a wait to its end.
class WaitState {
 public:
  WaitState() noexcept {}  // NOLINT: not cleared, most waits have no listener
  /// Makes a T there.
  template <class T>
  T& make() noexcept {
    static_assert(sizeof(T) <= sizeof(room_) && std::is_trivially_destructible_v<T>);
    return *new (room_.data()) T;
  }
  /// The T that was made.
  template <class T>
  const T& as() const noexcept {
    return *std::launder(reinterpret_cast<const T*>(room_.data()));
  }

 private:
  alignas(std::uint64_t) std::array<std::byte, 32> room_;
};

/// The kind of memory that ends.
enum class Freed : std::uint8_t {
  device,
  pinned_host,
  registered_host,  // the program's own; it is only unregistered
  mapped,           // physical memory stays
  imported,         // another process's
};

/// Bytes that several processes have, each at an address of its own.
struct SharedRange {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  std::uint64_t file = 0;    // the number of the file that holds them
  std::uint64_t offset = 0;  // in it
  bool own = true;           // else another process's
  // The processes order their accesses by nothing but calls that listeners hear of.
  bool symmetric = false;
};

/// A change of a word of symmetric memory that a wait for the word has seen.
struct WordChange {
  std::uint64_t key = 0;  // of the operation that made it, in all processes
  bool known = false;     // whether the value after it is known
  bool ends = false;      // whether that value ends the wait
  bool merges = false;    // the value depends on the changes before it
};

/// Hears what the program does, from the objects that it uses. The acting thread calls each
/// function in its own call and before the effect, unless the function states otherwise. The caller
/// holds no lock that a hook of the machine may want. A listener is registered once (registry.h),
/// overrides the functions that it needs, and outlives the last call of the process. It has
/// more than 60 functions, since each event has one.
class Listener : public trace_output::Sink {
 public:
  // --- calls ---
  virtual void call_begins() {}
  /// The call in which the thread is raised `code`.
  virtual void call_failed(std::int32_t /*code*/, const char* /*text*/) {}
  /// The same for a call of another library, with a code of that library.
  virtual void library_call_failed(std::int32_t /*code*/, const char* /*text*/) {}
  /// The thread asks for the errors of its calls.
  virtual void errors_read() {}
  virtual void misused(Misuse, const std::string& /*text*/) {}
  /// A mistake inside of an AscendC kernel, found by the thread that runs it. Returns true if the
  /// listener reports it.
  virtual bool found_in_kernel(const KernelFinding&) { return false; }
  /// A call was given an address outside of all live memory.
  virtual void no_memory_found(const void* /*address*/, const char* /*argument*/) {}
  /// No live allocation starts at the address that a call is to free.
  virtual void nothing_to_free(const void* /*address*/) {}

  /// The handle that a call is given names no live object, so the call fails.
  virtual void no_object_found(const void* /*handle*/) {}
  /// The program no longer owns the object of the handle. The caller holds locks, so the listener
  /// uses no hook of the machine.
  virtual void handle_ended(const void* /*handle*/) {}

  // --- tasks ---
  /// The op is about to be enqueued. A listener may write `op.completion_id`.
  virtual void submitting(Stream&, sim::Op&) {}
  /// The same, in the order in which the machine gets the ops of the stream, for listeners that are
  /// registered as ordered.
  virtual void enqueueing(Stream&, const sim::Op&, const TaskFacts&) {}
  /// The op goes into a graph instead.
  virtual void captured(Stream&, sim::Op&) {}

  // --- events ---
  virtual void event_created(const Event&) {}
  /// The program destroys an event although waits of streams, or host threads, still wait for it.
  virtual void event_destroyed_in_use(const Event&, std::uint32_t /*waits*/,
                                      std::uint32_t /*threads*/) {}
  virtual void event_destroyed(const Event&) {}
  /// After a record was enqueued. `before`: the signal of the event's last one; null: the first.
  /// `queried`: another thread may be about to report an event of that signal.
  virtual void event_recorded(const Event&, sim::Signal&, sim::Signal* /*before*/,
                              bool /*queried*/) {}
  virtual void wait_elided(Stream&, const EventRecord&, Elided) {}
  /// A stream is about to wait for the next record of an event that was reset. The record completes
  /// the signal.
  virtual void next_record_awaited(const Event&, sim::Signal&) {}
  /// A host thread synchronises with an event that was never recorded, which does not wait.
  virtual void synchronized_with_nothing(const Event&) {}
  /// The program learns whether the record is complete.
  virtual void event_queried(const EventRecord&, bool /*complete*/) {}

  // --- notifies ---
  virtual void notify_created(const Notify&) {}
  /// The program destroys it; tasks may still use it.
  virtual void notify_destroying(const Notify&) {}
  /// From here on no task can use it.
  virtual void notify_destroyed(const Notify&) {}
  /// The host has reset it.
  virtual void notify_reset(const Notify&) {}

  // --- streams ---
  virtual void stream_queried(Stream&, bool /*complete*/) {}
  /// The pending work of the stream is about to be stopped or dropped; the stream itself stays.
  virtual void stream_aborting(Stream&) {}
  virtual void stream_ended(Stream&, bool /*dropped*/) {}

  // --- host threads that wait; see HostWait ---
  /// True: `wait_ended` is to follow.
  virtual bool wait_begins(const Wait&, WaitState&) { return false; }
  /// `reached`: the object that the thread waited for is complete.
  virtual void wait_ended(const Wait&, const WaitState&, bool /*reached*/) {}

  // --- acts of tasks, reported by the thread that moves their stream ---
  /// For listeners with `Interest::runs`. A function is a callback or host function of the program.
  /// Functions, and ends of tasks outside of graphs, are reported for ops that have a completion
  /// id, which `submitting` writes.
  virtual void kernel_begins(const sim::KernelRun&) {}
  virtual void kernel_ended() {}
  /// The accesses of this run of an observed kernel, before it ends. For all listeners.
  virtual void kernel_accessed(std::uint32_t /*stream_id*/, std::uint32_t /*task_id*/,
                               std::span<const sim::MemoryRange>) {}
  virtual void function_begins(const sim::Stream&, std::uint32_t /*completion_id*/) {}
  virtual void function_ended(const sim::Stream&, std::uint32_t /*completion_id*/) {}
  /// For listeners with `Interest::ends`: before any thread can see that the task has ended.
  virtual void task_ended(sim::Stream&, const sim::Op&, sim::Failure) {}
  /// `program_told`: the program has a callback for failures.
  virtual void task_failed(const sim::Stream&, const sim::Op&, sim::Failure,
                           bool /*program_told*/) {}

  // --- graphs ---
  /// A graph will run the program in the stream. A listener with `Interest::ends` may defer the
  /// reports of some of its ops; at most one does so.
  virtual void program_made(const sim::Stream&, sim::Program&) {}
  virtual void graph_launching(const Model&) {}
  /// A run begins, by the op at the head of `launcher`; its branches begin afterwards. In a
  /// program, that op is a task of another run: a condition chose this graph.
  virtual void run_begins(const Model&, sim::Stream& /*launcher*/) {}
  /// The listener that has deferred reports of the program in `program_made` sets `deferred`.
  virtual void branch_begins(const Model&, const sim::Stream& /*branch*/, const sim::Program&,
                             sim::Ref<sim::DeferredReports>& /*deferred*/) {}
  virtual void branch_ends(const Model&, const sim::Stream& /*branch*/) {}
  /// A task in `by` starts another stream of its model. A listener may store data in `kept`,
  /// which the run of that stream carries.
  virtual void branch_activating(const sim::Stream& /*by*/, std::shared_ptr<void>& /*kept*/) {}
  /// The stream that was started so begins: after `branch_begins`.
  virtual void branch_activated(const sim::Stream& /*branch*/,
                                const std::shared_ptr<void>& /*kept*/) {}
  /// The operation of another library at the head of a stream begins, before other operations can
  /// use its results. In the thread that moves the stream.
  virtual void operation_begins(sim::Stream&, const sim::Op&) {}
  /// External events: a launch is to record one; a run has recorded it; a wait in a run is over.
  virtual void record_announced(Stream& /*launcher*/, sim::Signal&) {}
  virtual void recorded_in_run(const sim::Stream& /*branch*/, sim::Signal&) {}
  virtual void waited_in_run(const sim::Stream& /*branch*/, sim::Signal&) {}

  // --- memory ---
  /// After the allocation. `device`: the machine's, or sim::kHostDevice.
  virtual void allocated(const void*, std::size_t, int /*device*/) {}
  /// `begin`: where a live allocation or mapping starts.
  virtual void freeing(const void* /*begin*/, std::size_t, Freed) {}
  /// From here on the stream owns a block of a memory pool: the program asked for `size` bytes, the
  /// block has `span`. `over`: its last owner's work is complete.
  virtual void pool_allocated(Stream&, const void* /*begin*/, std::size_t /*size*/,
                              std::size_t /*span*/, bool /*over*/) {}
  /// The block goes back to the pool in the order of the stream.
  virtual void pool_freeing(Stream&, const void* /*begin*/, std::size_t /*span*/) {}
  /// A pool of the program's own hands a block out, or takes it back. Neither orders or waits for
  /// anything: the tasks decide which of them use the block, and in which order.
  virtual void block_handed_out(const void* /*begin*/, std::size_t) {}
  virtual void block_taken_back(const void* /*begin*/, std::size_t) {}
  /// Physical memory was mapped. `fresh`: it was not used before.
  virtual void mapped(const void*, std::size_t, const sim::PhysicalMemory*, bool /*fresh*/) {}
  /// Host memory of the runtime, from which programs may copy, is about to be freed.
  virtual void host_memory_ends(const void*, std::size_t) {}
  /// All live memory of the device is about to be freed with its last context. `device`: the number
  /// that the machine gives it.
  virtual void device_memory_ending(int /*device*/) {}
  virtual void peer_access_ending(int /*device*/, int /*peer*/) {}

  // --- accesses of host threads ---
  /// The call itself copies. A copy by rows has a range to read and a range to write for each row.
  virtual void host_copied(std::span<const sim::MemoryRange>) {}
  virtual void host_filled(const sim::MemoryRange&) {}
  /// The program, or a call, reads or writes memory in the host.
  virtual void host_accessed(const sim::MemoryRange&) {}
  /// Code of the host, at `site`, touched memory that a task writes. Reported only if the checker
  /// guards that memory.
  virtual void memory_touched(const sim::MemoryRange&, std::uint64_t /*site*/) {}
  /// A copy to the host is about to be enqueued. It reads and writes these ranges.
  virtual void copying_to_host(Stream&, std::span<const sim::MemoryRange>) {}
  /// The accesses of a task depend on the content of these ranges. Returns whether they have that
  /// content already, by the order that the program defines. All listeners must agree.
  virtual bool settled(std::span<const sim::MemoryRange>) { return true; }
  /// A task was enqueued that may write anywhere.
  virtual void writes_anywhere() {}
  /// Annotations that order host threads: a thread that acquires an object comes after the thread
  /// that released it last.
  virtual void released(const void* /*object*/) {}
  virtual void acquired(const void* /*object*/) {}

  // --- between processes ---
  virtual void memory_shared(const SharedRange&) {}
  virtual void memory_withdrawn(const void*, std::size_t) {}
  virtual void key_exported(std::uint64_t /*key*/) {}
  virtual void key_imported(std::uint64_t /*key*/) {}
  /// A later import of the key, or a wait of a stream that takes it, is a wait for this word that
  /// one of these changes has ended.
  virtual void word_changes_seen(std::uint64_t /*key*/, const SharedRange& /*word*/,
                                 std::span<const WordChange>) {}
  virtual void import_refused(const char* /*text*/) {}

  // --- the process ---
  /// aclFinalize, the last one.
  virtual void finalizing() {}
  /// aclsimResetAll: the runtime begins anew.
  virtual void restarting() {}
  /// The process is about to end although its threads wait: `process_ends` follows.
  virtual void ends_in_hang() {}
  /// The process ends.
  virtual void process_ends() {}
  /// A signal is about to end the process. The thread that got it waits, with all locks that it
  /// holds.
  virtual void crashing() {}

  // --- annotations ---
  /// The program uses the bytes for something else from here on: at once, or in the order of the
  /// stream.
  virtual void reused(const void*, std::size_t, bool /*on_host*/) {}
  virtual void reused_in_order(Stream&, const void*, std::size_t) {}

  // --- spans: nothing, unless overridden ---
  void api_call(const char*, sim::Nanoseconds, sim::Nanoseconds) noexcept override {}
  void range_opened(const trace_output::Range&) noexcept override {}
  void range_closed(std::uint64_t, sim::Nanoseconds) noexcept override {}
  void mark(const trace_output::Range&) noexcept override {}
};

}  // namespace acl::watch
