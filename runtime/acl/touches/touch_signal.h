// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "runtime/acl/touches/guarded_reads.h"

namespace acl {

/// From here on `report` is called for each touch of a page that `reads` bars, and the page is
/// opened. Once in a process.
void watch_touches(GuardedReads& reads, std::function<void(const HostTouch&)> report);
/// Installs the handler again, before a handler that the program has set since. The program's
/// handler gets all other signals.
void install_touch_handler();

}  // namespace acl
