// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sim {

/// What all processes of a run have in their environment: the address of the mailbox of `aclsim
/// run`, or another text where there is none.
inline constexpr const char* kRunMark = "ACLSIM_RUN_MARK";

/// What each rank of `aclsim run --ranks` has in its environment: its number.
inline constexpr const char* kRunRank = "ACLSIM_RUN_RANK";

/// Kinds of messages. Others are those of order::GroupMail.
inline constexpr unsigned kLostOutputMail = 100;
inline constexpr unsigned kRankMail = 101;    // the number of the process's rank
inline constexpr unsigned kFaultsMail = 102;  // a line for each configured fault: FIRED CAME TEXT

/// Sends a message to `aclsim run`; false where that did not start this process.
bool tell_run(unsigned kind, const std::string& text) noexcept;

/// Tells `aclsim run`, if that started this process, of a file that is not complete and why, as one
/// text. Who calls it has told the user already.
void report_lost_output(const std::string& what) noexcept;

}  // namespace sim
