// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tools/trace/trace.h"

namespace trace {

/// What a recording says in `args` of an op that failed, and of what was left at the end.
struct Outcome {
  bool fails = false;
  std::string failed;        // why
  std::int64_t returns = 0;  // the code that the program gets; 0: none
  bool loses = false;        // a call that was to do some work
  bool checked = true;       // false: it failed for what has rules of its own
  std::string alive;         // "1 stream, 2 events"
  std::string rule;          // of what was found inside of a kernel
  std::string found;         // and what
  std::string first;         // the place of the first allocation of these
};
Outcome outcome_of(const Trace& trace, OpIndex op);

/// Of `aclsim run --record`.
bool is_recording(const Trace& trace, const Source& source);

}  // namespace trace
