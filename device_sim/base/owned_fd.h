// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace sim {

/// A file descriptor that this process alone has: closed when its owner goes, by exec, and in a
/// forked child, which would otherwise keep memory and addresses of sockets alive.
class OwnedFd {
 public:
  OwnedFd() = default;
  /// Takes over `fd`, which is -1 or was opened close-on-exec.
  explicit OwnedFd(int fd);
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() { reset(); }

  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  void reset() noexcept;
  /// A second descriptor of the same file; throws MachineError(out_of_memory).
  OwnedFd duplicate() const;

 private:
  int fd_ = -1;
};

/// Makes a file of `bytes` zeros that exists in memory only and can neither shrink nor grow. /proc
/// shows `name`. Throws MachineError(out_of_memory).
OwnedFd make_memory_file(const char* name, std::size_t bytes);

}  // namespace sim
