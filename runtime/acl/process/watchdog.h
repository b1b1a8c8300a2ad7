// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

class Runtime;

/// Watches for a program that has deadlocked its own streams: if tasks are pending and no task has
/// ended for `seconds`, writes the waits of all streams to stderr. The process ends with status 3
/// if every stream with work waits for another such stream or for a callback that no thread takes,
/// and a host thread waits for them. The same if each thread of the program waits for a stream
/// without a time limit, or sleeps until such a thread wakes it, and no stream moves. In other
/// cases a kernel, a host function or a host thread may still continue. With `aborts` the process
/// ends in any case.
void start_watchdog(Runtime& runtime, unsigned seconds, bool aborts);

}  // namespace acl
