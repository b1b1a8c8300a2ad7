// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/trace/trace.h"

namespace trace {

/// The data in `args` of a recording: about a failed op, about objects left at the end, about the
/// parts of the order that other lines do not show.
struct Outcome {
  bool fails = false;
  std::string failed;        // why
  std::int64_t returns = 0;  // the code that the program gets; 0: none
  bool loses = false;        // a call that should have done some work
  bool checked = true;       // false: other rules report this failure
  bool shown = false;        // and a mark of the recording has their finding
  std::string alive;         // "1 stream, 2 events"
  std::string rule;          // of a finding about this call, or inside of a kernel
  std::string found;         // its text
  std::string title;         // "": the rule's
  std::string repair;        // likewise
  bool warning = false;      // of a finding: no error
  std::string other;         // the other operation of the finding, and its place
  std::string at;
  std::int64_t stream = -1;  // of a finding in a kernel: where it ran; -1: not known
  std::int64_t device = -1;
  bool limit = false;           // a wait that came to its time limit
  std::uint64_t stays_set = 0;  // the event that a record sets until its reset; 0: none
  std::string unknown;          // why later findings would be wrong: "memory", "blocks", "notifies"
  std::uint64_t begins = 0;     // the number of the op whose function begins here; 0: none
  std::uint64_t ends = 0;       // likewise; a function that makes no calls has one mark for both
  std::string first;            // the place of the first allocation of these
};
Outcome outcome_of(const Trace& trace, OpIndex op);
/// Whether the text of `args` begins with a key of an outcome.
bool is_outcome(std::string_view json);

/// The writer of recordings, in the header of a trace.
inline constexpr std::string_view kRecordingTool = "aclsim run --record";

/// Whether the source is a recording of `aclsim run --record`.
bool is_recording(const Trace& trace, const Source& source);

}  // namespace trace
