// SPDX-License-Identifier: Apache-2.0
// The names of the first versions, whose header does not go with the newer one.
#include "shmem/shmem_api.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "tests/support/catch.h"
#include "tests/support/certificates.h"
#include "tests/support/child.h"

namespace {

int free_port() {
  const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(socket_fd, reinterpret_cast<sockaddr*>(&address), size) != 0) return -1;
  getsockname(socket_fd, reinterpret_cast<sockaddr*>(&address), &size);
  close(socket_fd);
  return ntohs(address.sin_port);
}

int number(const char* name) { return std::atoi(std::getenv(name)); }

}  // namespace

CHILD_PROGRAM(shmem_older_ring) {
  const int me = number("TEST_PE");
  const int pes = number("TEST_PES");
  aclrtSetDevice(0);
  shmem_init_attr_t* attributes = nullptr;
  const std::string address = std::string("tcp://127.0.0.1:") + std::getenv("TEST_PORT");
  int wrong = shmem_set_attr(me, pes, 1 << 20, address.c_str(), &attributes) != 0;
  wrong += shmem_set_timeout(attributes, 60) != 0;
  wrong += shmem_init_attr(attributes) != 0;
  auto* const to = static_cast<std::int32_t*>(shmem_calloc(4, 4));
  auto* const from = static_cast<std::int32_t*>(shmem_calloc(4, 4));
  for (int i = 0; i < 4; ++i) shmem_int32_p(from + i, 10 * me + i, me);
  shmem_put_int32_mem(to, from, 4, (me + 1) % pes);
  shmem_barrier_all();
  for (int i = 0; i < 4; ++i) wrong += shmem_int32_g(to + i, me) != 10 * ((me + pes - 1) % pes) + i;
  shmem_team_t half = SHMEM_TEAM_INVALID;
  wrong += shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, (pes + 1) / 2, &half) != 0;
  wrong += (half == SHMEM_TEAM_INVALID) != (me >= (pes + 1) / 2);
  shmem_free(from);
  wrong += shmem_finalize() != 0;
  std::cout << wrong << std::endl;
  return wrong;
}

TEST_CASE("programs of the first versions run", "[shmem][older]") {
  const std::string port = std::to_string(free_port());
  std::vector<std::unique_ptr<support::RunningChild>> pes;
  for (const char* const pe : {"0", "1", "2"}) {
    pes.push_back(std::make_unique<support::RunningChild>(
        "shmem_older_ring",
        support::Environment{{"TEST_PE", pe}, {"TEST_PES", "3"}, {"TEST_PORT", port}}));
  }
  for (auto& pe : pes) CHECK(pe->hear() == "0");
}

namespace {

/// The "cipher" of this test: a letter followed by the password.
int decrypt(const char* cipher, std::size_t length, char* plain, std::size_t& room) {
  if (length < 2 || length >= room || cipher[0] != 'x') return -1;
  std::memcpy(plain, cipher + 1, length - 1);
  room = length - 1;
  return 0;
}

int set_key(const std::string& key, const std::string& password) {
  return shmem_set_config_store_tls_key(key.c_str(), static_cast<std::uint32_t>(key.size()),
                                        password.c_str(),
                                        static_cast<std::uint32_t>(password.size()), nullptr);
}

int init_alone() {
  shmem_init_attr_t* attributes = nullptr;
  const std::string address = "tcp://127.0.0.1:" + std::to_string(free_port());
  REQUIRE(shmem_set_attr(0, 1, 1 << 20, address.c_str(), &attributes) == SHMEM_SUCCESS);
  const int code = shmem_init_attr(attributes);
  if (code == SHMEM_SUCCESS) shmem_finalize();
  return code;
}

}  // namespace

TEST_CASE("a handler is registered before the key or behind it", "[shmem][older][tls]") {
  const support::Certificates certificates("secret");
  if (!ACLSIM_HAVE_OPENSSL || !certificates.made()) {
    WARN("skipped: this build has no TLS, or there is no openssl to make certificates with");
    return;
  }
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  const std::string info =
      "tlsCert: " + certificates.certificate() + "; tlsCaFile: " + certificates.authority();
  const auto size = static_cast<std::uint32_t>(info.size());
  REQUIRE(shmem_set_conf_store_tls(true, info.c_str(), size) == SHMEM_SUCCESS);
  CHECK(shmem_register_decrypt_handler(decrypt) == SHMEM_SUCCESS);
  CHECK(set_key(certificates.key(), "xsecret") == SHMEM_SUCCESS);
  CHECK(init_alone() == SHMEM_SUCCESS);
  CHECK(shmem_register_decrypt_handler(nullptr) == SHMEM_SUCCESS);
  CHECK(init_alone() == SHMEM_INVALID_PARAM);
  CHECK(set_key(certificates.key(), "xsecret") == SHMEM_SUCCESS);
  CHECK(shmem_register_decrypt_handler(decrypt) == SHMEM_SUCCESS);
  CHECK(init_alone() == SHMEM_SUCCESS);
  CHECK(shmem_set_conf_store_tls(false, nullptr, 0) == SHMEM_SUCCESS);
  CHECK(set_key("", "") == SHMEM_SUCCESS);
  CHECK(shmem_register_decrypt_handler(nullptr) == SHMEM_SUCCESS);
  aclrtResetDevice(0);
}

TEST_CASE("lists of types and sizes have the older names too", "[shmem][older]") {
#define COUNT(...) +1
  CHECK(SHMEM_TYPE_FUNC(COUNT) == 11);
  CHECK(SHMEM_P2P_SYNC_TYPE_FUNC(COUNT) == 10);
  CHECK(SHMEM_SIZE_FUNC(COUNT) == 5);
#undef COUNT
  const struct {
    std::int32_t version;
    char internal[SHMEM_UNIQUE_ID_INNER_LEN];
  } id = SHMEM_UNIQUEID_INITIALIZER;
  CHECK(id.version == SHMEM_UNIQUEID_VERSION);
  CHECK(id.internal[SHMEM_UNIQUE_ID_INNER_LEN - 1] == 0);
}

TEST_CASE("attributes of the first versions are checked", "[shmem][older]") {
  shmem_init_attr_t* attributes = nullptr;
  CHECK(shmem_set_attr(0, 1, 16, "tcp://127.0.0.1:8666", nullptr) == SHMEM_INVALID_PARAM);
  CHECK(shmem_set_attr(0, 1, 16, nullptr, &attributes) == SHMEM_INVALID_PARAM);
  CHECK(shmem_set_attr(0, 16385, 16, "", &attributes) == SHMEM_INVALID_VALUE);
  CHECK(shmem_set_attr(0, 1, SHMEM_MAX_LOCAL_SIZE + 1, "", &attributes) == SHMEM_INVALID_VALUE);
  CHECK(attributes == nullptr);
  CHECK(shmem_init_attr(nullptr) == SHMEM_INVALID_PARAM);
  CHECK(shmem_set_timeout(nullptr, 1) == SHMEM_INVALID_PARAM);
  CHECK(shmem_set_data_op_engine_type(nullptr, SHMEM_DATA_OP_MTE) == SHMEM_INVALID_PARAM);
  REQUIRE(shmem_set_attr(3, 4, 16, "tcp://127.0.0.1:8666", &attributes) == SHMEM_SUCCESS);
  CHECK(attributes->my_rank == 3);
  CHECK(attributes->option_attr.control_operation_timeout == 120);
  char name[SHMEM_MAX_NAME_LEN];
  shmem_info_get_name(name);
  CHECK(std::strcmp(name, "SHMEM v1.1.1") == 0);
}
