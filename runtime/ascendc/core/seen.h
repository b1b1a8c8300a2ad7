// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/ascendc/core/clocks.h"

namespace ascendc {

/// The completed work of a unit: a clock of `KeptClocks` holds the completed steps of its pipes. A
/// later notification of a unit includes all earlier ones and has a later time.
struct SeenUnit {
  std::uint32_t time = 0;  // 0: nothing is known to be over
  std::uint32_t clock = 0;
  bool operator==(const SeenUnit&) const = default;
};

/// By unit of a launch.
using Seen = std::vector<SeenUnit>;

inline void join(Seen& seen, const Seen& told) {
  seen.resize(std::max(seen.size(), told.size()));
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i].time > seen[i].time) seen[i] = told[i];
  }
}

/// Clocks by number. A thread that has a number may read its clock while other threads add clocks.
class KeptClocks {
 public:
  KeptClocks() = default;
  ~KeptClocks() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }
  KeptClocks(const KeptClocks&) = delete;
  KeptClocks& operator=(const KeptClocks&) = delete;

  /// One thread at a time.
  std::uint32_t add(const Clock& clock) {
    const ChunkIndex place = place_of(count_);
    std::atomic<Clock*>& chunk = chunks_[place.chunk];
    if (place.index == 0) chunk.store(new Clock[kFirst << place.chunk], std::memory_order_release);
    chunk.load(std::memory_order_relaxed)[place.index] = clock;
    return count_++;
  }
  const Clock& operator[](std::uint32_t number) const {
    const ChunkIndex place = place_of(number);
    return chunks_[place.chunk].load(std::memory_order_acquire)[place.index];
  }

 private:
  struct ChunkIndex {
    std::size_t chunk;
    std::size_t index;
  };
  static constexpr std::size_t kFirst = 64;  // each chunk has twice as many as the one before
  static ChunkIndex place_of(std::size_t number) {
    ChunkIndex place{0, number};
    while (place.index >= kFirst << place.chunk) place.index -= kFirst << place.chunk++;
    return place;
  }

  std::array<std::atomic<Clock*>, 26> chunks_{};
  std::uint32_t count_ = 0;
};

}  // namespace ascendc
