// SPDX-License-Identifier: Apache-2.0
// Groups of SIMT threads, as cooperative_groups names them.
#include <cstdint>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "ascendc/simt_api/cooperative_groups.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"

// These are words of SIMT code alone.
#undef blockIdx
#undef blockDim
#undef gridDim
#undef threadIdx

namespace {

namespace cg = cooperative_groups;
constexpr uint32_t kThreads = 48;

/// Each thread writes for its neighbour, and reads after the barrier.
void turns_around(int32_t* out) {
  const cg::thread_block block = cg::this_thread_block();
  const uint32_t me = block.thread_rank();
  out[block.size() + (me + 1) % block.num_threads()] = static_cast<int32_t>(me);
  block.sync();
  out[me] = out[block.size() + me] +
            static_cast<int32_t>(block.thread_index().x * 0 + block.group_index().x);
}
void turn(GM_ADDR x) {
  asc_vf_call<turns_around>(dim3{kThreads, 1, 1}, reinterpret_cast<int32_t*>(x));
}

void asks_its_tile(int32_t* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const auto me = static_cast<int32_t>(aclsimThisThread()->number);
  int32_t* const mine = out + me * 8;
  mine[0] =
      static_cast<int32_t>(tile.thread_rank() * 100 + tile.meta_group_rank() * 10 + tile.size());
  mine[1] = tile.shfl(me, 3);
  mine[2] = tile.shfl_down(me, 2);
  mine[3] = tile.shfl_up(me, 2);
  mine[4] = tile.shfl_xor(me, 1);
  mine[5] = static_cast<int32_t>(tile.ballot(me % 3 == 0));
  mine[6] = tile.any(me == 9) * 10 + tile.all(me < 16);
  tile.sync();
  mine[7] = static_cast<int32_t>(tile.meta_group_size());
}
void ask(GM_ADDR x) {
  asc_vf_call<asks_its_tile>(dim3{kThreads, 1, 1}, reinterpret_cast<int32_t*>(x));
}

}  // namespace

TEST_CASE("a group of a block knows its threads, and its barrier orders them", "[simt][groups]") {
  const auto words = first_words<turn>(kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) {
    CHECK(words[i] == static_cast<int32_t>((i + kThreads - 1) % kThreads));
  }
}

TEST_CASE("a tile gives and votes among its own threads", "[simt][groups]") {
  const auto words = first_words<ask>(kThreads * 8);
  for (int32_t i = 0; i < static_cast<int32_t>(kThreads); ++i) {
    INFO("thread " << i);
    const int32_t rank = i % 8;
    const int32_t first = i - rank;
    const int32_t* const mine = words.data() + i * 8;
    CHECK(mine[0] == rank * 100 + i / 8 * 10 + 8);
    CHECK(mine[1] == first + 3);
    CHECK(mine[2] == (rank + 2 < 8 ? i + 2 : i));
    CHECK(mine[3] == (rank >= 2 ? i - 2 : i));
    CHECK(mine[4] == (i ^ 1));
    int32_t threes = 0;
    for (int32_t k = 0; k < 8; ++k) threes |= ((first + k) % 3 == 0) << k;
    CHECK(mine[5] == threes);
    CHECK(mine[6] == (first == 8 ? 10 : 0) + (first < 16 ? 1 : 0));
    CHECK(mine[7] == 6);
  }
}
