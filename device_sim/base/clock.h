// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace sim {

using Nanoseconds = std::uint64_t;

/// Time since the machine started, in nanoseconds.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Nanoseconds now_ns() const noexcept = 0;
};

class RealClock final : public Clock {
 public:
  RealClock() : start_(std::chrono::steady_clock::now()) {}
  Nanoseconds now_ns() const noexcept override {
    return static_cast<Nanoseconds>((std::chrono::steady_clock::now() - start_).count());
  }

 private:
  std::chrono::steady_clock::time_point start_;
};

/// Time that only its driver advances.
class VirtualClock final : public Clock {
 public:
  Nanoseconds now_ns() const noexcept override { return now_; }
  void advance_to(Nanoseconds time) noexcept {
    if (time > now_) now_ = time;
  }

 private:
  Nanoseconds now_ = 0;
};

/// A point on the steady clock up to which a caller is willing to wait.
class Deadline {
 public:
  static Deadline never() noexcept {
    return Deadline(std::chrono::steady_clock::time_point::max());
  }
  static Deadline in(std::chrono::nanoseconds span) noexcept {
    return Deadline(std::chrono::steady_clock::now() + span);
  }
  bool is_never() const noexcept { return at_ == std::chrono::steady_clock::time_point::max(); }
  bool passed() const noexcept { return !is_never() && std::chrono::steady_clock::now() >= at_; }
  std::chrono::steady_clock::time_point at() const noexcept { return at_; }

 private:
  explicit Deadline(std::chrono::steady_clock::time_point at) : at_(at) {}
  std::chrono::steady_clock::time_point at_;
};

}  // namespace sim
