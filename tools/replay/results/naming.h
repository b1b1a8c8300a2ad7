// SPDX-License-Identifier: Apache-2.0
// Names of tracks and ops in texts.
#pragma once

#include <string>

#include "tools/trace/trace.h"

namespace replay {

/// The name of the track if it has one, else "Stream 2" or "Thread 17".
std::string track_title(const trace::Trace& trace, trace::TrackIndex track);
/// "device 0 stream 2", "rank 1 thread 17".
std::string track_name(const trace::Trace& trace, trace::TrackIndex track);
/// The op's name, or the word of its kind in files.
const std::string& op_word(const trace::Trace& trace, trace::OpIndex op);
/// The op's name, or a title: the call that waits, the direction of a copy.
const std::string& op_title(const trace::Trace& trace, trace::OpIndex op);
/// "op 12 (wait, line 34) on device 0 stream 2".
std::string op_name(const trace::Trace& trace, trace::OpIndex op);
/// "event 7", "notify 0x100000054", "address 0x1000".
std::string object_name(const trace::Trace& trace, std::uint32_t object);
/// 1234567 -> "1.235 ms".
std::string time_text(trace::Nanoseconds ns);
/// 2064384 -> "2.1 MB".
std::string bytes_text(double bytes);
/// 1234567 -> "1,234,567".
std::string count_text(std::uint64_t count);

}  // namespace replay
