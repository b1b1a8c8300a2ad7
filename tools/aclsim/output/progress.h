// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace aclsim {

/// How far a long work is, on stderr: one line that is written over, on a terminal only, and from
/// the second second on. In style json a line each time, for programs, wherever it goes.
class Progress {
 public:
  enum class Style { automatic, json, quiet };
  /// `unit`: what is counted, "ops" or "B".
  Progress(Style style, std::string unit);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `total` 0: nobody knows. `virtual_ns`: the moment that a replay has reached, or -1.
  void show(std::uint64_t done, std::uint64_t total, std::int64_t virtual_ns = -1);
  /// Off the terminal's line, before something else is printed.
  void hide();

 private:
  using Clock = std::chrono::steady_clock;

  Style style_;
  std::string unit_;
  bool shown_ = false;
  Clock::time_point began_{};  // of the first call
  Clock::time_point next_{};
};

/// Ctrl-C asks once; the second time ends the process as usual. While one of these is there.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  bool asked() const;
};

}  // namespace aclsim
