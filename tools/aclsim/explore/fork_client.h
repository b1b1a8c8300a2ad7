// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace aclsim {

/// Requests copies of a process that has loaded its program, if the program's library can make
/// them. runtime/acl/process/fork_server.h describes the rules. The copies are children of this
/// process.
class ForkClient {
 public:
  ForkClient() = default;
  /// Ends the server.
  ~ForkClient();
  ForkClient(const ForkClient&) = delete;
  ForkClient& operator=(const ForkClient&) = delete;

  /// The socket for the process that may become the server; -1 if a process got it before.
  int offer();
  /// To be called when that process has been started.
  void offered_to(pid_t process);
  /// The copy that does the run of the process that was offered the socket. Returned once, when the
  /// process has become the server; otherwise 0.
  pid_t first_copy();
  bool serves() const noexcept { return state_ == State::serves; }
  /// The process that makes the copies; -1: none.
  pid_t server() const noexcept { return server_; }
  /// Makes a copy with these variables and outputs; -1 if no more copies are possible.
  pid_t copy(const std::vector<std::string>& variables, int out, int err);

 private:
  enum class State { fresh, offered, serves, refused };
  void close_theirs();

  State state_ = State::fresh;
  int ours_ = -1;
  int theirs_ = -1;
  pid_t offered_to_ = -1;
  pid_t server_ = -1;
};

}  // namespace aclsim
