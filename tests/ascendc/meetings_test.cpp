// SPDX-License-Identifier: Apache-2.0
// Accesses of a launch's blocks to the same bytes of global memory, and their synchronisation.
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/bugs_may_run.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

constexpr int32_t kCount = 64;  // words that a block moves

/// Global words: flags, then what the blocks write.
struct Board {
  GlobalTensor<int32_t> flags;
  GlobalTensor<int32_t> data;
  LocalTensor<int32_t> local{TPosition::VECCALC, 0, kCount};
  LocalTensor<int32_t> scratch{TPosition::VECCALC, 1024, 8};
  explicit Board(GM_ADDR x) : flags(words(x)), data(words(x)[256]) {}

  GlobalTensor<int32_t> of(int64_t block) const { return data[block * kCount]; }
};
#define STORE(TO)                    \
  Duplicate(board.local, 1, kCount); \
  PipeBarrier<PIPE_ALL>();           \
  DataCopy(TO, board.local, kCount); \
  PipeBarrier<PIPE_ALL>()
#define LOAD(FROM)                     \
  DataCopy(board.local, FROM, kCount); \
  PipeBarrier<PIPE_ALL>()

void passes_on_by_slot(GM_ADDR x) {
  Board board(x);
  if (GetBlockIdx() == 0) {
    STORE(board.of(0));
    IBSet(board.flags, board.scratch, 0, 0);
  } else {
    IBWait(board.flags, board.scratch, 0, 0);
    LOAD(board.of(0));
  }
}

void passes_on_in_turn(GM_ADDR x) {
  Board board(x);
  WaitPreBlock(board.flags, board.scratch);
  if (GetBlockIdx() != 0) {
    LOAD(board.of(0));
  }
  STORE(board.of(0));
  NotifyNextBlock(board.flags, board.scratch);
}

void passes_on_between_cores(GM_ADDR x) {
  Board board(x);
  if ASCEND_IS_AIV {
    STORE(board.of(GetBlockIdx()));
    CrossCoreSetFlag<0, PIPE_MTE3>(3);
    CrossCoreWaitFlag(3);
    LOAD(board.of(1 - GetBlockIdx()));
  }
}

/// The vector cores synchronise after the work of one pipe or of another one.
template <pipe_t pipe>
void meets_behind(GM_ADDR x) {
  Board board(x);
  if ASCEND_IS_AIC
    return;
  Duplicate(board.local, static_cast<int32_t>(GetBlockIdx()) + 1, kCount);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(board.of(GetBlockIdx()), board.local, kCount);
  CrossCoreSetFlag<0, pipe>(3);
  CrossCoreWaitFlag(3);
  SetFlag<HardEvent::MTE3_MTE2>(0);
  WaitFlag<HardEvent::MTE3_MTE2>(0);
  DataCopy(board.local, board.of(GetBlockIdx() ^ 1), kCount);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(board.of(4 + GetBlockIdx()), board.local, kCount);
}

/// The cube core sets a flag on the pipe that reads, and a vector core then overwrites the bytes.
template <pipe_t pipe>
void overwrites_behind(GM_ADDR x) {
  Board board(x);
  if ASCEND_IS_AIC {
    const LocalTensor<int32_t> l1(TPosition::A1, 0, kCount);
    DataCopy(l1, board.of(0), kCount);
    CrossCoreSetFlag<2, pipe>(1);
    SetFlag<HardEvent::MTE2_MTE3>(0);  // from L1 to global memory: MTE3
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    DataCopy(board.of(1), l1, kCount);
  } else {
    CrossCoreWaitFlag(1);
    STORE(board.of(0));
  }
}

/// The cube core hands two tiles over, and the second one is read behind two waits, or behind one.
template <bool right>
void hands_over_two(GM_ADDR x) {
  Board board(x);
  if ASCEND_IS_AIC {
    const LocalTensor<int32_t> l1(TPosition::A1, 0, kCount);
    DataCopy(l1, board.of(2), kCount);
    PipeBarrier<PIPE_ALL>();
    DataCopy(board.of(0), l1, kCount);
    CrossCoreSetFlag<2, PIPE_MTE3>(1);
    DataCopy(board.of(1), l1, kCount);
    CrossCoreSetFlag<2, PIPE_MTE3>(1);
  } else {
    CrossCoreWaitFlag(1);
    if (right) CrossCoreWaitFlag(1);
    LOAD(board.of(1));
    if (!right) CrossCoreWaitFlag(1);
  }
}

void passes_on_by_word(GM_ADDR x) {
  Board board(x);
  if (GetBlockIdx() == 0) {
    STORE(board.of(0));
    board.flags.SetValue(0, 1);
  } else {
    while (board.flags.GetValue(0) == 0) {
    }
    static_cast<void>(board.flags.GetValue(8));
    LOAD(board.of(0));
  }
}

void overwrites_what_was_read_before(GM_ADDR x) {
  Board board(x);
  if (GetBlockIdx() == 0) {
    LOAD(board.of(0));
    IBSet(board.flags, board.scratch, 0, 0);
  } else {
    IBWait(board.flags, board.scratch, 0, 0);
    STORE(board.of(0));
  }
}

void writes_behind_the_flag(GM_ADDR x) {
  Board board(x);
  if (GetBlockIdx() == 0) {
    IBSet(board.flags, board.scratch, 0, 0);
    STORE(board.of(0));
  } else {
    IBWait(board.flags, board.scratch, 0, 0);
    LOAD(board.of(0));
  }
}

void reads_before_the_barrier(GM_ADDR x) {
  Board board(x);
  STORE(board.of(GetBlockIdx()));
  LOAD(board.of((GetBlockIdx() + 1) % GetBlockNum()));
  SyncAll();
}

void reads_before_and_behind(GM_ADDR x) {
  Board board(x);
  STORE(board.of(GetBlockIdx()));
  LOAD(board.of((GetBlockIdx() + 1) % GetBlockNum()));
  SyncAll();
  STORE(board.of(GetBlockIdx()));
  SyncAll();
  LOAD(board.of((GetBlockIdx() + 1) % GetBlockNum()));
}

void looks_at_another_word(GM_ADDR x) {
  Board board(x);
  board.flags.SetValue(GetBlockIdx() * 16, 1);
  STORE(board.of(GetBlockIdx()));
  LOAD(board.of((GetBlockIdx() + 1) % GetBlockNum()));
  static_cast<void>(board.flags.GetValue((GetBlockIdx() + 1) % GetBlockNum() * 16));
}

void sets_words(GM_ADDR x, int32_t step) {
  words(x).SetValue(0, static_cast<int32_t>(5 + step * GetBlockIdx()));
}

/// Runs it and returns its messages.
template <auto kernel, class... Args>
std::string said_of(uint32_t blocks, uint32_t kind, Args... args) {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(4096, 0));
  Said said;
  CHECK(KernelOf<kernel>::enqueue("kernel", kind, blocks, nullptr,
                                  reinterpret_cast<GM_ADDR>(memory.data()), args...) == 0);
  CHECK(device.synchronize() == 0);
  return said.text();
}
template <auto kernel>
std::string said_of(uint32_t blocks) {
  return said_of<kernel>(blocks, ACLSIM_CORES_INFERRED);
}

}  // namespace

TEST_CASE("a flag between cores stands behind what its pipe did, and behind nothing else",
          "[meetings]") {
  {
    Device device;
    const auto memory = device.memory(std::vector<int32_t>(4096, 0));
    Said said;
    CHECK(KernelOf<&meets_behind<PIPE_MTE3>>::enqueue("meets", ACLSIM_CORES_MIX_1_2, 2, nullptr,
                                                      reinterpret_cast<GM_ADDR>(memory.data())) ==
          0);
    CHECK(device.synchronize() == 0);
    CHECK(said.text() == "");
    const std::vector<int32_t> words = memory.host();
    for (size_t i = 0; i < 4 * kCount; ++i)
      CHECK(words[256 + 4 * kCount + i] == static_cast<int32_t>((i / kCount) ^ 1) + 1);
  }
  if (!bugs_may_run()) return;
  const std::string wrong = said_of<&meets_behind<PIPE_MTE2>>(2, ACLSIM_CORES_MIX_1_2);
  CAPTURE(wrong);
  CHECK(contains(wrong, "[blocks-race]"));
  CHECK(contains(wrong, "vector core"));
}

TEST_CASE("a flag between cores tells that its pipe has read, and not that others have",
          "[meetings]") {
  CHECK(said_of<&overwrites_behind<PIPE_MTE2>>(1, ACLSIM_CORES_MIX_1_1) == "");
  if (!bugs_may_run()) return;
  CHECK(contains(said_of<&overwrites_behind<PIPE_V>>(1, ACLSIM_CORES_MIX_1_1), "[blocks-race]"));
}

TEST_CASE("a wait learns of one set of a flag, also where there are more", "[meetings]") {
  CHECK(said_of<&hands_over_two<true>>(1, ACLSIM_CORES_MIX_1_1) == "");
  if (!bugs_may_run()) return;
  CHECK(contains(said_of<&hands_over_two<false>>(1, ACLSIM_CORES_MIX_1_1), "[blocks-race]"));
}

TEST_CASE("a block that waits for a flag may read what was written before the flag was set",
          "[meetings]") {
  CHECK(said_of<&passes_on_by_slot>(2) == "");
  CHECK(said_of<&passes_on_in_turn>(4) == "");
  CHECK(said_of<&passes_on_between_cores>(2, ACLSIM_CORES_MIX_1_1) == "");
}

TEST_CASE("a block that waits for a word in memory may read what was written before the word",
          "[meetings]") {
  CHECK(said_of<&passes_on_by_word>(2) == "");
}

TEST_CASE("a block that waits for a flag may write what was read before the flag was set",
          "[meetings]") {
  CHECK(said_of<&overwrites_what_was_read_before>(2) == "");
}

TEST_CASE("a flag orders nothing that is written behind it", "[meetings]") {
  if (!bugs_may_run()) return;
  CHECK(contains(said_of<&writes_behind_the_flag>(2), "[blocks-race]"));
}

TEST_CASE("a barrier orders nothing that is read before it", "[meetings]") {
  if (!bugs_may_run()) return;
  CHECK(contains(said_of<&reads_before_the_barrier>(4), "[blocks-race]"));
  CHECK(contains(said_of<&reads_before_and_behind>(4), "[blocks-race]"));
}

TEST_CASE("a scalar read of a word that another block writes hides no race", "[meetings]") {
  if (!bugs_may_run()) return;
  CHECK(contains(said_of<&looks_at_another_word>(4), "[blocks-race]"));
}

TEST_CASE("blocks that set a word to the same value are noted, to others an error", "[meetings]") {
  if (!bugs_may_run()) return;
  const std::string same = said_of<&sets_words>(4, ACLSIM_CORES_INFERRED, 0);
  CAPTURE(same);
  CHECK(contains(same, "note: kernel kernel"));
  CHECK(contains(same, "with the same values"));
  CHECK(!contains(same, "error"));
  const std::string others = said_of<&sets_words>(4, ACLSIM_CORES_INFERRED, 1);
  CHECK(contains(others, "error: kernel kernel"));
  CHECK(contains(others, "with other values"));
}

namespace {
// The cube core alone counts the flags of its second vector core from 16 on.
void one_core_by_one(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  if ASCEND_IS_AIC {
    CrossCoreWaitFlag<4>(16 + 3);
    out[0] = out[9] + 1;
    CrossCoreSetFlag<4, PIPE_FIX>(5);
    CrossCoreWaitFlag<4>(6);
    CrossCoreSetFlag<4, PIPE_FIX>(16 + 10);
  }
  if ASCEND_IS_AIV {
    if (GetSubBlockIdx() == 1) {
      out[9] = 41;
      CrossCoreSetFlag<4, PIPE_MTE3>(3);
      CrossCoreWaitFlag<4>(10);
      out[1] = out[8] + 1;
    } else {
      CrossCoreWaitFlag<4>(5);
      out[8] = out[0] + 1;
      CrossCoreSetFlag<4, PIPE_MTE3>(6);
    }
  }
}
void passes_flags(GM_ADDR) {
  if ASCEND_IS_AIC
    CrossCoreSetFlag<4, PIPE_FIX>(27);
}
}  // namespace

TEST_CASE("a cube core tells one vector core, and one vector core tells it", "[meetings]") {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(64, 0));
  Said said;
  const auto x = reinterpret_cast<GM_ADDR>(memory.data());
  CHECK(KernelOf<&one_core_by_one>::enqueue("one", ACLSIM_CORES_MIX_1_2, 1, nullptr, x) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  CHECK(memory.host()[0] == 42);
  CHECK(memory.host()[1] == 44);
}

TEST_CASE("a flag between a cube core and its second vector core is at most 26", "[meetings]") {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(64, 0));
  Said said;
  const auto x = reinterpret_cast<GM_ADDR>(memory.data());
  CHECK(KernelOf<&passes_flags>::enqueue("flags", ACLSIM_CORES_MIX_1_2, 1, nullptr, x) == 0);
  CHECK(device.synchronize() == 507015);
  CHECK(contains(said.text(), "[flag-range]"));
}

namespace {
template <int32_t kWaits>
void sets_twice(GM_ADDR) {
  SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
  for (int32_t i = 0; i < kWaits; ++i) WaitFlag<HardEvent::MTE2_V>(EVENT_ID3);
}
template <int32_t kWaits>
void check_sets_twice() {
  const std::string text = said_of<&sets_twice<kWaits>>(1);
  CAPTURE(kWaits, text);
  CHECK(contains(text, "[flag-set-twice]"));
  CHECK(text.find("error") == text.rfind("error"));
}
}  // namespace

TEST_CASE("a flag that is set twice counts both sets, and the mistake is found once",
          "[meetings]") {
  if (!bugs_may_run()) return;
  check_sets_twice<0>();
  check_sets_twice<1>();
  check_sets_twice<2>();
}

namespace {
constexpr int32_t kRounds = 100;
// Nothing but the speed of the vector cores holds the cube core back.
void counts_ahead(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  for (int32_t i = 0; i < kRounds; ++i) {
    if ASCEND_IS_AIC {
      CrossCoreSetFlag<2, PIPE_FIX>(1);
    } else {
      CrossCoreWaitFlag(1);
      ++out[GetSubBlockIdx() * 16];
    }
  }
}
}  // namespace

TEST_CASE("a core that is 15 sets of a flag ahead is held until the others took one",
          "[meetings]") {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(64, 0));
  Said said;
  const auto x = reinterpret_cast<GM_ADDR>(memory.data());
  CHECK(KernelOf<&counts_ahead>::enqueue("ahead", ACLSIM_CORES_MIX_1_2, 1, nullptr, x) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(memory.host()[0] == kRounds);
  CHECK(memory.host()[16] == kRounds);
  const std::string text = said.text();
  CAPTURE(text);
  CHECK(contains(text, "note: kernel ahead"));
  CHECK(contains(text, "[flag-range]"));
  CHECK(!contains(text, "error"));
}

namespace {
void writes_slots(GM_ADDR x) {
  Board board(x);
  Duplicate(board.local, 1, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(board.data[GetBlockIdx() * 16], board.local, 8);
}
void writes_rows(GM_ADDR x) {
  Board board(x);
  Duplicate(board.local, 1, kCount);
  PipeBarrier<PIPE_ALL>();
  for (int32_t row = 0; row < 2; ++row) {
    DataCopy(board.data[(row * GetBlockNum() + GetBlockIdx()) * (kCount + 8)], board.local, kCount);
  }
}
}  // namespace

TEST_CASE("blocks that write slots, or several pieces each, may leave bytes between them",
          "[meetings]") {
  CHECK(said_of<&writes_slots>(4) == "");
  CHECK(said_of<&writes_rows>(4) == "");
}
