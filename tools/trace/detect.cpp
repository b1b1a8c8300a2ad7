// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/detect.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "tools/trace/formats/readers.h"

namespace trace {
namespace {

constexpr std::size_t kHead = 4096;
/// How far into a JSON text of a folder is looked for the words of a trace.
constexpr std::size_t kFarHead = std::size_t{1} << 20;

/// Of the whole of a large text. string_view::find() stops at each quote, and there are many.
bool has(std::string_view text, std::string_view word) {
  return ::memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

/// At the beginning of a Chakra message: its length, then the first field of its content.
struct Message {
  std::size_t next = 0;  // where the one after it begins
  unsigned char tag = 0;
};
std::optional<Message> message_at(std::string_view text, std::size_t at) {
  std::uint64_t length = 0;
  for (int shift = 0; at < text.size() && shift < 35; shift += 7) {
    const auto byte = static_cast<unsigned char>(text[at++]);
    length |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) break;
  }
  if (at >= text.size() || length < 2) return std::nullopt;
  return Message{at + static_cast<std::size_t>(length), static_cast<unsigned char>(text[at])};
}

/// Chakra files have no mark: field 1 (version or id) or 2 comes first.
bool looks_like_chakra(std::string_view head) {
  const auto first = message_at(head, 0);
  return first && (first->tag == 0x0a || first->tag == 0x12 || first->tag == 0x08);
}

/// The same for a file that nobody called a trace: metadata, and a node after it.
bool surely_chakra(std::string_view head) {
  const auto first = message_at(head, 0);
  if (!first || first->tag != 0x0a || first->next >= head.size()) return false;
  const auto second = message_at(head, first->next);
  return second && (second->tag == 0x0a || second->tag == 0x12 || second->tag == 0x08);
}

/// Tables of the vendor's profiler, whose columns are no schedule.
bool looks_like_table(std::string_view head) {
  const std::string_view line = head.substr(0, head.find('\n'));
  return has(line, ",") &&
         (has(line, "Start Time(us)") || has(line, "task_start(us)") || has(line, "Duration(us)") ||
          has(line, "task_time(us)") || has(line, "Task Duration(us)"));
}

/// Execution traces of PyTorch, and Chakra traces printed as JSON, name this.
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

bool is_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

}  // namespace

const std::string& known_formats() {
  static const std::string known =
      "aclt, msprof-db, ascend-timeline, graph-debug, kineto, chrome, chakra";
  return known;
}

/// By words that only their writers use.
std::string json_flavour(std::string_view text, const std::string& path) {
  const std::string_view far = text.substr(0, kFarHead);
  if (const char* const refusal = refusal_of_json(far)) throw InputError(path, refusal);
  if (has(text, " aclGraph\"")) return "graph-debug";
  if (has(text, "\"Ascend Hardware\"") || has(text, "\"Physic Stream Id\"")) {
    return "ascend-timeline";
  }
  const bool kineto = has(text.substr(0, kHead), "\"schemaVersion\"") ||
                      has(far, "\"PyTorch Profiler\"") || has(far, "\"External id\"") ||
                      has(text, "\"cuda_runtime\"") || has(text, "\"cuda_sync\"") ||
                      has(text, "\"gpu_memcpy\"") || has(text, "\"cpu_op\"");
  return kineto ? "kineto" : "chrome";
}

std::string format_of(InputFile& file) {
  const std::string_view head = file.peek(kHead);
  if (head.empty()) {
    throw InputError(file.path(), "is empty; expected a trace (" + known_formats() + ")");
  }
  if (head.starts_with("SQLite format 3")) return "msprof-db";
  if (is_json(head)) {
    const std::size_t first = head.find_first_of("{[");
    const std::size_t key = head.find_first_not_of(" \t", first + 1);
    const bool own = key != std::string_view::npos && head.substr(key).starts_with("\"aclt\"");
    return own ? "aclt" : "json";
  }
  if (looks_like_table(head)) throw InputError(file.path(), kTable);
  if (looks_like_chakra(head)) return "chakra";
  throw InputError(file.path(), "is of no known format; expected one of: " + known_formats());
}

Sighting sight(const std::string& path) {
  try {
    InputFile file(path);
    const std::string_view head = file.peek(kFarHead);
    if (head.empty()) return {"", "empty"};
    if (looks_like_table(head)) return {"", "a table"};
    if (head.starts_with("SQLite format 3")) {
      const bool tasks = !file.plain() || has_msprof_tables(path);
      return tasks ? Sighting{"msprof-db", ""} : Sighting{"", "a database without the table TASK"};
    }
    if (is_json(head)) {
      if (head.substr(0, kHead).find("\"aclt\"") != std::string_view::npos) return {"aclt", ""};
      if (looks_like_printed_chakra(head) && !has(head, "\"ph\"")) return {"", "Chakra as JSON"};
      if (looks_like_nodes(head) && !has(head, "\"ph\"")) return {"", "execution trace of PyTorch"};
      if (!has(head, "\"ph\"")) return {"", "no trace events"};
      return {json_flavour(head, path), ""};
    }
    const bool named = path.ends_with(".et") || path.ends_with(".et.gz");
    if (named || surely_chakra(head)) return {"chakra", ""};
    return {"", "of no known format"};
  } catch (const InputError&) {
    return {"", "cannot be read"};
  }
}

}  // namespace trace
