// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/read_trace.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "tools/trace/aclt/aclt_reader.h"
#include "tools/trace/pairing/pairing.h"
#include "tools/trace/formats/readers.h"

namespace trace {
namespace {

namespace fs = std::filesystem;

using ReadText = void (*)(const Text&, const FileContext&, Builder&);
const std::map<std::string, ReadText>& text_readers() {
  static const std::map<std::string, ReadText> readers{
      {"ascend-timeline", read_ascend_timeline},
      {"graph-debug", read_graph_debug},
      {"kineto", read_kineto},
      {"chrome", read_chrome},
      {"chakra", read_chakra},
  };
  return readers;
}

constexpr std::size_t kHead = 4096;
const std::string kKnown = "aclt, msprof-db, ascend-timeline, graph-debug, kineto, chrome, chakra";

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

/// Which of the JSON formats; by words that only their writers use.
std::string json_flavour(std::string_view text) {
  if (has(text, " aclGraph\"")) return "graph-debug";
  if (has(text, "\"Ascend Hardware\"") || has(text, "\"Physic Stream Id\"")) {
    return "ascend-timeline";
  }
  const bool kineto = has(text.substr(0, kHead), "\"schemaVersion\"") ||
                      has(text, "\"cuda_runtime\"") || has(text, "\"cuda_sync\"") ||
                      has(text, "\"gpu_memcpy\"");
  return kineto ? "kineto" : "chrome";
}

/// Chakra files have no mark: the length of a message, then its first field (1 or 2, with a
/// length).
bool looks_like_chakra(std::string_view head) {
  std::uint64_t length = 0;
  std::size_t at = 0;
  for (int shift = 0; at < head.size() && shift < 35; shift += 7) {
    const auto byte = static_cast<unsigned char>(head[at++]);
    length |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) break;
  }
  if (at >= head.size() || length < 2) return false;
  return head[at] == 0x0a || head[at] == 0x12 || head[at] == 0x08;
}

/// "json" stands for what only the whole text tells.
std::string format_of(InputFile& file) {
  const std::string_view head = file.peek(kHead);
  if (head.empty()) throw InputError(file.path(), "is empty; expected a trace (" + kKnown + ")");
  if (head.starts_with("SQLite format 3")) return "msprof-db";
  const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first != std::string_view::npos && (head[first] == '{' || head[first] == '[')) {
    const std::size_t key = head.find_first_not_of(" \t", first + 1);
    const bool own = key != std::string_view::npos && head.substr(key).starts_with("\"aclt\"");
    return own ? "aclt" : "json";
  }
  if (looks_like_chakra(head)) return "chakra";
  throw InputError(file.path(), "is of no known format; expected one of: " + kKnown);
}

/// The number in the last "rank<N>" or in the last ".<N>." of a path; ranks come in such names.
std::optional<std::int32_t> rank_in(const std::string& path) {
  const auto number_at = [&](std::size_t at) -> std::optional<std::int32_t> {
    std::size_t end = at;
    while (end < path.size() && std::isdigit(static_cast<unsigned char>(path[end]))) ++end;
    if (end == at || end - at > 6) return std::nullopt;
    return std::stoi(path.substr(at, end - at));
  };
  const std::size_t word = path.rfind("rank");
  if (word != std::string::npos) {
    const bool mark = word + 4 < path.size() && (path[word + 4] == '_' || path[word + 4] == '-');
    if (const auto rank = number_at(word + (mark ? 5 : 4))) return rank;
  }
  const fs::path name = fs::path(path).stem();  // "trace.3" of "trace.3.et"
  const std::string extension = name.extension().string();
  if (extension.size() > 1) {
    const std::size_t at = path.rfind(extension + ".");
    if (at != std::string::npos) return number_at(at + 1);
  }
  return std::nullopt;
}

class Reading {
 public:
  explicit Reading(const ReadOptions& options) : options_(options), builder_(options.keep) {}

  void add(const std::string& path) {
    InputFile file(path, options_.watch);
    add(file);
  }

  void add(InputFile& file) {
    const std::string& path = file.path();
    const std::string format = options_.from.empty() ? format_of(file) : options_.from;
    if (format == "aclt") return AcltReader(file, builder_).read();
    const FileContext context{path, next_rank(path)};
    if (format == "msprof-db") return add_database(file, context);
    const Text text = read_all(file);
    const std::string reader = format == "json" ? json_flavour(text.view()) : format;
    text_readers().at(reader)(text, context, builder_);
  }

  Trace finish() {
    Trace trace = builder_.finish();
    pair_notifies(trace);
    pair_sends(trace);
    if (options_.align_clocks) align_clocks(trace);
    return trace;
  }

 private:
  std::int32_t next_rank(const std::string& path) {
    std::int32_t rank = rank_in(path).value_or(0);
    while (!ranks_.insert(rank).second) ++rank;
    return rank;
  }

  /// SQLite reads a plain file itself; what is packed or comes through a pipe is read here.
  void add_database(InputFile& file, const FileContext& context) {
    if (file.plain() && file.peek(1) == "S") return read_msprof_db({}, context, builder_);
    const Text text = read_all(file);
    read_msprof_db(text.view(), context, builder_);
  }

  const ReadOptions& options_;
  Builder builder_;
  std::set<std::int32_t> ranks_;
};

bool is_trace_name(const std::string& name) {
  const auto ends = [&](const char* end) { return name.ends_with(end); };
  const bool view = ends("trace_view.json") || (name.starts_with("msprof_") && ends(".json"));
  const bool data =
      ends(".db") && (name.starts_with("msprof_") || name.starts_with("ascend_pytorch_profiler"));
  return view || data || ends(".aclt.jsonl") || ends(".aclt.jsonl.gz") || ends(".et");
}

/// A folder holds one trace a rank; where both a database and a timeline lie, the database is used.
std::vector<std::string> traces_in(const std::string& folder) {
  std::map<std::string, std::vector<std::string>> by_folder;
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (!entry.is_regular_file() || !is_trace_name(entry.path().filename().string())) continue;
    by_folder[entry.path().parent_path().string()].push_back(entry.path().string());
  }
  std::vector<std::string> files;
  for (auto& [name, found] : by_folder) {
    std::sort(found.begin(), found.end());
    const bool database = std::any_of(found.begin(), found.end(),
                                      [](const auto& file) { return file.ends_with(".db"); });
    for (const std::string& file : found) {
      if (!database || file.ends_with(".db")) files.push_back(file);
    }
  }
  if (files.empty()) {
    throw InputError(folder,
                     "is a folder without traces; expected files such as trace_view.json, "
                     "msprof_*.db, *.aclt.jsonl, *.et");
  }
  return files;
}

}  // namespace

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names{
      "aclt", "msprof-db", "ascend-timeline", "graph-debug", "kineto", "chrome", "chakra"};
  return names;
}

std::string detect_format(const std::string& path) {
  InputFile file(path);
  const std::string format = format_of(file);
  return format == "json" ? json_flavour(read_all(file).view()) : format;
}

Trace read_trace_bytes(const std::string& name, std::string bytes, const ReadOptions& options) {
  InputFile file(name, std::move(bytes));
  Reading reading(options);
  reading.add(file);
  return reading.finish();
}

Trace read_trace(const std::vector<std::string>& paths, const ReadOptions& options) {
  Reading reading(options);
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      reading.add(path);
      continue;
    }
    for (const std::string& file : traces_in(path)) reading.add(file);
  }
  return reading.finish();
}

}  // namespace trace
