// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/driver.h"

#include <algorithm>

#include "device_sim/base/sanitizer.h"

namespace sim {

// Called after the stream was parked: a look that came before that found nobody and may have let
// go of the word, one that comes later finds the stream.
void Driver::watch(Word& word) {
  bool first = false;
  {
    const std::lock_guard guard(watched_mutex_);
    const auto same = [&](const Ref<Word>& at) { return at.get() == &word; };
    if (std::any_of(watched_.begin(), watched_.end(), same)) return;
    watched_.push_back(Ref<Word>::share(&word));
    first = watched_.size() == 1;
    watched_count_.store(watched_.size(), std::memory_order_relaxed);
  }
  if (first) watch_started();
}

void Driver::copy_large(void* dst, const void* src, std::size_t size) {
  device_copy(dst, src, size);
}

bool Driver::look_at_words() {
  const std::lock_guard guard(watched_mutex_);
  std::erase_if(watched_, [](const Ref<Word>& word) { return !word->look(); });
  watched_count_.store(watched_.size(), std::memory_order_relaxed);
  return !watched_.empty();
}

}  // namespace sim
