// SPDX-License-Identifier: Apache-2.0
#include "tools/check/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace check {

using trace::OpKind;

Memory::Memory(const trace::Trace& trace)
    : trace_(trace),
      freed_(trace.buffers().size()),
      begins_here_(trace.buffers().size()),
      given_(trace.buffers().size()) {
  std::vector<std::uint64_t> sizes;
  for (const trace::Buffer& buffer : trace.buffers()) sizes.push_back(buffer.bytes);
  for (const trace::Range& range : trace.ranges()) {
    std::uint64_t& size = sizes[range.buffer];
    size = std::max(size, range.offset + range.bytes);
  }
  constexpr std::uint64_t kRoom = std::uint64_t{1} << 62;
  std::uint64_t next = 4096;  // no buffer has address 0
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    begin_.push_back(next);
    if (sizes[b] > kRoom - next) {
      throw std::invalid_argument(
          fmt::format("check: buffer {} has {} bytes; expected less than 2^62 in all buffers",
                      trace.buffers()[b].id, sizes[b]));
    }
    next += sizes[b] + 1;  // they never touch
  }
  begin_.push_back(next);
  look_at(trace);
}

void Memory::look_at(const trace::Trace& trace) {
  for (OpIndex op = 0; op < trace.size(); ++op) {
    const trace::Op& it = trace[op];
    if (it.kind == OpKind::kernel && !it.has(trace::kHasRanges) && trace.given(op).empty())
      all_declared_ = false;
    if (it.kind != OpKind::alloc || it.use == trace::kNone) continue;
    begins_here_[trace.memory(op).buffer] = true;
  }
}

/// A kernel without given buffers, or one that found other buffers in memory, may have written
/// anywhere.
void Memory::kernel_ended(OpIndex op) {
  const auto rows = trace_.given(op);
  if (rows.empty()) return;
  const auto was_given = [&](std::uint32_t buffer) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const trace::Given& row) { return row.buffer == buffer; });
  };
  const auto ranges = trace_.ranges(op);
  const bool found_others =
      std::any_of(ranges.begin(), ranges.end(), [&](const trace::Range& range) {
        const bool programs_own = trace_.buffers()[range.buffer].device == trace::kHostMemory &&
                                  !begins_here_[range.buffer];
        return !programs_own && !was_given(range.buffer);
      });
  written_anywhere_ = written_anywhere_ || rows.size() == 1 || found_others;
  for (const trace::Given& row : rows.subspan(1)) given_[row.buffer] = true;
}

order::Access Memory::access(const trace::Range& range) const {
  order::Access made;
  made.begin = begin_[range.buffer] + range.offset;
  made.size = range.bytes;
  made.write = range.write;
  if (range.reduced) made.kind = order::AccessKind::reduction;
  made.host = trace_.buffers()[range.buffer].device == trace::kHostMemory;
  return made;
}

std::uint16_t Memory::number_of(trace::StringIndex reduction) {
  if (reduction == 0) return 0;
  const auto known = std::find(reductions_.begin(), reductions_.end(), reduction);
  const auto index = known - reductions_.begin();
  if (known == reductions_.end() && index < UINT16_MAX) reductions_.push_back(reduction);
  return static_cast<std::uint16_t>(index < UINT16_MAX ? index + 1 : 0);
}

/// A reduction also reads its target.
void Memory::set_kinds(OpIndex op, std::vector<order::Access>& accesses) {
  const trace::Op& it = trace_[op];
  if (it.kind == OpKind::value_write || it.kind == OpKind::value_wait) {
    for (order::Access& access : accesses) access.kind = order::AccessKind::atomic;
  }
  if (it.kind != OpKind::reduce) return;
  const std::uint16_t number = number_of(it.use == trace::kNone ? 0 : trace_.copy(op).reduction);
  std::vector<order::Access> targets;
  for (order::Access& access : accesses) {
    if (!access.write) continue;
    access.kind = order::AccessKind::reduction;
    access.reduction = number;
    targets.push_back(access);
  }
  for (const order::Access& target : targets) {
    const auto read = std::find_if(accesses.begin(), accesses.end(), [&](const order::Access& a) {
      return !a.write && a.begin == target.begin && a.size == target.size;
    });
    if (read != accesses.end()) accesses.erase(read);
  }
}

order::Access Memory::whole(std::uint32_t buffer) const {
  order::Access made;
  made.begin = begin_[buffer];
  made.size = begin_[buffer + 1] - begin_[buffer] - 1;
  made.write = true;
  made.host = trace_.buffers()[buffer].device == trace::kHostMemory;
  return made;
}

bool Memory::beyond_end(const trace::Range& range) const {
  const std::uint64_t size = trace_.buffers()[range.buffer].bytes;
  return size != 0 && range.offset + range.bytes > size;
}

std::uint32_t Memory::locate(order::Access& where) const {
  const auto after = std::upper_bound(begin_.begin(), begin_.end(), where.begin);
  const auto buffer = static_cast<std::uint32_t>(after - begin_.begin()) - 1;
  where.begin -= begin_[buffer];
  return buffer;
}

std::string Memory::name(std::uint32_t buffer) const {
  const trace::Buffer& it = trace_.buffers()[buffer];
  if (it.bytes == 0) return fmt::format("buffer {}", it.id);
  return fmt::format("buffer {} ({} bytes)", it.id, it.bytes);
}

}  // namespace check
