// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tools/trace/trace.h"

namespace trace {

/// The data in `args` of a recording about a failed op, or about objects left at the end.
struct Outcome {
  bool fails = false;
  std::string failed;        // why
  std::int64_t returns = 0;  // the code that the program gets; 0: none
  bool loses = false;        // a call that should have done some work
  bool checked = true;       // false: other rules report this failure
  std::string alive;         // "1 stream, 2 events"
  std::string rule;          // of a finding inside of a kernel
  std::string found;         // its text
  std::string first;         // the place of the first allocation of these
};
Outcome outcome_of(const Trace& trace, OpIndex op);

/// Whether the source is a recording of `aclsim run --record`.
bool is_recording(const Trace& trace, const Source& source);

}  // namespace trace
