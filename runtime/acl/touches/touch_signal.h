// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "runtime/acl/touches/guarded_reads.h"

namespace acl {

/// From here on `report` is called for each touch of a page that `reads` bars, and the page is
/// opened. Once in a process.
void watch_touches(GuardedReads& reads, std::function<void(const HostTouch&)> report);
/// Installs the handler again, before a handler that the program has set since. The program's
/// handler gets all other signals. Nothing happens if no touches are watched.
void install_touch_handler();
bool watching_touches() noexcept;
/// A kernel touches the page. False: it is not guarded. Callable from a signal handler.
bool open_for_kernel(const void* address) noexcept;
/// `source` gives the current line of the calling thread by aclsimCheckSite, if it knows the line.
/// It is called in a signal handler. Null: no line is known.
void set_place_source(void (*source)());

}  // namespace acl
