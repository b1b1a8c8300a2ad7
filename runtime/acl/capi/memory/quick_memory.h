// SPDX-License-Identifier: Apache-2.0
// Memory in the short ways of calls.
#pragma once

#include "runtime/acl/capi/core/quick.h"
#include "runtime/acl/memory/memory_label.h"

namespace acl {

/// The allocation that holds all of [address, address + size), if the thread has looked it up
/// recently and no rights restrict its use; null otherwise. Valid until the thread's next lookup.
inline const sim::Allocation* quick_memory(const QuickStream& to, const void* address,
                                           std::size_t size) noexcept {
  const sim::Allocation* const found = to.stream->core().driver().memory().recall(address);
  if (!found || found->restricted) return nullptr;
  if (MemoryLabel::of(*found).use != MemoryLabel::Use::plain) return nullptr;
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - found->begin;
  return size <= found->size - offset ? found : nullptr;
}

}  // namespace acl
