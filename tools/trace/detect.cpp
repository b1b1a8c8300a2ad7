// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/detect.h"

#include "tools/trace/formats/marks.h"

namespace trace {
namespace {

/// A table of the vendor's profiler; its columns are not a schedule.
bool looks_like_table(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\n'));
  return has(line, ",") &&
         (has(line, "Start Time(us)") || has(line, "task_start(us)") || has(line, "Duration(us)") ||
          has(line, "task_time(us)") || has(line, "Task Duration(us)"));
}

/// Keys of execution traces of PyTorch, and of Chakra traces printed as JSON.
bool looks_like_nodes(std::string_view head) {
  return has(head, "\"nodes\"") && (has(head, "\"rf_id\"") || has(head, "\"ctrl_deps\"") ||
                                    has(head, "\"execution_trace\"") || has(head, "\"op_schema\""));
}
bool looks_like_printed_chakra(std::string_view head) {
  return has(head, "\"COMP_NODE\"") || has(head, "\"COMM_COLL_NODE\"") ||
         has(head, "\"dataDeps\"") || has(head, "\"ctrlDeps\"") ||
         (has(head, "\"data_deps\"") && has(head, "\"duration_micros\""));
}

constexpr const char* kTable =
    "is a table of msprof, which says nothing of order between streams; expected the database "
    "(msprof_*.db, ascend_pytorch_profiler*.db) or the timeline (trace_view.json) of the same "
    "profile";
constexpr const char* kNodes =
    "is an execution trace of PyTorch, which has neither times nor streams; expected the profile "
    "of the same run (*.pt.trace.json), or both linked by chakra_trace_link and converted by "
    "chakra_converter (*.et)";
constexpr const char* kPrinted =
    "is a Chakra trace printed as JSON; expected the trace it was printed from (*.et)";

const char* refusal_of_json(std::string_view head) {
  if (has(head, "\"ph\"")) return nullptr;
  if (looks_like_printed_chakra(head)) return kPrinted;
  return looks_like_nodes(head) ? kNodes : nullptr;
}

Detected detect_json(std::string_view head, const std::string& path) {
  if (has(head, "\"ph\"")) return {&json_format(head, path), ""};
  if (looks_like_printed_chakra(head)) return {nullptr, "Chakra as JSON"};
  if (looks_like_nodes(head)) return {nullptr, "execution trace of PyTorch"};
  return {nullptr, "no trace events"};
}

/// Whether a file without a mark is taken for a trace of this format.
bool is_taken(const Format& format, std::string_view head, const std::string& path) {
  if (!format.surely) return false;
  const std::string suffix(format.suffix);
  return path.ends_with(suffix) || path.ends_with(suffix + ".gz") || format.surely(head);
}

}  // namespace

const Format& json_format(std::string_view text, const std::string& path) {
  if (const char* const refusal = refusal_of_json(text.substr(0, kFarHead))) {
    throw InputError(path, refusal);
  }
  for (const Format& format : formats()) {
    if (format.contains && format.contains(text)) return format;
  }
  throw InputError(path, "is of no known format; expected one of: " + known_formats());
}

const Format* format_of(InputFile& file) {
  const std::string_view head = file.peek(kHead);
  if (head.empty()) {
    throw InputError(file.path(), "is empty; expected a trace (" + known_formats() + ")");
  }
  for (const Format& format : formats()) {
    if (format.begins && format.begins(head)) return &format;
  }
  if (is_json(head)) return nullptr;
  if (looks_like_table(head)) throw InputError(file.path(), kTable);
  for (const Format& format : formats()) {
    if (format.resembles && format.resembles(head)) return &format;
  }
  throw InputError(file.path(), "is of no known format; expected one of: " + known_formats());
}

Detected detect(const std::string& path) {
  try {
    InputFile file(path);
    const std::string_view head = file.peek(kFarHead);
    if (head.empty()) return {nullptr, "empty"};
    for (const Format& format : formats()) {
      if (!format.begins || !format.begins(head)) continue;
      const char* const why = format.lacks ? format.lacks(file) : nullptr;
      return why ? Detected{nullptr, why} : Detected{&format, ""};
    }
    if (is_json(head)) return detect_json(head, path);
    if (looks_like_table(head)) return {nullptr, "a table"};
    for (const Format& format : formats()) {
      if (is_taken(format, head, path)) return {&format, ""};
    }
    return {nullptr, "of no known format"};
  } catch (const InputError&) {
    return {nullptr, "cannot be read"};
  }
}

}  // namespace trace
