// SPDX-License-Identifier: Apache-2.0
// Threads of a warp in branches, atomics of each type, and the spaces of memory.
#include <cstring>
#include <numeric>

#include "tests/ascendc_simt/threads.h"
#include "tests/support/catch.h"

namespace {

using simt_test::me;
using simt_test::words_of;

void votes_in_branches(int32_t* out) {
  int32_t* const mine = out + me() * 4;
  if (me() < 8) {
    mine[0] = static_cast<int32_t>(asc_activemask());
    mine[1] = asc_reduce_add(1);
  } else if (me() % 2 == 0) {
    mine[0] = static_cast<int32_t>(asc_ballot(1));
    mine[1] = asc_reduce_max(static_cast<int32_t>(me()));
  }
  mine[2] = static_cast<int32_t>(asc_activemask());
  mine[3] = asc_all(me() < 31) * 10 + asc_any(me() == 31);
}

/// Each thread goes round the loop as often as its number says.
void votes_in_loops(int32_t* out) {
  int32_t sum = 0;
  for (uint32_t i = 0; i < me(); ++i) sum += asc_reduce_add(1);
  out[me()] = sum;
  out[32 + me()] = static_cast<int32_t>(asc_activemask());
}

void some_have_ended(int32_t* out) {
  if (me() % 3 == 0) return;
  out[me()] = static_cast<int32_t>(asc_activemask());
  out[32 + me()] = AscendC::Simt::Uni(me() > 5) + 10 * AscendC::Simt::Uni(me() < 100);
}

void reduces(int32_t* out) {
  const auto own = static_cast<float>(me());
  const auto store = [&](int at, float value) { std::memcpy(out + me() * 4 + at, &value, 4); };
  store(0, asc_reduce_add(own));
  store(1, static_cast<float>(asc_reduce_add(half(0.5F))));
  store(2, static_cast<float>(asc_reduce_min(half(own))));
  store(3, asc_shfl_xor(make_half2(half(own), half(-own)), 1).y);
}

struct Changed {
  int32_t added[2];
  uint64_t wide;
  half2 pairs;
  bfloat16_t small;
  half most;
  uint32_t down;
  float swapped;
  int64_t bits;
  int32_t winner;
};
void changes(int32_t* out) {
  auto& all = *reinterpret_cast<Changed*>(out);
  const auto own = static_cast<int32_t>(me());
  asc_atomic_add(&all.added[0], own);
  asc_atomic_sub(&all.added[1], own);
  asc_atomic_inc(&all.wide, 40);
  asc_atomic_add(&all.pairs, make_half2(half(1), half(-1)));
  asc_atomic_max(&all.pairs, make_half2(half(20), half(-70)));
  asc_atomic_add(&all.small, bfloat16_t(1));
  asc_atomic_max(&all.most, half(static_cast<float>(own)));
  asc_atomic_dec(&all.down, 10);
  if (own == 5) asc_atomic_exch(&all.swapped, 2.5F);
  asc_atomic_or(&all.bits, int64_t{1} << own);
  if (own < 4) asc_atomic_and(&all.bits, ~(int64_t{1} << own));
  asc_atomic_xor(&all.bits, int64_t{1} << 40);
  asc_atomic_cas(&all.winner, 0, own + 1);
}

void accesses(int32_t* out) {
  const int2 pair = asc_ldcg(reinterpret_cast<int2*>(out));
  asc_stcg(reinterpret_cast<int2*>(out) + 1, make_int2(pair.y, 7));
  asc_stwt(out + 4, asc_ldca(out) + 8);
  asc_dcci_single(out);
  asc_nop();
}

void knows_spaces(int32_t* out) {
  AscendC::LocalTensor<int32_t> tensor{AscendC::TPosition::VECCALC, 64, 8};
  int32_t own = 0;
  void* const local = reinterpret_cast<void*>(tensor.GetPhyAddr());
  const void* const all[] = {out, local, &own, nullptr, reinterpret_cast<void*>(1)};
  for (int i = 0; i < 5; ++i) {
    out[i] =
        static_cast<int32_t>(__isGlobal(all[i]) * 100 + __isUbuf(all[i]) * 10 + __isLocal(all[i]));
  }
  out[5] = static_cast<int32_t>(__cvta_generic_to_ubuf(local));
  out[6] = __cvta_ubuf_to_generic(64) == local;
  out[7] = __cvta_global_to_generic(__cvta_generic_to_global(out)) == out &&
           __cvta_local_to_generic(__cvta_generic_to_local(&own)) == &own;
}

}  // namespace

TEST_CASE("threads in one branch of a warp are active together, and all behind it", "[simt]") {
  const auto words = words_of<votes_in_branches, 32>(128);
  for (uint32_t i = 0; i < 32; ++i) {
    INFO("thread " << i);
    const int32_t* const mine = words.data() + i * 4;
    const bool even = i >= 8 && i % 2 == 0;
    CHECK(mine[0] == (i < 8 ? 0xff : even ? 0x55555500 : 0));
    CHECK(mine[1] == (i < 8 ? 8 : even ? 30 : 0));
    CHECK(mine[2] == -1);
    CHECK(mine[3] == 1);
  }
}

TEST_CASE("threads that leave a loop wait behind it for those that stay", "[simt]") {
  const auto words = words_of<votes_in_loops, 32>(64);
  for (int32_t i = 0; i < 32; ++i) {
    int32_t sum = 0;
    for (int32_t turn = 0; turn < i; ++turn) sum += 31 - turn;
    CHECK(words[static_cast<std::size_t>(i)] == sum);
    CHECK(words[static_cast<std::size_t>(32 + i)] == -1);
  }
}

TEST_CASE("threads that have ended are not active", "[simt]") {
  const auto words = words_of<some_have_ended, 20>(64);
  int32_t mask = 0;
  for (int32_t i = 0; i < 20; ++i) mask |= (i % 3 != 0) << i;
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(words[i] == (i % 3 == 0 ? 0 : mask));
    CHECK(words[32 + i] == (i % 3 == 0 ? 0 : 10));
  }
}

TEST_CASE("reductions and shuffles take short types", "[simt]") {
  const auto words = words_of<reduces, 32>(128);
  for (int32_t i = 0; i < 32; ++i) {
    float mine[4];
    std::memcpy(mine, words.data() + i * 4, sizeof mine);
    CHECK(mine[0] == 31 * 16);
    CHECK(mine[1] == 16);
    CHECK(mine[2] == 0);
    CHECK(mine[3] == static_cast<float>(-(i ^ 1)));
  }
}

TEST_CASE("atomics take the documented types", "[simt]") {
  const auto words = words_of<changes, 32>(sizeof(Changed) / 4 + 1);
  Changed all;
  std::memcpy(static_cast<void*>(&all), words.data(), sizeof all);
  CHECK(all.added[0] == 496);
  CHECK(all.added[1] == -496);
  CHECK(all.wide == 32);
  CHECK(static_cast<float>(all.pairs.x) >= 32);  // 20 is the maximum of the first thread
  CHECK(static_cast<float>(all.pairs.y) == -32);
  CHECK(static_cast<float>(all.small) == 32);
  CHECK(static_cast<float>(all.most) == 31);
  uint32_t down = 0;
  for (int i = 0; i < 32; ++i) down = down == 0 || down > 10 ? 10 : down - 1;
  CHECK(all.down == down);
  CHECK(all.swapped == 2.5F);
  CHECK(all.bits == (0xffffffffLL & ~0xfLL));
  CHECK(all.winner >= 1);
  CHECK(all.winner <= 32);
}

TEST_CASE("accesses that name a cache read and write memory", "[simt]") {
  const auto words = words_of<accesses, 1>(5);
  CHECK(words == std::vector<int32_t>{0, 0, 0, 7, 8});
}

TEST_CASE("an address tells its space", "[simt]") {
  const auto words = words_of<knows_spaces, 1>(8);
  CHECK(words == std::vector<int32_t>{100, 10, 1, 0, 0, 64, 1, 1});
}
