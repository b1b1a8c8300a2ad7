// SPDX-License-Identifier: Apache-2.0
// Reads files of any known format into one trace.
#pragma once

#include <string>
#include <vector>

#include "tools/trace/builder.h"
#include "tools/trace/files/input_error.h"
#include "tools/trace/files/input_file.h"
#include "tools/trace/trace.h"

namespace trace {

struct ReadOptions {
  Keep keep;
  std::string from;          // one of format_names(); empty: detected from the contents
  bool align_clocks = true;  // where two ranks notified each other
  Watch watch;               // of all files, in bytes of them; databases are not watched
};

/// All files as one trace: events bound, notifies and sends paired, clocks of ranks aligned.
/// A folder is replaced by the traces in it, in the layout of profilers. Throws InputError.
Trace read_trace(const std::vector<std::string>& paths, const ReadOptions& options = {});

/// The same from memory; messages name `name` as the path, and it may contain a rank ("x.3.et").
Trace read_trace_bytes(const std::string& name, std::string bytes, const ReadOptions& options = {});

}  // namespace trace
