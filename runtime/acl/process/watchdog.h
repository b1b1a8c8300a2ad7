// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

class Runtime;

/// Watches for a program that has deadlocked its own streams: when tasks are pending and nothing
/// has moved for `seconds`, writes to stderr who waits for what. The process ends with status 3
/// when every stream with work waits for another such stream or for a callback that nobody takes,
/// and a host thread waits for them; a kernel, a host function or a host thread may still go on.
/// With `aborts` it ends in any case.
void start_watchdog(Runtime& runtime, unsigned seconds, bool aborts);

}  // namespace acl
