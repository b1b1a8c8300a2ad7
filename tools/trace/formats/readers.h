// SPDX-License-Identifier: Apache-2.0
// One function for each format that is not the native one. All throw InputError.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "tools/trace/builder.h"
#include "tools/trace/files/input_file.h"

namespace trace {

struct Format;

/// The file that a reader gets.
struct FileContext {
  std::string path;
  /// Its row in the table of formats.
  const Format* format = nullptr;
  /// The rank to take if the file does not name one.
  std::int32_t rank = 0;
  /// Ranks of the files before.
  const std::set<std::int32_t>* taken = nullptr;
  /// Called with the number of bytes that have been parsed.
  Watch watch{};
};

/// Tasks of a profiler's SQLite database. `bytes`: its content if it is not a plain file;
/// empty: the file itself is opened.
void read_msprof_db(std::string_view bytes, const FileContext& context, Builder& builder);
/// Timelines of the same profiler (JSON, `trace_view.json` and `msprof_*.json`).
void read_ascend_timeline(const Text& text, const FileContext& context, Builder& builder);
/// The output of aclmdlRIDebugJsonPrint: structure without times.
void read_graph_debug(const Text& text, const FileContext& context, Builder& builder);
/// The JSON of PyTorch's profiler.
void read_kineto(const Text& text, const FileContext& context, Builder& builder);
/// Any other Chrome trace: slices by track, arrows as edges.
void read_chrome(const Text& text, const FileContext& context, Builder& builder);
/// Chakra execution trace (protobuf) of one rank.
void read_chakra(const Text& bytes, const FileContext& context, Builder& builder);

/// Whether this build has SQLite, for databases.
bool has_sqlite();
/// Whether a database has the tables that read_msprof_db() reads; true in a build without SQLite.
bool has_msprof_tables(const std::string& path);
/// Whether this build has protobuf, for Chakra traces.
bool has_protobuf();

}  // namespace trace
