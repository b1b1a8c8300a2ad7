// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "runtime/acl/findings/ended_handles.h"
#include "runtime/acl/touches/freed_memory.h"
#include "runtime/order/engine/finding.h"

namespace acl {

/// Mistakes that a single call shows: its arguments, its code, or an object or memory that has
/// ended before. The recording has them as marks, since it lacks the calls that failed. Callers
/// hold the recorder's lock, except for `handle_ended` and `handle`.
class RecordedFindings {
 public:
  /// Memory that the current call ends.
  void memory_ended(const void* begin, std::size_t size);
  /// The object of the handle ends with the current call, unless a thread of the machine ends it.
  void handle_ended(const void* handle);

  /// The call is given an address in memory that has ended; nullopt: it never was memory.
  std::optional<order::Finding> memory(const void* address, const char* argument) const;
  /// The call is given a handle of an object that has ended; nullopt: it never was one.
  std::optional<order::Finding> handle(const void* handle) const;
  /// No allocation starts at the address that the call frees.
  static order::Finding nothing_to_free();

 private:
  FreedMemory freed_;
  EndedHandles ended_;
};

/// The operation of the call that the thread is in.
order::OpInfo recorded_call();

/// The finding as members of the `args` of a mark. `place` returns the text of a call site.
std::string found_args(const order::Finding& finding,
                       const std::function<std::string(std::uint64_t site)>& place);

}  // namespace acl
