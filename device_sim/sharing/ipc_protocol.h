// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace sim {

/// Names an object in all processes of this host: the process (22 bits, as many as Linux has), a
/// number that the process chose at random (18), and the object, at random too (24). Never 0.
using IpcKey = std::uint64_t;
inline constexpr int kIpcNonceBits = 18;
inline constexpr int kIpcObjectBits = 24;

inline constexpr std::size_t kIpcMetadata = 256;

struct IpcKeyParts {
  pid_t pid;
  std::uint32_t nonce;
  std::uint32_t object;
};
IpcKey make_ipc_key(const IpcKeyParts& parts) noexcept;
IpcKeyParts parts_of(IpcKey key) noexcept;

/// A random number of so many bits, not 0.
std::uint32_t ipc_random(int bits);

/// The address at which the process listens: an abstract socket that no other process can have.
struct IpcAddress {
  sockaddr_un address{};
  socklen_t size = 0;
};
IpcAddress ipc_address(pid_t pid, std::uint32_t nonce) noexcept;

inline constexpr std::uint32_t kIpcMagic = 0x4d495341;  // "ASIM"
inline constexpr std::uint32_t kIpcVersion = 1;

// One datagram there and one back, the file attached to the answer. The first two members stay as
// they are in every version.
struct IpcRequest {
  std::uint32_t magic = kIpcMagic;
  std::uint32_t version = kIpcVersion;
  std::uint64_t key = 0;
};

struct IpcReply {
  std::uint32_t magic = kIpcMagic;
  std::uint32_t version = kIpcVersion;
  std::uint32_t status = 0;
  std::uint32_t kind = 0;
  std::uint32_t metadata_size = 0;
  std::array<std::byte, kIpcMetadata> metadata{};
};

/// Sends one datagram, with a file when `file` is not -1. False when the peer is gone.
bool ipc_send(int connection, const void* data, std::size_t size, int file);
/// Receives one datagram of at most `size` bytes; returns its size, or -1. `file` gets the first
/// file that was attached, or -1; others are closed, and without it all of them.
ssize_t ipc_receive(int connection, void* data, std::size_t size, int* file = nullptr);
/// The process and user at the other end.
ucred ipc_peer(int connection) noexcept;

}  // namespace sim
