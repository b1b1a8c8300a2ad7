// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "device_sim/base/clock.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/record/recorded_ranges.h"
#include "runtime/trace/op_lines.h"
#include "runtime/trace/sink.h"

namespace acl {

class Runtime;

/// Host threads: their numbers and their actions, as ops of their own tracks. Callers hold the
/// recorder's lock.
class RecordedHosts {
 public:
  /// `rank`: of this process in its job.
  RecordedHosts(Runtime& runtime, std::uint32_t rank, trace_output::OpLines& lines,
                RecordedRanges& ranges)
      : runtime_(runtime), rank_(rank), lines_(lines), ranges_(ranges) {}

  /// The number of the calling thread, which is defined at its first use.
  std::uint32_t number();

  /// Adds an op of the calling thread, and returns its number. `open`: the op ends with the current
  /// call, or with the thread's next op.
  std::uint64_t add(const char* op, const std::string& members, bool open = false);
  /// Adds a call that has added no other line.
  void add_call(const char* name, sim::Nanoseconds start, sim::Nanoseconds end);
  /// `args`: members of a JSON object; `by`: the number of a thread other than the calling one.
  void add_mark(std::string_view text, const std::string& args, std::uint64_t site,
                std::uint32_t by = 0);

  void copied(std::span<const sim::MemoryRange> ranges);
  void filled(const sim::MemoryRange& range);
  void accessed(const sim::MemoryRange& range);
  /// An access outside of calls.
  void touched(const sim::MemoryRange& byte, std::uint64_t site);

  /// The thread is in the function of the op `number` until `function_ended`. A thread of the
  /// runtime has no mark of that, unless the function makes calls.
  void function_begins(std::uint64_t number);
  void function_ended();

  /// Ends the wait `number`. `reached`: it waited until its end.
  void wait_ended(std::uint64_t number, bool reached);

  void released(const void* object);
  void acquired(const void* object);

  void range_opened(const trace_output::Range& range);
  void range_closed(std::uint64_t id);
  void marked(const trace_output::Range& mark);

 private:
  /// `role`: what the mark means for the function that the thread is in.
  void add_function_mark(std::uint32_t host, const char* role);

  Runtime& runtime_;
  const std::uint32_t rank_;
  trace_output::OpLines& lines_;
  RecordedRanges& ranges_;
  std::uint32_t threads_ = 0;  // that have a number
  std::unordered_map<std::uint64_t, std::string> open_ranges_;
  std::unordered_map<const void*, std::uint64_t> releases_;  // ops by object
};

}  // namespace acl
