// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "device_sim/streams/op.h"
#include "runtime/acl/record/recorded_buffers.h"
#include "runtime/acl/record/recorded_events.h"
#include "runtime/acl/record/recorded_kernels.h"
#include "runtime/acl/record/recorded_ranges.h"
#include "runtime/acl/watch/task_facts.h"

namespace acl {

class Runtime;

/// The text of an op in a recording: its word, then members that each begin with a comma. Callers
/// hold the recorder's lock.
class OpTexts {
 public:
  OpTexts(const Runtime& runtime, RecordedBuffers& buffers, RecordedRanges& ranges,
          RecordedEvents& events, RecordedKernels& kernels)
      : runtime_(runtime), buffers_(buffers), ranges_(ranges), events_(events), kernels_(kernels) {}

  void append(std::string& out, const sim::Op& op, const TaskFacts& facts);

  /// The op `number` was enqueued.
  void enqueued(const TaskFacts& facts, std::uint64_t number);
  /// The op `number` begins.
  void begun(const sim::Op& op, std::uint64_t number);
  /// The dependency of a wait that has ended, if the format has no word for the wait: the last
  /// change of its word before the end.
  std::string released_by(const sim::Op& op) const;

 private:
  void append_kernel(std::string& out, const sim::Op& op);
  void append_simple_task(std::string& out, const sim::Op& op);
  void append_record(std::string& out, const sim::Op& op, const TaskFacts& facts);
  void append_wait(std::string& out, const sim::Op& op, const TaskFacts& facts);
  void append_word(std::string& out, const sim::Op& op, const TaskFacts& facts);
  void append_pool_free(std::string& out, const TaskFacts& facts);

  const Runtime& runtime_;
  RecordedBuffers& buffers_;
  RecordedRanges& ranges_;
  RecordedEvents& events_;
  RecordedKernels& kernels_;
  std::unordered_map<std::uint64_t, std::uint64_t> pool_frees_;  // ops by address
  std::unordered_map<std::uint64_t, std::uint64_t> changes_;     // the last op, by word
};

}  // namespace acl
