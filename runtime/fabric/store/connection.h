// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "device_sim/base/owned_fd.h"
#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/base/error.h"
#include "runtime/fabric/store/io_thread.h"
#include "runtime/fabric/store/tls.h"

namespace fabric {

inline constexpr std::uint32_t kWireMagic = 0x52424641;  // "AFBR"
inline constexpr std::uint32_t kWireVersion = 2;
/// In the place of the version, in plain text: whoever says so speaks TLS and nothing else.
inline constexpr std::uint32_t kWireTlsOnly = 0x00534c54;  // "TLS"

/// One message of a connection.
struct Frame {
  std::uint8_t type = 0;
  std::uint64_t call = 0;
  Bytes body{};
};

/// Who is told what a connection does; always in the I/O thread.
class ConnectionHandler {
 public:
  virtual ~ConnectionHandler() = default;
  /// What is thrown ends the connection: it is reported to `ended`.
  virtual void received(Frame frame) = 0;
  /// Once, and nothing after it: the other side has closed, or what it sends makes no sense, or it
  /// is of another version (refused).
  virtual void ended(const FabricError& why) = 0;
};

/// Frames over TCP. Both sides begin with magic and version, which stay where they are in every
/// version; then frames follow, each with its length in front.
class Connection {
 public:
  /// In the I/O thread. `other`: for messages, who is at the other end. `tls`: null for plain text.
  static std::shared_ptr<Connection> adopt(std::shared_ptr<IoThread> io, sim::OwnedFd socket,
                                           std::string other,
                                           std::weak_ptr<ConnectionHandler> handler,
                                           std::shared_ptr<const Tls> tls = nullptr);
  /// `host`: a name or a numeric address. Nothing happens before `open`.
  static std::shared_ptr<Connection> to(std::shared_ptr<IoThread> io, const std::string& host,
                                        std::uint16_t port,
                                        std::weak_ptr<ConnectionHandler> handler,
                                        std::shared_ptr<const Tls> tls = nullptr);
  virtual ~Connection() = default;

  // Any thread may call these.
  virtual void open() = 0;
  virtual void send(Frame frame) = 0;
  /// What was sent before still goes out. The handler hears nothing more.
  virtual void close() = 0;
  /// From now on frames may be as long as that. At first it is enough for introductions.
  virtual void accept_frames_up_to(std::size_t bytes) = 0;
};

/// The numeric address at the other end of a socket.
std::string peer_address(int socket);

}  // namespace fabric
