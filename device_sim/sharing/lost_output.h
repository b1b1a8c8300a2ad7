// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sim {

/// The environment variable of all processes of a run: the address of the mailbox of `aclsim run`,
/// or another text if it has no mailbox.
inline constexpr const char* kRunMark = "ACLSIM_RUN_MARK";

/// The environment variable of each rank of `aclsim run --ranks`: the number of the rank.
inline constexpr const char* kRunRank = "ACLSIM_RUN_RANK";

/// Kinds of messages. order::GroupMail defines further ones.
inline constexpr unsigned kLostOutputMail = 100;
inline constexpr unsigned kRankMail = 101;    // the number of the process's rank
inline constexpr unsigned kFaultsMail = 102;  // a line for each configured fault: FIRED CAME TEXT

/// Sends a message to `aclsim run`; false if `aclsim run` did not start this process.
bool tell_run(unsigned kind, const std::string& text) noexcept;

/// Reports an incomplete file and the reason, as one text, to `aclsim run` if that started this
/// process. The caller has already informed the user.
void report_lost_output(const std::string& what) noexcept;

}  // namespace sim
