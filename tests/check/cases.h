// SPDX-License-Identifier: Apache-2.0
// The classes of bugs that the checker finds: each as a short program with the bug, and the same
// program repaired.
#pragma once

#include <vector>

#include "acl/acl_sim_check.h"
#include "tests/acl/world.h"
#include "tests/support/bugs_may_run.h"

namespace check {

/// A class of bugs, by its number in docs/checker-rules.md.
struct Case {
  const char* number;
  const char* name;
  const char* rule;  // that the bug breaks
  void (*program)(bool repaired);
};

const std::vector<Case>& order_cases();
const std::vector<Case>& host_cases();
const std::vector<Case>& life_cases();
const std::vector<Case>& progress_cases();
const std::vector<Case>& value_cases();
const std::vector<Case>& number_cases();
const std::vector<Case>& over_cases();
const std::vector<Case>& memory_cases();
const std::vector<Case>& thread_cases();

using ::bugs_may_run;

/// The distinct findings so far of a level and above.
inline std::uint64_t found_from(const char* level) {
  std::uint64_t count = 0;
  REQUIRE_ACL(aclsimCheckCount(level, &count));
  return count;
}

/// How often the body breaks the rule.
template <class Body>
std::uint64_t told(const char* rule, Body&& body) {
  std::uint64_t times = 0;
  REQUIRE_ACL(aclsimCheckExpectBegin(rule));
  body();
  REQUIRE_ACL(aclsimCheckExpectEnd(&times));
  return times;
}

/// The context of the calling thread, for others.
inline aclrtContext this_context() {
  aclrtContext context = nullptr;
  REQUIRE_ACL(aclrtGetCurrentContext(&context));
  return context;
}

inline constexpr std::size_t kSize = 4096;

/// The objects of most programs: three streams, three buffers, pinned memory. Memory ends last.
struct Desk {
  world::Device device;
  world::HostMemory in{kSize};
  world::HostMemory out{kSize};
  world::DeviceMemory x{kSize};
  world::DeviceMemory y{kSize};
  world::DeviceMemory z{kSize};
  world::Stream a, b, c;
};

// One line for each step of a program.
inline void fill(aclrtStream stream, void* to) {
  REQUIRE_ACL(aclrtMemsetAsync(to, kSize, 1, kSize, stream));
}
inline void copy(aclrtStream stream, void* to, const void* from,
                 aclrtMemcpyKind kind = ACL_MEMCPY_DEFAULT) {
  REQUIRE_ACL(aclrtMemcpyAsync(to, kSize, from, kSize, kind, stream));
}
inline void record(aclrtEvent event, aclrtStream stream) {
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
}
inline void wait(aclrtStream stream, aclrtEvent event) {
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, event));
}
inline void join(aclrtStream stream) { REQUIRE_ACL(aclrtSynchronizeStream(stream)); }

/// `second` goes on when `first` has come here.
inline void behind(aclrtStream first, aclrtStream second) {
  const auto event = world::Event::ex();
  record(event, first);
  wait(second, event);
}

}  // namespace check
