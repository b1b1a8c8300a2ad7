// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

/// From here on the process ends with 1 where it would end with 0.
void fail_at_exit() noexcept;
/// All exit handlers of the program have run. Does not return if the exit code was decided before
/// the process failed.
void end_after_program() noexcept;

}  // namespace acl
