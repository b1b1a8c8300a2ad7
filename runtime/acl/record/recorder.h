// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/record/record_thread.h"
#include "runtime/acl/record/recorded_buffers.h"
#include "runtime/acl/watch/listener.h"
#include "runtime/acl/watch/places.h"
#include "runtime/trace/flusher.h"
#include "runtime/trace/forks.h"
#include "runtime/trace/op_lines.h"

namespace acl {

class Runtime;

/// Writes the run as a trace in the native format (docs/trace-format.md): each call of the program
/// in the order of the calls, and how its tasks ran. There is one while `run.record` is set; it is
/// never destroyed. Functions may be called by any thread; in a forked child nothing is written.
class Recorder final : public watch::Listener {
 public:
  Recorder(Runtime& runtime, const std::string& path);

  // --- calls that fail; recorder_outcomes.cpp ---
  void call_failed(std::int32_t code, const char* text) override;
  void library_call_failed(std::int32_t code, const char* text) override;
  void errors_read() override;
  void misused(watch::Misuse, const std::string&) override { record_thread().told = true; }
  void no_memory_found(const void*, const char*) override { record_thread().told = true; }
  void nothing_to_free(const void* address) override;
  void no_object_found(const void*) override { record_thread().told = true; }

  // --- tasks ---
  void submitting(Stream& stream, sim::Op& op) override;
  void captured(Stream& stream, sim::Op& op) override;
  void enqueueing(Stream& stream, const sim::Op& op, const TaskFacts& facts) override;
  void wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided why) override;
  void pool_allocated(Stream& stream, const void* begin, std::size_t size, std::size_t span,
                      bool over) override;

  // --- kernels that tell what they accessed; recorder_kernels.cpp ---
  void kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                       std::span<const sim::MemoryRange> ranges) override;
  bool found_in_kernel(bool race, const std::string& text) override;

  // --- events ---
  void event_created(const Event& event) override;
  void event_destroyed(const Event& event) override;
  void synchronized_with_nothing(const Event& event) override;
  void event_queried(const watch::EventRecord& record, bool complete) override;

  // --- graphs ---
  void graph_launching(const Model& model) override;
  void run_begins(const Model& model, sim::Stream& launcher) override;
  void branch_begins(const Model& model, const sim::Stream& branch) override;
  void branch_ends(const Model& model, const sim::Stream& branch) override;

  // --- the host ---
  void call_begins() override;
  void host_copied(std::span<const sim::MemoryRange> ranges) override;
  void host_filled(const sim::MemoryRange& range) override;
  void host_accessed(const sim::MemoryRange& range) override;
  void memory_touched(const sim::MemoryRange& byte, std::uint64_t site) override;
  void allocated(const void* begin, std::size_t size, int device) override;
  void freeing(const void* begin, std::size_t size, watch::Freed what) override;
  void released(const void* object) override;
  void acquired(const void* object) override;
  void stream_queried(Stream& stream, bool complete) override;
  bool wait_begins(const watch::Wait& wait, watch::WaitState& state) override;
  void wait_ended(const watch::Wait& wait, const watch::WaitState& state, bool reached) override;
  void stream_aborting(Stream& stream) override;
  void stream_ended(Stream& stream, bool dropped) override;
  void function_begins(const sim::Stream& stream, std::uint32_t completion_id) override;
  void finalizing() override;
  void process_ends() override;
  void crashing() override;

  // --- spans ---
  void api_call(const char* name, sim::Nanoseconds start, sim::Nanoseconds end) noexcept override;
  void range_opened(const trace_output::Range& range) noexcept override;
  void range_closed(std::uint64_t id, sim::Nanoseconds end) noexcept override;
  void mark(const trace_output::Range& mark) noexcept override;
  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) override;
  void step_ended(const sim::Stream& stream, const sim::Op& op, const sim::OpStep& step) override;
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  struct Lane {                // of a stream, by its id
    std::uint64_t last = 0;    // op that was called for; 0: none
    std::uint64_t after = 0;   // the op that the next one depends on besides; 0: none
    std::uint64_t branch = 0;  // the last op when its branch began
    sim::Nanoseconds end = 0;
  };
  struct Queue {  // ops of a stream of the machine that have not left it
    std::deque<std::uint64_t> pending;
    std::uint64_t in_graph = 0;  // the op of a graph that runs, or the join of an inner one
    bool begun = false;          // the first of pending
    std::string steps{};         // of that one, as JSON
  };
  struct Flag {  // or an event inside of a graph
    std::uint64_t event = 0;
    std::uint64_t generation = 0;  // of the record that was called for last
    std::uint64_t ran = 0;         // of the one that began last
  };
  struct Run {
    std::uint64_t after = 0;           // its branches begin behind this op
    std::uint64_t join = 0;            // and this one ends behind them
    std::vector<std::uint64_t> lasts;  // of the branches
  };

  struct Given {  // to a kernel: an allocation, as it is called when the program calls for the
                  // kernel
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    std::uint64_t buffer = 0;
  };

  struct Call {  // of a function of the program that has not run yet
    std::uint32_t stream = 0;
    std::uint64_t site = 0;
  };

  /// Adds whole lines or none: some callers are destructors and device threads, which never throw.
  template <class Body>
  void report(Body&& body) noexcept {
    if (in_forked_child()) return;
    try {
      const sim::LockGuard guard(mutex_);
      if (!file_.usable()) return;
      changed_ = true;
      body();
    } catch (const std::bad_alloc&) {
      // One op is missing.
    }
  }
  bool in_forked_child() const noexcept { return trace_output::forks() != forks_; }

  // All with mutex_ held.
  void define_machine();
  std::uint32_t host();
  std::uint64_t begin_wait(const Stream& stream, bool ends);
  std::uint64_t begin_wait(const watch::EventRecord& record);
  std::uint64_t begin_wait(int device);
  Lane& lane(const sim::Stream& stream, bool is_default = false);
  std::uint64_t add(sim::Stream& stream, std::string text, bool over = false);
  std::string on_stream(const char* op, const sim::Stream& stream);
  std::uint64_t add_host(const char* op, const std::string& members, bool open = false);
  void add_failure(std::int32_t code, const char* text, bool checked);
  void add_mark(std::string_view text, const std::string& args, std::uint64_t site,
                std::uint32_t by = 0);
  std::uint64_t add_launch(sim::Stream& core, const std::string& members);
  void append_task(std::string& out, const sim::Op& op, const TaskFacts& facts);
  void append_kernel(std::string& out, const sim::Op& op);
  void append_given(std::string& out, const sim::Op& op);
  void expect_accesses(std::uint64_t number);
  std::string take_accessed(const sim::Stream& stream, const sim::Op& op, std::uint64_t number);
  bool find_pieces(const sim::MemoryRange& range, std::span<const Given> given);
  void append_pieces(std::string& out, const char* key);
  void append_simple_task(std::string& out, const sim::Op& op);
  void append_record(std::string& out, const sim::Op& op, const TaskFacts& facts);
  void append_wait(std::string& out, const sim::Op& op, const TaskFacts& facts);
  void append_word(std::string& out, const sim::Op& op, const TaskFacts& facts);
  void append_pool_free(std::string& out, const TaskFacts& facts);
  void append_ranges(std::string& out, std::span<const sim::MemoryRange> ranges);
  void append_copy(std::string& out, std::span<const sim::MemoryRange> ranges, std::size_t bytes);
  std::uint64_t word_address(const void* address);
  std::string released_by(const sim::Op& op) const;
  void note_change(const sim::Op& op, std::uint64_t number);
  int device_of(int physical) const;
  Flag& flag_of(const sim::Signal& signal);
  std::string expected_record(const sim::Op& op);
  void note_record(const sim::Op& op, std::uint64_t number);
  void bind_wait(const sim::Op& op, std::uint64_t number);
  std::string event_text(const watch::EventRecord& record);
  void begin_in_graph(sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now);
  void end_in_graph(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds start,
                    sim::Nanoseconds end, const std::string& failure);
  void end_launch(std::uint64_t join, sim::Nanoseconds start, sim::Nanoseconds end,
                  const std::string& failure);
  std::string site_text(std::uint64_t site);
  bool drops_calls(const Stream& stream) const;
  void name_unserved(std::uint32_t stream, bool dropped);
  void name_alive(const char* when);
  void flush_now_and_then();

  Runtime& runtime_;
  const unsigned forks_;
  const std::uint32_t rank_;  // of this process in its job
  sim::Mutex mutex_;
  trace_output::TraceFile file_;
  trace_output::OpLines lines_;
  RecordedBuffers buffers_;
  bool changed_ = false;  // since the last look of the flusher
  std::uint32_t hosts_ = 0;
  std::unordered_map<std::uint32_t, Lane> lanes_;
  std::unordered_map<const sim::Stream*, Queue> queues_;
  std::unordered_map<std::uint64_t, Flag> flags_;                  // by signal
  std::unordered_map<std::uint64_t, std::uint64_t> flag_records_;  // generations by op, not begun
  std::unordered_map<const Model*, Run> runs_;
  std::unordered_set<std::uint64_t> graphs_;                      // that are defined
  std::unordered_map<std::uint64_t, std::uint64_t> pool_frees_;   // ops by address
  std::unordered_map<std::uint64_t, std::uint64_t> changes_;      // the last one, by word
  std::unordered_map<const void*, std::uint64_t> releases_;       // ops by object
  std::unordered_map<std::uint64_t, std::string> ranges_;         // that are open
  std::map<std::uint32_t, Call> calls_;                           // by completion id
  std::unordered_map<std::uint32_t, std::uint64_t> graph_sites_;  // the same, of ops of graphs
  std::optional<std::vector<Given>> next_given_;  // of the op that is about to be added
  std::unordered_map<std::uint64_t, std::vector<Given>> given_;  // of ops that are not over
  std::uint32_t last_id_ = 0;                                    // of those given here
  bool named_alive_ = false;
  std::vector<RecordedBuffers::Piece> pieces_;  // of one op; kept for its room
  std::unique_ptr<Places> places_;
  std::unordered_map<std::uint64_t, std::string> sites_;
  std::unique_ptr<trace_output::Flusher> flusher_;
};

}  // namespace acl
