// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/root_info.h"

#include "runtime/fabric/base/error.h"
#include "runtime/fabric/store/hosted_store.h"
#include "tests/support/catch.h"

using namespace fabric;
using catch_compat::ContainsSubstring;

namespace {

RootInfo example() { return {Identity::draw_nonce(), 4711, {"10.0.0.1", "fd00::2", "127.0.0.1"}}; }

}  // namespace

TEST_CASE("root info comes through a buffer that is longer", "[fabric]") {
  const RootInfo info = example();
  Bytes buffer = info.pack();
  CHECK(buffer.size() <= RootInfo::kMostBytes);
  buffer.resize(4108, std::byte{0x5a});
  const RootInfo again = RootInfo::unpack(buffer);
  CHECK(again.nonce == info.nonce);
  CHECK(again.port == info.port);
  CHECK(again.addresses == info.addresses);
}

TEST_CASE("root info with many addresses keeps to its size", "[fabric]") {
  RootInfo info = example();
  for (int i = 0; i < 30; ++i) info.addresses.push_back("fd00::" + std::to_string(i));
  const Bytes packed = info.pack();
  CHECK(packed.size() <= RootInfo::kMostBytes);
  CHECK(RootInfo::unpack(packed).addresses.size() == RootInfo::kMostAddresses);
}

TEST_CASE("root info that is cut off or damaged anywhere is refused", "[fabric]") {
  const Bytes packed = example().pack();
  for (std::size_t size = 0; size < packed.size(); ++size) {
    CHECK_THROWS_AS(RootInfo::unpack(std::span<const std::byte>(packed).first(size)), FabricError);
  }
  for (std::size_t at = 0; at < packed.size(); ++at) {
    Bytes damaged = packed;
    damaged[at] ^= std::byte{0x10};
    CHECK_THROWS_AS(RootInfo::unpack(damaged), FabricError);
  }
}

TEST_CASE("root info of another version is refused with both versions", "[fabric]") {
  Bytes packed = example().pack();
  packed[4] = std::byte{9};
  CHECK_THROWS_WITH(RootInfo::unpack(packed),
                    ContainsSubstring("the root info has version 9, this library reads version 5"));
}

TEST_CASE("this host has addresses, loopback last", "[fabric]") {
  const std::vector<std::string> addresses = host_addresses();
  REQUIRE_FALSE(addresses.empty());
  bool loopback = false;
  for (const std::string& address : addresses) {
    const bool is_loopback = address == "::1" || address.substr(0, 4) == "127.";
    CHECK((is_loopback || !loopback));
    loopback = loopback || is_loopback;
  }
}

TEST_CASE("ranks of the process that holds the store join it without a connection", "[fabric]") {
  const auto hosted = HostedStore::open(Identity::draw_nonce(), "secret", "127.0.0.1");
  const RootInfo info = RootInfo::unpack(hosted->root_info().pack());
  const auto store = join_store(info, "secret", {.rank = 0});
  CHECK(store->is_local());
  store->leave();
  // A rank with the wrong secret does not find the store in this process, and is refused by the
  // server.
  CHECK_THROWS_AS(join_store(info, "wrong",
                             {.rank = 1, .end = Timekeeper::real().in(std::chrono::seconds(20))}),
                  FabricError);
}
