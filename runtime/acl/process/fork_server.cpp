// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/process/fork_server.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "device_sim/base/sanitizer.h"

namespace acl {
namespace {

/// The address at which the C library stores the thread's number, which fork() updates.
int* thread_number() {
  int* address = nullptr;
  return prctl(PR_GET_TID_ADDRESS, &address) == 0 ? address : nullptr;
}

bool only_thread() {
  struct stat tasks {};
  return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

// Elsewhere main() has begun: what the program did so far would be in each copy.
bool loaded_with_program() {
  Dl_info info{};
  void* self = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&loaded_with_program), &info, &self, RTLD_DL_LINKMAP) == 0) {
    return false;
  }
  const auto* const program = static_cast<const link_map*>(dlopen(nullptr, RTLD_LAZY));
  if (!program) return false;
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = program->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  for (const ElfW(Dyn)* entry = program->l_ld; names && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    void* const library = dlopen(names + entry->d_un.d_val, RTLD_LAZY | RTLD_NOLOAD);
    if (!library) continue;
    dlclose(library);  // it is loaded all the same
    if (library == self) return true;
  }
  return false;
}

/// A copy of this process, with the same parent; 0 in the copy. fork() would make a child, whose
/// end only this process could wait for; and the handlers of pthread_atfork() are for programs that
/// run.
pid_t make_copy(int* number) {
  constexpr unsigned long kFlags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
  // The last two change places between processors; one of them is not looked at.
  return static_cast<pid_t>(syscall(SYS_clone, kFlags, nullptr, nullptr, number, number));
}

struct Request {
  std::array<char, kMostForkRequest> text;
  std::size_t size = 0;
  std::array<int, 2> outputs{-1, -1};
};

/// Nothing when `aclsim explore` has closed the socket.
std::optional<Request> receive(int socket) {
  Request request;
  iovec part{request.text.data(), request.text.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof request.outputs)];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* const rights = size > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (!rights || rights->cmsg_len != CMSG_LEN(sizeof request.outputs)) return {};
  std::memcpy(request.outputs.data(), CMSG_DATA(rights), sizeof request.outputs);
  request.size = static_cast<std::size_t>(size);
  return request;
}

// In the copy.
void become(const Request& request) {
  std::string_view rest(request.text.data(), request.size);
  for (const char* const variable : kForkVariables) {
    const std::string_view value = rest.substr(0, rest.find('\0'));
    if (value.size() == rest.size()) break;  // it would not end
    if (value.empty()) {
      unsetenv(variable);
    } else {
      setenv(variable, value.data(), 1);
    }
    rest.remove_prefix(value.size() + 1);
  }
  dup2(request.outputs[0], STDOUT_FILENO);
  dup2(request.outputs[1], STDERR_FILENO);
  for (const int fd : request.outputs) close(fd);
}

void live_as_run(pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

/// Returns in the copies.
void serve(int socket, int* number) {
  const pid_t parent = getppid();
  pid_t copy = make_copy(number);
  if (copy < 0) return;  // it cannot be done here
  if (copy == 0) return live_as_run(parent);
  send(socket, &copy, sizeof copy, MSG_NOSIGNAL);
  kill(parent, SIGCHLD);  // it may have looked for the end of the copy before it could know of it
  while (const std::optional<Request> request = receive(socket)) {
    copy = make_copy(number);
    if (copy == 0) {
      become(*request);
      return live_as_run(parent);
    }
    for (const int fd : request->outputs) close(fd);
    send(socket, &copy, sizeof copy, MSG_NOSIGNAL);
  }
  _exit(0);
}

/// The socket, if this is the process that it is meant for; else -1.
int offered_socket(const char* offer) {
  int socket = -1;
  int parent = 0;
  unsigned long long device = 0, inode = 0;
  struct stat program {};
  const bool meant =
      std::sscanf(offer, "%d %d %llu %llu", &socket, &parent, &device, &inode) == 4 &&
      parent == getppid() && stat("/proc/self/exe", &program) == 0 && program.st_dev == device &&
      program.st_ino == inode;
  int type = 0;
  socklen_t size = sizeof type;
  if (!meant || getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return -1;
  return type == SOCK_SEQPACKET ? socket : -1;
}

[[gnu::constructor]] void serve_copies() {
  const char* const offer = std::getenv(kForkServer);
  if (!offer) return;
  const int socket = offered_socket(offer);
  unsetenv(kForkServer);
  if (socket < 0) return;
  int* const number = thread_number();
  const bool can = !sim::kSanitized && number && only_thread() && loaded_with_program();
  if (can) serve(socket, number);
  close(socket);
}

}  // namespace
}  // namespace acl
