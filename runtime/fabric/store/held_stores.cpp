// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/held_stores.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/fabric/base/error.h"
#include "runtime/fabric/store/hub.h"

namespace fabric {

void HeldStores::keep(std::shared_ptr<HostedStore> store) {
  std::shared_ptr<HostedStore> oldest;  // ends without the lock
  const sim::LockGuard guard(mutex_);
  const Identity::Nonce nonce = store->root_info().nonce;
  by_nonce_[nonce] = std::move(store);
  unused_.push_back(nonce);
  if (unused_.size() > kMostUnused) oldest = release_oldest();
}

// Stores that a rank has joined, or whose own rank holds them, are no longer among the unused ones.
std::shared_ptr<HostedStore> HeldStores::release_oldest() {
  while (unused_.size() > kMostUnused) {
    const Identity::Nonce nonce = unused_.front();
    unused_.pop_front();
    const auto at = by_nonce_.find(nonce);
    if (at == by_nonce_.end() || at->second->hub()->was_joined()) continue;
    std::shared_ptr<HostedStore> store = std::move(at->second);
    by_nonce_.erase(at);
    released_.insert(nonce);
    return store;
  }
  return nullptr;
}

std::shared_ptr<HostedStore> HeldStores::find(const Identity::Nonce& nonce) const {
  const sim::LockGuard guard(mutex_);
  if (released_.contains(nonce)) {
    throw FabricError(
        Status::closed,
        fmt::format("this process has made {} newer root infos or unique ids since, and "
                    "released this one, which no rank had used",
                    kMostUnused));
  }
  const auto at = by_nonce_.find(nonce);
  return at == by_nonce_.end() ? nullptr : at->second;
}

void HeldStores::drop(const Identity::Nonce& nonce) {
  std::shared_ptr<HostedStore> last;  // may end with its last holder, without the lock
  const sim::LockGuard guard(mutex_);
  const auto at = by_nonce_.find(nonce);
  if (at == by_nonce_.end()) return;
  last = std::move(at->second);
  by_nonce_.erase(at);
}

}  // namespace fabric
