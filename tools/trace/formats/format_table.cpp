// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/format_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/trace/aclt/aclt_reader.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/formats/chakra_writer.h"
#include "tools/trace/formats/marks.h"

namespace trace {
namespace {

void read_aclt(InputFile& file, const FileContext&, Builder& builder) {
  AcltReader(file, builder, kNativeFormat).read();
}

std::vector<std::string> write_native(const Trace& trace, const std::string& path) {
  OutputFile out(path);
  write_aclt(trace, out);
  out.close();
  return {};
}

/// SQLite opens a plain file itself; a packed file or a pipe is read into memory first.
void read_database(InputFile& file, const FileContext& context, Builder& builder) {
  if (file.plain() && file.peek(1) == "S") return read_msprof_db({}, context, builder);
  const Text text = read_all(file);
  read_msprof_db(text.view(), context, builder);
}

const char* lacks_tables(const InputFile& file) {
  const bool tasks = !file.plain() || has_msprof_tables(file.path());
  return tasks ? nullptr : "a database without the table TASK";
}

// tests/CMakeLists.txt takes the names of the fuzz targets from the lines with `.name`.
const Format kFormats[]{
    {
        .name = "aclt",
        .files = "the native format, `*.aclt.jsonl`",
        .recognised_by = "a first line `{\"aclt\":1`",
        .events = "exact",
        .notifies = "exact",
        .begins = begins_as_aclt,
        .suffix = ".aclt.jsonl",
        .read_file = read_aclt,
        .write = write_native,
        .names_ranks = true,
        .has_lines = true,
    },
    {
        .name = "msprof-db",
        .files = "database of msprof or torch_npu",
        .recognised_by = "SQLite with the tables TASK and STRING_IDS",
        .events = "inferred",
        .notifies = "exact ids, k-th with k-th",
        .needs = "SQLite",
        .begins = begins_as_sqlite,
        .lacks = lacks_tables,
        .available = has_sqlite,
        .read_file = read_database,
        .profile = true,
        .partial = true,
        .tool = "msprof",
    },
    {
        .name = "graph-debug",
        .files = "the output of `aclmdlRIDebugJsonPrint`",
        .recognised_by = "a process \"... aclGraph\"",
        .events = "exact",
        .notifies = "exact ids",
        .times = "none",
        .contains = has_words_of_graph_debug,
        .read_text = read_graph_debug,
        .partial = true,
        .tool = "aclmdlRIDebugJsonPrint",
    },
    {
        .name = "ascend-timeline",
        .files = "`trace_view.json`, `msprof_*.json`",
        .recognised_by = "\"Ascend Hardware\" or \"Physic Stream Id\"",
        .events = "inferred",
        .notifies = "exact ids, k-th with k-th",
        .contains = has_words_of_ascend_timeline,
        .read_text = read_ascend_timeline,
        .profile = true,
        .partial = true,
        .superseded_by = "msprof-db",
        .tool = "msprof",
    },
    {
        .name = "kineto",
        .files = "PyTorch's profiler",
        .recognised_by = "`schemaVersion`, CUDA categories",
        .events = "exact if the profiler resolved them, else inferred",
        .contains = has_words_of_kineto,
        .read_text = read_kineto,
        .profile = true,
        .partial = true,
        .tool = "PyTorch profiler",
    },
    {
        .name = "chrome",
        .files = "any other Chrome trace",
        .recognised_by = "a JSON array, or `traceEvents`",
        .contains = [](std::string_view) { return true; },
        .read_text = read_chrome,
        .partial = true,
    },
    {
        .name = "chakra",
        .files = "Chakra execution traces, `*.et`",
        .recognised_by = "lengths and messages of protobuf",
        .notifies = "sends: k-th with k-th by (from, to, tag)",
        .times = "us",
        .needs = "protobuf",
        .resembles = resembles_chakra,
        .surely = is_surely_chakra,
        .suffix = ".et",
        .available = has_protobuf,
        .read_text = read_chakra,
        .write = write_chakra,
        .omits = omitted_by_chakra,
    },
};

template <class Wanted>
std::vector<std::string> names_of(Wanted&& wanted) {
  std::vector<std::string> names;
  for (const Format& format : kFormats) {
    if (wanted(format)) names.emplace_back(format.name);
  }
  return names;
}

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                         [&](const Format& format) { return format.name == name; });
  return found == std::end(kFormats) ? nullptr : found;
}

const Format* origin_of(const Trace& trace, const Source& source) {
  const Format* const format = find_format(trace.text(source.format));
  if (format && !format->write) return format;
  const std::string& tool = trace.text(source.tool);
  if (const Format* const converted = find_format(tool)) return converted;
  for (const Format& row : kFormats) {
    if (!row.tool.empty() && tool.starts_with(row.tool)) return &row;
  }
  return format;
}

bool has_lines(const Trace& trace, const Source& source) {
  const Format* const format = find_format(trace.text(source.format));
  return format && format->has_lines;
}

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = names_of([](const Format&) { return true; });
  return names;
}

const std::vector<std::string>& written_formats() {
  static const std::vector<std::string> names = names_of([](const Format& f) { return f.write; });
  return names;
}

const std::string& known_formats() {
  static const std::string known = fmt::format("{}", fmt::join(format_names(), ", "));
  return known;
}

const Format& format_for_output(const std::string& path) {
  for (const Format& format : kFormats) {
    if (format.write && path.ends_with(format.suffix)) return format;
  }
  return *find_format(kNativeFormat);
}

}  // namespace trace
