// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl::trace_output {

/// How often this process was forked off a recorded one: who is made at one count and finds another
/// lives in a child, where the file and the mutexes are the parent's.
unsigned forks() noexcept;
/// The same, for the first call: counts from here on.
unsigned count_forks();

}  // namespace acl::trace_output
