// SPDX-License-Identifier: Apache-2.0
// Inference of the record that a wait waits for, if the file does not name it.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/trace/op.h"

namespace trace {

/// A record or a wait of one rank, as a profiler saw it.
struct EventPoint {
  std::uint64_t stream = 0;
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  Nanoseconds issue = kNoTime;  // of the host's call
  std::uint64_t thread = 0;     // that made the call
};

/// A wait that took longer than this was blocked.
inline constexpr Nanoseconds kBlockedWait = 200;

struct InferredRecord {
  std::uint32_t record = kNone;  // index into the records
  std::uint16_t streams = 0;     // the number of streams with a possible record
  Provenance how = Provenance::none;
};

/// A wait that blocked for more than 200 ns ends within 1 us after its record: the last record on
/// another stream in that window. Any other: the nearest record that the host called for earlier,
/// on another stream, and that had ended by then; calls of the same thread come first.
std::vector<InferredRecord> infer_records(const std::vector<EventPoint>& records,
                                          const std::vector<EventPoint>& waits);

}  // namespace trace
