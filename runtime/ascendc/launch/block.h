// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ascendc/impl/launch.h"
#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/launch/fibre.h"

namespace ascendc {

class Run;

/// One core that runs the kernel of a launch. Kept for later launches.
class Block final : public Host {
 public:
  enum class State : std::uint8_t { ready, running, parked, over };

  /// Before its first turn.
  void prepare(Run& run, std::uint32_t unit, const aclsimCore& info, const Arch& arch);
  /// Runs it until it parks or is over.
  void turn();

  /// Of the calling thread's kernel; null outside of one.
  static Block* current() noexcept;
  void print(const char* text, std::size_t bytes) { output_.append(text, bytes); }
  std::string& output() noexcept { return output_; }

  void found(const Finding& finding) override;
  [[noreturn]] void end(End why) override;
  bool find_global(std::uintptr_t address, GmPiece& piece) override;
  std::string place_of(const void* site) override;

  Core core;
  std::uint32_t unit = 0;  // which one of its launch
  State state = State::ready;  // with the mutex of its run, as what follows
  bool woken = false;          // while it is about to park

 private:
  static void body(void* block);

  Run* run_ = nullptr;
  Fibre fibre_;
  std::string output_;
};

}  // namespace ascendc
