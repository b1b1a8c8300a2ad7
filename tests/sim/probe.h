// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>

namespace simtest {

/// Asks the kernel, which answers with an error instead of a signal.
class Probe {
 public:
  Probe() : null_(open("/dev/zero", O_RDWR | O_CLOEXEC)) {
    if (pipe2(pipe_, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  }
  ~Probe() {
    close(null_);
    close(pipe_[0]);
    close(pipe_[1]);
  }
  bool readable(const void* address) {
    if (write(pipe_[1], address, 1) != 1) return false;
    char byte = 0;
    return read(pipe_[0], &byte, 1) == 1;
  }
  bool writable(void* address) { return read(null_, address, 1) == 1; }

 private:
  int null_;
  int pipe_[2];
};

}  // namespace simtest
