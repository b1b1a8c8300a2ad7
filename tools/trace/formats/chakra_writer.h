// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/trace/trace.h"

namespace trace {

/// Writes one Chakra execution trace a rank: "x.et" becomes "x.0.et", "x.1.et", ... The order of
/// tracks, all edges within a rank, and the order of a synchronise and the ops that its thread
/// issued afterwards are data dependencies; a notify between ranks becomes a send and a receive of
/// one byte. Durations are rounded up to microseconds. Attributes contain the native format
/// (chakra_native.h). Returns the paths; writes all files or none. Throws std::runtime_error, also
/// in a build without protobuf.
std::vector<std::string> write_chakra(const Trace& trace, const std::string& path);

/// The contents of the trace for which nodes have no place: "the times of 3 calls", ...
std::vector<std::string> omitted_by_chakra(const Trace& trace);

}  // namespace trace
