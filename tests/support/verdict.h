// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace support {

/// Fails the whole run, from where an assertion cannot stand: listeners, other threads. Prints now.
void fail_run(const std::string& reason);

/// 0, or 1 once `fail_run` was called.
int verdict();

}  // namespace support
