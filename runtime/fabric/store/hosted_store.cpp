// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/hosted_store.h"

#include <unistd.h>

#include <map>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/store/local_store.h"
#include "runtime/fabric/store/store_server.h"

namespace fabric {
namespace {

struct Hubs {
  sim::Mutex mutex;
  std::map<Identity, std::weak_ptr<Hub>> by_identity GUARDED_BY(mutex);
};

Hubs& hubs() {
  static auto* const all = new Hubs;  // stores are used until the process exits
  return *all;
}

std::shared_ptr<Hub> hub_of(const Identity& identity) {
  Hubs& all = hubs();
  const sim::LockGuard guard(all.mutex);
  const auto it = all.by_identity.find(identity);
  return it == all.by_identity.end() ? nullptr : it->second.lock();
}

}  // namespace

HostedStore::HostedStore(const Identity::Nonce& nonce, const std::string& secret,
                         Identity::Users users)
    : identity_(nonce, secret, users), hub_(std::make_shared<Hub>()) {
  info_.nonce = nonce;
  Hubs& all = hubs();
  const sim::LockGuard guard(all.mutex);
  if (!all.by_identity.emplace(identity_, hub_).second) {
    throw FabricError(Status::invalid, "this process holds the store of this communicator already");
  }
}

HostedStore::~HostedStore() {
  Hubs& all = hubs();
  const sim::LockGuard guard(all.mutex);
  all.by_identity.erase(identity_);
}

std::shared_ptr<HostedStore> HostedStore::inside(const Identity::Nonce& nonce,
                                                 const std::string& secret) {
  return std::shared_ptr<HostedStore>(new HostedStore(nonce, secret, Identity::Users::any));
}

std::shared_ptr<HostedStore> HostedStore::open(const Identity::Nonce& nonce,
                                               const std::string& secret,
                                               const std::string& address, std::uint16_t port,
                                               std::shared_ptr<const Tls> tls,
                                               Identity::Users users) {
  const std::shared_ptr<HostedStore> opened(new HostedStore(nonce, secret, users));
  opened->server_ =
      StoreServer::start(opened->hub_, opened->identity_, address, port, std::move(tls));
  opened->info_.port = opened->server_->port();
  const bool anywhere = address == "::" || address == "0.0.0.0";
  opened->info_.addresses = anywhere ? host_addresses() : std::vector{address};
  return opened;
}

std::unique_ptr<Store> join_store(const Identity& identity, const std::vector<StorePlace>& places,
                                  const Joining& joining) {
  const std::string description =
      joining.description.empty() ? "process " + std::to_string(getpid()) : joining.description;
  for (;;) {
    const std::shared_ptr<Hub> hub = hub_of(identity);
    if (!hub) {
      // Another thread of this process may open the store while this one looks for it.
      auto store = join_tcp_store(places, identity, {joining.rank, joining.ranks}, description,
                                  joining.end, *joining.timekeeper, joining.tls,
                                  [&] { return hub_of(identity) != nullptr; });
      if (store) return store;
      continue;
    }
    try {
      return make_local_store(hub, {joining.rank, joining.ranks}, description, *joining.timekeeper);
    } catch (const FabricError& error) {
      if (error.status() != Status::closed) throw;
      if (joining.timekeeper->passed(joining.end))
        throw FabricError(Status::timed_out, error.what());
      // waits for the next store of this identity
      joining.timekeeper->pause(kBetweenRounds, joining.end);
    }
  }
}

std::unique_ptr<Store> join_store(const RootInfo& info, const std::string& secret,
                                  const Joining& joining) {
  std::vector<StorePlace> places;
  for (const std::string& address : info.addresses) places.push_back({address, info.port});
  return join_store(Identity(info.nonce, secret), places, joining);
}

}  // namespace fabric
