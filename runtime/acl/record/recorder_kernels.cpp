// SPDX-License-Identifier: Apache-2.0
// Kernels that tell at their end what they accessed: when their memory may have been freed already,
// and given out again under another name.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/kernel/given.h"
#include "runtime/acl/record/recorder.h"

namespace acl {
/// The buffers that an op was given, which is added next.
void Recorder::append_given(std::string& out, const sim::Op& op) {
  const sim::Memory& memory = runtime_.memory();
  std::vector<Given>& given = next_given_.emplace();
  any_given(memory, op, [&](const void* address) {
    const auto found = memory.find(address);
    if (!found) return false;
    const auto same = [&](const Given& one) { return one.begin == found->begin; };
    if (std::any_of(given.begin(), given.end(), same)) return false;
    pieces_.clear();
    buffers_.append(reinterpret_cast<const void*>(found->begin), 1, pieces_);
    given.push_back({found->begin, found->size, pieces_.front().buffer});
    return false;
  });
  out += R"(,"may":[)";
  for (std::size_t i = 0; i < given.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", given[i].buffer);
  }
  out += ']';
}

void Recorder::expect_accesses(std::uint64_t number) {
  if (next_given_) given_[number] = *std::exchange(next_given_, std::nullopt);
}

void Recorder::kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                               std::span<const sim::MemoryRange> ranges) {
  record_thread().accessed = {stream_id, task_id, {ranges.begin(), ranges.end()}};
}

/// Adds what the bytes are called to pieces_; false where some lie in nothing that was given.
bool Recorder::find_pieces(const sim::MemoryRange& range, std::span<const Given> given) {
  bool all = true;
  std::uintptr_t at = reinterpret_cast<std::uintptr_t>(range.begin);
  for (const std::uintptr_t end = at + range.size; at < end;) {
    const auto holds = [&](const Given& one) { return at - one.begin < one.size; };
    const auto known = std::find_if(given.begin(), given.end(), holds);
    const auto* const address = reinterpret_cast<const void*>(at);
    std::uintptr_t until = end;
    if (known != given.end()) {
      until = std::min(end, known->begin + known->size);
      pieces_.push_back({known->buffer, at - known->begin, until - at});
    } else {
      if (const auto found = runtime_.memory().find(address))
        until = std::min(end, found->begin + found->size);
      buffers_.append(address, until - at, pieces_);
      all = false;
    }
    at = until;
  }
  return all;
}

/// What the line of a kernel that is over lacks. Where it names buffers that its line may come
/// before, a line of its own says it, behind their definitions.
std::string Recorder::take_accessed(const sim::Stream& stream, const sim::Op& op,
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
    pieces_.clear();
    for (const sim::MemoryRange& range : ranges) {
      const char* const how = range.merge != 0 ? "red" : range.written ? "wr" : "rd";
      if (how == std::string_view(key)) all_given = find_pieces(range, given) && all_given;
    }
    append_pieces(text, key);
  }
  if (all_given) return text;
  lines_.define(fmt::format(R"({{"def":"times","id":{}{}}})", number, text));
  return {};
}

/// By a thread of the machine, which is none of the recording: the mark is the first thread's, so
/// that the others have the same numbers in each run. It is not the one who reports it.
bool Recorder::found_in_kernel(bool race, const std::string& text) {
  report([&] {
    const ThreadState& thread = thread_state();
    const std::string args = fmt::format(R"("rule":"{}","found":{})", race ? "ACL035" : "ACL036",
                                         trace_output::json_string(text));
    add_mark(thread.call, args, call_site_of(thread), 1);
  });
  return false;
}

}  // namespace acl
