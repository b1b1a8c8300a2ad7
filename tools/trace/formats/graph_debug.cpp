// SPDX-License-Identifier: Apache-2.0
// The debug print of a captured graph: names carry the ids of events and notifies, tasks have no
// times.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "tools/trace/formats/format_table.h"
#include "tools/trace/formats/json_events.h"
#include "tools/trace/formats/readers.h"

namespace trace {
namespace {

struct Prefix {
  std::string_view text;
  OpKind kind;
};
constexpr Prefix kPrefixes[] = {
    {"EVENT_RECORD_", OpKind::record},         {"EVENT_WAIT_", OpKind::wait},
    {"EVENT_RESET_", OpKind::reset},           {"NOTIFY_RECORD_", OpKind::notify},
    {"NOTIFY_WAIT_", OpKind::notify_wait},     {"CNT_NOTIFY_RECORD_", OpKind::notify},
    {"CNT_NOTIFY_WAIT_", OpKind::notify_wait}, {"MEM_WRITE_VALUE_", OpKind::value_write},
    {"MEM_WAIT_VALUE_", OpKind::value_wait},   {"WRITE_VALUE_", OpKind::value_write},
    {"WAIT_VALUE_", OpKind::value_wait},
};

struct Task {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;
  std::uint32_t row = 0;
  OpKind kind = OpKind::kernel;
  std::string name;
  std::uint64_t id = 0;  // of the event, the notify, the address
  std::uint32_t count = 1;
};

std::optional<std::uint64_t> whole(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value, hex ? 16 : 10);
  return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}

/// "EVENT_WAIT_26" is a wait of event 26; "CNT_NOTIFY_RECORD_7_2" counts 2.
void take_name(Task& task, std::string_view name) {
  task.name = name;
  if (name == "MEMCPY_ASYNC") task.kind = OpKind::copy;
  if (name == "NOP") task.kind = OpKind::mark;
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.text)) continue;
    std::string_view rest = name.substr(prefix.text.size());
    const std::size_t bar = rest.find('_');
    if (bar != std::string_view::npos) {
      task.count = static_cast<std::uint32_t>(whole(rest.substr(bar + 1)).value_or(1));
      rest = rest.substr(0, bar);
    }
    const auto id = whole(rest);
    if (!id) return;  // a kernel that is called like this
    task.id = *id;
    task.kind = prefix.kind;
    return;
  }
}

class GraphImport {
 public:
  GraphImport(const Text& text, const FileContext& context, Builder& builder)
      : events_(text, context.path, context.watch), context_(context), builder_(builder) {}

  void run() {
    builder_.source(context_.path, context_.format->name, context_.format->tool);
    events_.walk([this](const JsonEvent& event) { take(event); });
    rank_ = builder_.rank(context_.rank);
    device_ = builder_.device(rank_, 0);
    std::stable_sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) {
      return a.stream != b.stream ? a.stream < b.stream : a.number < b.number;
    });
    for (const Task& task : tasks_) add(task);
    bind();
  }

 private:
  struct Event {
    std::vector<OpIndex> records;
    std::vector<OpIndex> waits;
  };

  void take(const JsonEvent& event);
  void add(const Task& task);
  void bind();

  JsonEvents events_;
  const FileContext& context_;
  Builder& builder_;
  std::vector<Task> tasks_;
  std::uint32_t rank_ = 0;
  std::uint32_t device_ = 0;
  std::map<std::uint64_t, Event> by_event_;
};

void GraphImport::take(const JsonEvent& event) {
  if (event.phase != 'X') return;
  Task task;
  std::string_view track = event.tid.raw;
  if (track.starts_with("stream")) track.remove_prefix(6);
  const auto stream = whole(track);
  const auto number = event.arg("Task Id").number();
  if (!stream) {
    events_.refuse(event, fmt::format("`tid` is '{}'; expected stream<id>", shown(event.tid.raw)));
  }
  if (!number) events_.refuse(event, "lacks args.\"Task Id\"; expected the place in the stream");
  task.stream = *stream;
  task.number = *number;
  task.row = event.index;
  take_name(task, event.name);
  tasks_.push_back(std::move(task));
}

void GraphImport::add(const Task& task) {
  NewOp op;
  op.kind = task.kind;
  op.track = builder_.stream(device_, task.stream);
  op.name = builder_.text(task.name);
  op.line = task.row;
  SyncUse use;
  if (task.kind == OpKind::notify || task.kind == OpKind::notify_wait) {
    use.object = builder_.object(ObjectKind::notify, kNone, task.id);
    use.generation = task.count;
    builder_.add(op, use);
  } else if (task.kind == OpKind::record || task.kind == OpKind::wait ||
             task.kind == OpKind::reset) {
    use.object = builder_.object(ObjectKind::event, rank_, task.id);
    const OpIndex index = builder_.add(op, use);
    if (task.kind == OpKind::record) by_event_[task.id].records.push_back(index);
    if (task.kind == OpKind::wait) by_event_[task.id].waits.push_back(index);
  } else if (task.kind == OpKind::value_write || task.kind == OpKind::value_wait) {
    ValueUse value;
    value.object = builder_.object(ObjectKind::address, rank_, task.id);
    builder_.add(op, value);
  } else if (task.kind == OpKind::copy) {
    builder_.add(op, CopyUse{});
  } else {
    builder_.add(op);
  }
}

/// If an event has one record, all its waits wait for it. If it has several, the file does not name
/// the record of a wait: the wait takes the first, and the others count as candidates.
void GraphImport::bind() {
  Trace& trace = builder_.pending();
  for (auto& [id, event] : by_event_) {
    for (std::size_t r = 0; r < event.records.size(); ++r) {
      trace.sync(event.records[r]).generation = static_cast<std::uint32_t>(r + 1);
    }
    if (event.records.empty()) continue;
    for (const OpIndex wait : event.waits) {
      SyncUse& use = trace.sync(wait);
      use.generation = 1;
      use.candidates =
          static_cast<std::uint16_t>(std::min<std::size_t>(event.records.size(), 65535));
      use.how = use.ambiguous() ? Provenance::issue : Provenance::exact;
      use.partner = event.records.front();
    }
  }
}

}  // namespace

void read_graph_debug(const Text& text, const FileContext& context, Builder& builder) {
  GraphImport(text, context, builder).run();
}

}  // namespace trace
