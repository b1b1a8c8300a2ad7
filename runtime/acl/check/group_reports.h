// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/sync_objects.h"
#include "runtime/acl/findings/process_group_log.h"
#include "runtime/acl/watch/host_threads.h"

namespace acl {

class Runtime;
class UnknownWriters;
struct Rendezvous;

/// Writes to the log of the process group what this process does with shared objects. If the
/// process is checked alone, there is no log, and the functions do nothing.
class GroupReports {
 public:
  /// `log`: null if the process is checked alone.
  GroupReports(Runtime& runtime, CheckLock& lock, Actors& actors, UnknownWriters& unknown_writers,
               const watch::HostThreads& host_threads, ProcessGroupLog* log)
      : runtime_(runtime),
        lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        unknown_writers_(unknown_writers),
        host_threads_(host_threads),
        log_(log) {}

  bool on() const noexcept { return log_ != nullptr; }

  // --- items of streams ---
  /// The stream's next item is issued now; the engine may take in its accesses only later.
  void note_issue(order::Actor to, bool waits = false) REQUIRES(check_lock) {
    if (!log_) return;
    if (waits || engine_.is_blocked(to)) log_->deferred({to, engine_.last(to) + 1});
  }
  /// The stream's last item was issued, and the engine takes it in later.
  void last_was_deferred(order::Actor to) REQUIRES(check_lock) {
    if (log_) log_->deferred({to, engine_.last(to)});
  }
  /// A record that other processes wait for, or a wait for other processes, was issued and may be
  /// pending for long.
  void announce_op(const sim::Op& op, const order::OpInfo& op_info, order::Actor actor)
      REQUIRES(check_lock) {
    if (log_) announce_shared(op, op_info, actor);
  }
  void op_ended(const sim::Stream& stream, const sim::Op& op, sim::Failure failure)
      REQUIRES(check_lock);
  /// The op ran in a graph.
  void ran_in_graph(const sim::Op& op, order::Actor by, const order::OpInfo& what)
      REQUIRES(check_lock);
  /// The stream has waited for a record that was complete.
  void waited(const sim::Word& word, std::uint64_t number, order::Actor to,
              const order::OpInfo& what) REQUIRES(check_lock);

  // --- host threads that wait ---
  /// The calling thread begins to wait for an object that another process may have to complete
  /// first. True: the wait is in the log; call `proceeds` when it has ended.
  bool announce(Stream& stream) EXCLUDES(check_lock);
  bool announce(sim::Signal& signal) EXCLUDES(check_lock);
  bool announce(sim::Word& word, std::uint64_t number) EXCLUDES(check_lock);
  void proceeds() EXCLUDES(check_lock);
  /// The same for a stream whose items are dropped.
  void proceeds(order::Actor stream) REQUIRES(check_lock);
  /// The calling thread has synchronised with a record.
  void synchronized(const sim::Word& word, std::uint64_t number, order::Actor by)
      REQUIRES(check_lock);

  // --- keys ---
  void key_exported(std::uint64_t key) EXCLUDES(check_lock);
  void key_imported(std::uint64_t key) EXCLUDES(check_lock);
  /// The import of the key, or `report_key_taken`, is a wait for the word.
  void word_changes_seen(std::uint64_t key, const watch::SharedRange& word,
                         std::span<const watch::WordChange> changes) EXCLUDES(check_lock);
  /// Happens before everything after `report_key_taken` in the other processes. `key` 0: no other
  /// process takes it.
  void report_key(std::uint64_t key, order::Epoch when, const order::VectorClock& known,
                  const order::OpInfo& what) REQUIRES(check_lock);
  /// `known`: what happens before the operation in this process.
  void report_key_taken(std::uint64_t key, order::Epoch when, const order::VectorClock& known,
                        const order::OpInfo& what) REQUIRES(check_lock);
  void report_departure(const Rendezvous& rendezvous, order::Epoch when, const order::OpInfo& what)
      REQUIRES(check_lock);

  // --- memory ---
  void memory_shared(const watch::SharedRange& range) EXCLUDES(check_lock);
  void memory_withdrawn(const void* begin, std::size_t size) EXCLUDES(check_lock);
  /// Whether another process owns the memory: it is not in this process's own map of memory.
  bool is_peers_memory(std::uintptr_t address) const REQUIRES(check_lock);

  void lost_order() REQUIRES(check_lock);
  void restarts() REQUIRES(check_lock);
  /// The process ends.
  void finish() EXCLUDES(check_lock);

 private:
  /// A pending wait for a record of another process.
  struct SharedWait {
    order::SharedObject object;
    std::uint64_t generation;
  };
  void announce_shared(const sim::Op& op, const order::OpInfo& op_info, order::Actor actor)
      REQUIRES(check_lock);
  void report(const sim::Op& op, const SharedValue& shared, order::Epoch when,
              const order::VectorClock& known, const order::OpInfo& op_info) REQUIRES(check_lock);
  /// `own`: the shared object that the thread waits for, if the item is the thread's own.
  bool announce_item(order::Epoch item, const SharedWait* own = nullptr) REQUIRES(check_lock);
  void report_blocked_waits() REQUIRES(check_lock);
  void write_places() EXCLUDES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  UnknownWriters& unknown_writers_;
  const watch::HostThreads& host_threads_;
  ProcessGroupLog* const log_;  // its `silent` is callable without the lock
  order::CompletionMap<SharedWait> shared_waits_ GUARDED_BY(check_lock);
  std::map<std::uintptr_t, std::size_t> peers_memory_ GUARDED_BY(check_lock);
  // By the key of the wait, which has not been reported yet.
  std::map<std::uint64_t, ProcessGroupLog::WordWait> word_waits_ GUARDED_BY(check_lock);
};

}  // namespace acl
