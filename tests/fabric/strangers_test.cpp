// SPDX-License-Identifier: Apache-2.0
// Connections from programs that are not ranks.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <future>

#include "device_sim/base/owned_fd.h"
#include "runtime/fabric/store/connection.h"
#include "runtime/fabric/store/store_server.h"
#include "runtime/fabric/store/tcp_store.h"
#include "tests/fabric/ranks.h"
#include "tests/support/catch.h"
#include "tests/support/waiting.h"

using namespace fabric;
using namespace std::chrono_literals;
using catch_compat::ContainsSubstring;
using fabrictest::soon;
using support::eventually;

namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

sim::OwnedFd connected_to(std::uint16_t port) {
  sim::OwnedFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = loopback(port);
  REQUIRE(connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return socket;
}

/// Accepts one connection, says `words` and waits for the other side to go.
class FakeStore {
 public:
  explicit FakeStore(Bytes words) {
    socket_ = sim::OwnedFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    REQUIRE(bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0);
    REQUIRE(listen(socket_.get(), 1) == 0);
    getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    served_ = std::async(std::launch::async, [this, words = std::move(words)] {
      const sim::OwnedFd guest(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      send(guest.get(), words.data(), words.size(), MSG_NOSIGNAL);
      char buffer[256];
      while (recv(guest.get(), buffer, sizeof buffer, 0) > 0) {
      }
    });
  }
  ~FakeStore() { shutdown(socket_.get(), SHUT_RDWR); }
  std::vector<StorePlace> places() const { return {{"127.0.0.1", port_}}; }

 private:
  sim::OwnedFd socket_;
  std::uint16_t port_ = 0;
  std::future<void> served_;
};

std::string problem_with(const FakeStore& store, Moment end) {
  const Identity identity(Identity::draw_nonce(), {});
  try {
    join_tcp_store(store.places(), identity, 0, "rank", end);
  } catch (const FabricError& error) {
    return error.what();
  }
  return "joined";
}

/// True when the other side closes the connection.
bool is_closed(const sim::OwnedFd& socket) {
  const timeval limit{20, 0};
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  char buffer[256];
  ssize_t got = 1;
  while (got > 0) got = recv(socket.get(), buffer, sizeof buffer, 0);
  return got == 0 || errno == ECONNRESET;
}

}  // namespace

TEST_CASE("a store of another version is told of with both versions", "[fabric]") {
  const FakeStore store(Writer().number(kWireMagic).number(std::uint32_t{9}).take());
  CHECK_THAT(problem_with(store, soon()),
             ContainsSubstring("speaks version 9 of the protocol between ranks, this process "
                               "version 3"));
}

TEST_CASE("something else at the store's port is told of", "[fabric]") {
  const FakeStore store(bytes_of("SSH-2.0-OpenSSH_9.2\r\n"));
  CHECK_THAT(problem_with(store, soon()), ContainsSubstring("is no store or rank"));
}

TEST_CASE("a store that proves nothing is refused", "[fabric]") {
  Writer words;
  words.number(kWireMagic).number(kWireVersion);
  words.number(std::uint32_t{32}).number(std::uint8_t{2}).number(std::uint64_t{0});
  words.raw(Bytes(32));  // "welcome", with a proof of zeros
  const FakeStore store(words.take());
  CHECK_THAT(problem_with(store, soon()), ContainsSubstring("does not know the identity"));
}

TEST_CASE("a store that has proved nothing may send no long message", "[fabric]") {
  Writer words;
  words.number(kWireMagic).number(kWireVersion);
  words.number(std::uint32_t{1} << 29).number(std::uint8_t{1}).number(std::uint64_t{0});
  const FakeStore store(words.take());
  CHECK_THAT(problem_with(store, Timekeeper::real().in(2s)),
             ContainsSubstring("sends a message of 536870912 bytes"));
}

TEST_CASE("a store that says nothing is waited for no longer than asked", "[fabric]") {
  const FakeStore store({});
  CHECK_THAT(problem_with(store, Timekeeper::real().in(100ms)),
             ContainsSubstring("does not answer"));
}

TEST_CASE("strangers that say nothing keep no rank out", "[fabric]") {
  const Identity identity(Identity::draw_nonce(), {});
  const auto hub = std::make_shared<Hub>();
  const auto server = StoreServer::start(hub, identity, "127.0.0.1");
  std::vector<sim::OwnedFd> strangers;
  for (int i = 0; i < 300; ++i) strangers.push_back(connected_to(server->port()));
  CHECK(is_closed(strangers.front()));
  const auto store = join_tcp_store({{"127.0.0.1", server->port()}}, identity, 0, "rank", soon());
  store->set("key", {});
  CHECK(server->strangers() <= 128);
  store->leave();
}

TEST_CASE("a stranger that sends nonsense is thrown out", "[fabric]") {
  const Identity identity(Identity::draw_nonce(), {});
  const auto server = StoreServer::start(std::make_shared<Hub>(), identity, "127.0.0.1");
  for (const Bytes& words : {bytes_of("GET / HTTP/1.1\r\n\r\n"),
                             Writer().number(kWireMagic).number(std::uint32_t{9}).take(),
                             // a frame that is longer than an introduction may be
                             Writer()
                                 .number(kWireMagic)
                                 .number(kWireVersion)
                                 .number(~std::uint32_t{0})
                                 .number(std::uint8_t{64})
                                 .number(std::uint64_t{0})
                                 .take(),
                             // a proof that is cut off
                             Writer()
                                 .number(kWireMagic)
                                 .number(kWireVersion)
                                 .number(std::uint32_t{3})
                                 .number(std::uint8_t{64})
                                 .number(std::uint64_t{0})
                                 .raw(Bytes(3))
                                 .take(),
                             // a call before the introduction
                             Writer()
                                 .number(kWireMagic)
                                 .number(kWireVersion)
                                 .number(std::uint32_t{0})
                                 .number(std::uint8_t{66})
                                 .number(std::uint64_t{1})
                                 .take()}) {
    const sim::OwnedFd stranger = connected_to(server->port());
    REQUIRE(send(stranger.get(), words.data(), words.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(words.size()));
    CHECK(is_closed(stranger));
  }
}
