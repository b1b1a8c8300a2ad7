// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace trace {

/// The traces of one job in a folder and the folders in it, and the other files there.
struct Folder {
  std::vector<std::string> traces;   // by path
  std::vector<std::string> skipped;  // "path (why)"
};

/// Reads the beginning of every file. If several formats describe one job, one is taken: a database
/// rather than the timeline beside it, and traces with times rather than the print of a graph.
/// Throws InputError, which lists the files, if none of them is a trace.
Folder traces_in(const std::string& folder);

/// "2 files are no traces: a.txt (of no known format), ..."
std::string skipped_text(const std::vector<std::string>& skipped);

}  // namespace trace
