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

/// Whether something that one pipe tells another has happened; null: it has.
using Token = std::shared_ptr<bool>;

/// In order, work is done as it comes. Under a seed it waits in the queue of its pipe, and a
/// generator decides which pipe goes on: the only thing that holds a pipe is a token it waits for.
class Pipes {
 public:
  void reset(bool seeded, std::uint64_t seed);
  bool seeded() const noexcept { return seeded_; }

  void run(Pipe pipe, std::function<void()> work);
  /// What becomes true when all that the pipe has now is done.
  Token signal(Pipe pipe);
  /// What comes behind this on the pipe waits; of the scalar unit: returns when it has happened.
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
