// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace sim {

/// The errors of the machine. The interface above maps them to its own codes.
enum class Error : std::uint8_t {
  none,
  kernel_failed,      // detail: the code that the kernel reported
  kernel_timeout,     // a kernel took longer than kernels may
  host_call_failed,   // a host function threw
  host_call_dropped,  // no thread serves the lane of the host function any more
  wait_timeout,       // a wait op reached its limit
  aborted,            // the stream was aborted while the op was queued or running
  out_of_memory,
  invalid_argument,
  no_such_device,
  not_found,         // an address or key that the machine does not know
  no_thread,         // the system gives no thread
  operation_failed,  // an op of the interface above; detail: what that knows it by
};

const char* describe(Error error) noexcept;

/// The result of an op as a value: workers never throw across threads.
struct Failure {
  Error error = Error::none;
  std::int32_t detail = 0;
  std::uint16_t fault = 0;  // the number of the injected fault that it comes from; 0: none

  explicit operator bool() const noexcept { return error != Error::none; }
  friend bool operator==(const Failure&, const Failure&) = default;

  /// One word, so that a stream can hold its first failure in an atomic.
  std::uint64_t pack() const noexcept {
    return (static_cast<std::uint64_t>(fault) << 40) | (static_cast<std::uint64_t>(error) << 32) |
           static_cast<std::uint32_t>(detail);
  }
  static Failure unpack(std::uint64_t word) noexcept {
    return {static_cast<Error>((word >> 32) & 0xff), static_cast<std::int32_t>(word & 0xffffffffu),
            static_cast<std::uint16_t>(word >> 40)};
  }
};

/// A synchronous error of the machine: thrown in the core, translated once at the C boundary.
class MachineError : public std::runtime_error {
 public:
  MachineError(Error error, const std::string& what) : std::runtime_error(what), error_(error) {}
  Error error() const noexcept { return error_; }

 private:
  Error error_;
};

}  // namespace sim
