// SPDX-License-Identifier: Apache-2.0
// The memories and limits of a core, in a table by architecture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ascendc {

/// The memories of a core. Global memory is none of them.
enum class Memory : std::uint8_t {
  ub,
  l1,
  l0a,
  l0b,
  l0c,
  bias,
  fixpipe,
  scales_a,
  scales_b,
  index,
  count
};
inline constexpr std::size_t kMemories = static_cast<std::size_t>(Memory::count);

enum class Pipe : std::uint8_t { s, v, m, mte1, mte2, mte3, fix, count };
inline constexpr std::size_t kPipes = static_cast<std::size_t>(Pipe::count);

struct MemoryRow {
  const char* name;
  std::uint32_t bytes;         // that programs may use
  std::uint32_t alignment;     // of addresses in instructions
  std::uint32_t reserved = 0;  // bytes behind them, which the toolkit uses
  constexpr std::uint32_t all() const noexcept { return bytes + reserved; }
};

struct Arch {
  std::uint32_t number;  // __NPU_ARCH__
  std::array<MemoryRow, kMemories> memories;
};

/// The architecture with this number; architecture 2201 for unknown numbers. `claimed`: the bytes
/// of the unified buffer that a program takes from the toolkit.
const Arch& arch_of(std::uint32_t number, std::uint32_t claimed = 0) noexcept;

/// The memory behind a TPosition; `count` for global memory and unknown positions.
Memory memory_of(std::uint32_t position) noexcept;

const char* name(Pipe pipe) noexcept;
/// The pipe of a pipe_t; `count` for PIPE_ALL and unknown values.
Pipe pipe_of(std::uint32_t pipe) noexcept;

/// The two pipes of a HardEvent: who sets, who waits.
struct EventPipes {
  const char* name;
  Pipe from;
  Pipe to;
};
inline constexpr std::uint32_t kEvents = 37;
/// Null if the number is not an event.
const EventPipes* event_of(std::uint32_t event) noexcept;
/// The event from one pipe to the other; null if no event connects them.
const EventPipes* event_between(Pipe from, Pipe to) noexcept;

}  // namespace ascendc
