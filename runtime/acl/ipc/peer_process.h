// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include "device_sim/base/owned_fd.h"

namespace acl {

/// Another process, to be asked whether it still lives. Its number may be used again after its end:
/// where the system has descriptors of processes this is not fooled by that.
class PeerProcess {
 public:
  /// 0: no process in particular, which lives for ever.
  explicit PeerProcess(pid_t pid);
  bool alive() const noexcept;

 private:
  const pid_t pid_;
  sim::OwnedFd descriptor_;
};

}  // namespace acl
