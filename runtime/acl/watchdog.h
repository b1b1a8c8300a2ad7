// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

class Runtime;

/// Watches for a program that has deadlocked its own streams: when tasks are pending and nothing
/// has moved for `seconds`, writes to stderr who waits for what. When no stream could ever move
/// again by itself, the process ends with status 3.
void start_watchdog(Runtime& runtime, unsigned seconds);

}  // namespace acl
