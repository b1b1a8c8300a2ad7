// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace acl {

/// How `aclsim explore` gets processes of a program without loading it each time. It starts the
/// program once, with this variable: "SOCKET PARENT DEVICE INODE", the number of a socket
/// (SOCK_SEQPACKET), explore's own process, and the program's file; a child of the program, or what
/// a script starts, is not meant. The library stops there before main(), where it can, and then
/// makes a copy of the process for each run: the copies go on into main(). They are children of
/// explore, not of the process they were copied from.
///
/// The library sends a pid_t first: the copy that is the run the process was started for. A request
/// is seed, strategy and file of decisions, each ended by a zero byte ("" unsets the variable),
/// with two descriptors, of stdout and stderr; the answer is the copy's pid_t, or -1. Where it
/// cannot stop it closes the socket and is the run itself.
inline constexpr const char* kForkServer = "ACLSIM_FORK_SERVER";
inline constexpr const char* kForkVariables[] = {"ACLSIM_SEED", "ACLSIM_STRATEGY",
                                                 "ACLSIM_DECISIONS"};
inline constexpr std::size_t kMostForkRequest = 8192;

}  // namespace acl
