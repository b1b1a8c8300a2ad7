// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/explore/fork_client.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/acl/process/fork_server.h"

namespace aclsim {

ForkClient::~ForkClient() {
  close_theirs();
  if (ours_ >= 0) ::close(ours_);
  if (server_ < 0) return;
  ::kill(server_, SIGKILL);
  while (::waitpid(server_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ForkClient::close_theirs() {
  const int fd = std::exchange(theirs_, -1);
  if (fd >= 0) ::close(fd);
}

int ForkClient::offer() {
  if (state_ != State::fresh) return -1;
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
  state_ = State::offered;
  ours_ = pair[0];
  theirs_ = pair[1];
  return theirs_;
}

void ForkClient::offered_to(pid_t process) {
  close_theirs();
  offered_to_ = process;
}

pid_t ForkClient::first_copy() {
  if (state_ != State::offered) return 0;
  pid_t copy = -1;
  const ssize_t size = ::recv(ours_, &copy, sizeof copy, MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  state_ = size == sizeof copy && copy > 0 ? State::serves : State::refused;
  if (state_ == State::refused) return 0;
  server_ = offered_to_;
  return copy;
}

pid_t ForkClient::copy(const std::vector<std::string>& variables, int out, int err) {
  std::string text;
  for (const std::string& value : variables) text += value + '\0';
  if (text.size() > acl::kMostForkRequest) return -1;
  const int outputs[] = {out, err};
  iovec part{text.data(), text.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof outputs)]{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof outputs);
  std::memcpy(CMSG_DATA(rights), outputs, sizeof outputs);
  if (::sendmsg(ours_, &message, MSG_NOSIGNAL) < 0) return -1;
  pid_t copy = -1;
  ssize_t size = 0;
  do {
    size = ::recv(ours_, &copy, sizeof copy, 0);
  } while (size < 0 && errno == EINTR);
  return size == sizeof copy ? copy : -1;
}

}  // namespace aclsim
