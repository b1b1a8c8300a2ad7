// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/driver.h"
#include "runtime/trace/flusher.h"
#include "runtime/trace/range_lanes.h"
#include "runtime/trace/record_table.h"
#include "runtime/trace/sink.h"
#include "runtime/trace/task_text.h"
#include "runtime/trace/trace_file.h"

namespace acl::trace_output {

/// Writes a Chrome/Perfetto timeline while the program runs: a process per device, a lane per
/// stream, an arrow from each record to the waits it released, a lane per host thread and beside it
/// one of the thread's ranges and marks.
/// The file is valid JSON after every flush and at most 0.2 s behind, so also when the program is
/// killed; ops that had not ended then are in it as unfinished slices.
/// All functions may be called from any thread. In a forked child nothing is written.
class Timeline final : public Sink {
 public:
  /// The source location of the call that the calling thread is in: "app.cpp:12", or "".
  using PlaceOfCall = std::function<std::string()>;

  /// A file that cannot be written costs one line on stderr, nothing else. `driver` outlives this.
  /// `place_of_call`: empty where calls are shown without their places.
  Timeline(std::string path, int device_count, const sim::Driver& driver,
           PlaceOfCall place_of_call = {});
  ~Timeline() override;

  void api_call(const char* name, sim::Nanoseconds start, sim::Nanoseconds end) noexcept override;
  void range_opened(const Range& range) noexcept override;
  void range_closed(std::uint64_t id, sim::Nanoseconds end) noexcept override;
  void mark(const Range& mark) noexcept override;
  /// Brings the file up to date. Work may go on afterwards and this may be called again.
  void finish();
  /// The file in use: another than asked for when two processes trace to one path.
  std::string path() const;
  /// Why the file lacks something; empty while it does not.
  std::string problem() const;

  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) override;
  void step_ended(const sim::Stream& stream, const sim::Op& op, const sim::OpStep& step) override;
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  struct Lane {
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    bool running = false;  // `task` began at `start` and has not left
    bool busy = false;     // counts as a busy stream of the device
    TaskText task;
    sim::Nanoseconds start = 0;
    sim::Nanoseconds end = 0;        // of the last slice
    sim::Nanoseconds steps_end = 0;  // of the last step of `task`
  };
  struct DeviceRow {
    std::int64_t busy_streams = 0;
    sim::Nanoseconds counted_at = 0;
    bool named = false;
  };
  enum class State : std::uint8_t { ended, unfinished };

  bool in_forked_child() const noexcept;
  template <class Body>
  void report(Body&& body) noexcept;
  Lane& lane_of(const sim::Stream& stream);
  DeviceRow& device_row(std::uint32_t device);
  void begin_event(std::string& out, const char* head);
  void add_meta(const char* what, std::uint64_t pid, std::int64_t tid, const std::string& value);
  void add_base_time();
  void add_process(std::uint64_t pid, const std::string& name, const char* label, int order);
  void add_slice(std::string& out, const Lane& lane, const TaskText& task, sim::Nanoseconds start,
                 sim::Nanoseconds end, sim::Failure failure, State state = State::ended);
  void add_range(std::string& out, const char* category, const Range& range,
                 const RangeLanes::Slice& slice, State state = State::ended);
  void name_host_lane(std::int64_t lane, const std::string& name, std::int64_t order);
  void name_range_lane(const Range& range, std::uint32_t lane);
  void add_arrow(const RecordMark& from, const Lane& to, sim::Nanoseconds wait_end);
  sim::Nanoseconds tie_to_record(const Lane& lane, const TaskText& wait, sim::Nanoseconds end);
  void begin_task(Lane& lane, const sim::Op& op);
  void end_task(Lane& lane, const sim::Op& op, sim::Failure failure, sim::Nanoseconds start,
                sim::Nanoseconds end);
  void set_busy(Lane& lane, bool busy, sim::Nanoseconds time);
  void flush_when_full();
  void flush_all();
  std::string unfinished_slices();
  void flush_now_and_then();

  const sim::Driver& driver_;
  const PlaceOfCall place_of_call_;
  const std::uint64_t host_pid_;
  const unsigned forks_;  // of this process before this object was made
  mutable sim::Mutex mutex_;
  TraceFile file_;
  std::string buffer_;  // whole events
  bool any_event_ = false;
  bool changed_ = false;  // since the last look of the flusher
  std::uint64_t arrows_ = 0;
  std::unordered_map<std::uint64_t, Lane> lanes_;
  std::vector<DeviceRow> devices_;
  std::unordered_set<int> host_threads_;
  RangeLanes ranges_;
  RecordTable records_;
  std::unique_ptr<Flusher> flusher_;
};

}  // namespace acl::trace_output
