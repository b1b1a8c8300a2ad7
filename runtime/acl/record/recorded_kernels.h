// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "device_sim/memory/memory.h"
#include "device_sim/streams/op.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/record/recorded_buffers.h"
#include "runtime/trace/op_lines.h"

namespace acl {

/// Kernels that report their accesses when they end. By then their memory may have been freed and
/// allocated again under another name, so the names are kept from the launch. Callers hold the
/// recorder's lock.
class RecordedKernels {
 public:
  RecordedKernels(const sim::Memory& memory, RecordedBuffers& buffers, trace_output::OpLines& lines)
      : memory_(memory), buffers_(buffers), lines_(lines) {}

  /// Appends the buffers that an op was given. The op is added next.
  void append_given(std::string& out, const sim::Op& op);
  /// The op was added as `number`.
  void added(std::uint64_t number);
  /// The members that the line of a kernel lacks that has ended. If they name buffers whose
  /// definitions may come after the kernel's line, a line of their own after those definitions has
  /// them, and the result is empty.
  std::string take_accessed(const sim::Stream& stream, const sim::Op& op, std::uint64_t number);

 private:
  struct Given {  // an allocation with its name at the launch
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    std::uint64_t buffer = 0;
  };

  bool find_segments(const sim::MemoryRange& range, std::span<const Given> given);

  const sim::Memory& memory_;
  RecordedBuffers& buffers_;
  trace_output::OpLines& lines_;
  std::optional<std::vector<Given>> next_given_;  // of the op that is about to be added
  std::unordered_map<std::uint64_t, std::vector<Given>> given_;  // by op that has not ended
  std::vector<RecordedBuffers::Segment> segments_;               // of one op; kept for its capacity
};

}  // namespace acl
