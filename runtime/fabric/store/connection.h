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
inline constexpr std::uint32_t kWireVersion = 3;
/// Sent instead of the version, in plain text, by an end that speaks only TLS.
inline constexpr std::uint32_t kWireTlsOnly = 0x00534c54;  // "TLS"

/// One message of a connection.
struct Frame {
  std::uint8_t type = 0;
  std::uint64_t call = 0;
  Bytes body{};
};

/// Receives the events of a connection. All functions are called by the I/O thread.
class ConnectionHandler {
 public:
  virtual ~ConnectionHandler() = default;
  /// An exception ends the connection and is passed to `ended`.
  virtual void received(Frame frame) = 0;
  /// Called once, as the last call: the other side has closed, has sent malformed data, or has
  /// another version (refused).
  virtual void ended(const FabricError& why) = 0;
};

/// Frames over TCP. Each side first sends magic and version, at the same offsets in every version,
/// then frames. Each frame begins with its length.
class Connection {
 public:
  /// Called by the I/O thread. `other`: describes the other end in messages. `tls`: null for plain
  /// text.
  static std::shared_ptr<Connection> adopt(std::shared_ptr<IoThread> io, sim::OwnedFd socket,
                                           std::string other,
                                           std::weak_ptr<ConnectionHandler> handler,
                                           std::shared_ptr<const Tls> tls = nullptr);
  /// `host`: a name or a numeric address. The connection is made by `open`.
  static std::shared_ptr<Connection> to(std::shared_ptr<IoThread> io, const std::string& host,
                                        std::uint16_t port,
                                        std::weak_ptr<ConnectionHandler> handler,
                                        std::shared_ptr<const Tls> tls = nullptr);
  virtual ~Connection() = default;

  /// The socket; for the I/O thread.
  virtual int socket() const noexcept = 0;

  // Any thread may call the following functions.
  virtual void open() = 0;
  virtual void send(Frame frame) = 0;
  /// Frames that were sent before still go out. The handler is not called any more.
  virtual void close() = 0;
  /// Raises the maximum size of a frame. The initial size is enough for introductions.
  virtual void accept_frames_up_to(std::size_t bytes) = 0;
};

/// Returns the numeric address of the other end of a socket.
std::string peer_address(int socket);

}  // namespace fabric
