// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/store/hosted_store.h"

namespace fabric {

/// The stores of the root infos and unique ids that the process has made, until its own rank has
/// joined. Each listens, so it has descriptors. A program may make identities that no rank ever
/// uses: only the latest ones are kept, and each store that some rank has joined.
class HeldStores {
 public:
  /// More unused stores than this release the oldest one.
  static constexpr std::size_t kMostUnused = 128;

  void keep(std::shared_ptr<HostedStore> store) EXCLUDES(mutex_);
  /// Null: this process did not make the identity. Throws FabricError(closed) if the store was
  /// released.
  std::shared_ptr<HostedStore> find(const Identity::Nonce& nonce) const EXCLUDES(mutex_);
  /// The ranks of the process hold the store from here on.
  void drop(const Identity::Nonce& nonce) EXCLUDES(mutex_);

 private:
  std::shared_ptr<HostedStore> release_oldest() REQUIRES(mutex_);

  mutable sim::Mutex mutex_;
  std::map<Identity::Nonce, std::shared_ptr<HostedStore>> by_nonce_ GUARDED_BY(mutex_);
  std::deque<Identity::Nonce> unused_ GUARDED_BY(mutex_);  // oldest first; may be dropped or joined
  std::set<Identity::Nonce> released_ GUARDED_BY(mutex_);
};

}  // namespace fabric
