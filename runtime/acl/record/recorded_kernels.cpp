// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/acl/kernel/given.h"
#include "runtime/acl/record/record_thread.h"
#include "runtime/acl/record/recorded_ranges.h"

namespace acl {

void RecordedKernels::append_given(std::string& out, const sim::Op& op) {
  std::vector<Given>& given = next_given_.emplace();
  any_given(memory_, op, [&](const void* address) {
    if (!memory_.find(address)) return false;
    const RecordedBuffers::Piece found = buffers_.holding(address);
    const auto same = [&](const Given& one) { return one.begin == found.begin; };
    if (std::any_of(given.begin(), given.end(), same)) return false;
    given.push_back({found.begin, found.size, found.number});
    return false;
  });
  out += R"(,"may":[)";
  for (std::size_t i = 0; i < given.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", given[i].buffer);
  }
  out += ']';
}

void RecordedKernels::added(std::uint64_t number) {
  if (next_given_) given_[number] = *std::exchange(next_given_, std::nullopt);
}

/// Adds the names of the bytes to segments_; false if some are in no allocation that was given.
bool RecordedKernels::find_segments(const sim::MemoryRange& range, std::span<const Given> given) {
  bool all = true;
  std::uintptr_t at = reinterpret_cast<std::uintptr_t>(range.begin);
  for (const std::uintptr_t end = at + range.size; at < end;) {
    const auto holds = [&](const Given& one) { return at - one.begin < one.size; };
    const auto known = std::find_if(given.begin(), given.end(), holds);
    const auto* const address = reinterpret_cast<const void*>(at);
    std::uintptr_t until = end;
    if (known != given.end()) {
      until = std::min(end, known->begin + known->size);
      segments_.push_back({known->buffer, at - known->begin, until - at});
    } else {
      if (const auto found = memory_.find(address))
        until = std::min(end, found->begin + found->size);
      buffers_.append(address, until - at, segments_);
      all = false;
    }
    at = until;
  }
  return all;
}

std::string RecordedKernels::take_accessed(const sim::Stream& stream, const sim::Op& op,
                                           std::uint64_t number) {
  const auto known = given_.find(number);
  if (known == given_.end()) return {};
  const std::vector<Given> given = std::move(known->second);
  given_.erase(known);
  RecordThread::Accessed& by = record_thread().accessed;
  if (by.stream != stream.id() || by.task != op.task_id) return {};
  const std::vector<sim::MemoryRange> ranges = std::exchange(by.ranges, {});
  bool all_given = true;
  std::string text;
  for (const char* const key : {"rd", "wr", "red"}) {
    segments_.clear();
    for (const sim::MemoryRange& range : ranges) {
      const char* const how = range.merge != 0 ? "red" : range.written ? "wr" : "rd";
      if (how == std::string_view(key)) all_given = find_segments(range, given) && all_given;
    }
    RecordedRanges::append_segments(text, key, segments_);
  }
  if (all_given) return text;
  lines_.define(fmt::format(R"({{"def":"times","id":{}{}}})", number, text));
  return {};
}

}  // namespace acl
