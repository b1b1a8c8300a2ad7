// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "runtime/fabric/base/identity.h"
#include "runtime/fabric/store/hub.h"
#include "runtime/fabric/store/tls.h"

namespace fabric {

/// Serves a hub to ranks of other processes, at a TCP port of this one. Who cannot prove the
/// identity is refused. Ranks whose connection breaks are lost.
class StoreServer {
 public:
  /// `address`: where to listen, numeric; "::" is everywhere. `port` 0: any that is free. `tls`:
  /// who speaks plain text is refused. Throws FabricError(broken) where the port is taken.
  static std::shared_ptr<StoreServer> start(std::shared_ptr<Hub> hub, const Identity& identity,
                                            const std::string& address = "::",
                                            std::uint16_t port = 0,
                                            std::shared_ptr<const Tls> tls = nullptr);
  virtual ~StoreServer() = default;
  virtual std::uint16_t port() const noexcept = 0;
  /// How many connections there are that have not proved the identity (yet).
  virtual std::size_t strangers() const = 0;
};

}  // namespace fabric
