// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/shared_copy.h"

#include <algorithm>
#include <thread>

#include "device_sim/base/sanitizer.h"

namespace sim {

SharedCopy::SharedCopy(void* dst, const void* src, std::size_t size, std::size_t piece) noexcept
    : dst_(static_cast<char*>(dst)),
      src_(static_cast<const char*>(src)),
      size_(size),
      piece_(piece),
      pieces_((size + piece - 1) / piece) {}

void SharedCopy::help() noexcept {
  for (;;) {
    const std::size_t mine = begun_.fetch_add(1, std::memory_order_relaxed);
    if (mine >= pieces_) return;
    const std::size_t at = mine * piece_;
    device_copy(dst_ + at, src_ + at, std::min(piece_, size_ - at));
    done_.fetch_add(1, std::memory_order_release);
  }
}

void SharedCopy::finish() noexcept {
  help();
  while (done_.load(std::memory_order_acquire) < pieces_) std::this_thread::yield();
}

}  // namespace sim
