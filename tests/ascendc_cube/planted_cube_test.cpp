// SPDX-License-Identifier: Apache-2.0
// Kernels of the cube unit with a mistake, and the same kernels without it: the finding names the
// mistake, and the twin has no finding. A finding is printed once for a place, so kernels with the
// same finding have lines of their own.
#include <string>

#include "tests/ascendc/planted.h"
#include "tests/support/catch.h"

namespace planted {
namespace {

using namespace AscendC;

constexpr uint32_t kFractal = 256;  // halves

/// A product of two fractals, step by step.
struct Product {
  explicit Product(GM_ADDR x) {
    a.SetGlobalBuffer(reinterpret_cast<half*>(x), 2 * kFractal);
    b.SetGlobalBuffer(reinterpret_cast<half*>(x) + 2 * kFractal, 2 * kFractal);
    c.SetGlobalBuffer(reinterpret_cast<float*>(x) + 1024, 2 * kFractal);
    params.m = params.n = params.k = 16;
  }
  void copy() {
    DataCopy(a1, a, kFractal);
    DataCopy(b1, b, kFractal);
  }
  void load_a() { LoadData(a2, a1, load); }
  void load_b() { LoadData(b2, b1, load); }
  void multiply() { Mmad(sums, a2, b2, params); }
  void store() { Fixpipe<float, float, CFG_ROW_MAJOR>(c, sums, fixpipe); }
  /// All steps up to the sums.
  void all() {
    copy();
    order<HardEvent::MTE2_MTE1>();
    load_a();
    load_b();
    order<HardEvent::MTE1_M>();
    multiply();
  }
  void store_after() {
    order<HardEvent::M_FIX>();
    store();
  }

  GlobalTensor<half> a, b;
  GlobalTensor<float> c;
  LocalTensor<half> a1{TPosition::A1, 0, 2 * kFractal}, b1{TPosition::B1, 4096, 2 * kFractal};
  LocalTensor<half> a2{TPosition::A2, 0, 2 * kFractal}, b2{TPosition::B2, 0, 2 * kFractal};
  LocalTensor<float> c1{TPosition::C1, 8192, 64}, c2{TPosition::C2, 0, 64};
  LocalTensor<float> sums{TPosition::CO1, 0, 2 * kFractal};
  LoadData2DParams load{0, 1, 1, 0, 0, false, 0};
  MmadParams params;
  FixpipeParamsV220 fixpipe{16, 16, 16, 16, false};
};

// ---- order of the pipes

PLANTED(loads_before_the_copy_is_there) {
  Product p(x);
  p.copy();
  if (good) order<HardEvent::MTE2_MTE1>();
  p.load_a();
}
PLANTED(multiplies_before_the_load_is_there) {
  Product p(x);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  p.load_a();
  if (!good) order<HardEvent::MTE1_M>();
  p.load_b();
  if (good) order<HardEvent::MTE1_M>();
  p.multiply();
}
PLANTED(stores_before_the_sums_are_there) {
  Product p(x);
  p.all();
  if (good) order<HardEvent::M_FIX>();
  p.store();
}
PLANTED(loads_over_what_the_product_reads) {
  Product p(x);
  p.all();
  if (good) order<HardEvent::M_MTE1>();
  p.load_b();
}
PLANTED(copies_over_what_the_load_reads) {
  Product p(x);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  p.load_a();
  if (good) order<HardEvent::MTE1_MTE2>();
  p.copy();
}
PLANTED(multiplies_over_sums_that_are_stored) {
  Product p(x);
  p.all();
  p.store_after();
  if (good) order<HardEvent::FIX_M>();
  p.multiply();
}
PLANTED(multiplies_before_the_bias_is_there) {
  Product p(x);
  DataCopy(p.c1, p.c, 64);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  p.load_a();
  p.load_b();
  if (!good) order<HardEvent::MTE1_M>();
  DataCopy(p.c2, p.c1, 64);
  if (good) order<HardEvent::MTE1_M>();
  Mmad(p.sums, p.a2, p.b2, p.c2, p.params);
}
PLANTED(stores_while_the_copy_reads) {  // through global memory
  Product p(x);
  p.all();
  p.store_after();
  if (good) order<HardEvent::FIX_MTE2>();
  DataCopy(p.c1, p.c, 64);
}
PLANTED(fills_over_what_the_load_reads) {
  Product p(x);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  if (good) order<HardEvent::MTE2_MTE1>(1);
  p.load_a();
  if (good) order<HardEvent::MTE1_MTE2>();
  Fill(p.a1, InitConstValueParams<half>(1, 16, 0, half(1)));
}

// ---- memories, alignment, sizes

PLANTED(multiplies_what_is_in_l1) {
  Product p(x);
  p.all();
  order<HardEvent::MTE1_M>(1);
  Mmad(p.sums, good ? p.a2 : p.a1, p.b2, p.params);
}
PLANTED(loads_into_l0c) {
  Product p(x);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  const LocalTensor<half> to(good ? TPosition::A2 : TPosition::CO1, 0, kFractal);
  LoadData(to, p.a1, p.load);
}
PLANTED(stores_what_is_in_l1) {
  Product p(x);
  p.all();
  order<HardEvent::M_FIX>();
  const LocalTensor<float> from(good ? TPosition::CO1 : TPosition::A1, 0, kFractal);
  Fixpipe<float, float, CFG_ROW_MAJOR>(p.c, from, p.fixpipe);
}
PLANTED(multiplies_from_the_middle_of_a_fractal) {
  Product p(x);
  p.load.repeatTimes = 2;
  DataCopy(p.a1, p.a, 2 * kFractal);
  DataCopy(p.b1, p.b, kFractal);
  order<HardEvent::MTE2_MTE1>();
  p.load_a();
  p.load.repeatTimes = 1;
  p.load_b();
  order<HardEvent::MTE1_M>();
  Mmad(p.sums, p.a2[good ? 256 : 128], p.b2, p.params);
}
PLANTED(takes_memory_behind_l0a) {
  Product p(x);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  const uint32_t last = 64 * 1024 - 512;
  LoadData(LocalTensor<half>(TPosition::A2, good ? last : last + 512, kFractal), p.a1, p.load);
}
PLANTED(loads_behind_the_tensor) {
  Product p(x);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  p.load.srcStride = 0;
  p.load.repeatTimes = good ? 2 : 3;
  p.load_a();
}
PLANTED(stores_behind_the_memory) {
  Product p(x);
  p.all();
  GlobalTensor<float> end;
  end.SetGlobalBuffer(reinterpret_cast<float*>(x) + kFloats - (good ? 256 : 240), 256);
  order<HardEvent::M_FIX>();
  Fixpipe<float, float, CFG_ROW_MAJOR>(end, p.sums, p.fixpipe);
}
PLANTED(multiplies_more_than_an_instruction_can) {
  Product p(x);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  p.load_a();
  p.load_b();
  order<HardEvent::MTE1_M>();
  p.params.k = good ? 16 : 4096;
  p.multiply();
}

// ---- values

PLANTED(adds_to_sums_that_nothing_started) {
  Product p(x);
  p.params.cmatrixInitVal = good;
  p.all();
}
PLANTED(multiplies_what_was_not_loaded) {
  Product p(x);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  p.load_a();
  if (good) p.load_b();
  order<HardEvent::MTE1_M>();
  Mmad(p.sums, p.a2, p.b2, p.params);
}
PLANTED(loads_what_was_not_copied) {
  Product p(x);
  DataCopy(p.a1, p.a, kFractal);
  order<HardEvent::MTE2_MTE1>();
  LoadData(p.a2, good ? p.a1 : p.b1, p.load);
}
PLANTED(adds_a_bias_that_was_not_copied) {
  Product p(x);
  DataCopy(p.c1, p.c, 64);
  p.copy();
  order<HardEvent::MTE2_MTE1>();
  p.load_a();
  p.load_b();
  if (good) DataCopy(p.c2, p.c1, 64);
  order<HardEvent::MTE1_M>();
  Mmad(p.sums, p.a2, p.b2, p.c2, p.params);
}
PLANTED(stores_columns_without_a_value) {
  Product p(x);
  if (!good) p.params.n = 8;
  p.all();
  order<HardEvent::M_FIX>();
  p.store();
  p.fixpipe.srcStride = 32;
  p.fixpipe.mSize = good ? 16 : 32;
  p.store();
}

// ---- unit flags

PLANTED(stores_with_a_flag_that_no_product_set) {
  Product p(x);
  p.params.unitFlag = good ? 3 : 0;
  p.fixpipe.unitFlag = 3;
  p.all();
  p.store();
}
/// A Fixpipe of some rows resets the flag of the whole fractal.
PLANTED(stores_fewer_rows_than_the_product_has) {
  Product p(x);
  p.params.unitFlag = 3;
  p.fixpipe.unitFlag = 3;
  p.fixpipe.mSize = 5;
  p.all();
  p.store();
  if (!good) Fixpipe<float, float, CFG_ROW_MAJOR>(p.c, p.sums, p.fixpipe);
  Mmad(p.sums, p.a2, p.b2, p.params);
  p.store();
}
PLANTED(multiplies_over_a_flag) {
  Product p(x);
  p.params.unitFlag = 3;
  p.fixpipe.unitFlag = 3;
  p.all();
  if (good) p.store();
  p.multiply();
  p.store();
}

// ---- cores

PLANTED(reads_on_vector_cores_before_the_flag) {
  if ASCEND_IS_AIC {
    Product p(x);
    p.all();
    p.store_after();
    CrossCoreSetFlag<2, PIPE_FIX>(3);
  }
  if ASCEND_IS_AIV {
    GlobalTensor<float> c;
    c.SetGlobalBuffer(reinterpret_cast<float*>(x) + 1024, 256);
    const LocalTensor<float> t(TPosition::VECCALC, 0, 256);
    if (good) CrossCoreWaitFlag(3);
    DataCopy(t, c, 256);
    if (!good) CrossCoreWaitFlag(3);
  }
}

constexpr int kEnds = 507015;
struct Row {
  Planted planted;
  const char* sentence;
};
#define CUBE(NAME, CODE, RULE, SENTENCE) \
  { ROW(NAME, CODE, RULE, 1, ACLSIM_CORES_CUBE), SENTENCE }
const Row kRows[] = {
    CUBE(loads_before_the_copy_is_there, 0, "pipe-race", "LoadData (MTE1,"),
    CUBE(multiplies_before_the_load_is_there, 0, "pipe-race", "Mmad (M,"),
    CUBE(stores_before_the_sums_are_there, 0, "pipe-race", "Fixpipe (FIX,"),
    CUBE(loads_over_what_the_product_reads, 0, "pipe-race", "LoadData (MTE1,"),
    CUBE(copies_over_what_the_load_reads, 0, "pipe-race", "DataCopy (MTE2,"),
    CUBE(multiplies_over_sums_that_are_stored, 0, "pipe-race", "Mmad (M,"),
    CUBE(multiplies_before_the_bias_is_there, 0, "pipe-race", "bias"),
    CUBE(stores_while_the_copy_reads, 0, "pipe-race", "DataCopy (MTE2,"),
    CUBE(fills_over_what_the_load_reads, 0, "pipe-race", "Fill (MTE2,"),
    CUBE(multiplies_what_is_in_l1, kEnds, "cube-position", "Mmad: fm is in L1; expected L0A"),
    CUBE(loads_into_l0c, kEnds, "cube-position", "LoadData: dst is in L0C; expected L0A or L0B"),
    CUBE(stores_what_is_in_l1, kEnds, "cube-position", "Fixpipe: src is in L1; expected L0C"),
    CUBE(multiplies_from_the_middle_of_a_fractal, kEnds, "misaligned",
         "Mmad: fm begins at byte 256 of L0A; expected a multiple of 512 bytes"),
    CUBE(takes_memory_behind_l0a, kEnds, "local-exceeded", "do not fit into L0A"),
    CUBE(loads_behind_the_tensor, 0, "tensor-exceeded", "LoadData"),
    CUBE(stores_behind_the_memory, kEnds, "gm-exceeded", "Fixpipe"),
    CUBE(multiplies_more_than_an_instruction_can, kEnds, "argument",
         "Mmad: k is 4096; expected 0 to 4095"),
    CUBE(adds_to_sums_that_nothing_started, 0, "local-unwritten", "Mmad reads bytes 0 to 1024"),
    CUBE(multiplies_what_was_not_loaded, 0, "local-unwritten", "of L0B"),
    CUBE(loads_what_was_not_copied, 0, "local-unwritten", "LoadData reads bytes 4096"),
    CUBE(adds_a_bias_that_was_not_copied, 0, "local-unwritten", "Mmad"),
    CUBE(stores_columns_without_a_value, 0, "local-unwritten", "Fixpipe"),
    CUBE(stores_with_a_flag_that_no_product_set, kEnds, "unit-flag",
         "no Mmad with a unitFlag of 3"),
    CUBE(stores_fewer_rows_than_the_product_has, kEnds, "unit-flag",
         "no Mmad with a unitFlag of 3"),
    CUBE(multiplies_over_a_flag, kEnds, "unit-flag", "are not read yet"),
    {ROW(reads_on_vector_cores_before_the_flag, 0, "blocks-race", 1, ACLSIM_CORES_MIX_1_2), ""},
};

TEST_CASE("cube unit: a mistake is found at its line, and its repair is not", "[cube][planted]") {
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
    CHECK(contains(text, "planted_cube_test.cpp:"));
  }
}

}  // namespace
}  // namespace planted
