// SPDX-License-Identifier: Apache-2.0
// The happens-before order among the pipes of a core.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/ascendc/core/arch.h"

namespace ascendc {

/// How far each pipe had come.
using Clock = std::array<std::uint32_t, kPipes>;

inline void join(Clock& clock, const Clock& other) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kPipes; ++i) clock[i] = std::max(clock[i], other[i]);
}

class PipeClocks {
 public:
  const Clock& of(Pipe pipe) const noexcept {
    scalar_is_shown_ = true;
    return clocks_[index(pipe)];
  }

  /// An instruction of the pipe begins. It knows what the scalar unit, which dispatches it, has
  /// waited for; what the scalar unit wrote itself it does not.
  std::uint32_t step(Pipe pipe) noexcept {
    Clock& clock = clocks_[index(pipe)];
    if (pipe != Pipe::s) {
      const std::uint32_t scalar = clock[0];
      join(clock, clocks_[0]);
      clock[0] = scalar;
    }
    return ++clock[index(pipe)];
  }
  /// The scalar unit accesses memory. Accesses share a step as long as no other pipe and no other
  /// core has been shown it, so accesses to neighbouring bytes have one history.
  std::uint32_t step_of_scalar() noexcept {
    if (scalar_is_shown_) ++clocks_[0][0];
    scalar_is_shown_ = false;
    return clocks_[0][0];
  }
  const Clock& after_step(Pipe pipe) noexcept {
    step(pipe);
    return of(pipe);
  }
  /// How many steps each pipe has begun.
  Clock steps() const noexcept {
    scalar_is_shown_ = true;
    Clock all{};
    for (std::size_t i = 0; i < kPipes; ++i) all[i] = clocks_[i][i];
    return all;
  }
  /// Orders later steps of the pipe after the steps that the clock `other` contains.
  void wait(Pipe pipe, const Clock& other) noexcept { join(clocks_[index(pipe)], other); }
  /// All pipes have come to an end.
  void barrier() noexcept {
    scalar_is_shown_ = true;
    Clock all{};
    for (const Clock& clock : clocks_) join(all, clock);
    clocks_.fill(all);
  }
  /// Whether step `tick` of `earlier` happens before the current step of `pipe`.
  bool ordered(Pipe earlier, std::uint32_t tick, Pipe pipe) const noexcept {
    return earlier == pipe || clocks_[index(pipe)][index(earlier)] >= tick;
  }

 private:
  static constexpr std::size_t index(Pipe pipe) noexcept { return static_cast<std::size_t>(pipe); }
  std::array<Clock, kPipes> clocks_{};
  mutable bool scalar_is_shown_ = true;  // its last step
};

}  // namespace ascendc
