// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace aclsim {

/// Shows the progress of long work on stderr. Style automatic updates one line, on a terminal only,
/// after the first second. Style json writes a line for programs each time, to any stderr.
class Progress {
 public:
  enum class Style { automatic, json, quiet };
  /// `unit` of the counts: "ops" or "B".
  Progress(Style style, std::string unit);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `total` 0: unknown. `virtual_ns`: the virtual time that a replay has reached, or -1.
  void show(std::uint64_t done, std::uint64_t total, std::int64_t virtual_ns = -1);
  /// Clears the line on the terminal, before other output.
  void hide();

 private:
  using Clock = std::chrono::steady_clock;

  Style style_;
  std::string unit_;
  bool shown_ = false;
  Clock::time_point began_{};  // time of the first call of show()
  Clock::time_point next_{};
};

/// While it exists, the first Ctrl-C only sets asked(); a second one ends the process as usual.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  bool asked() const;
};

}  // namespace aclsim
