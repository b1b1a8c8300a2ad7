// SPDX-License-Identifier: Apache-2.0
// Which user is at the other end of a connection, and stores that only one user may join.
#include "runtime/fabric/store/socket_owner.h"

#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "runtime/fabric/store/store_server.h"
#include "runtime/fabric/store/tcp_store.h"
#include "tests/fabric/ranks.h"
#include "tests/support/catch.h"

using namespace fabric;
using catch_compat::ContainsSubstring;
using fabrictest::soon;

namespace {

// In the form that proc(5) describes, on a little-endian machine.
const std::string kHead =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode\n";
const std::string kIpv4 =
    kHead +
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 "
    "11 1 0000000000000000 100 0 0 10 0\n"
    "   1: 0100007F:A3F2 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 "
    "12 1 0000000000000000 20 4 30 10 -1\n"
    "   2: 0100007F:A3F3 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 "
    "0 1 0000000000000000 20 4 30 10 -1\n"
    "   3: 0100007F:A3F4 0100007F:1F90 04 00000000:00000000 00:00000000 00000000     0        0 "
    "14 1 0000000000000000 20 4 30 10 -1\n";
const std::string kIpv6 =
    kHead +
    "   0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:A3F2 01 "
    "00000000:00000000 00:00000000 00000000  1002        0 21 1 0000000000000000 20 4 30 10 -1\n"
    "   1: 000080FE00000000FF0102031A2B3C4D:0050 00000000000000000000000001000000:C350 01 "
    "00000000:00000000 00:00000000 00000000  1003        0 22 1 0000000000000000 20 4 30 10 -1\n";

SocketPlace ipv4(std::uint16_t port) {
  return {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}, port};
}

/// Runs a function in a child of another user; its result is the exit code.
template <class Function>
int as_other_user(Function function) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (setresuid(kNobody, kNobody, kNobody) != 0) _exit(99);
    _exit(function());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
TEST_CASE("the owner of a socket is read from the tables of the system", "[fabric]") {
  CHECK(owner_in(kIpv4, ipv4(41970), ipv4(8080)) == uid_t{1001});
  CHECK_FALSE(owner_in(kIpv4, ipv4(8080), ipv4(41970)));
  CHECK_FALSE(owner_in(kIpv4, ipv4(41971), ipv4(8080)));  // closed by its process
  CHECK_FALSE(owner_in(kIpv4, ipv4(41972), ipv4(8080)));  // about to end
  CHECK(owner_in(kIpv6, ipv4(8080), ipv4(41970)) == uid_t{1002});
  const SocketPlace link{{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0xff, 0x4d, 0x3c, 0x2b, 0x1a}, 80};
  const SocketPlace loopback{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 50000};
  CHECK(owner_in(kIpv6, link, loopback) == uid_t{1003});
}
#endif

TEST_CASE("a table of sockets that is damaged names no owner", "[fabric]") {
  for (const std::string& table :
       {std::string(), std::string("\n\n"), kHead, std::string("0: 1:2 3:4\n"),
        std::string("   1: 0100007F:A3F2 0100007F:1F90 01 0 0 0 x 0 y\n"),
        std::string("   1: 0100007F:A3F2 0100007F:1F90 zz 0 0 0 0 0 0\n")}) {
    CHECK_FALSE(owner_in(table, ipv4(41970), ipv4(8080)));
  }
}

TEST_CASE("a store for one user takes ranks of this user", "[fabric]") {
  for (const char* const address : {"127.0.0.1", "::"}) {
    CAPTURE(address);
    const Identity identity(Identity::draw_nonce(), {}, Identity::Users::same);
    const auto server = StoreServer::start(std::make_shared<Hub>(), identity, address);
    const auto store =
        join_tcp_store({{"127.0.0.1", server->port()}}, identity, {0, 1}, "rank", soon());
    store->set("key", {});
    store->leave();
  }
}

#if !defined(__SANITIZE_THREAD__)  // which does not permit threads in a forked child
TEST_CASE("a store for one user refuses the ranks of another user", "[fabric]") {
  if (geteuid() != 0) return;  // only root can act as another user
  const Identity::Nonce nonce = Identity::draw_nonce();
  for (const auto users : {Identity::Users::any, Identity::Users::same}) {
    const Identity of_store(nonce, {}, users);
    const auto server = StoreServer::start(std::make_shared<Hub>(), of_store, "127.0.0.1");
    const int code = as_other_user([&] {
      try {
        join_tcp_store({{"127.0.0.1", server->port()}}, Identity(nonce, {}), {0, 2}, "rank",
                       soon());
        return 1;
      } catch (const FabricError& error) {
        const bool told = std::string(error.what()).find("of the user 65534") != std::string::npos;
        return error.status() == Status::refused && told ? 2 : 3;
      }
    });
    CHECK(code == (users == Identity::Users::same ? 2 : 1));
  }
}
#endif

TEST_CASE("a rank of a job of one user refuses the store of another user", "[fabric]") {
  if (geteuid() != 0) return;
  const Identity::Nonce nonce = Identity::draw_nonce();
  int ports[2], end[2];
  REQUIRE(pipe(ports) == 0);
  REQUIRE(pipe(end) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setresuid(65534, 65534, 65534) != 0) _exit(99);
    const auto server =
        StoreServer::start(std::make_shared<Hub>(), Identity(nonce, {}), "127.0.0.1");
    const std::uint16_t port = server->port();
    char byte = 0;
    const bool sent = write(ports[1], &port, sizeof port) == sizeof port;
    close(end[1]);
    _exit(sent && read(end[0], &byte, 1) == 0 ? 0 : 1);
  }
  std::uint16_t port = 0;
  REQUIRE(read(ports[0], &port, sizeof port) == sizeof port);
  std::string problem = "joined";
  try {
    join_tcp_store({{"127.0.0.1", port}}, Identity(nonce, {}, Identity::Users::same), {0, 1},
                   "rank", soon());
  } catch (const FabricError& error) {
    problem = error.what();
  }
  CHECK_THAT(problem, ContainsSubstring("refuses the store") && ContainsSubstring("user 65534"));
  for (const int fd : {ports[0], ports[1], end[0], end[1]}) close(fd);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}
