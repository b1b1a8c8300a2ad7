// SPDX-License-Identifier: Apache-2.0
// The texts that the check of a running program and the check of traces share. finding.h explains
// the words in braces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace order::sentences {

/// ACL033. `asked`: the program asked for the error, or repeated the call with success.
inline std::string failed_call(std::int64_t code, std::string_view text, bool asked) {
  std::string made = "{it} failed with " + std::to_string(code) + ": ";
  made += text;
  if (!asked)
    made += "; the program neither asked for the error nor repeated the call with success";
  return made;
}
inline constexpr std::string_view kFailedTaskTitle = "failed task";
inline std::string failed_task(std::int64_t code, std::string_view text) {
  std::string made = failed_call(code, text, true);
  return made += "; no synchronise call reports it";
}
inline constexpr std::string_view kFailedTaskRepair =
    "synchronise with the stream, and check what that returns";

/// ACL027.
inline constexpr std::string_view kUnservedCallback =
    "{it} never ran; no thread serves the callbacks of the stream";

/// ACL013. `alive`: a list of resources, and the operation of which the finding names the place.
inline std::string ends_with(std::string_view alive) {
  return std::string("the program ends with ").append(alive);
}
inline constexpr const char* kFirstAllocation = "first allocation";

/// ACL021.
inline constexpr const char* kUnwrittenRead = "{it} reads {bytes} of which some were never written";

/// ACL037.
inline constexpr const char* kUnorderedCalls =
    "the order of {it} and {other} depends on the timing of two threads: nothing orders the calls "
    "that enqueue them on the stream";

/// ACL030.
inline constexpr const char* kFlagNotReset =
    "{it} may pass at once; an earlier record has set the event, and nothing resets it";

/// ACL025 of a synchronise: {other} runs, or waits for other operations.
inline constexpr const char* kTimedOutOnRunning =
    "{it} waits for {other}, which runs; its time limit has passed";
inline constexpr const char* kTimedOut = "{it} waits for {other}; its time limit has passed";

/// ACL002. `event`: "the event", or its name.
inline std::string recorded_later(std::string_view event) {
  return std::string("{it} orders nothing; ").append(event) + " is recorded only later, by {other}";
}

/// ACL001 and ACL002, if the event is recorded later and nothing after the wait races.
inline constexpr std::string_view kFirstRoundRepair =
    "none, if the first round of a loop has nothing to wait for; otherwise call aclrtRecordEvent "
    "before the wait";

/// ACL006. The reason why nothing orders the two follows.
inline constexpr std::string_view kReleasedInUse =
    "{it} releases {bytes} that {other} may still use";

/// ACL020, in memory.
inline constexpr std::string_view kUseAfterFreeTitle = "use after free";
inline constexpr std::string_view kUseAfterFreeRepair =
    "move {other} after the last use of the memory";
/// ACL006, of an operation that waits for something that nothing enqueued so far brings: to
/// synchronise with it would hang.
inline constexpr std::string_view kUsedByStuckRepair =
    "first enqueue what the stream waits for at or before {other}; then synchronise with the "
    "stream before {it}";
inline constexpr std::string_view kInvalidFreeTitle = "invalid free";
inline std::string points_into_freed(std::string_view argument) {
  return std::string(argument) + " of {it} points into memory that {other} released";
}

/// ACL020, of handles. `again`: {it} and {other} are the same function.
inline std::string_view ended_title(bool again) {
  return again ? "double destroy" : "use after destroy";
}
inline std::string given_ended(std::string_view noun) {
  return std::string("{it} is given ").append(noun) + " that {other} destroyed before";
}
inline std::string_view ended_repair(bool again) {
  return again ? "destroy the object once: remove {it} here, or {other}"
               : "move {other} after the last call that is given the object";
}

/// A call that failed with a code that belongs to a rule.
inline std::string failed_by_rule(std::string_view text, std::int64_t code) {
  return std::string(text) + " (error " + std::to_string(code) + ")";
}

}  // namespace order::sentences
