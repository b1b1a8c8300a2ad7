// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sim {

inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

inline constexpr std::size_t round_up(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

/// Maps a file from `offset` on, or private zeros where `fd` is -1, over reserved addresses. A
/// forked child does not get the file's pages: it must not write into its parent's devices.
/// Throws MachineError(out_of_memory).
void map_fixed(std::byte* at, std::size_t bytes, int protection, int fd, std::size_t offset = 0);

}  // namespace sim
