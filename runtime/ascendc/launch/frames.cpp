// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/frames.h"

#include <unwind.h>

#include <cstdint>

namespace ascendc {

void Frames::collect(const void* innermost) noexcept {
  count_ = 0;
  if (innermost) sites_[count_++] = innermost;
  collecting_ = true;
  const auto add = [](_Unwind_Context* frame, void* self) {
    auto& frames = *static_cast<Frames*>(self);
    int before = 0;  // the address belongs to the interrupted instruction
    const std::uintptr_t at = _Unwind_GetIPInfo(frame, &before);
    if (at == 0 || frames.count_ == kMost) return _URC_END_OF_STACK;
    frames.sites_[frames.count_++] = reinterpret_cast<const void*>(at + (before != 0 ? 1 : 0));
    return _URC_NO_REASON;
  };
  _Unwind_Backtrace(add, this);
  collecting_ = false;
}

}  // namespace ascendc
