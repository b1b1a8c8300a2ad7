// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "runtime/acl/touches/guarded_reads.h"

namespace acl {

/// From here on touches of pages that `reads` bars are told, and the page is opened. Once a
/// process.
void watch_touches(GuardedReads& reads, std::function<void(const HostTouch&)> told);
/// A handler that the program has set since gets only what is no such touch.
void stand_in_front();

}  // namespace acl
