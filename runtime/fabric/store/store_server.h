// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "runtime/fabric/base/identity.h"
#include "runtime/fabric/store/hub.h"
#include "runtime/fabric/store/tls.h"

namespace fabric {

/// Serves a hub to ranks of other processes, at a TCP port of this process. Connections that cannot
/// prove the identity are refused. A rank whose connection breaks is lost.
class StoreServer {
 public:
  /// `address`: the numeric address to listen at; "::" means all. `port` 0: any free port. `tls`:
  /// connections in plain text are refused. Throws FabricError(broken) if the port is taken.
  static std::shared_ptr<StoreServer> start(std::shared_ptr<Hub> hub, const Identity& identity,
                                            const std::string& address = "::",
                                            std::uint16_t port = 0,
                                            std::shared_ptr<const Tls> tls = nullptr);
  virtual ~StoreServer() = default;
  virtual std::uint16_t port() const noexcept = 0;
  /// The number of connections that have not proved the identity (yet).
  virtual std::size_t strangers() const = 0;
};

}  // namespace fabric
