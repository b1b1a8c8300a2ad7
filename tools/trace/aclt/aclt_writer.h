// SPDX-License-Identifier: Apache-2.0
// Writes the native format (docs/trace-format.md).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tools/trace/files/output_file.h"
#include "tools/trace/trace.h"

namespace trace {

/// Writes a trace: a header, the definitions, the ops in the order of their lines (by track if
/// lines were not kept), numbered from 1. Reading the file gives the same tracks, ops and edges.
void write_aclt(const Trace& trace, OutputFile& out);
std::string to_aclt(const Trace& trace);

/// Writes what one rank ran as a native trace of its own, in pieces: first the lines before the
/// first op, with kNone, then the line of each op. Dependencies on other ranks are left out.
void write_aclt_lines(const Trace& trace, std::uint32_t rank,
                      const std::function<void(OpIndex op, std::string_view line)>& line);

/// `text` as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_text(const std::string& text);

}  // namespace trace
