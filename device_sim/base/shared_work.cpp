// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/shared_work.h"

#include <thread>

namespace sim {

void SharedWork::help() noexcept {
  for (;;) {
    const std::size_t mine = begun_.fetch_add(1, std::memory_order_relaxed);
    if (mine >= pieces_) return;
    piece_(mine);
    done_.fetch_add(1, std::memory_order_release);
  }
}

void SharedWork::finish() noexcept {
  help();
  while (done_.load(std::memory_order_acquire) < pieces_) std::this_thread::yield();
}

}  // namespace sim
