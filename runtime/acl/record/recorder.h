// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "device_sim/streams/op.h"
#include "runtime/acl/record/recorded_buffers.h"
#include "runtime/acl/watch/places.h"
#include "runtime/acl/watch/task_facts.h"
#include "runtime/trace/flusher.h"
#include "runtime/trace/forks.h"
#include "runtime/trace/op_lines.h"
#include "runtime/trace/sink.h"

namespace acl {

class Event;
class Model;
class Runtime;
class Stream;

/// Writes the run as a trace in the native format (docs/trace-format.md): each call of the program
/// in the order of the calls, and how its tasks ran. There is one while `run.record` is set; it is
/// never destroyed. Functions may be called by any thread; in a forked child nothing is written.
class Recorder final : public trace::Sink {
 public:
  Recorder(Runtime& runtime, const std::string& path);

  // --- tasks ---
  /// Enqueues the op in the machine and writes it down, in one order. Returns its sequence number.
  std::uint64_t submit(Stream& stream, const sim::Op& op, const TaskFacts& facts);
  /// A wait that needs no task: its record is over, comes before it anyway, or (generation 0) is
  /// missing.
  void waited(Stream& stream, const TaskFacts& facts);
  /// Memory of a pool was given out, in the order of the stream.
  void pool_allocated(Stream& stream, const void* begin, std::size_t size);

  // --- events ---
  std::uint64_t new_event() noexcept { return events_.fetch_add(1) + 1; }
  /// An event that is a flag: records set this signal again and again.
  void made_flag(const sim::Signal& signal, std::uint64_t event);
  void flag_ends(const sim::Signal& signal);

  // --- graphs ---
  /// The graph is about to be submitted.
  void launching(const Model& model);
  /// A run begins, by the op at the head of `launcher`; its branches begin afterwards.
  void run_begins(const Model& model, sim::Stream& launcher);
  void branch_begins(const Model& model, const sim::Stream& branch);
  void branch_ends(const Model& model, const sim::Stream& branch);

  // --- the host ---
  /// The calling thread enters an entry of the interface.
  void call_begins();
  void copied(std::span<const sim::MemoryRange> ranges);
  void copied(void* dst, const void* src, std::size_t size);
  void filled(const sim::MemoryRange& range);
  /// The program says that it touches memory in the host.
  void touched(const sim::MemoryRange& range);
  void allocated(const void* begin, std::size_t size, int device);
  void freeing(const void* begin);
  /// Annotations that order host threads: who acquires an object comes behind who released it last.
  void released(const void* object);
  void acquired(const void* object);
  void queried(const Stream& stream, bool complete);
  void queried(const sim::Signal& signal, const TaskFacts& event, bool complete);
  std::uint64_t begins_to_wait(const Stream& stream);
  std::uint64_t begins_to_wait(const sim::Signal& signal, const TaskFacts& event);
  std::uint64_t begins_to_wait(int device);
  void wait_over(std::uint64_t number, bool reached);

  /// Brings the file up to date. Work may go on afterwards.
  void finish();

  // --- what the machine and the calls tell ---
  void api_call(const char* name, sim::Nanoseconds start, sim::Nanoseconds end) noexcept override;
  void range_opened(const trace::Range& range) noexcept override;
  void range_closed(std::uint64_t id, sim::Nanoseconds end) noexcept override;
  void mark(const trace::Range& mark) noexcept override;
  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) override;
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  struct Lane {               // of a stream, by its id
    std::uint64_t last = 0;   // op that was called for; 0: none
    std::uint64_t after = 0;  // the op that the next one depends on besides; 0: none
    std::uint64_t branch = 0; // the last op when its branch began
    sim::Nanoseconds end = 0;
  };
  struct Queue {  // ops of a stream of the machine that have not left it
    std::deque<std::uint64_t> pending;
    std::uint64_t in_graph = 0;  // the op of a graph that runs, or the join of an inner one
    bool begun = false;          // the first of pending
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

  /// Adds whole lines or none: some callers are destructors and device threads, which never throw.
  template <class Body>
  void report(Body&& body) noexcept {
    if (in_forked_child()) return;
    try {
      const std::lock_guard guard(mutex_);
      if (!file_.usable()) return;
      changed_ = true;
      body();
    } catch (const std::bad_alloc&) {
      // One op is missing.
    }
  }
  bool in_forked_child() const noexcept { return trace::forks() != forks_; }
  std::mutex& order_of(std::uint32_t stream) { return order_[stream % std::size(order_)]; }

  // All with mutex_ held.
  void define_machine();
  std::uint32_t host();
  Lane& lane(const sim::Stream& stream, bool is_default = false);
  std::uint64_t add(sim::Stream& stream, std::string text, bool over = false);
  std::string on_stream(const char* op, const sim::Stream& stream);
  std::uint64_t add_host(const char* op, const std::string& members, bool open = false);
  std::uint64_t add_launch(sim::Stream& core, const std::string& members);
  void append_task(std::string& out, const sim::Op& op, const TaskFacts& facts);
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
  std::string event_text(const sim::Signal& signal, const TaskFacts& event);
  void begin_in_graph(sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now);
  void end_in_graph(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds start,
                    sim::Nanoseconds end, const std::string& failure);
  void end_launch(std::uint64_t join, sim::Nanoseconds start, sim::Nanoseconds end,
                  const std::string& failure);
  std::string site_text(std::uint64_t site);
  void flush_now_and_then();

  Runtime& runtime_;
  const unsigned forks_;
  const std::uint32_t rank_;  // of this process in its job
  std::mutex order_[64];  // around numbering an op and enqueueing it, by stream
  std::atomic<std::uint64_t> events_{0};
  std::mutex mutex_;
  trace::TraceFile file_;
  trace::OpLines lines_;
  RecordedBuffers buffers_;
  bool changed_ = false;  // since the last look of the flusher
  std::uint32_t hosts_ = 0;
  std::unordered_map<std::uint32_t, Lane> lanes_;
  std::unordered_map<const sim::Stream*, Queue> queues_;
  std::unordered_map<std::uint64_t, Flag> flags_;  // by signal
  std::unordered_map<std::uint64_t, std::uint64_t> flag_records_;  // generations by op, not begun
  std::unordered_map<const Model*, Run> runs_;
  std::unordered_set<std::uint64_t> graphs_;       // that are defined
  std::unordered_map<std::uint64_t, std::uint64_t> pool_frees_;  // ops by address
  std::unordered_map<std::uint64_t, std::uint64_t> changes_;     // the last one, by word
  std::unordered_map<const void*, std::uint64_t> releases_;      // ops by object
  std::unordered_map<std::uint64_t, std::string> ranges_;        // that are open
  std::vector<RecordedBuffers::Piece> pieces_;     // of one op; kept for its room
  std::unique_ptr<Places> places_;
  std::unordered_map<std::uint64_t, std::string> sites_;
  std::unique_ptr<trace::Flusher> flusher_;
};

/// A call that waits for the device, from here to its end. It counts as a question that was denied
/// unless reached() is called.
class RecordedWait {
 public:
  template <class... What>
  explicit RecordedWait(Recorder* recorder, const What&... what)
      : recorder_(recorder), number_(recorder ? recorder->begins_to_wait(what...) : 0) {}
  ~RecordedWait() {
    if (number_ != 0) recorder_->wait_over(number_, reached_);
  }
  RecordedWait(const RecordedWait&) = delete;
  RecordedWait& operator=(const RecordedWait&) = delete;
  void reached() noexcept { reached_ = true; }

 private:
  Recorder* const recorder_;
  const std::uint64_t number_;
  bool reached_ = false;
};

}  // namespace acl
