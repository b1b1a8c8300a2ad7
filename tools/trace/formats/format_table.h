// SPDX-License-Identifier: Apache-2.0
// The formats of traces, one row each. Detection, reading, writing, the command line, the checker,
// the fuzz targets and the table in docs/trace-format.md take their lists from here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/trace/formats/readers.h"
#include "tools/trace/trace.h"

namespace trace {

/// The format that the project defines itself.
inline constexpr std::string_view kNativeFormat = "aclt";

struct Format {
  /// The value of --from and of Source::format.
  std::string_view name;

  // ---- columns of the table in docs/trace-format.md (Markdown) ----
  std::string_view files = "";          // which files have this format
  std::string_view recognised_by = "";  // the contents that detection looks for
  std::string_view events = "-";        // how exactly records and waits of events are paired
  std::string_view notifies = "-";      // the same of notifies and sends
  std::string_view times = "ns";        // the unit in the file, or "none"
  std::string_view needs = "-";         // the library that a build needs for it

  // ---- detection: each row has one of `begins`, `contains` and `resembles` ----
  bool (*begins)(std::string_view head) = nullptr;
  /// JSON: whether the whole text has words that only the writers of this format use. Rows are
  /// asked in their order.
  bool (*contains)(std::string_view text) = nullptr;
  /// A format without a mark: whether the beginning of a file that the user named fits.
  bool (*resembles)(std::string_view head) = nullptr;
  /// The same for a file in a folder, which the user did not name: a stricter test.
  bool (*surely)(std::string_view head) = nullptr;
  /// Why a file in a folder that `begins` accepts is not a trace; nullptr: it is one.
  const char* (*lacks)(const InputFile& file) = nullptr;
  /// The end of the names of such files; convert writes this format to files with that name.
  std::string_view suffix = "";

  // ---- reading and writing ----
  bool (*available)() = nullptr;  // whether this build has the library; nullptr: none is needed
  void (*read_text)(const Text& text, const FileContext& context, Builder& builder) = nullptr;
  void (*read_file)(InputFile& file, const FileContext& context, Builder& builder) = nullptr;
  /// Writes a trace; returns the paths of the files if they differ from `path`.
  std::vector<std::string> (*write)(const Trace& trace, const std::string& path) = nullptr;

  /// The contents of the trace for which the format has no place, one text each; convert prints
  /// them. nullptr: it has a place for everything.
  std::vector<std::string> (*omits)(const Trace& trace) = nullptr;

  // ---- contents ----
  bool names_ranks = false;  // the file lists its ranks, so none is proposed to the reader
  bool has_lines = false;    // Trace::line() is a line of the file, not an element or a row
  bool profile = false;      // of one process: misses records; the same file twice is refused
  bool partial = false;      // the file may lack operations of the program
  /// The format that describes the same run better, if a file of it is in the same folder.
  std::string_view superseded_by = "";
  /// How the program that wrote the file names itself; a conversion keeps that name.
  std::string_view tool = "";

  bool timed() const { return times != "none"; }
};

/// All formats. Among the JSON formats, detection takes the first that fits.
std::span<const Format> formats();

/// The row with this name; nullptr: none has it.
const Format* find_format(std::string_view name);
/// The row of a source of a trace, or of the file that it was converted from; nullptr: unknown.
const Format* origin_of(const Trace& trace, const Source& source);
/// Whether Trace::line() of the ops of this source is a line of the file.
bool has_lines(const Trace& trace, const Source& source);

/// The names in the order of the table.
const std::vector<std::string>& format_names();
/// The names of the formats that can be written.
const std::vector<std::string>& written_formats();
/// The names as one text for messages: "aclt, msprof-db, ...".
const std::string& known_formats();

/// The format to write to a file of this name: the one with that suffix, else the native one.
const Format& format_for_output(const std::string& path);

}  // namespace trace
