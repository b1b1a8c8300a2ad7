// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device_sim/streams/op.h"
#include "runtime/acl/record/recorded_buffers.h"

namespace acl {

class Runtime;

/// The bytes that an op reads and writes, as members of its line. Callers hold the recorder's lock.
class RecordedRanges {
 public:
  RecordedRanges(Runtime& runtime, RecordedBuffers& buffers)
      : runtime_(runtime), buffers_(buffers) {}

  /// The members "rd" and "wr".
  void append(std::string& out, std::span<const sim::MemoryRange> ranges);
  /// The members of a transfer: its size, the devices of its source and target, and its ranges.
  void append_copy(std::string& out, std::span<const sim::MemoryRange> ranges, std::size_t bytes);
  /// A number for a word of memory that is the same from run to run.
  std::uint64_t word_address(const void* address);

  static void append_segments(std::string& out, const char* key,
                              std::span<const RecordedBuffers::Segment> segments);

 private:
  Runtime& runtime_;
  RecordedBuffers& buffers_;
  std::vector<RecordedBuffers::Segment> segments_;  // of one op; kept for its capacity
};

}  // namespace acl
