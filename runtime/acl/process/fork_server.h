// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace acl {

/// With this variable `aclsim explore` gets processes of a program without loading it each time. It
/// starts the program once with the value "SOCKET PARENT DEVICE INODE": the number of a socket
/// (SOCK_SEQPACKET), the process of explore, and the program's file. The file excludes children of
/// the program and programs that a script starts. The library stops before main(), if it can, and
/// then makes a copy of the process for each run; the copies continue into main(). They are
/// children of explore, not of the process from which they were copied.
///
/// The library first sends the pid_t of the copy that is the first run. A request is the seed, the
/// strategy and the file of decisions, each ended by a zero byte ("" unsets the variable), with two
/// descriptors, for stdout and stderr. The answer is the copy's pid_t, or -1. If the library cannot
/// stop the process, it closes the socket, and the process itself is the run.
inline constexpr const char* kForkServer = "ACLSIM_FORK_SERVER";
inline constexpr const char* kForkVariables[] = {"ACLSIM_SEED", "ACLSIM_STRATEGY",
                                                 "ACLSIM_DECISIONS"};
inline constexpr std::size_t kMostForkRequest = 8192;

}  // namespace acl
