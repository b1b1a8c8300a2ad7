// SPDX-License-Identifier: Apache-2.0
// Teams as each PE sees them, against lists of their members.
#include "runtime/shmem/teams/teams.h"

#include <algorithm>
#include <random>
#include <vector>

#include "runtime/shmem/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

using shmem::Error;
using shmem::Teams;

namespace {

aclshmem_error_code_t code_of_split(Teams& teams, int parent, int start, int stride, int size) {
  try {
    teams.split_strided(parent, start, stride, size);
  } catch (const Error& error) {
    return error.code();
  }
  return ACLSHMEM_SUCCESS;
}

}  // namespace

TEST_CASE("splits of splits have the members that the parent names", "[shmem][team]") {
  std::mt19937 random(support::first_seed());
  for (int run = 0; run < 300; ++run) {
    const int pes = 1 + static_cast<int>(random() % 24);
    const int me = static_cast<int>(random() % static_cast<unsigned>(pes));
    Teams teams(me, pes);
    std::vector<int> members;
    for (int pe = 0; pe < pes; ++pe) members.push_back(pe);
    int parent = Teams::kWorld;
    for (int depth = 0; depth < 4 && parent != Teams::kInvalid; ++depth) {
      const int size = static_cast<int>(members.size());
      const int start = static_cast<int>(random() % static_cast<unsigned>(size));
      const int stride = 1 + static_cast<int>(random() % 3);
      const int most = (size - 1 - start) / stride + 1;
      const int count = 1 + static_cast<int>(random() % static_cast<unsigned>(most));
      std::vector<int> chosen;
      for (int i = 0; i < count; ++i)
        chosen.push_back(members[static_cast<std::size_t>(start + i * stride)]);
      const int made = teams.split_strided(parent, start, stride, count);
      const auto mine = std::find(chosen.begin(), chosen.end(), me);
      REQUIRE((made == Teams::kInvalid) == (mine == chosen.end()));
      if (made == Teams::kInvalid) break;
      REQUIRE(teams.find(made)->members() == chosen);
      REQUIRE(teams.my_pe(made) == mine - chosen.begin());
      REQUIRE(teams.n_pes(made) == count);
      for (int pe = 0; pe < count; ++pe) {
        REQUIRE(teams.translate(made, pe, Teams::kWorld) == chosen[static_cast<std::size_t>(pe)]);
      }
      for (int pe = 0; pe < pes; ++pe) {
        const auto at = std::find(chosen.begin(), chosen.end(), pe);
        REQUIRE(teams.translate(Teams::kWorld, pe, made) ==
                (at == chosen.end() ? -1 : at - chosen.begin()));
      }
      parent = made;
      members = chosen;
    }
  }
}

TEST_CASE("a 2-D split gives every PE its row and its column", "[shmem][team]") {
  for (int pes = 1; pes <= 13; ++pes) {
    for (int range = 1; range <= pes + 2; ++range) {
      const int width = std::min(range, pes);
      for (int me = 0; me < pes; ++me) {
        Teams teams(me, pes);
        const Teams::Pair made = teams.split_2d(Teams::kWorld, range);
        std::vector<int> row;
        std::vector<int> column;
        for (int pe = 0; pe < pes; ++pe) {
          if (pe / width == me / width) row.push_back(pe);
          if (pe % width == me % width) column.push_back(pe);
        }
        REQUIRE(teams.find(made.x)->members() == row);
        REQUIRE(teams.find(made.y)->members() == column);
        REQUIRE(teams.my_pe(made.x) == me % width);
        REQUIRE(teams.my_pe(made.y) == me / width);
      }
    }
  }
}

TEST_CASE("what no team can be is refused", "[shmem][team]") {
  Teams teams(0, 8);
  const auto refused = [&](int parent, int start, int stride, int size) {
    return code_of_split(teams, parent, start, stride, size) == ACLSHMEM_INVALID_PARAM;
  };
  CHECK(refused(-1, 0, 1, 1));
  CHECK(refused(5, 0, 1, 1));
  CHECK(refused(0, -1, 1, 1));
  CHECK(refused(0, 8, 1, 1));
  CHECK(refused(0, 0, 0, 2));
  CHECK(refused(0, 0, -1, 2));
  CHECK(refused(0, 0, 1, 0));
  CHECK(refused(0, 0, 1, 9));
  CHECK(refused(0, 0, 4, 3));
  CHECK(refused(0, 0, INT32_MAX, 2));
  CHECK_THROWS_AS(teams.split_2d(0, 0), Error);
  CHECK_THROWS_AS(teams.split_2d(0, -3), Error);
}

TEST_CASE("64 teams are the most, and a destroyed one makes room", "[shmem][team]") {
  Teams teams(0, 2);
  for (int i = 1; i < 64; ++i) CHECK(teams.split_strided(0, 0, 1, 2) == i);
  CHECK(code_of_split(teams, 0, 0, 1, 2) == ACLSHMEM_INNER_ERROR);
  CHECK(teams.destroy(17));
  CHECK_FALSE(teams.destroy(17));
  CHECK(teams.my_pe(17) == -1);
  CHECK_THROWS_AS(teams.split_2d(0, 1), Error);  // it needs two
  CHECK(teams.split_strided(0, 0, 1, 1) == 17);
  CHECK_FALSE(teams.destroy(Teams::kWorld));
  CHECK_FALSE(teams.destroy(-1));
  CHECK_FALSE(teams.destroy(1000));
}

TEST_CASE("translating what is not there gives -1", "[shmem][team]") {
  Teams teams(1, 4);
  const int odd = teams.split_strided(0, 1, 2, 2);
  CHECK(teams.translate(0, 0, odd) == -1);
  CHECK(teams.translate(0, 4, 0) == -1);
  CHECK(teams.translate(0, -1, 0) == -1);
  CHECK(teams.translate(9, 0, 0) == -1);
  CHECK(teams.translate(0, 0, -1) == -1);
  CHECK(teams.translate(odd, 1, 0) == 3);
}
