// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "tools/trace/pairing/evidence.h"
#include "tools/trace/trace.h"

namespace trace {

/// The contents of a trace in numbers.
struct Summary {
  std::uint32_t ranks = 0;    // that have ops
  std::uint32_t devices = 0;  // that have streams
  std::uint32_t streams = 0;  // without planes, which belong to a stream
  std::uint32_t host_threads = 0;
  std::array<std::uint64_t, kOpKinds> by_kind{};
  std::uint64_t waits_paired = 0;      // with the record that releases them
  std::uint64_t waits_exact = 0;       // of these: named by the file
  std::uint64_t waits_inferred = 0;    // of these: found by time or order of calls
  std::uint64_t waits_ambiguous = 0;   // of these: records on several streams could have been meant
  std::uint64_t waits_unrecorded = 0;  // no record: they order nothing
  std::uint64_t waits_unknown = 0;     // no record in the file, which may leave records out
  std::uint64_t notify_pairs = 0;
  std::uint64_t send_pairs = 0;
  std::uint64_t edges = 0;  // beside the order of tracks and the pairs above
  std::uint64_t copy_bytes = 0;
  Evidence evidence;
  Nanoseconds first_ns = kNoTime;  // start of the first op, from base_ns
  Nanoseconds span_ns = 0;         // from there to the end of the last

  std::uint64_t of(OpKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};

Summary summarise(const Trace& trace);

}  // namespace trace
