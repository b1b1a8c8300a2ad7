// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/fan_out.h"

#include <algorithm>
#include <array>
#include <memory>

#include "device_sim/base/mutex.h"

namespace acl::watch {

// ---- FanOut ----

void FanOut::call_begins() { each(&Listener::call_begins); }
void FanOut::call_failed(std::int32_t code, const char* text) {
  each(&Listener::call_failed, code, text);
}
void FanOut::library_call_failed(std::int32_t code, const char* text) {
  each(&Listener::library_call_failed, code, text);
}
void FanOut::errors_read() { each(&Listener::errors_read); }
void FanOut::misused(Misuse misuse, const std::string& text) {
  each(&Listener::misused, misuse, text);
}
bool FanOut::found_in_kernel(const KernelFinding& found) {
  bool reported = false;
  for (Listener* const listener : all_) reported |= listener->found_in_kernel(found);
  return reported;
}
void FanOut::no_memory_found(const void* address, const char* argument) {
  each(&Listener::no_memory_found, address, argument);
}
void FanOut::nothing_to_free(const void* address) { each(&Listener::nothing_to_free, address); }
void FanOut::no_object_found(const void* handle) { each(&Listener::no_object_found, handle); }
void FanOut::handle_ended(const void* handle) { each(&Listener::handle_ended, handle); }
void FanOut::submitting(Stream& stream, sim::Op& op) { each(&Listener::submitting, stream, op); }
void FanOut::enqueueing(Stream& stream, const sim::Op& op, const TaskFacts& facts) {
  each(&Listener::enqueueing, stream, op, facts);
}
void FanOut::captured(Stream& stream, sim::Op& op) { each(&Listener::captured, stream, op); }
void FanOut::event_created(const Event& event) { each(&Listener::event_created, event); }
void FanOut::event_destroyed_in_use(const Event& event, std::uint32_t waits,
                                    std::uint32_t threads) {
  each(&Listener::event_destroyed_in_use, event, waits, threads);
}
void FanOut::event_destroyed(const Event& event) { each(&Listener::event_destroyed, event); }
void FanOut::event_recorded(const Event& event, sim::Signal& signal, sim::Signal* before,
                            bool queried) {
  each(&Listener::event_recorded, event, signal, before, queried);
}
void FanOut::wait_elided(Stream& stream, const EventRecord& record, Elided why) {
  each(&Listener::wait_elided, stream, record, why);
}
void FanOut::next_record_awaited(const Event& event, sim::Signal& signal) {
  each(&Listener::next_record_awaited, event, signal);
}
void FanOut::synchronized_with_nothing(const Event& event) {
  each(&Listener::synchronized_with_nothing, event);
}
void FanOut::event_queried(const EventRecord& record, bool complete) {
  each(&Listener::event_queried, record, complete);
}
void FanOut::notify_created(const Notify& notify) { each(&Listener::notify_created, notify); }
void FanOut::notify_destroying(const Notify& notify) { each(&Listener::notify_destroying, notify); }
void FanOut::notify_destroyed(const Notify& notify) { each(&Listener::notify_destroyed, notify); }
void FanOut::notify_reset(const Notify& notify) { each(&Listener::notify_reset, notify); }
void FanOut::stream_queried(Stream& stream, bool complete) {
  each(&Listener::stream_queried, stream, complete);
}
void FanOut::stream_aborting(Stream& stream) { each(&Listener::stream_aborting, stream); }
void FanOut::stream_ended(Stream& stream, bool dropped) {
  each(&Listener::stream_ended, stream, dropped);
}
void FanOut::kernel_begins(const sim::KernelRun& run) { each(&Listener::kernel_begins, run); }
void FanOut::kernel_ended() { each(&Listener::kernel_ended); }
void FanOut::kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                             std::span<const sim::MemoryRange> ranges) {
  each(&Listener::kernel_accessed, stream_id, task_id, ranges);
}
void FanOut::function_begins(const sim::Stream& stream, std::uint32_t completion_id) {
  each(&Listener::function_begins, stream, completion_id);
}
void FanOut::function_ended(const sim::Stream& stream, std::uint32_t completion_id) {
  each(&Listener::function_ended, stream, completion_id);
}
void FanOut::task_ended(sim::Stream& stream, const sim::Op& op, sim::Failure failure) {
  each(&Listener::task_ended, stream, op, failure);
}
void FanOut::task_failed(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                         bool program_told) {
  each(&Listener::task_failed, stream, op, failure, program_told);
}
void FanOut::program_made(const sim::Stream& stream, sim::Program& program) {
  each(&Listener::program_made, stream, program);
}
void FanOut::graph_launching(const Model& model) { each(&Listener::graph_launching, model); }
void FanOut::run_begins(const Model& model, sim::Stream& launcher) {
  each(&Listener::run_begins, model, launcher);
}
void FanOut::branch_begins(const Model& model, const sim::Stream& branch,
                           const sim::Program& program, sim::Ref<sim::DeferredReports>& deferred) {
  each(&Listener::branch_begins, model, branch, program, deferred);
}
void FanOut::branch_ends(const Model& model, const sim::Stream& branch) {
  each(&Listener::branch_ends, model, branch);
}
void FanOut::branch_activating(const sim::Stream& by, std::shared_ptr<void>& kept) {
  each(&Listener::branch_activating, by, kept);
}
void FanOut::branch_activated(const sim::Stream& branch, const std::shared_ptr<void>& kept) {
  each(&Listener::branch_activated, branch, kept);
}
void FanOut::operation_begins(sim::Stream& stream, const sim::Op& op) {
  each(&Listener::operation_begins, stream, op);
}
void FanOut::record_announced(Stream& launcher, sim::Signal& signal) {
  each(&Listener::record_announced, launcher, signal);
}
void FanOut::recorded_in_run(const sim::Stream& branch, sim::Signal& signal) {
  each(&Listener::recorded_in_run, branch, signal);
}
void FanOut::waited_in_run(const sim::Stream& branch, sim::Signal& signal) {
  each(&Listener::waited_in_run, branch, signal);
}
void FanOut::allocated(const void* begin, std::size_t size, int device) {
  each(&Listener::allocated, begin, size, device);
}
void FanOut::freeing(const void* begin, std::size_t size, Freed what) {
  each(&Listener::freeing, begin, size, what);
}
void FanOut::pool_allocated(Stream& stream, const void* begin, std::size_t size, std::size_t span,
                            bool over) {
  each(&Listener::pool_allocated, stream, begin, size, span, over);
}
void FanOut::pool_freeing(Stream& stream, const void* begin, std::size_t span) {
  each(&Listener::pool_freeing, stream, begin, span);
}
void FanOut::block_handed_out(const void* begin, std::size_t size) {
  each(&Listener::block_handed_out, begin, size);
}
void FanOut::block_taken_back(const void* begin, std::size_t size) {
  each(&Listener::block_taken_back, begin, size);
}
void FanOut::reused(const void* begin, std::size_t size, bool on_host) {
  each(&Listener::reused, begin, size, on_host);
}
void FanOut::reused_in_order(Stream& stream, const void* begin, std::size_t size) {
  each(&Listener::reused_in_order, stream, begin, size);
}
void FanOut::mapped(const void* begin, std::size_t size, const sim::PhysicalMemory* memory,
                    bool fresh) {
  each(&Listener::mapped, begin, size, memory, fresh);
}
void FanOut::host_memory_ends(const void* begin, std::size_t size) {
  each(&Listener::host_memory_ends, begin, size);
}
void FanOut::device_memory_ending(int device) { each(&Listener::device_memory_ending, device); }
void FanOut::peer_access_ending(int device, int peer) {
  each(&Listener::peer_access_ending, device, peer);
}
void FanOut::host_copied(std::span<const sim::MemoryRange> ranges) {
  each(&Listener::host_copied, ranges);
}
void FanOut::host_filled(const sim::MemoryRange& range) { each(&Listener::host_filled, range); }
void FanOut::host_accessed(const sim::MemoryRange& range) { each(&Listener::host_accessed, range); }
void FanOut::memory_touched(const sim::MemoryRange& byte, std::uint64_t site) {
  each(&Listener::memory_touched, byte, site);
}
void FanOut::copying_to_host(Stream& stream, std::span<const sim::MemoryRange> ranges) {
  each(&Listener::copying_to_host, stream, ranges);
}
void FanOut::writes_anywhere() { each(&Listener::writes_anywhere); }
void FanOut::released(const void* object) { each(&Listener::released, object); }
void FanOut::acquired(const void* object) { each(&Listener::acquired, object); }
void FanOut::memory_shared(const SharedRange& range) { each(&Listener::memory_shared, range); }
void FanOut::memory_withdrawn(const void* begin, std::size_t size) {
  each(&Listener::memory_withdrawn, begin, size);
}
void FanOut::key_exported(std::uint64_t key) { each(&Listener::key_exported, key); }
void FanOut::key_imported(std::uint64_t key) { each(&Listener::key_imported, key); }
void FanOut::word_changes_seen(std::uint64_t key, const SharedRange& word,
                               std::span<const WordChange> changes) {
  each(&Listener::word_changes_seen, key, word, changes);
}
void FanOut::import_refused(const char* text) { each(&Listener::import_refused, text); }
void FanOut::finalizing() { each(&Listener::finalizing); }
void FanOut::restarting() { each(&Listener::restarting); }
void FanOut::ends_in_hang() { each(&Listener::ends_in_hang); }
void FanOut::process_ends() { each(&Listener::process_ends); }
void FanOut::crashing() { each(&Listener::crashing); }

bool FanOut::settled(std::span<const sim::MemoryRange> ranges) {
  bool all = true;
  for (Listener* const listener : all_) all &= listener->settled(ranges);
  return all;
}

// Each listener has a state of its own, from the beginning of the wait to its end.
namespace {
struct States {
  std::array<WaitState, FanOut::kMost> of;
  std::array<bool, FanOut::kMost> wanted{};
};
}  // namespace

bool FanOut::wait_begins(const Wait& wait, WaitState& state) {
  auto states = std::make_unique<States>();
  bool any = false;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    any |= states->wanted[i] = all_[i]->wait_begins(wait, states->of[i]);
  }
  if (any) state.make<States*>() = states.release();
  return any;
}

void FanOut::wait_ended(const Wait& wait, const WaitState& state, bool reached) {
  const auto states = std::unique_ptr<States>(state.as<States*>());
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (states->wanted[i]) all_[i]->wait_ended(wait, states->of[i], reached);
  }
}

// ---- SpanFanOut ----

using sim::Nanoseconds;

void SpanFanOut::add(trace_output::Sink& sink) {
  const sim::LockGuard guard(mutex_);
  passing_.push_back(&sink);
}

void SpanFanOut::remove(trace_output::Sink& sink) {
  const sim::LockGuard guard(mutex_);
  std::erase(passing_, &sink);
}

trace_output::Sink* SpanFanOut::shortest() {
  const sim::SharedLock guard(mutex_);
  if (passing_.empty() && permanent_.size() <= 1) {
    return permanent_.empty() ? nullptr : permanent_.front();
  }
  return this;
}

void SpanFanOut::api_call(const char* name, Nanoseconds start, Nanoseconds end) noexcept {
  each([&](trace_output::Sink& sink) { sink.api_call(name, start, end); });
}

void SpanFanOut::range_opened(const trace_output::Range& range) noexcept {
  each([&](trace_output::Sink& sink) { sink.range_opened(range); });
}

void SpanFanOut::range_closed(std::uint64_t id, Nanoseconds end) noexcept {
  each([&](trace_output::Sink& sink) { sink.range_closed(id, end); });
}

void SpanFanOut::mark(const trace_output::Range& mark) noexcept {
  each([&](trace_output::Sink& sink) { sink.mark(mark); });
}

void SpanFanOut::submitted(const sim::Stream& stream, const sim::Op& op) {
  each([&](trace_output::Sink& sink) { sink.submitted(stream, op); });
}

void SpanFanOut::started(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  each([&](trace_output::Sink& sink) { sink.started(stream, op, now); });
}

void SpanFanOut::step_ended(const sim::Stream& stream, const sim::Op& op, const sim::OpStep& step) {
  each([&](trace_output::Sink& sink) { sink.step_ended(stream, op, step); });
}

void SpanFanOut::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                          Nanoseconds start, Nanoseconds end) {
  each([&](trace_output::Sink& sink) { sink.finished(stream, op, failure, start, end); });
}

// ---- InterveningFanOut ----

bool InterveningFanOut::before_call(const char* function) {
  bool after = false;
  for (Intervener* const one : all_) after |= one->before_call(function);
  return after;
}

void InterveningFanOut::after_call() {
  for (Intervener* const one : all_) one->after_call();
}

void InterveningFanOut::before_allocation(int device) {
  for (Intervener* const one : all_) one->before_allocation(device);
}

void InterveningFanOut::before_creation(sim::FaultSite::Point point, int device) {
  for (Intervener* const one : all_) one->before_creation(point, device);
}

void InterveningFanOut::before_copy(const sim::CopyOp& copy) {
  for (Intervener* const one : all_) one->before_copy(copy);
}

void InterveningFanOut::before_use(int device) {
  for (Intervener* const one : all_) one->before_use(device);
}

}  // namespace acl::watch
