// SPDX-License-Identifier: Apache-2.0
// Stores of identities that the process has made and no rank uses.
#include "runtime/fabric/store/held_stores.h"

#include <filesystem>
#include <iterator>

#include "runtime/fabric/base/error.h"
#include "tests/support/catch.h"

using namespace fabric;
using catch_compat::ContainsSubstring;

namespace {

std::size_t descriptors() {
  using Entries = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Entries("/proc/self/fd"), Entries()));
}

struct Kept {
  HeldStores all;
  Identity::Nonce make() {
    auto store = HostedStore::open(Identity::draw_nonce(), "secret", "127.0.0.1");
    const Identity::Nonce nonce = store->root_info().nonce;
    all.keep(std::move(store));
    return nonce;
  }
};

}  // namespace

TEST_CASE("stores that no rank uses are released, the oldest first", "[store]") {
  Kept kept;
  const Identity::Nonce first = kept.make();
  const Identity::Nonce second = kept.make();
  for (std::size_t i = 2; i < HeldStores::kMostUnused; ++i) kept.make();
  CHECK(kept.all.find(first));
  const std::size_t most = descriptors();
  kept.make();
  CHECK(descriptors() <= most);
  CHECK(kept.all.find(second));
  try {
    kept.all.find(first);
    FAIL("the oldest store is still there");
  } catch (const FabricError& error) {
    CHECK(error.status() == Status::closed);
    CHECK_THAT(error.what(), ContainsSubstring("128 newer"));
  }
  CHECK_FALSE(kept.all.find(Identity::draw_nonce()));
}

TEST_CASE("a store that a rank has joined, or that its own rank holds, is not released",
          "[store]") {
  Kept kept;
  const Identity::Nonce joined = kept.make();
  const Identity::Nonce held = kept.make();
  const auto store = kept.all.find(held);
  kept.all.drop(held);
  kept.all.find(joined)->hub()->join(1, "rank 1", [](const Departure&) {});
  for (std::size_t i = 0; i < HeldStores::kMostUnused + 2; ++i) kept.make();
  CHECK(kept.all.find(joined));
  CHECK_FALSE(kept.all.find(held));
  CHECK(store.use_count() == 1);
}
