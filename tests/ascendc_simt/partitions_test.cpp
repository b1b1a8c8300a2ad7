// SPDX-License-Identifier: Apache-2.0
// Groups of cooperative_groups that are parts of others: of several warps, of active threads.
#include "ascendc/simt_api/cooperative_groups.h"
#include "tests/ascendc_simt/threads.h"
#include "tests/support/catch.h"

namespace {

namespace cg = cooperative_groups;

using simt_test::me;

template <class T>
int32_t word(T value) {
  return static_cast<int32_t>(value);
}

constexpr uint32_t kWords = 8;  // of each thread
template <void (*function)(int32_t*), uint32_t threads>
std::vector<int32_t> words() {
  return simt_test::words_of<function, threads>(threads * kWords);
}

void joins_warps(int32_t* out) {
  cg::block_tile_memory<128> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  int32_t* const mine = out + me() * kWords;
  mine[0] = word(tile.thread_rank());
  mine[1] = word(tile.meta_group_rank() * 10 + tile.meta_group_size());
  mine[2] = tile.shfl(word(me()) * 3, 40);
  mine[3] = tile.any(me() == 70) * 10 + tile.all(me() < 64);
  // The tile's barrier orders the words of its threads, although the other tile never comes here.
  if (me() < 64) {
    out[(me() + 33) % 64 * kWords + 4] = word(me());
    tile.sync();
    mine[5] = mine[4];
  }
  mine[6] = word(cg::tiled_partition<4>(tile).meta_group_size());
}

void divides_active_threads(int32_t* out) {
  int32_t* const mine = out + me() * kWords;
  if (me() % 3 == 2) return;
  const cg::coalesced_group all = cg::coalesced_threads();
  mine[0] = word(all.thread_rank() * 100 + all.size());
  mine[1] = all.shfl(word(me()), 3);
  mine[2] = all.shfl_down(word(me()), 1) * 100 + all.shfl_up(word(me()), 2);
  mine[3] = word(all.ballot(me() % 2));
  const cg::coalesced_group side = cg::binary_partition(all, me() >= 16);
  mine[4] = word(side.size() * 100 + side.meta_group_rank() * 10 + side.meta_group_size());
  mine[5] = side.shfl(word(me()), 0);
  const cg::coalesced_group part = cg::tiled_partition(all, 4U);
  mine[6] = word(part.meta_group_rank() * 100 + part.size() * 10 + part.thread_rank());
  mine[7] = part.all(me() < 6) + 10 * part.any(me() == 31);
}

/// Only one tile takes the branch; its operations do not wait for the others.
void works_alone(int32_t* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  int32_t* const mine = out + me() * kWords;
  if (me() / 8 == 1) {
    mine[0] = tile.shfl_xor(word(me()), 1);
    mine[1] = word(tile.ballot(me() % 2));
    const auto side = cg::binary_partition(tile, me() % 4 == 0);
    mine[2] = word(side.size() * 10 + side.thread_rank());
  }
  asc_syncthreads();
  const cg::thread_group group = cg::tiled_partition(block, 16U);
  group.sync();
  mine[3] = word(group.size() * 100 + group.thread_rank());
  const cg::thread_group pairs = cg::tiled_partition(group, 2U);
  mine[4] = word(pairs.size() * 100 + pairs.thread_rank());
  mine[5] = group.get_type() == cg::group_type::tiled_group_type;
  const cg::thread_block_tile<4> four = cg::tiled_partition<4>(tile);
  mine[6] = word(four.meta_group_rank() * 10 + four.meta_group_size());
  cg::sync(four);
}

void forgets_memory(int32_t*) { cg::tiled_partition<64>(cg::this_thread_block()); }

}  // namespace

TEST_CASE("a tile of two warps shares a value and votes, and its barrier is its own",
          "[simt][groups]") {
  const auto all = words<joins_warps, 128>();
  for (int32_t i = 0; i < 128; ++i) {
    INFO("thread " << i);
    const int32_t* const mine = all.data() + i * word(kWords);
    CHECK(mine[0] == i % 64);
    CHECK(mine[1] == i / 64 * 10 + 2);
    CHECK(mine[2] == (i / 64 * 64 + 40) * 3);
    CHECK(mine[3] == (i < 64 ? 1 : 10));
    CHECK(mine[5] == (i < 64 ? (i + 31) % 64 : 0));
    CHECK(mine[6] == 16);
  }
}

TEST_CASE("the active threads of a warp are a group that can be divided", "[simt][groups]") {
  const auto all = words<divides_active_threads, 32>();
  std::vector<int32_t> active;
  for (int32_t i = 0; i < 32; ++i) {
    if (i % 3 != 2) active.push_back(i);
  }
  const auto count = word(active.size());
  int32_t odd = 0, low = 0;
  for (int32_t rank = 0; rank < count; ++rank) {
    odd |= active[static_cast<std::size_t>(rank)] % 2 << rank;
    low += active[static_cast<std::size_t>(rank)] < 16;
  }
  const auto at = [&](int32_t rank) { return active[static_cast<std::size_t>(rank)]; };
  for (int32_t rank = 0; rank < count; ++rank) {
    const int32_t i = at(rank);
    INFO("thread " << i);
    const int32_t* const mine = all.data() + i * word(kWords);
    CHECK(mine[0] == rank * 100 + count);
    CHECK(mine[1] == at(3));
    CHECK(mine[2] == at(std::min(rank + 1, count - 1)) * 100 + (rank < 2 ? i : at(rank - 2)));
    CHECK(mine[3] == odd);
    CHECK(mine[4] == (i < 16 ? low * 100 + 2 : (count - low) * 100 + 12));
    CHECK(mine[5] == (i < 16 ? 0 : at(low)));
    const int32_t size = std::min(4, count - rank / 4 * 4);
    CHECK(mine[6] == rank / 4 * 100 + size * 10 + rank % 4);
    const int32_t last = at(rank / 4 * 4 + size - 1);
    CHECK(mine[7] == (last < 6 ? 1 : 0) + (last == 31 ? 10 : 0));
  }
}

TEST_CASE("an operation of a group waits for its own threads", "[simt][groups]") {
  const auto all = words<works_alone, 32>();
  for (int32_t i = 0; i < 32; ++i) {
    INFO("thread " << i);
    const int32_t* const mine = all.data() + i * word(kWords);
    const bool inside = i / 8 == 1;
    CHECK(mine[0] == (inside ? i ^ 1 : 0));
    CHECK(mine[1] == (inside ? 0xaa : 0));
    const int32_t rank = i % 4 == 0 ? i % 8 / 4 : i % 8 - 1 - i % 8 / 4;
    CHECK(mine[2] == (inside ? (i % 4 == 0 ? 20 : 60) + rank : 0));
    CHECK(mine[3] == 1600 + i % 16);
    CHECK(mine[4] == 200 + i % 2);
    CHECK(mine[5] == 1);
    CHECK(mine[6] == i % 8 / 4 * 10 + 2);
  }
}

TEST_CASE("a tile of two warps needs memory", "[simt][groups]") {
  Said output(STDOUT_FILENO);
  const std::string text = refused<simt_test::run_threads<forgets_memory, 64>>();
  output.text();
  CHECK(contains(text, "tiles of more than 32 threads need this_thread_block(block_tile_memory)"));
}
