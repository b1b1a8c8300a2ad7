// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/timeline.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "device_sim/op.h"
#include "device_sim/signal.h"
#include "device_sim/stream.h"
#include "runtime/trace/json_text.h"

// Rules that both viewers (Perfetto, MindStudio Insight) agree on: only events of the phases X, M,
// C, s and f; slices of a lane never overlap; a slice stands in the file before an arrow that
// starts with it; an arrow ends inside the slice it points at and never before its own start.

namespace acl::trace {
namespace {

using sim::Nanoseconds;
using sim::OpKind;

constexpr Nanoseconds kShortest = 20;        // a slice that an arrow can hold on to
constexpr Nanoseconds kLargestShift = 1000;  // by which a wait may be drawn longer than it was
constexpr std::chrono::milliseconds kFlushInterval{200};
constexpr std::size_t kFlushBytes = std::size_t{64} << 10;
constexpr const char* kClosing = "\n]\n";

constexpr std::uint32_t kHostLayer = 7;
constexpr std::uint32_t kDeviceLayer = 13;

std::atomic<unsigned> forks{0};

unsigned count_forks() {
  static const int registered =
      ::pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;
  return forks.load(std::memory_order_relaxed);
}

std::uint64_t host_process(std::uint64_t pid) { return pid << 10 | kHostLayer << 5; }

/// Five bits name the device; more than 32 devices go on in the layers from 17.
std::uint64_t device_process(std::uint64_t pid, std::uint32_t device) {
  const std::uint32_t layer = device < 32 ? kDeviceLayer : 16 + device / 32;
  return pid << 10 | layer << 5 | device % 32;
}

/// Microseconds with three decimals.
struct Micros {
  Nanoseconds ns;
};

struct KindText {
  const char* name;
  const char* type;
};

KindText text_of(OpKind kind) {
  switch (kind) {
    case OpKind::copy:
      return {"MEMCPY_ASYNC", "MEMCPY_ASYNC"};
    case OpKind::fill:
      return {"MEMSET_ASYNC", "MEMSET_ASYNC"};
    case OpKind::kernel:
      return {"kernel", "KERNEL_AIVEC"};
    case OpKind::host_call:
      return {"HOSTFUNC_CALLBACK", "HOSTFUNC_CALLBACK"};
    case OpKind::record:
      return {"EVENT_RECORD", "EVENT_RECORD_SQE"};
    case OpKind::wait:
      return {"EVENT_WAIT", "EVENT_WAIT_SQE"};
    case OpKind::reset:
      return {"EVENT_RESET", "EVENT_RESET_SQE"};
  }
  return {"task", "UNKNOWN"};
}

const char* copy_kind(const sim::CopyOp& copy) {
  const bool from_host = copy.src_device < 0;
  const bool to_host = copy.dst_device < 0;
  if (from_host) return to_host ? "h2h" : "h2d";
  if (to_host) return "d2h";
  return copy.src_device == copy.dst_device ? "d2d" : "p2p";
}

TaskText describe(const sim::Op& op) {
  const KindText kind = text_of(op.kind);
  TaskText text{
      .name = kind.name, .type = kind.type, .task_id = op.task_id, .thread_id = op.thread_id};
  switch (op.kind) {
    case OpKind::copy:
      text.copy_kind = copy_kind(op.copy);
      text.bytes = op.copy.size;
      break;
    case OpKind::fill:
      text.bytes = op.fill.size;
      break;
    case OpKind::kernel:
      if (op.kernel.name) text.name = op.kernel.name;
      break;
    case OpKind::record:
      text.signal = op.record.signal->id();
      break;
    case OpKind::wait:
      text.signal = op.wait.signal->id();
      break;
    case OpKind::reset:
      text.signal = op.reset.signal->id();
      break;
    case OpKind::host_call:
      break;
  }
  return text;
}

/// Streams count as busy from such an op until their queue is empty or they wait.
bool is_work(OpKind kind) {
  return kind == OpKind::copy || kind == OpKind::fill || kind == OpKind::kernel ||
         kind == OpKind::host_call;
}

int thread_id() {
  thread_local const int id = ::gettid();
  return id;
}

template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace
}  // namespace acl::trace

template <>
struct fmt::formatter<acl::trace::Micros> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const acl::trace::Micros& time, Context& context) const {
    return fmt::format_to(context.out(), "{}.{:03}", time.ns / 1000, time.ns % 1000);
  }
};

namespace acl::trace {

// ---- the file ----

Timeline::Timeline(std::string path, int device_count, const sim::Driver& driver)
    : driver_(driver),
      host_pid_(static_cast<std::uint64_t>(::getpid())),
      forks_(count_forks()),
      file_(std::move(path)) {
  buffer_.reserve(2 * kFlushBytes);
  add_process(host_process(host_pid_), "CANN", "CPU", kHostLayer);
  if (device_count > 0) device_row(static_cast<std::uint32_t>(device_count - 1));
  flush_all();
  start_flusher();
}

Timeline::~Timeline() {
  if (in_forked_child()) {  // the thread is the parent's
    if (flusher_.joinable()) flusher_.detach();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  if (flusher_.joinable()) flusher_.join();
  finish();
}

bool Timeline::in_forked_child() const noexcept {
  return forks.load(std::memory_order_relaxed) != forks_;
}

void Timeline::finish() {
  if (in_forked_child()) return;  // the file is the parent's, and the mutex may be held for ever
  const std::lock_guard lock(mutex_);
  flush_all();
  file_.close_pipe(unfinished_slices() + kClosing);
}

std::string Timeline::path() const {
  const std::lock_guard lock(mutex_);
  return file_.path();
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
  for (const auto& [key, lane] : lanes_) {
    if (!lane.running || lane.end > lane.start) continue;  // a running record is drawn already
    add_slice(text, lane, lane.task, lane.start, std::max(now, lane.start + kShortest), {},
              State::unfinished);
  }
  return text;
}

/// A program that hangs is killed without a further event: its last ones must be in the file.
void Timeline::start_flusher() {
  sigset_t all;
  sigset_t old;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &old);  // signals are for the program's own threads
  try {
    flusher_ = std::thread([this] { flush_now_and_then(); });
    ::pthread_setname_np(flusher_.native_handle(), "acl-trace");
  } catch (const std::system_error&) {
    // Without a thread the file is further behind.
  }
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void Timeline::flush_now_and_then() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, kFlushInterval, [this] { return stop_; })) {
    if (changed_) flush_all();
    changed_ = false;
  }
}

// ---- events ----

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

Timeline::DeviceRow& Timeline::device_row(std::uint32_t device) {
  while (devices_.size() <= device) {
    const auto id = static_cast<std::uint32_t>(devices_.size());
    devices_.emplace_back();
    add_process(device_process(host_pid_, id), fmt::format("Ascend Hardware {}", id), "NPU",
                static_cast<int>(kDeviceLayer + id));
  }
  return devices_[device];
}

Timeline::Lane& Timeline::lane_of(const sim::Stream& stream) {
  const auto device = static_cast<std::uint32_t>(stream.device());
  const auto [at, added] =
      lanes_.try_emplace(static_cast<std::uint64_t>(device) << 32 | stream.id());
  Lane& lane = at->second;
  if (added) {
    lane.device = device;
    lane.stream = stream.id();
    device_row(device);
    const std::uint64_t pid = device_process(host_pid_, device);
    add_meta("thread_name", pid, lane.stream,
             fmt::format(R"({{"name":"Stream {}"}})", lane.stream));
    add_meta("thread_sort_index", pid, lane.stream,
             fmt::format(R"({{"sort_index":{}}})", lane.stream));
  }
  return lane;
}

void Timeline::add_slice(std::string& out, const Lane& lane, const TaskText& task,
                         Nanoseconds start, Nanoseconds end, sim::Failure failure, State state) {
  begin_event(out, R"({"ph":"X","cat":"device","name":")");
  append_json_text(out, task.name);
  print(out, R"(","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"Task Type":"{}","Task Id":{})",
        device_process(host_pid_, lane.device), lane.stream, Micros{start}, Micros{end - start},
        task.type, task.task_id);
  if (task.bytes != 0) print(out, R"(,"bytes":{})", task.bytes);
  if (task.copy_kind) print(out, R"(,"kind":"{}")", task.copy_kind);
  if (task.signal != 0) print(out, R"(,"signal":{})", task.signal);
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

void Timeline::add_arrow(const RecordMark& from, const Lane& to, Nanoseconds wait_end) {
  const std::uint64_t id = ++arrows_;
  begin_event(buffer_, R"({"ph":"s","cat":"record_wait","name":"record_wait",)");
  print(buffer_, R"("id":{},"pid":{},"tid":{},"ts":{}}})", id,
        device_process(host_pid_, from.device), from.stream, Micros{from.start});
  begin_event(buffer_, R"({"ph":"f","bp":"e","cat":"record_wait","name":"record_wait",)");
  print(buffer_, R"("id":{},"pid":{},"tid":{},"ts":{}}})", id, device_process(host_pid_, to.device),
        to.stream, Micros{wait_end - 1});
}

/// Draws the arrow to a wait that ends at `end`; returns where the wait's slice must end for it.
Nanoseconds Timeline::tie_to_record(const Lane& lane, const TaskText& wait, Nanoseconds end) {
  const RecordMark* const record = records_.find(wait.signal);
  if (!record) return end;
  const Nanoseconds earliest = record->start + kShortest;
  // A record that is much later is not the one that released this wait: its signal is used again.
  if (earliest > end + kLargestShift) return end;
  end = std::max(end, earliest);
  add_arrow(*record, lane, end);
  return end;
}

void Timeline::set_busy(Lane& lane, bool busy, Nanoseconds time) {
  if (lane.busy == busy) return;
  lane.busy = busy;
  DeviceRow& device = device_row(lane.device);
  device.busy_streams += busy ? 1 : -1;
  // Threads report a little out of order; the counter's own times must not.
  device.counted_at = std::max(device.counted_at, time);
  begin_event(buffer_, R"({"ph":"C","name":"busy streams",)");
  print(buffer_, R"("pid":{},"tid":0,"ts":{},"args":{{"busy":{}}}}})",
        device_process(host_pid_, lane.device), Micros{device.counted_at}, device.busy_streams);
}

// ---- what happens ----

/// Adds whole events or none: the callers are destructors and device threads, which never throw.
template <class Body>
void Timeline::report(Body&& body) noexcept {
  if (in_forked_child()) return;
  const std::lock_guard lock(mutex_);
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
    const int thread = thread_id();
    const std::uint64_t pid = host_process(host_pid_);
    if (host_threads_.insert(thread).second) {
      const bool main = static_cast<std::uint64_t>(thread) == host_pid_;
      add_meta("thread_name", pid, thread,
               fmt::format(R"({{"name":"{} {}"}})", main ? "Main thread" : "Thread", thread));
    }
    begin_event(buffer_, R"({"ph":"X","cat":"host_api","name":")");
    append_json_text(buffer_, name);
    print(buffer_, R"(","pid":{},"tid":{},"ts":{},"dur":{}}})", pid, thread, Micros{start},
          Micros{end > start ? end - start : 1});
  });
}

void Timeline::started(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  report([&] {
    Lane& lane = lane_of(stream);
    lane.start = std::max(now, lane.end);
    begin_task(lane, op);
  });
}

void Timeline::begin_task(Lane& lane, const sim::Op& op) {
  lane.running = true;
  lane.task = describe(op);
  if (is_work(op.kind)) set_busy(lane, true, lane.start);
  if (op.kind == OpKind::wait) set_busy(lane, false, lane.start);
  if (op.kind != OpKind::record) return;
  // Drawn now: the waits that it releases may be reported before its own end is.
  lane.end = lane.start + kShortest;
  add_slice(buffer_, lane, lane.task, lane.start, lane.end, {});
  if (lane.task.signal != 0) {
    records_.remember({lane.task.signal, lane.start, lane.device, lane.stream});
  }
}

void Timeline::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                        Nanoseconds /*start*/, Nanoseconds end) {
  report([&] {
    Lane& lane = lane_of(stream);
    end_task(lane, op, failure, end);
    lane.running = false;
    if (stream.retired() + 1 >= stream.submitted()) set_busy(lane, false, lane.end);
  });
}

void Timeline::end_task(Lane& lane, const sim::Op& op, sim::Failure failure, Nanoseconds end) {
  if (lane.running && op.kind == OpKind::record) return;  // drawn when it started
  if (!lane.running) {                                    // dropped before it began
    lane.task = describe(op);
    lane.start = std::max(end, lane.end);
  }
  end = std::max(end, lane.start + kShortest);
  if (op.kind == OpKind::wait && lane.running && !failure) {
    end = tie_to_record(lane, lane.task, end);
  }
  add_slice(buffer_, lane, lane.task, lane.start, end, failure);
  lane.end = end;
}

}  // namespace acl::trace
