// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "device_sim/base/clock.h"
#include "device_sim/streams/observer.h"

namespace acl::trace_output {

/// A span of host time that the program named, or one moment of it.
struct Range {
  std::uint64_t id = 0;
  std::string name;
  std::string details;       // members of a JSON object, without its braces; may be empty
  std::uint32_t thread = 0;  // shown in the track of this thread; 0: any thread may close it
  sim::Nanoseconds start = 0;
};

/// Records a run: the work of the machine, and the calls and marks of the program. Functions may be
/// called by any thread at once.
class Sink : public sim::Observer {
 public:
  /// A call by the calling thread. `name` is copied.
  virtual void api_call(const char* name, sim::Nanoseconds start,
                        sim::Nanoseconds end) noexcept = 0;
  /// Ranges of one thread are closed in the reverse order of opening.
  virtual void range_opened(const Range& range) noexcept = 0;
  /// An id that was never opened here is ignored.
  virtual void range_closed(std::uint64_t id, sim::Nanoseconds end) noexcept = 0;
  virtual void mark(const Range& mark) noexcept = 0;
};

}  // namespace acl::trace_output
