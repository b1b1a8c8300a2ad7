// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/ipc/peer_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace acl {

PeerProcess::PeerProcess(pid_t pid) : pid_(pid) {
  if (pid != 0) descriptor_ = sim::OwnedFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

bool PeerProcess::alive() const noexcept {
  if (pid_ == 0) return true;
  if (descriptor_) {
    pollfd ended{descriptor_.get(), POLLIN, 0};
    return poll(&ended, 1, 0) == 0;
  }
  return kill(pid_, 0) == 0 || errno != ESRCH;
}

}  // namespace acl
