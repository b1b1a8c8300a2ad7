// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/address.h"

#include "runtime/shmem/base/error.h"
#include "tests/support/catch.h"

using shmem::parse_address;

TEST_CASE("addresses are a scheme, a host and a port", "[shmem][address]") {
  CHECK(parse_address("tcp://127.0.0.1:8666").host == "127.0.0.1");
  CHECK(parse_address("tcp://127.0.0.1:8666").port == 8666);
  CHECK(parse_address("tcp://[::1]:65535").host == "::1");
  CHECK(parse_address("tcp6://[fe80::1]:1025").host == "fe80::1");
  CHECK(parse_address("tcp://node-3.cluster:9000").host == "node-3.cluster");
}

TEST_CASE("other addresses are refused with what they are", "[shmem][address]") {
  for (const char* const text :
       {"", "tcp://", "127.0.0.1:8666", "udp://1.2.3.4:8666", "tcp://1.2.3.4",
        "tcp://1.2.3.4:", "tcp://:8666", "tcp://1.2.3.4:1024", "tcp://1.2.3.4:65536",
        "tcp://1.2.3.4:80a", "tcp://1.2.3.4:-1", "tcp://::1:8666", "tcp://[]:8666"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_address(text), shmem::Error);
  }
}
