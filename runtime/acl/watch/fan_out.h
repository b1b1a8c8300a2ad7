// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/watch/intervener.h"
#include "runtime/acl/watch/listener.h"

namespace acl::watch {

/// Several listeners as one. They are added before the first event. It has more than 60 functions,
/// since it overrides each function of the interface; each only forwards.
class FanOut final : public Listener {
 public:
  static constexpr std::size_t kMost = 8;
  /// Raises std::length_error beyond kMost.
  void add(Listener& listener) {
    if (all_.size() == kMost) throw std::length_error("too many listeners");
    all_.push_back(&listener);
  }

  void call_begins() override;
  void call_failed(std::int32_t code, const char* text) override;
  void library_call_failed(std::int32_t code, const char* text) override;
  void errors_read() override;
  void misused(Misuse misuse, const std::string& text) override;
  bool found_in_kernel(const KernelFinding& found) override;
  void no_memory_found(const void* address, const char* argument) override;
  void nothing_to_free(const void* address) override;
  void no_object_found(const void* handle) override;
  void handle_ended(const void* handle) override;
  void submitting(Stream& stream, sim::Op& op) override;
  void enqueueing(Stream& stream, const sim::Op& op, const TaskFacts& facts) override;
  void captured(Stream& stream, sim::Op& op) override;
  void event_created(const Event& event) override;
  void event_destroyed_in_use(const Event& event, std::uint32_t waits,
                              std::uint32_t threads) override;
  void event_destroyed(const Event& event) override;
  void event_recorded(const Event& event, sim::Signal& signal, sim::Signal* before,
                      bool queried) override;
  void wait_elided(Stream& stream, const EventRecord& record, Elided why) override;
  void next_record_awaited(const Event& event, sim::Signal& signal) override;
  void synchronized_with_nothing(const Event& event) override;
  void event_queried(const EventRecord& record, bool complete) override;
  void notify_created(const Notify& notify) override;
  void notify_destroying(const Notify& notify) override;
  void notify_destroyed(const Notify& notify) override;
  void notify_reset(const Notify& notify) override;
  void stream_queried(Stream& stream, bool complete) override;
  void stream_aborting(Stream& stream) override;
  void stream_ended(Stream& stream, bool dropped) override;
  bool wait_begins(const Wait& wait, WaitState& state) override;
  void wait_ended(const Wait& wait, const WaitState& state, bool reached) override;
  void kernel_begins(const sim::KernelRun& run) override;
  void kernel_ended() override;
  void kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                       std::span<const sim::MemoryRange> ranges) override;
  void function_begins(const sim::Stream& stream, std::uint32_t completion_id) override;
  void function_ended(const sim::Stream& stream, std::uint32_t completion_id) override;
  void task_ended(sim::Stream& stream, const sim::Op& op, sim::Failure failure) override;
  void task_failed(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                   bool program_told) override;
  void program_made(const sim::Stream& stream, sim::Program& program) override;
  void graph_launching(const Model& model) override;
  void run_begins(const Model& model, sim::Stream& launcher) override;
  void branch_begins(const Model& model, const sim::Stream& branch, const sim::Program& program,
                     sim::Ref<sim::DeferredReports>& deferred) override;
  void branch_ends(const Model& model, const sim::Stream& branch) override;
  void branch_activating(const sim::Stream& by, std::shared_ptr<void>& kept) override;
  void branch_activated(const sim::Stream& branch, const std::shared_ptr<void>& kept) override;
  void operation_begins(sim::Stream& stream, const sim::Op& op) override;
  void record_announced(Stream& launcher, sim::Signal& signal) override;
  void recorded_in_run(const sim::Stream& branch, sim::Signal& signal) override;
  void waited_in_run(const sim::Stream& branch, sim::Signal& signal) override;
  void allocated(const void* begin, std::size_t size, int device) override;
  void freeing(const void* begin, std::size_t size, Freed what) override;
  void pool_allocated(Stream& stream, const void* begin, std::size_t size, std::size_t span,
                      bool over) override;
  void pool_freeing(Stream& stream, const void* begin, std::size_t span) override;
  void block_handed_out(const void* begin, std::size_t size) override;
  void block_taken_back(const void* begin, std::size_t size) override;
  void reused(const void* begin, std::size_t size, bool on_host) override;
  void reused_in_order(Stream& stream, const void* begin, std::size_t size) override;
  void mapped(const void* begin, std::size_t size, const sim::PhysicalMemory* memory,
              bool fresh) override;
  void host_memory_ends(const void* begin, std::size_t size) override;
  void device_memory_ending(int device) override;
  void peer_access_ending(int device, int peer) override;
  void host_copied(std::span<const sim::MemoryRange> ranges) override;
  void host_filled(const sim::MemoryRange& range) override;
  void host_accessed(const sim::MemoryRange& range) override;
  void memory_touched(const sim::MemoryRange& byte, std::uint64_t site) override;
  void copying_to_host(Stream& stream, std::span<const sim::MemoryRange> ranges) override;
  bool settled(std::span<const sim::MemoryRange> ranges) override;
  void writes_anywhere() override;
  void released(const void* object) override;
  void acquired(const void* object) override;
  void memory_shared(const SharedRange& range) override;
  void memory_withdrawn(const void* begin, std::size_t size) override;
  void key_exported(std::uint64_t key) override;
  void key_imported(std::uint64_t key) override;
  void word_changes_seen(std::uint64_t key, const SharedRange& word,
                         std::span<const WordChange> changes) override;
  void import_refused(const char* text) override;
  void finalizing() override;
  void restarting() override;
  void ends_in_hang() override;
  void process_ends() override;
  void crashing() override;

 private:
  template <class... Parameters, class... Arguments>
  void each(void (Listener::*function)(Parameters...), Arguments&&... arguments) {
    for (Listener* const listener : all_) (listener->*function)(arguments...);
  }
  std::vector<Listener*> all_;
};

/// Several sinks as one: permanent sinks, which are added before the first event, and sinks that
/// come and go.
class SpanFanOut final : public trace_output::Sink {
 public:
  void add_permanent(trace_output::Sink& sink) { permanent_.push_back(&sink); }
  void add(trace_output::Sink& sink);
  void remove(trace_output::Sink& sink);
  /// The shortest way to all of them: null, the only one, or this.
  trace_output::Sink* shortest();

  void api_call(const char* name, sim::Nanoseconds start, sim::Nanoseconds end) noexcept override;
  void range_opened(const trace_output::Range& range) noexcept override;
  void range_closed(std::uint64_t id, sim::Nanoseconds end) noexcept override;
  void mark(const trace_output::Range& mark) noexcept override;
  void submitted(const sim::Stream& stream, const sim::Op& op) override;
  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) override;
  void step_ended(const sim::Stream& stream, const sim::Op& op, const sim::OpStep& step) override;
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  template <class F>
  void each(F&& f) {
    for (trace_output::Sink* const sink : permanent_) f(*sink);
    const sim::SharedLock guard(mutex_);
    for (trace_output::Sink* const sink : passing_) f(*sink);
  }
  std::vector<trace_output::Sink*> permanent_;  // constant after the first event
  sim::SharedMutex mutex_;
  std::vector<trace_output::Sink*> passing_ GUARDED_BY(mutex_);
};

/// Several interveners as one, asked in the order of their registration.
class InterveningFanOut final : public Intervener {
 public:
  void add(Intervener& intervener) { all_.push_back(&intervener); }
  bool before_call(const char* function) override;
  void after_call() override;
  void before_allocation(int device) override;
  void before_creation(sim::FaultSite::Point point, int device) override;
  void before_copy(const sim::CopyOp& copy) override;
  void before_use(int device) override;

 private:
  std::vector<Intervener*> all_;
};

}  // namespace acl::watch
