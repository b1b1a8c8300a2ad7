// SPDX-License-Identifier: Apache-2.0
// The timeline of msprof and torch_npu. The args of an event decide its kind, not its process: only
// device tasks have a "Task Type", only parts of collectives a "notify_id".
#include <map>
#include <tuple>

#include "tools/trace/formats/ascend.h"
#include "tools/trace/formats/collective_names.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/formats/json_events.h"
#include "tools/trace/formats/readers.h"

namespace trace {
namespace {

/// The key of a part of a task: stream, task, context, start.
using PartKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, Nanoseconds>;

struct Part {
  std::uint32_t kind = 0;  // word
  std::uint32_t plane = 0;
  std::uint64_t notify = kNoNotify;
  std::uint32_t src_rank = kNone;
  std::uint32_t dst_rank = kNone;
  std::uint64_t bytes = kUnknownBytes;
};

std::uint32_t rank_or_none(const JsonCell& cell) {
  const auto rank = cell.number();
  return !rank || *rank >= kNone ? kNone : static_cast<std::uint32_t>(*rank);
}

int direction_of(std::string_view operation) {
  if (operation == "host to host") return 0;
  if (operation == "host to device") return 1;
  if (operation == "device to host") return 2;
  return operation == "device to device" ? 3 : -1;
}

class TimelineImport {
 public:
  TimelineImport(const Text& text, const FileContext& context, Builder& builder)
      : events_(text, context.path, context.watch), context_(context), builder_(builder) {}

  void run() {
    builder_.source(context_.path, context_.format->name, context_.format->tool);
    events_.walk([this](const JsonEvent& event) { take(event); });
    if (profiles_.empty()) {
      throw InputError(context_.path, "has no tasks; expected slices with a \"Task Type\"");
    }
    std::int32_t rank = context_.rank;
    for (auto& [device, profile] : profiles_) {
      profile.rank = rank++;
      profile.collectives = std::move(collectives_[device]);
      for (AscendTask& task : profile.tasks) join(task, parts_[device]);
      add_ascend(profile, calls_, words_, builder_);
    }
  }

 private:
  void take(const JsonEvent& event);
  void take_task(const JsonEvent& event);
  void take_part(const JsonEvent& event);
  void take_call(const JsonEvent& event);
  void take_collective(const JsonEvent& event);
  std::int32_t device(const JsonEvent& event);
  std::uint64_t number(const JsonEvent& event, const JsonCell& cell, const char* name);
  static void join(AscendTask& task, const std::map<PartKey, Part>& parts);

  JsonEvents events_;
  const FileContext& context_;
  Builder& builder_;
  Strings words_;
  std::map<std::int32_t, AscendProfile> profiles_;
  std::map<std::int32_t, std::map<PartKey, Part>> parts_;  // by device
  std::map<std::int32_t, AscendCollectives> collectives_;  // by device
  AscendCalls calls_;
};

std::uint64_t TimelineImport::number(const JsonEvent& event, const JsonCell& cell,
                                     const char* name) {
  if (const auto value = cell.number()) return *value;
  events_.refuse(event,
                 fmt::format("`{}` is '{}'; expected a whole number", name, shown(cell.raw)));
}

/// Process ids are made up of a host process, a layer and, in the lowest five bits, the device.
std::int32_t TimelineImport::device(const JsonEvent& event) {
  return static_cast<std::int32_t>(number(event, event.pid, "pid") & 31);
}

void TimelineImport::take(const JsonEvent& event) {
  if (event.phase != 'X') return;
  if (!event.arg("Task Type").empty()) return take_task(event);
  if (!event.arg("notify_id").empty() && !event.arg("stream id").empty()) return take_part(event);
  if (event.arg("connection_id").empty()) return;
  if (!event.arg("Thread Id").empty()) return take_call(event);
  if (!event.arg("count").empty() && !event.arg("data_type").empty()) take_collective(event);
}

void TimelineImport::take_task(const JsonEvent& event) {
  AscendTask task;
  task.start = events_.time(event, event.ts, "ts");
  const Nanoseconds duration = events_.time(event, event.dur, "dur");
  if (task.start > INT64_MAX - duration) {
    events_.refuse(event, "`dur` is too long; expected a duration");
  }
  task.end = task.start + duration;
  task.stream = number(event, event.tid, "tid");
  task.task = static_cast<std::uint32_t>(number(event, event.arg("Task Id"), "Task Id"));
  const auto context = event.arg("Subtask Id").number();
  if (context && *context < kNoContext) task.context = static_cast<std::uint32_t>(*context);
  task.connection = event.arg("connection_id").number().value_or(UINT64_MAX);
  task.type = words_.add(event.arg("Task Type").raw);
  task.name = words_.add(event.name);
  if (const auto bytes = event.arg("size(B)").number()) task.bytes = *bytes;
  task.direction = direction_of(event.arg("operation").raw);
  task.row = event.index;
  const std::int32_t on = device(event);
  AscendProfile& profile = profiles_[on];
  profile.device = on;
  profile.tasks.push_back(std::move(task));
}

void TimelineImport::take_part(const JsonEvent& event) {
  Part part;
  part.kind = words_.add(event.arg("task type").raw);
  const std::uint64_t track = number(event, event.tid, "tid");
  part.plane = track == 0 ? 0 : static_cast<std::uint32_t>(track - 1);  // track 0 is the whole
  const std::uint64_t notify = event.arg("notify_id").number().value_or(UINT64_MAX);
  part.notify = notify >= kNoNotify ? kNoNotify : notify;
  part.src_rank = rank_or_none(event.arg("src rank"));
  part.dst_rank = rank_or_none(event.arg("dst rank"));
  if (const auto bytes = event.arg("size(Byte)").number()) part.bytes = *bytes;
  const PartKey key{number(event, event.arg("stream id"), "stream id"),
                    number(event, event.arg("task id"), "task id"),
                    event.arg("context id").number().value_or(kNoContext),
                    events_.time(event, event.ts, "ts")};
  parts_[device(event)][key] = std::move(part);
}

void TimelineImport::take_call(const JsonEvent& event) {
  const AscendCall call{events_.time(event, event.ts, "ts"), number(event, event.tid, "tid")};
  const auto connection = event.arg("connection_id").number();
  if (!connection) return;
  const auto [at, fresh] = calls_.try_emplace(*connection, call);
  if (!fresh && call.start < at->second.start) at->second = call;
}

void TimelineImport::take_collective(const JsonEvent& event) {
  const auto connection = event.arg("connection_id").number();
  const auto count = event.arg("count").number();
  if (!connection || !count) return;
  const std::string group(group_in_name(event.name));
  collectives_[device(event)][*connection] = {words_.add(event.name), words_.add(group),
                                              bytes_of(*count, event.arg("data_type").raw)};
}

void TimelineImport::join(AscendTask& task, const std::map<PartKey, Part>& parts) {
  const auto found = parts.find(PartKey{task.stream, task.task, task.context, task.start});
  if (found == parts.end()) return;
  const Part& part = found->second;
  task.part = part.kind;
  task.plane = part.plane;
  task.notify = part.notify;
  task.src_rank = part.src_rank;
  task.dst_rank = part.dst_rank;
  task.bytes = part.bytes;
}

}  // namespace

void read_ascend_timeline(const Text& text, const FileContext& context, Builder& builder) {
  TimelineImport(text, context, builder).run();
}

}  // namespace trace
