// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace aclsim {

/// Gets copies of a process that has loaded its program, where the program's library can make them:
/// runtime/acl/process/fork_server.h has the rules. The copies are children of this process.
class ForkClient {
 public:
  ForkClient() = default;
  /// The server goes too.
  ~ForkClient();
  ForkClient(const ForkClient&) = delete;
  ForkClient& operator=(const ForkClient&) = delete;

  /// The socket for the process that may become the server; -1 when one had it before.
  int offer();
  /// That process was started.
  void offered_to(pid_t process);
  /// The copy that is the run of the process that was offered the socket, once, when it is known
  /// that it serves; else 0.
  pid_t first_copy();
  bool serves() const noexcept { return state_ == State::serves; }
  /// The process that makes the copies; -1 when none does.
  pid_t server() const noexcept { return server_; }
  /// A copy with these variables and outputs; -1 when there are no more.
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
