// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/fabric/base/identity.h"
#include "runtime/fabric/store/root_info.h"
#include "runtime/fabric/store/store.h"
#include "runtime/fabric/store/tcp_store.h"
#include "runtime/fabric/store/tls.h"

namespace fabric {

class StoreServer;

/// The store of one communicator, held by this process. Ranks of this process reach it without a
/// connection, ranks of other processes through TCP.
class HostedStore {
 public:
  /// Only threads of this process can reach it.
  static std::shared_ptr<HostedStore> inside(const Identity::Nonce& nonce,
                                             const std::string& secret = {});
  /// Other processes can reach it too. `port` 0: any free port. `tls`: used for connections of
  /// other processes. Throws FabricError(broken) if the port is taken.
  static std::shared_ptr<HostedStore> open(
      const Identity::Nonce& nonce, const std::string& secret = {},
      const std::string& address = "::", std::uint16_t port = 0,
      std::shared_ptr<const Tls> tls = nullptr, Identity::Users users = Identity::Users::any);
  ~HostedStore();
  HostedStore(const HostedStore&) = delete;
  HostedStore& operator=(const HostedStore&) = delete;

  const RootInfo& root_info() const noexcept { return info_; }
  const std::shared_ptr<Hub>& hub() const noexcept { return hub_; }

 private:
  HostedStore(const Identity::Nonce& nonce, const std::string& secret, Identity::Users users);

  const Identity identity_;
  const std::shared_ptr<Hub> hub_;
  std::shared_ptr<StoreServer> server_;
  RootInfo info_;
};

/// The rank that joins, and the limit of its attempts.
struct Joining {
  int rank = 0;
  int ranks = 0;              // the size of the group; 0: not known
  std::string description{};  // for example "process 4711", which is also the form of the default
  Moment end = kNever;
  Timekeeper* timekeeper = &Timekeeper::real();
  std::shared_ptr<const Tls> tls{};  // null: plain text
};

/// Joins the store with this identity: the store of this process if it has one, otherwise a store
/// at one of `places`. Throws as join_tcp_store and make_local_store.
std::unique_ptr<Store> join_store(const Identity& identity, const std::vector<StorePlace>& places,
                                  const Joining& joining);
std::unique_ptr<Store> join_store(const RootInfo& info, const std::string& secret,
                                  const Joining& joining);

}  // namespace fabric
