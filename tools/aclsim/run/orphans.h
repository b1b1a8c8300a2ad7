// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

namespace aclsim {

/// Processes that a run has started and left behind, also such as have left its process group
/// (daemons): while this lives they become children of this process, not of init. Nothing happens
/// where this process has children before: these, and what they leave, may be anybody's.
class Orphans {
 public:
  Orphans();
  ~Orphans();
  Orphans(const Orphans&) = delete;
  Orphans& operator=(const Orphans&) = delete;

  /// Kills those that belong to none of `running`: who began before all of these did. `mine`: no
  /// orphans either.
  void end(const std::vector<pid_t>& running, const std::vector<pid_t>& mine) const;

 private:
  bool active_ = false;
};

}  // namespace aclsim
