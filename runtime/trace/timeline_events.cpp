// SPDX-License-Identifier: Apache-2.0
// The timeline's events as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/trace/json_text.h"
#include "runtime/trace/timeline.h"
#include "runtime/trace/timeline_text.h"

namespace acl::trace_output {
namespace {

using sim::Nanoseconds;

constexpr Nanoseconds kLargestShift = 1000;  // by which a wait may be drawn longer than it was

}  // namespace

void Timeline::begin_event(std::string& out, const char* head) {
  out += any_event_ ? ",\n" : "[\n";
  any_event_ = true;
  out += head;
}

/// `value` is JSON: {"name":"..."} and the like.
void Timeline::add_meta(const char* what, std::uint64_t pid, std::int64_t tid,
                        const std::string& value) {
  begin_event(buffer_, R"({"ph":"M",)");
  print(buffer_, R"("name":"{}","pid":{},"tid":{},"args":{}}})", what, pid, tid, value);
}

void Timeline::add_process(std::uint64_t pid, const std::string& name, const char* label,
                           int order) {
  add_meta("process_name", pid, 0, fmt::format(R"({{"name":"{}"}})", name));
  add_meta("process_labels", pid, 0, fmt::format(R"({{"labels":"{}"}})", label));
  add_meta("process_sort_index", pid, 0, fmt::format(R"({{"sort_index":{}}})", order));
}

// By which timelines of several processes are joined.
void Timeline::add_base_time() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const auto base = std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count() -
                    static_cast<std::int64_t>(driver_.now_ns());
  add_meta("base_time", host_process(host_pid_), 0, fmt::format(R"({{"ns":"{}"}})", base));
}

Timeline::DeviceRow& Timeline::device_row(std::uint32_t device) {
  if (devices_.size() <= device) devices_.resize(device + 1);
  DeviceRow& row = devices_[device];
  if (!std::exchange(row.named, true)) {
    add_process(device_process(host_pid_, device), fmt::format("Ascend Hardware {}", device), "NPU",
                static_cast<int>(kDeviceLayer + device));
  }
  return row;
}

Timeline::Track& Timeline::track_of(const sim::Stream& stream) {
  const auto device = static_cast<std::uint32_t>(stream.device());
  const auto [at, added] =
      tracks_.try_emplace(static_cast<std::uint64_t>(device) << 32 | stream.id());
  Track& track = at->second;
  if (added) {
    track.device = device;
    track.stream = stream.id();
    device_row(device);
    const std::uint64_t pid = device_process(host_pid_, device);
    add_meta("thread_name", pid, track.stream,
             fmt::format(R"({{"name":"Stream {}"}})", track.stream));
    add_meta("thread_sort_index", pid, track.stream,
             fmt::format(R"({{"sort_index":{}}})", track.stream));
  }
  return track;
}

void Timeline::add_slice(std::string& out, const Track& track, const TaskText& task,
                         Nanoseconds start, Nanoseconds end, sim::Failure failure, State state) {
  begin_event(out, R"({"ph":"X","cat":"device","name":")");
  append_json_text(out, task.name);
  print(out, R"(","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"Task Type":"{}","Task Id":{})",
        device_process(host_pid_, track.device), track.stream, Micros{start}, Micros{end - start},
        task.type, task.task_id);
  if (task.bytes != 0) print(out, R"(,"bytes":{})", task.bytes);
  if (task.copy_kind) print(out, R"(,"kind":"{}")", task.copy_kind);
  if (task.signal != 0) print(out, R"(,"signal":{})", task.signal);
  out += task.details;
  if (task.thread_id != 0) print(out, R"(,"thread":{})", task.thread_id);
  if (state == State::unfinished) out += R"(,"unfinished":true)";
  if (failure) {
    out += R"(,"failure":")";
    append_json_text(out, sim::describe(failure.error));
    if (failure.detail != 0) print(out, " ({})", failure.detail);
    out += '"';
  }
  out += "}}";
}

void Timeline::name_host_track(std::int64_t track, const std::string& name, std::int64_t order) {
  const std::uint64_t pid = host_process(host_pid_);
  add_meta("thread_name", pid, track, fmt::format(R"({{"name":"{}"}})", name));
  add_meta("thread_sort_index", pid, track, fmt::format(R"({{"sort_index":{}}})", order));
}

void Timeline::name_range_track(const Range& range, std::uint32_t track) {
  if (!ranges_.first_use(track)) return;
  if (range.thread == 0) {
    name_host_track(track, fmt::format("Ranges {}", track - RangeTracks::kShared), track);
  } else {
    name_host_track(track, fmt::format("Ranges of thread {}", range.thread),
                    std::int64_t{2} * range.thread + 1);
  }
}

void Timeline::add_range(std::string& out, const char* category, const Range& range,
                         const RangeTracks::Slice& slice, State state) {
  begin_event(out, R"({"ph":"X","cat":")");
  print(out, R"({}","name":")", category);
  append_json_text(out, range.name);
  print(out, R"(","pid":{},"tid":{},"ts":{},"dur":{},"args":{{)", host_process(host_pid_),
        slice.track, Micros{slice.start}, Micros{slice.end - slice.start});
  out += range.details;
  if (state == State::unfinished) {
    out += range.details.empty() ? R"("unfinished":true)" : R"(,"unfinished":true)";
  }
  out += "}}";
}

void Timeline::add_arrow(const RecordMark& from, const Track& to, Nanoseconds wait_end) {
  const std::uint64_t id = ++arrows_;
  begin_event(buffer_, R"({"ph":"s","cat":"record_wait","name":"record_wait",)");
  print(buffer_, R"("id":{},"pid":{},"tid":{},"ts":{}}})", id,
        device_process(host_pid_, from.device), from.stream, Micros{from.start});
  begin_event(buffer_, R"({"ph":"f","bp":"e","cat":"record_wait","name":"record_wait",)");
  print(buffer_, R"("id":{},"pid":{},"tid":{},"ts":{}}})", id, device_process(host_pid_, to.device),
        to.stream, Micros{wait_end - 1});
}

/// Draws the arrow to a wait that ends at `end`; returns where the wait's slice must end for it.
Nanoseconds Timeline::tie_to_record(const Track& track, const TaskText& wait, Nanoseconds end) {
  const RecordMark* const record = records_.find(wait.signal);
  if (!record) return end;
  const Nanoseconds earliest = record->start + kShortest;
  // A record that is much later is not the one that released this wait: its signal is used again.
  if (earliest > end + kLargestShift) return end;
  end = std::max(end, earliest);
  add_arrow(*record, track, end);
  return end;
}

void Timeline::set_busy(Track& track, bool busy, Nanoseconds time) {
  if (track.busy == busy) return;
  track.busy = busy;
  DeviceRow& device = device_row(track.device);
  device.busy_streams += busy ? 1 : -1;
  // Threads report a little out of order; the counter's own times must not.
  device.counted_at = std::max(device.counted_at, time);
  begin_event(buffer_, R"({"ph":"C","name":"busy streams",)");
  print(buffer_, R"("pid":{},"tid":0,"ts":{},"args":{{"busy":{}}}}})",
        device_process(host_pid_, track.device), Micros{device.counted_at}, device.busy_streams);
}

}  // namespace acl::trace_output
