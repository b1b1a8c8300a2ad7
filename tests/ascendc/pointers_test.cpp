// SPDX-License-Identifier: Apache-2.0
// Pointers into the unified buffer, which kernels make of the address of a tensor.
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"

namespace pointers {
namespace {

using namespace AscendC;

// Writes by a pointer, computes with the tensor, reads by pointers made in other ways.
void through_pointers(GM_ADDR x) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 256, 64), sum(TPosition::VECCALC, 1024, 64);
  __ubuf__ int32_t* const first = (__ubuf__ int32_t*)t.GetPhyAddr();
  for (__ubuf__ int32_t* at = first; at < first + 64; ++at) *at = static_cast<int32_t>(at - first);
  SetFlag<HardEvent::S_V>(EVENT_ID0);
  WaitFlag<HardEvent::S_V>(EVENT_ID0);
  Adds(sum, t, 100, 64);
  SetFlag<HardEvent::V_S>(EVENT_ID0);
  WaitFlag<HardEvent::V_S>(EVENT_ID0);
  auto* const out = reinterpret_cast<__gm__ int32_t*>(x);
  const uint64_t address = sum.GetPhyAddr();
  out[0] = reinterpret_cast<__ubuf__ int32_t*>(sum.GetPhyAddr(5))[2];
  out[1] = *reinterpret_cast<__ubuf__ int32_t*>(address + 32);
  out[2] = static_cast<int32_t>(sum.GetPhyAddr() - t.GetPhyAddr());
  out[3] = *(reinterpret_cast<__ubuf__ int16_t*>(sum.GetPhyAddr()) + 2);
  out[4] = static_cast<int32_t>(sum[8].GetPhyAddr() - sum.GetPhyAddr());
}

// No instruction has written the tensor, and it has no pointer.
void without_pointer(GM_ADDR) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 256, 64), sum(TPosition::VECCALC, 1024, 64);
  static_cast<void>(t[32].GetPhyAddr());  // one to its second half
  Adds(sum, t, 100, 64);
}

/// The translation of __ubuf__ int32_t all[1024] and few[3].
struct Arrays {
  template <std::size_t count>
  static int32_t* of(const char* name) {
    static char key;
    return static_cast<int32_t*>(
        aclsimLocalArray(ACLSIM_MEMORY_UB, &key, count * 4, name, ACLSIM_SITE));
  }
  int32_t* const all = of<1024>("all");
  int32_t* const few = of<3>("few");
};

// Its own scratch space comes from in front of the arrays.
void fills_beside_arrays(GM_ADDR x) {
  for (int32_t i = 0; i < 1024; ++i) Arrays().all[i] = i;
  for (int32_t i = 0; i < 3; ++i) Arrays().few[i] = 7;
  InitOutput(words(x), 1024, 9);
  auto* const out = reinterpret_cast<__gm__ int32_t*>(x);
  out[0] = out[1] = 0;
  for (int32_t i = 0; i < 1024; ++i) out[0] += Arrays().all[i] == i ? 1 : 0;
  for (int32_t i = 0; i < 3; ++i) out[1] += Arrays().few[i];
}

template <uint32_t kBehind>
void touches_behind(GM_ADDR) {
  Arrays().few[0] = 1;
  const auto begin = static_cast<uint32_t>(aclsimUnifiedArraysBegin());
  const LocalTensor<int32_t> t(TPosition::VECCALC, begin - 32 + kBehind, 8);
  Duplicate(t, 1, 8);
  if (kBehind == 0) return;
  PipeBarrier<PIPE_ALL>();
  static_cast<void>(t(0));  // a reference is none the better
}

/// Writes the offsets of arrays of 100 and 800 bytes in each memory.
void lays_out_arrays(GM_ADDR x) {
  static const char keys[2 * (ACLSIM_MEMORY_FIXPIPE + 1)] = {};
  auto* const out = reinterpret_cast<__gm__ int32_t*>(x);
  for (uint32_t i = 0; i < std::size(keys); ++i) {
    const uint64_t bytes = i % 2 == 0 ? 100 : 800;
    const void* const array = aclsimLocalArray(i / 2, &keys[i], bytes, "array", ACLSIM_SITE);
    out[i] = static_cast<int32_t>(aclsimLocalOffset(array));
    if (aclsimLocalArray(i / 2, &keys[i], bytes, "array", ACLSIM_SITE) != array) out[i] = -1;
  }
}

}  // namespace

TEST_CASE("arrays fill each memory from its end downwards, aligned as its instructions require",
          "[pointers]") {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(14));
  CHECK(KernelOf<&lays_out_arrays>::enqueue("lays_out_arrays", ACLSIM_CORES_CUBE, 1, nullptr,
                                            reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  // Memories: UB, L1, L0A, L0B, L0C, the bias table and the buffer of Fixpipe.
  const std::vector<int32_t> begins = {196352, 195552, 524160, 523360, 65024, 64000, 65024,
                                       64000,  130944, 130112, 896,    64,    7040,  6208};
  CHECK(memory.host() == begins);
}

TEST_CASE("what is filled through scratch space leaves the arrays of functions as they are",
          "[pointers]") {
  CHECK(first_words<fills_beside_arrays>(3) == std::vector<int32_t>{1024, 21, 9});
}

TEST_CASE(
    "a tensor may reach up to the arrays of functions, and the first byte behind that is told with "
    "the array",
    "[pointers]") {
  run<touches_behind<0>>();
  Device device;
  Said said;
  CHECK(launch("touches_behind", touches_behind<32>, 1, static_cast<GM_ADDR>(nullptr)) == 0);
  CHECK(device.synchronize() == 0);
  const std::string text = said.text();
  CAPTURE(text);
  CHECK(contains(text, "Duplicate writes bytes "));
  CHECK(contains(text, "operator() writes bytes "));
  CHECK(contains(text, "the __ubuf__ array few ("));
  CHECK_FALSE(contains(text, "array all"));
  CHECK(contains(text, "[array-overlap]"));
}

TEST_CASE(
    "pointers into the unified buffer see what instructions write, and instructions what they "
    "write",
    "[pointers]") {
  CHECK(first_words<through_pointers>(5) == std::vector<int32_t>{107, 108, 768, 101, 32});
}

TEST_CASE("a pointer to a part of a tensor does not hide that nothing has written the rest",
          "[pointers]") {
  Device device;
  Said said;
  CHECK(launch("without_pointer", without_pointer, 1, static_cast<GM_ADDR>(nullptr)) == 0);
  static_cast<void>(device.synchronize());
  CHECK(contains(said.text(), "[local-unwritten]"));
}

}  // namespace pointers
