// SPDX-License-Identifier: Apache-2.0
#include "device_sim/sharing/ipc_protocol.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace sim {
namespace {

constexpr std::uint64_t mask(int bits) { return (std::uint64_t{1} << bits) - 1; }

}  // namespace

IpcKey make_ipc_key(const IpcKeyParts& parts) noexcept {
  return static_cast<std::uint64_t>(parts.pid) << (kIpcNonceBits + kIpcObjectBits) |
         static_cast<std::uint64_t>(parts.nonce) << kIpcObjectBits | parts.object;
}

IpcKeyParts parts_of(IpcKey key) noexcept {
  return {static_cast<pid_t>(key >> (kIpcNonceBits + kIpcObjectBits)),
          static_cast<std::uint32_t>(key >> kIpcObjectBits & mask(kIpcNonceBits)),
          static_cast<std::uint32_t>(key & mask(kIpcObjectBits))};
}

std::uint32_t ipc_random(int bits) {
  std::uint32_t value = 0;
  while (value == 0) {
    if (getrandom(&value, sizeof value, 0) != sizeof value) continue;
    value &= static_cast<std::uint32_t>(mask(bits));
  }
  return value;
}

IpcAddress ipc_address(pid_t pid, std::uint32_t nonce) noexcept {
  IpcAddress result;
  result.address.sun_family = AF_UNIX;
  char* const name = result.address.sun_path + 1;  // after a zero: not in the file system
  const int length = std::snprintf(name, sizeof result.address.sun_path - 1, "aclsim.ipc.%d.%x",
                                   static_cast<int>(pid), nonce);
  result.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                       static_cast<std::size_t>(length));
  return result;
}

bool ipc_send(int connection, const void* data, std::size_t size, int file) {
  iovec part{const_cast<void*>(data), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (file >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  ssize_t sent = 0;
  do {
    sent = sendmsg(connection, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(size);
}

ssize_t ipc_receive(int connection, void* data, std::size_t size, int* file) {
  // The padding of one file's place has room for a second one, which a peer may fill.
  constexpr std::size_t kMostFiles = 2;
  static_assert(CMSG_LEN(0) + (kMostFiles + 1) * sizeof(int) > CMSG_SPACE(sizeof(int)));
  iovec part{data, size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (file) {  // else what is attached gets no descriptor here
    *file = -1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
  ssize_t received = 0;
  do {
    received = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  const cmsghdr* const header = received < 0 || !file ? nullptr : CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
    return received;
  }
  int files[kMostFiles] = {-1, -1};
  std::memcpy(files, CMSG_DATA(header), std::min(header->cmsg_len - CMSG_LEN(0), sizeof files));
  *file = files[0];
  if (files[1] >= 0) close(files[1]);
  return received;
}

ucred ipc_peer(int connection) noexcept {
  ucred peer{-1, static_cast<uid_t>(-1), static_cast<gid_t>(-1)};
  socklen_t size = sizeof peer;
  getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  return peer;
}

}  // namespace sim
