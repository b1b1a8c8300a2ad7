// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace aclsim {

/// How far a long work is, on stderr: one line that is written over on a terminal, a line every ten
/// seconds elsewhere, nothing for what takes less than a second.
class Progress {
 public:
  enum class Style { automatic, json, quiet };
  Progress(Style style, std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `virtual_ns`: the moment that the replay has reached.
  void show(std::uint64_t done, std::int64_t virtual_ns);

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(std::uint64_t done, std::int64_t virtual_ns, double seconds) const;

  Style style_;
  bool terminal_;
  bool shown_ = false;
  std::uint64_t total_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_;
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
