// SPDX-License-Identifier: Apache-2.0
// Calls of register functions with a mistake, and the same calls without it: the finding names the
// mistake, and the twin has no finding.
#include <string>

#include "tests/ascendc/planted.h"
#include "tests/support/catch.h"

namespace planted {
namespace {

using namespace AscendC;
using Values = Reg::RegTensor<float>;

/// Two tensors of 64 floats with values, one without any, and memory behind them.
struct Tensors {
  explicit Tensors(GM_ADDR x) {
    global.SetGlobalBuffer(reinterpret_cast<float*>(x), kFloats);
    DataCopy(src, global, kCount);
    DataCopy(dst, global, kCount);
    order<HardEvent::MTE2_V>();
  }
  __ubuf__ float* from() { return reinterpret_cast<__ubuf__ float*>(src.GetPhyAddr()); }
  __ubuf__ float* to() { return reinterpret_cast<__ubuf__ float*>(dst.GetPhyAddr()); }
  LocalTensor<float> src{TPosition::VECCALC, 0, kCount};
  LocalTensor<float> dst{TPosition::VECCALC, 1024, kCount};
  GlobalTensor<float> global;
};

// ---- order inside of a call

void doubles(__ubuf__ float* to, __ubuf__ float* from, bool good) {
  Values a, b;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  Reg::LoadAlign(a, from);
  Reg::StoreAlign(to, a, mask);
  if (good) Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
  Reg::LoadAlign(b, to);
  Reg::Add(b, a, b, mask);
  if (good) Reg::LocalMemBar<Reg::MemType::VEC_ALL, Reg::MemType::VEC_ALL>();
  Reg::StoreAlign(to, b, mask);
}
PLANTED(loads_what_it_stored_without_a_barrier) {
  Tensors t(x);
  asc_vf_call<doubles>(t.to(), t.from(), good);
}
void loads_a_part(__ubuf__ float* to, __ubuf__ float* from, bool good) {
  Values a, b;
  Reg::MaskReg half = Reg::CreateMask<float, Reg::MaskPattern::VL32>();
  Reg::LoadAlign(a, from);
  Reg::StoreAlign(to, a, half);
  Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(b, to + (good ? 32 : 31));
  Reg::StoreAlign(from, b, half);
}
PLANTED(loads_a_lane_that_a_mask_stored) {
  Tensors t(x);
  asc_vf_call<loads_a_part>(t.to(), t.from(), good);
}
void continues_unaligned(__ubuf__ float* to, __ubuf__ float* from, bool good) {
  Values a;
  Reg::UnalignRegForStore kept;
  Reg::LoadAlign(a, from);
  Reg::StoreUnAlign(to, a, kept, 5);
  if (good) Reg::StoreUnAlignPost(to, kept, 0);
  to += 16;
  Reg::StoreUnAlign(to, a, kept, 5);
  Reg::StoreUnAlignPost(to, kept, 0);
}
PLANTED(leaves_bytes_of_an_unaligned_store) {
  Tensors t(x);
  asc_vf_call<continues_unaligned>(t.to(), t.from(), good);
}
void loads_unaligned(__ubuf__ float* to, __ubuf__ float* from, bool good) {
  Values a;
  Reg::UnalignRegForLoad kept;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  if (good) Reg::LoadUnAlignPre(kept, from);
  Reg::LoadUnAlign(a, kept, from);
  Reg::StoreAlign(to, a, mask);
}
PLANTED(loads_unaligned_without_the_first_step) {
  Tensors t(x);
  asc_vf_call<loads_unaligned>(t.to(), t.from(), good);
}

// ---- bounds

void stores(__ubuf__ float* to, __ubuf__ float* from, uint32_t count) {
  Values a;
  Reg::MaskReg mask = Reg::UpdateMask<float>(count);
  Reg::LoadAlign(a, from);
  Reg::StoreAlign(to, a, mask);
}
PLANTED(stores_lanes_behind_the_tensor) {
  Tensors t(x);
  const LocalTensor<float> last(TPosition::VECCALC, 2048, 40);
  auto* const to = reinterpret_cast<__ubuf__ float*>(last.GetPhyAddr());
  asc_vf_call<stores>(to, t.from(), good ? 40U : 41U);
}
PLANTED(stores_behind_the_unified_buffer) {
  Tensors t(x);
  auto* const end = t.from() + (good ? 253952 : 262144) / sizeof(float);
  asc_vf_call<stores>(good ? end - 8 : end, t.from(), 8U);
}
PLANTED(loads_behind_the_unified_buffer) {
  Tensors t(x);
  auto* const end = t.from() + 262144 / sizeof(float);
  asc_vf_call<stores>(t.to(), good ? t.from() : end - 56, 64U);
}
PLANTED(stores_in_the_reserved_part) {
  Tensors t(x);
  auto* const end = t.from() + 253952 / sizeof(float);
  asc_vf_call<stores>(good ? end - 64 : end - 56, t.from(), 64U);
}
PLANTED(loads_from_an_address_between_blocks) {
  Tensors t(x);
  asc_vf_call<stores>(t.to(), t.from() + (good ? 8 : 4), 32U);
}
void gathers(__ubuf__ float* to, __ubuf__ float* from, uint32_t step) {
  Values a;
  Reg::RegTensor<int32_t> places;
  Reg::RegTensor<uint32_t> index;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  Reg::Arange(places, 0);
  Reg::Muls(places, places, static_cast<int32_t>(step), mask);
  Reg::Move((Reg::RegTensor<int32_t>&)index, places);
  Reg::Gather(a, from, index, mask);
  Reg::StoreAlign(to, a, mask);
}
PLANTED(gathers_from_behind_the_unified_buffer) {
  Tensors t(x);
  asc_vf_call<gathers>(t.to(), t.from(), good ? 1U : 1048U);
}

// ---- the call and the other pipes

PLANTED(calls_before_the_copy_has_come) {
  Tensors t(x);
  DataCopy(t.src, t.global[1024], kCount);
  if (good) order<HardEvent::MTE2_V>();
  asc_vf_call<stores>(t.to(), t.from(), 64U);
}
PLANTED(copies_out_before_the_call_is_over) {
  Tensors t(x);
  asc_vf_call<stores>(t.to(), t.from(), 64U);
  if (good) order<HardEvent::V_MTE3>();
  DataCopy(t.global[2048], t.dst, kCount);
}
PLANTED(copies_in_while_the_call_reads) {
  Tensors t(x);
  asc_vf_call<stores>(t.to(), t.from(), 64U);
  if (good) order<HardEvent::V_MTE2>();
  DataCopy(t.src, t.global[1024], kCount);
}
PLANTED(reads_a_result_of_the_call) {
  Tensors t(x);
  asc_vf_call<stores>(t.to(), t.from(), 64U);
  if (good) order<HardEvent::V_S>();
  t.global.SetValue(2048, t.dst.GetValue(3));
}

constexpr int kEnds = 507035;
struct Row {
  Planted planted;
  const char* sentence;
};
const Row kRows[] = {
    {ROW(loads_what_it_stored_without_a_barrier, 0, "register-order"),
     "LoadAlign reads bytes 1024 to 1280 of the unified buffer that StoreAlign"},
    {ROW(loads_a_lane_that_a_mask_stored, 0, "register-order"), "bytes 1148 to 1152"},
    {ROW(leaves_bytes_of_an_unaligned_store, 0, "register-pending"), "StoreUnAlign"},
    {ROW(loads_unaligned_without_the_first_step, 0, "register-pending"), "LoadUnAlign"},
    {ROW(stores_lanes_behind_the_tensor, 0, "tensor-exceeded"), "4 bytes past the end"},
    {ROW(stores_behind_the_unified_buffer, kEnds, "local-exceeded"),
     "StoreAlign: 32 bytes at offset 262144 pass the end"},
    {ROW(loads_behind_the_unified_buffer, kEnds, "local-exceeded"),
     "LoadAlign: 256 bytes at offset 261920 pass the end"},
    {ROW(stores_in_the_reserved_part, 0, "local-reserved"), "of which programs may use 253952"},
    {ROW(loads_from_an_address_between_blocks, kEnds, "misaligned"),
     "LoadAlign: reads 256 bytes at offset 16"},
    {ROW(gathers_from_behind_the_unified_buffer, kEnds, "local-exceeded"), "Gather"},
    {ROW(calls_before_the_copy_has_come, 0, "pipe-race"), "LoadAlign (V,"},
    {ROW(copies_out_before_the_call_is_over, 0, "pipe-race"), "StoreAlign (V,"},
    {ROW(copies_in_while_the_call_reads, 0, "pipe-race"), "LoadAlign (V,"},
    {ROW(reads_a_result_of_the_call, 0, "pipe-race"), "StoreAlign (V,"},
};

TEST_CASE("registers: a mistake in a call is found at its line, and its repair is not",
          "[registers][planted]") {
  for (const Row& row : kRows) {
    CAPTURE(row.planted.name);
    std::string text;
    CHECK(run(row.planted, true, 1, text) == 0);
    CHECK(text == "");
    CHECK(run(row.planted, false, 1, text) == row.planted.code);
    CAPTURE(text);
    CHECK(contains(text, std::string("[") + row.planted.rule + "]"));
    CHECK(contains(text, row.planted.name));
    CHECK(contains(text, row.sentence));
    CHECK(contains(text, "planted_registers_test.cpp:"));
  }
}

}  // namespace
}  // namespace planted
