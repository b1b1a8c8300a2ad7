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
#include "runtime/trace/range_tracks.h"
#include "runtime/trace/record_table.h"
#include "runtime/trace/sink.h"
#include "runtime/trace/task_text.h"
#include "runtime/trace/trace_file.h"

namespace acl::trace_output {

/// Writes a Chrome/Perfetto timeline while the program runs: a process per device, a track per
/// stream, an arrow from each record to the waits it released, a track per host thread and beside
/// it one of the thread's ranges and marks. The file is valid JSON after every flush and at most
/// 0.2 s behind, so also when the program is killed; ops that had not ended then are in it as
/// unfinished slices. All functions may be called from any thread. In a forked child nothing is
/// written.
class Timeline final : public Sink {
 public:
  /// Returns the source location of the program's call that the calling thread is in: "app.cpp:12",
  /// or "".
  using PlaceOfCall = std::function<std::string()>;

  /// A file that cannot be written costs one line on stderr, nothing else. `driver` outlives this.
  /// `place_of_call`: empty if calls are shown without their source locations.
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
  struct Track {
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
  /// Calls `body` with the lock held. Clang analyses it as a function of its own, so it begins with
  /// mutex_.assert_held().
  template <class Body>
  void report(Body&& body) noexcept EXCLUDES(mutex_);
  Track& track_of(const sim::Stream& stream) REQUIRES(mutex_);
  DeviceRow& device_row(std::uint32_t device) REQUIRES(mutex_);
  void begin_event(std::string& out, const char* head) REQUIRES(mutex_);
  void add_meta(const char* what, std::uint64_t pid, std::int64_t tid, const std::string& value)
      REQUIRES(mutex_);
  void add_base_time() REQUIRES(mutex_);
  void add_process(std::uint64_t pid, const std::string& name, const char* label, int order)
      REQUIRES(mutex_);
  void add_slice(std::string& out, const Track& track, const TaskText& task, sim::Nanoseconds start,
                 sim::Nanoseconds end, sim::Failure failure, State state = State::ended)
      REQUIRES(mutex_);
  void add_range(std::string& out, const char* category, const Range& range,
                 const RangeTracks::Slice& slice, State state = State::ended) REQUIRES(mutex_);
  void name_host_track(std::int64_t track, const std::string& name, std::int64_t order)
      REQUIRES(mutex_);
  void name_range_track(const Range& range, std::uint32_t track) REQUIRES(mutex_);
  void add_arrow(const RecordMark& from, const Track& to, sim::Nanoseconds wait_end)
      REQUIRES(mutex_);
  sim::Nanoseconds tie_to_record(const Track& track, const TaskText& wait, sim::Nanoseconds end)
      REQUIRES(mutex_);
  void begin_task(Track& track, const sim::Op& op) REQUIRES(mutex_);
  void end_task(Track& track, const sim::Op& op, sim::Failure failure, sim::Nanoseconds start,
                sim::Nanoseconds end) REQUIRES(mutex_);
  void set_busy(Track& track, bool busy, sim::Nanoseconds time) REQUIRES(mutex_);
  void flush_when_full() REQUIRES(mutex_);
  void flush_all() REQUIRES(mutex_);
  std::string unfinished_slices() REQUIRES(mutex_);
  void flush_now_and_then() EXCLUDES(mutex_);

  const sim::Driver& driver_;
  const PlaceOfCall place_of_call_;
  const std::uint64_t host_pid_;
  const unsigned forks_;  // of this process before this object was made
  mutable sim::Mutex mutex_;
  TraceFile file_ GUARDED_BY(mutex_);
  std::string buffer_ GUARDED_BY(mutex_);  // whole events
  bool any_event_ GUARDED_BY(mutex_) = false;
  bool changed_ GUARDED_BY(mutex_) = false;  // since the last look of the flusher
  std::uint64_t arrows_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::uint64_t, Track> tracks_ GUARDED_BY(mutex_);
  std::vector<DeviceRow> devices_ GUARDED_BY(mutex_);
  std::unordered_set<int> host_threads_ GUARDED_BY(mutex_);
  RangeTracks ranges_ GUARDED_BY(mutex_);
  RecordTable records_ GUARDED_BY(mutex_);
  std::unique_ptr<Flusher> flusher_;
};

}  // namespace acl::trace_output
