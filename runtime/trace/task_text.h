// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device_sim/streams/op.h"

namespace acl::trace_output {

/// The texts of the slice of an op.
struct TaskText {
  const char* name = nullptr;
  const char* type = nullptr;
  const char* copy_kind = nullptr;  // null: no copy
  const char* details = "";         // more members of JSON, each with a comma in front
  std::uint64_t bytes = 0;          // 0: not said
  std::uint64_t signal = 0;         // 0: not said
  std::uint32_t task_id = 0;
  std::uint32_t thread_id = 0;
};

/// Its texts live as long as the op.
TaskText describe(const sim::Op& op);

/// Streams count as busy from such an op until their queue is empty or they wait.
bool is_work(const sim::Op& op);

}  // namespace acl::trace_output
