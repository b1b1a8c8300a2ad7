// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sim {

/// What all processes of a run have in their environment: the address of the mailbox of `aclsim
/// run`, or another text where there is none.
inline constexpr const char* kRunMark = "ACLSIM_RUN_MARK";

/// The kind of a message that tells of it. Other kinds are those of order::GroupMail.
inline constexpr unsigned kLostOutputMail = 100;

/// Tells `aclsim run`, if that started this process, of a file that is not complete and why, as one
/// text. Who calls it has told the user already.
void report_lost_output(const std::string& what) noexcept;

}  // namespace sim
