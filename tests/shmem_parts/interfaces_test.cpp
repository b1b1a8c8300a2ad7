// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/interfaces.h"

#include "runtime/shmem/base/error.h"
#include "tests/support/catch.h"

using namespace shmem;
using catch_compat::ContainsSubstring;
using Texts = std::vector<std::string>;

namespace {
const std::vector<InterfaceAddress> kAll = {{"lo", "127.0.0.1", false},
                                            {"eth0", "10.0.0.1", false},
                                            {"eth0", "fd00::1", true},
                                            {"eth1", "10.0.1.1", false}};
}  // namespace

TEST_CASE("SHMEM_UID_SOCK_IFNAME names interfaces by their beginning, and a family",
          "[shmem][bootstrap]") {
  CHECK(choose_addresses(kAll, "lo") == Texts{"127.0.0.1"});
  CHECK(choose_addresses(kAll, "eth") == Texts{"10.0.0.1", "fd00::1", "10.0.1.1"});
  CHECK(choose_addresses(kAll, "eth0:inet6") == Texts{"fd00::1"});
  CHECK(choose_addresses(kAll, "eth:inet4") == Texts{"10.0.0.1", "10.0.1.1"});
}

TEST_CASE("what SHMEM_UID_SOCK_IFNAME names must be there", "[shmem][bootstrap]") {
  for (const char* const wrong : {"ib0", "lo:inet6", "eth0:tcp"}) {
    INFO(wrong);
    try {
      choose_addresses(kAll, wrong);
      FAIL("accepted");
    } catch (const Error& error) {
      const bool family = std::string(wrong) == "eth0:tcp";
      CHECK(error.code() == (family ? ACLSHMEM_INVALID_PARAM : ACLSHMEM_BOOTSTRAP_ERROR));
      CHECK_THAT(error.what(), ContainsSubstring(wrong));
    }
  }
}
