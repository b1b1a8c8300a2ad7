// SPDX-License-Identifier: Apache-2.0
// The results of the public functions for edge cases, function by function. Arguments of init,
// heaps and transfers are tested in failures_test.cpp.
#include <cstdint>

#include "tests/shmem/world.h"

using namespace shmemtest;
using catch_compat::ContainsSubstring;

namespace {

constexpr aclshmem_team_t kNoTeam = 1234;

}  // namespace

TEST_CASE("a team is split only as its parent has members", "[shmem][fail]") {
  const Alone alone;
  aclshmem_team_t team = 7;
  const auto code = [&](aclshmem_team_t parent, int start, int stride, int size) {
    team = 7;
    return aclshmem_team_split_strided(parent, start, stride, size, &team);
  };
  CHECK(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, 1, nullptr) ==
        ACLSHMEM_INVALID_PARAM);
  CHECK_THAT(message(), ContainsSubstring("new_team is NULL"));
  CHECK(code(kNoTeam, 0, 1, 1) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_INVALID, 0, 1, 1) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_WORLD, -1, 1, 1) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_WORLD, 1, 1, 1) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_WORLD, ACLSHMEM_MAX_PES, 1, 1) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_WORLD, 0, 0, 1) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_WORLD, 0, -1, 1) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_WORLD, 0, ACLSHMEM_MAX_PES, 2) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_WORLD, 0, 1, 0) == ACLSHMEM_INVALID_PARAM);
  CHECK(code(ACLSHMEM_TEAM_WORLD, 0, 1, 2) == ACLSHMEM_INVALID_PARAM);
  CHECK(team == ACLSHMEM_TEAM_INVALID);
  for (int made = 1; made < 64; ++made) REQUIRE(code(ACLSHMEM_TEAM_WORLD, 0, 1, 1) == 0);
  CHECK(code(ACLSHMEM_TEAM_WORLD, 0, 1, 1) == ACLSHMEM_INNER_ERROR);
  CHECK_THAT(message(), ContainsSubstring("64"));
}

TEST_CASE("rows and columns want a parent, a width and two results", "[shmem][fail]") {
  const Alone alone;
  aclshmem_team_t x = 7, y = 7;
  CHECK(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 1, nullptr, &y) == ACLSHMEM_INVALID_PARAM);
  CHECK(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 1, &x, nullptr) == ACLSHMEM_INVALID_PARAM);
  CHECK(aclshmem_team_split_2d(kNoTeam, 1, &x, &y) == ACLSHMEM_INVALID_PARAM);
  CHECK(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 0, &x, &y) == ACLSHMEM_INVALID_PARAM);
  CHECK(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, -1, &x, &y) == ACLSHMEM_INVALID_PARAM);
  CHECK(x == ACLSHMEM_TEAM_INVALID);
  CHECK(y == ACLSHMEM_TEAM_INVALID);
  CHECK(aclshmem_team_split_2d(ACLSHMEM_TEAM_WORLD, 9, &x, &y) == 0);  // as wide as the parent
  CHECK(aclshmem_team_n_pes(x) == 1);
  CHECK(aclshmem_team_n_pes(y) == 1);
}

TEST_CASE("what asks about a team that is not there gets -1", "[shmem][fail]") {
  const Alone alone;
  aclshmem_team_config_t config;
  config.num_contexts = 9;
  for (const aclshmem_team_t team : {aclshmem_team_t(ACLSHMEM_TEAM_INVALID), kNoTeam}) {
    CHECK(aclshmem_team_my_pe(team) == -1);
    CHECK(aclshmem_team_n_pes(team) == -1);
    CHECK(aclshmem_team_translate_pe(team, 0, ACLSHMEM_TEAM_WORLD) == -1);
    CHECK(aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, 0, team) == -1);
    CHECK(aclshmem_team_get_config(team, &config) == ACLSHMEM_INVALID_PARAM);
    aclshmem_team_destroy(team);  // a warning
  }
  CHECK(config.num_contexts == 9);
  CHECK(aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, 1, ACLSHMEM_TEAM_WORLD) == -1);
  CHECK(aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, -1, ACLSHMEM_TEAM_WORLD) == -1);
  CHECK(aclshmem_team_get_config(ACLSHMEM_TEAM_WORLD, nullptr) == ACLSHMEM_INVALID_PARAM);
  CHECK(aclshmem_team_get_config(ACLSHMEM_TEAM_WORLD, &config) == 0);
  CHECK(config.num_contexts == 0);
  aclshmem_team_destroy(ACLSHMEM_TEAM_WORLD);
  CHECK(aclshmem_team_n_pes(ACLSHMEM_TEAM_WORLD) == 1);
  aclshmem_barrier(ACLSHMEM_TEAM_INVALID);  // nothing
  aclshmem_sync(ACLSHMEM_TEAM_INVALID);
}

TEST_CASE("settings of the engines need SHMEM, and rings of 128 bytes", "[shmem][fail]") {
  const auto all = [](std::uint32_t size) {
    return std::vector<int>{
        aclshmemx_set_mte_config(0, size, 0), aclshmemx_set_sdma_config(0, size, 0),
        aclshmemx_set_rdma_config(0, size, 0), aclshmemx_set_udma_config(0, size, 0)};
  };
  CHECK(all(128) == std::vector<int>(4, ACLSHMEM_NOT_INITED));
  const Alone alone;
  CHECK(all(128) == std::vector<int>(4, ACLSHMEM_SUCCESS));
  CHECK(all(127) == std::vector<int>{0, 0, ACLSHMEM_INVALID_VALUE, ACLSHMEM_INVALID_VALUE});
  CHECK_THAT(message(), ContainsSubstring("127"));
}

TEST_CASE("state and names are told at any time", "[shmem][init]") {
  aclshmem_info_get_version(nullptr, nullptr);
  aclshmem_info_get_name(nullptr);
  int major = 0, minor = 0;
  char name[ACLSHMEM_MAX_NAME_LEN];
  aclshmem_info_get_version(&major, &minor);
  aclshmem_info_get_name(name);
  CHECK(major * 10 + minor == 11);
  CHECK(std::string(name) == "ACLSHMEM v1.1.1");
  CHECK(util_get_ffts_config() == 0);
  {
    const Alone alone;
    CHECK(aclshmemx_init_status() == ACLSHMEM_STATUS_IS_INITIALIZED);
    CHECK(util_get_ffts_config() != 0);
    CHECK(aclshmemx_get_heap_base(DEVICE_SIDE) != nullptr);
    CHECK(aclshmemx_get_heap_base(HOST_SIDE) == nullptr);  // until something is allocated there
    CHECK(aclshmem_my_pe() == 0);
    CHECK(aclshmem_n_pes() == 1);
  }
  CHECK(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
  CHECK(aclshmem_malloc(16) == nullptr);
}

TEST_CASE("a wait for nothing ends at once, and says that there is nothing", "[shmem][signal]") {
  const Alone alone;
  auto* const words = static_cast<std::int32_t*>(aclshmem_calloc(4, sizeof(std::int32_t)));
  const int all_excluded[4] = {1, 1, 1, 1};
  std::size_t found = 5, indices[4] = {};
  aclshmem_int32_wait_until_all(words, 4, all_excluded, ACLSHMEM_CMP_EQ, 1);
  aclshmem_int32_wait_until_any(words, 4, all_excluded, ACLSHMEM_CMP_EQ, 1, &found);
  CHECK(found == SIZE_MAX);
  aclshmem_int32_wait_until_any(words, 0, nullptr, ACLSHMEM_CMP_EQ, 1, &found);
  CHECK(found == SIZE_MAX);
  aclshmem_int32_wait_until_some(words, 4, indices, all_excluded, ACLSHMEM_CMP_EQ, 1, &found);
  CHECK(found == 0);
  found = 5;
  aclshmem_int32_test_any(words, 4, nullptr, ACLSHMEM_CMP_EQ, 1, &found);  // none is 1
  CHECK(found == SIZE_MAX);
  aclshmem_int32_test_some(words, 4, indices, nullptr, ACLSHMEM_CMP_EQ, 1, &found);
  CHECK(found == 0);
  aclshmem_int32_wait_until_any(words, 4, nullptr, 6, 1, &found);  // no such comparison
  CHECK(found == SIZE_MAX);
  CHECK_THAT(message(), ContainsSubstring("cmp is 6"));
}
