// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/timeline.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/op.h"
#include "device_sim/streams/program.h"
#include "device_sim/streams/stream.h"
#include "runtime/trace/forks.h"
#include "runtime/trace/json_text.h"
#include "runtime/trace/timeline_text.h"

// Rules that both viewers (Perfetto, MindStudio Insight) agree on: only events of the phases X, M,
// C, s and f; tasks of a stream's track never overlap, and if two other slices overlap, one
// contains the other, as a task contains its steps; the file contains a slice before an arrow that
// starts with it; an arrow ends inside the slice that it points at and never before its own start.

namespace acl::trace_output {
namespace {

using sim::Nanoseconds;
using sim::OpKind;

constexpr std::size_t kFlushBytes = std::size_t{64} << 10;
constexpr const char* kClosing = "\n]\n";

int thread_id() {
  thread_local const int id = ::gettid();
  return id;
}

}  // namespace

// ---- the file ----

Timeline::Timeline(std::string path, int device_count, const sim::Driver& driver,
                   PlaceOfCall place_of_call)
    : driver_(driver),
      place_of_call_(std::move(place_of_call)),
      host_pid_(static_cast<std::uint64_t>(::getpid())),
      forks_(count_forks()),
      file_(std::move(path)) {
  buffer_.reserve(2 * kFlushBytes);
  add_process(host_process(host_pid_), "CANN", "CPU", kHostLayer);
  add_base_time();
  for (int d = 0; d < device_count; ++d) device_row(static_cast<std::uint32_t>(d));
  flush_all();
  flusher_ = std::make_unique<Flusher>([this] { flush_now_and_then(); });
}

Timeline::~Timeline() {
  flusher_ = nullptr;
  finish();
}

bool Timeline::in_forked_child() const noexcept { return forks() != forks_; }

void Timeline::finish() {
  if (in_forked_child()) return;  // the file is the parent's, and the mutex may be held for ever
  const sim::LockGuard lock(mutex_);
  flush_all();
  file_.close_pipe(unfinished_slices() + kClosing);
}

std::string Timeline::path() const {
  const sim::LockGuard lock(mutex_);
  return file_.path();
}

std::string Timeline::problem() const {
  const sim::LockGuard lock(mutex_);
  return file_.problem();
}

void Timeline::flush_when_full() {
  if (buffer_.size() < kFlushBytes) return;
  file_.append(buffer_, kClosing);
  buffer_.clear();
}

void Timeline::flush_all() {
  file_.append(buffer_, unfinished_slices() + kClosing);
  buffer_.clear();
}

std::string Timeline::unfinished_slices() {
  std::string text;
  const Nanoseconds now = driver_.now_ns();
  for (const auto& [key, track] : tracks_) {
    if (!track.running || track.end > track.start) continue;  // a running record is drawn already
    add_slice(text, track, track.task, track.start,
              std::max({now, track.start + kShortest, track.steps_end + 1}), {}, State::unfinished);
  }
  ranges_.for_each_open(now, [&](const RangeTracks::Open& open, const RangeTracks::Slice& slice) {
    mutex_.assert_held();
    add_range(text, "range", open.range, slice, State::unfinished);
  });
  return text;
}

void Timeline::flush_now_and_then() {
  const sim::LockGuard lock(mutex_);
  if (changed_) flush_all();
  changed_ = false;
}

// ---- what happens ----

/// Adds whole events or none: the callers are destructors and device threads, which never throw.
template <class Body>
void Timeline::report(Body&& body) noexcept {
  if (in_forked_child()) return;
  const sim::LockGuard lock(mutex_);
  if (!file_.usable()) return;
  const std::size_t size = buffer_.size();
  try {
    changed_ = true;
    body();
    flush_when_full();
  } catch (const std::bad_alloc&) {
    buffer_.resize(size);
  }
}

void Timeline::api_call(const char* name, Nanoseconds start, Nanoseconds end) noexcept {
  report([&] {
    mutex_.assert_held();
    const std::string place = place_of_call_ ? place_of_call_() : std::string();
    const int thread = thread_id();
    const std::uint64_t pid = host_process(host_pid_);
    if (host_threads_.insert(thread).second) {
      const bool main = static_cast<std::uint64_t>(thread) == host_pid_;
      name_host_track(thread, fmt::format("{} {}", main ? "Main thread" : "Thread", thread),
                      std::int64_t{2} * thread);
    }
    begin_event(buffer_, R"({"ph":"X","cat":"host_api","name":")");
    append_json_text(buffer_, name);
    print(buffer_, R"(","pid":{},"tid":{},"ts":{},"dur":{})", pid, thread, Micros{start},
          Micros{end > start ? end - start : 1});
    if (!place.empty()) {
      buffer_ += R"(,"args":{"place":")";
      append_json_text(buffer_, place);
      buffer_ += R"("})";
    }
    buffer_ += '}';
  });
}

void Timeline::range_opened(const Range& range) noexcept {
  report([&] {
    mutex_.assert_held();
    name_range_track(range, ranges_.open(range).track);
  });
}

void Timeline::range_closed(std::uint64_t id, Nanoseconds end) noexcept {
  report([&] {
    mutex_.assert_held();
    if (const auto closed = ranges_.close(id, end)) {
      add_range(buffer_, "range", closed->first.range, closed->second);
    }
  });
}

void Timeline::mark(const Range& mark) noexcept {
  report([&] {
    mutex_.assert_held();
    const RangeTracks::Slice slice = ranges_.mark(mark, kShortest);
    name_range_track(mark, slice.track);
    add_range(buffer_, "mark", mark, slice);
  });
}

void Timeline::started(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  if (sim::only_leads(op)) return;  // the operation that it leads to is drawn
  report([&] {
    mutex_.assert_held();
    Track& track = track_of(stream);
    track.start = std::max(now, track.end);
    begin_task(track, op);
  });
}

void Timeline::begin_task(Track& track, const sim::Op& op) {
  track.running = true;
  track.task = describe(op);
  if (is_work(op)) set_busy(track, true, track.start);
  if (op.kind == OpKind::wait || op.kind == OpKind::word_wait) set_busy(track, false, track.start);
  if (op.kind != OpKind::record) return;
  // Drawn now: the waits that it releases may be reported before its own end is.
  track.end = track.start + kShortest;
  add_slice(buffer_, track, track.task, track.start, track.end, {});
  if (track.task.signal != 0) {
    records_.remember({track.task.signal, track.start, track.device, track.stream});
  }
}

// The slice of a step is inside the slice of its task, which begins before it and ends after it.
void Timeline::step_ended(const sim::Stream& stream, const sim::Op&, const sim::OpStep& step) {
  report([&] {
    mutex_.assert_held();
    Track& track = track_of(stream);
    if (!track.running) return;
    const Nanoseconds start = std::max({step.start, track.steps_end, track.start + 1});
    track.steps_end = std::max(step.end, start + 1);
    begin_event(buffer_, R"({"ph":"X","cat":"step","name":")");
    append_json_text(buffer_, step.name);
    print(buffer_, R"(","pid":{},"tid":{},"ts":{},"dur":{},"args":{{)",
          device_process(host_pid_, track.device), track.stream, Micros{start},
          Micros{track.steps_end - start});
    if (step.bytes != 0) print(buffer_, R"("bytes":{})", step.bytes);
    if (step.rank >= 0) print(buffer_, R"({}"rank":{})", step.bytes != 0 ? "," : "", step.rank);
    buffer_ += "}}";
  });
}

void Timeline::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                        Nanoseconds start, Nanoseconds end) {
  report([&] {
    mutex_.assert_held();
    Track& track = track_of(stream);
    if (!sim::only_leads(op)) {
      end_task(track, op, failure, start, end);
      track.running = false;
    }
    if (stream.retired() + 1 >= stream.submitted()) set_busy(track, false, track.end);
  });
}

void Timeline::end_task(Track& track, const sim::Op& op, sim::Failure failure, Nanoseconds start,
                        Nanoseconds end) {
  if (track.running && op.kind == OpKind::record) return;  // drawn when it started
  if (!track.running) {  // dropped before it began, or begun before anybody watched
    track.task = describe(op);
    track.start = std::max(start, track.end);
  }
  end = std::max({end, track.start + kShortest, track.steps_end + 1});
  if (op.kind == OpKind::wait && track.running && !failure) {
    end = tie_to_record(track, track.task, end);
  }
  add_slice(buffer_, track, track.task, track.start, end, failure);
  track.end = end;
}

}  // namespace acl::trace_output
