// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

namespace aclsim {

/// Ends processes that a run has started and left behind, including processes that have left its
/// process group (daemons). While the object exists they become children of this process, not of
/// init. It has no effect if this process already has children, since orphans could then belong to
/// these.
class Orphans {
 public:
  Orphans();
  ~Orphans();
  Orphans(const Orphans&) = delete;
  Orphans& operator=(const Orphans&) = delete;

  /// Kills the orphans that started before all processes of `running`, since these do not belong to
  /// them. The processes of `mine` are not orphans.
  void end(const std::vector<pid_t>& running, const std::vector<pid_t>& mine) const;

 private:
  bool active_ = false;
};

}  // namespace aclsim
