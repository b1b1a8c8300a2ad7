// SPDX-License-Identifier: Apache-2.0
// The instruction queues of a core's pipes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "runtime/ascendc/core/arch.h"

namespace ascendc {

/// Whether an event between two pipes has happened; null: it has.
using Token = std::shared_ptr<bool>;

/// In order, work is done as it comes. Under a seed it waits in the queue of its pipe, and a
/// generator decides which pipe goes on: the only thing that holds a pipe is a token it waits for.
class Pipes {
 public:
  void reset(bool seeded, std::uint64_t seed);
  bool seeded() const noexcept { return seeded_; }

  void run(Pipe pipe, std::function<void()> work);
  /// An event that happens when all current instructions of the pipe are complete.
  Token signal(Pipe pipe);
  /// Later instructions of the pipe wait for the event. For the scalar unit the call returns when
  /// the event has happened.
  void wait(Pipe pipe, const Token& token);
  /// Returns when the pipe has nothing left.
  void drain(Pipe pipe);
  void drain();

 private:
  struct Job {
    std::function<void()> work;
    Token until;
  };
  /// One step of one pipe that can go on; false when none can.
  bool step();
  bool blocked(std::size_t pipe) const;
  std::uint64_t random();

  bool seeded_ = false;
  std::uint64_t state_ = 0;
  std::array<std::deque<Job>, kPipes> jobs_;
};

}  // namespace ascendc
