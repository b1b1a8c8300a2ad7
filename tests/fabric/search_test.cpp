// SPDX-License-Identifier: Apache-2.0
// How a rank looks for its store among several places.
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <future>
#include <vector>

#include "device_sim/base/owned_fd.h"
#include "runtime/fabric/store/hosted_store.h"
#include "runtime/fabric/store/store_server.h"
#include "runtime/fabric/store/tcp_store.h"
#include "tests/support/catch.h"
#include "tests/support/waiting.h"

using namespace fabric;
using namespace std::chrono_literals;

namespace {

/// A port at which connections succeed and nothing answers.
class SilentPort {
 public:
  SilentPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(0x7f000002);  // 127.0.0.2
    REQUIRE(bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
    REQUIRE(listen(socket_.get(), 8) == 0);
    socklen_t size = sizeof(address);
    REQUIRE(getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ntohs(address.sin_port);
  }
  StorePlace place() const { return {"127.0.0.2", port_}; }
  bool is_reached() const {
    pollfd waiting{socket_.get(), POLLIN, 0};
    return poll(&waiting, 1, 0) == 1;
  }

 private:
  sim::OwnedFd socket_;
  std::uint16_t port_ = 0;
};

}  // namespace

TEST_CASE("a rank waits once for a host that is silent at all of its ports", "[fabric]") {
  const Identity identity(Identity::draw_nonce(), {});
  const auto server = StoreServer::start(std::make_shared<Hub>(), identity, "127.0.0.1");
  std::vector<SilentPort> silent(16);
  std::vector<StorePlace> places;
  for (const SilentPort& port : silent) places.push_back(port.place());
  places.push_back({"127.0.0.1", server->port()});
  // One wait for each port would take longer.
  const auto store =
      join_tcp_store(places, identity, 0, "rank", Timekeeper::real().in(support::kDeadline / 2));
  store->leave();
}

TEST_CASE("a rank that waits for a silent host finds the store that its process opens meanwhile",
          "[fabric]") {
  const Identity::Nonce nonce = Identity::draw_nonce();
  std::vector<SilentPort> silent(16);
  std::vector<StorePlace> places;
  for (const SilentPort& port : silent) places.push_back(port.place());
  auto joined = std::async(std::launch::async, [&] {
    return join_store(Identity(nonce, {}), places,
                      {.rank = 0, .end = Timekeeper::real().in(support::kDeadline / 2)});
  });
  REQUIRE(support::eventually([&] { return silent[0].is_reached(); }));
  const auto hosted = HostedStore::inside(nonce, {});
  const auto store = joined.get();
  CHECK(store->is_local());
  store->leave();
}
