// SPDX-License-Identifier: Apache-2.0
// Small names of kernels: constants, short vectors, numbers of bits, flags of the C interface, and
// SIMT functions by their older name.
#include <cmath>
#include <numeric>
#include <vector>

#include "ascendc/basic_api/kernel_operator_vec_unary_intf.h"
#include "ascendc/c_api/asc_simd.h"
#include "ascendc/kernel_event.h"
#include "ascendc/kernel_operator.h"
#include "ascendc/kernel_operator_data_copy_intf.h"
#include "ascendc/kernel_type.h"
#include "ascendc/lib/matmul/matmul.h"
#include "ascendc/lib/sigmoid/kernel_operator_sigmoid_intf.h"
#include "ascendc/simt_api/asc_simt.h"
#include "ascendc/utils/init_global_memory.h"
#include "ascendc/utils/std/algorithm.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/kernel_of.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

#undef blockIdx
#undef blockDim
#undef gridDim
#undef threadIdx

namespace smallnames {
namespace {

TEST_CASE("constants of SIMT code have the values of their names", "[names]") {
  const auto same = [](float got, double expected) { CHECK(got == static_cast<float>(expected)); };
  const double pi = std::acos(-1.0);
  same(ASCRT_PI_F, pi);
  same(ASCRT_PIO2_F, pi / 2);
  same(ASCRT_PIO4_F, pi / 4);
  same(ASCRT_PIO8_F, pi / 8);
  same(ASCRT_3PIO4_F, 3 * pi / 4);
  same(ASCRT_2_OVER_PI_F, 2 / pi);
  same(ASCRT_SQRT_2_OVER_PI_F, std::sqrt(2 / pi));
  same(ASCRT_SQRT_HALF_F, std::sqrt(0.5));
  CHECK(double{ASCRT_SQRT_HALF_HI_F} + double{ASCRT_SQRT_HALF_LO_F} ==
        Approx(std::sqrt(0.5)).epsilon(1e-14));
  CHECK(double{ASCRT_MINUS_PIO2_HI_F} + double{ASCRT_MINUS_PIO2_LO_F} ==
        Approx(-pi / 2).epsilon(1e-14));
  same(ASCRT_SQRT_TWO_F, std::sqrt(2.0));
  same(ASCRT_THIRD_F, 1.0 / 3);
  same(ASCRT_L2E_F, std::log2(std::exp(1.0)));
  same(ASCRT_L2T_F, std::log2(10.0));
  same(ASCRT_LG2_F, std::log10(2.0));
  same(ASCRT_LGE_F, std::log10(std::exp(1.0)));
  same(ASCRT_LN2_F, std::log(2.0));
  same(ASCRT_LNT_F, std::log(10.0));
  same(ASCRT_LNPI_F, std::log(pi));
  same(ASCRT_TWO_TO_M126_F, std::ldexp(1.0, -126));
  same(ASCRT_TWO_TO_31_F, 2147483648.0);
  CHECK(std::isnan(ASCRT_NAN_F));
  CHECK(std::signbit(ASCRT_NEG_ZERO_F));
  CHECK(std::nextafter(ASCRT_MAX_NORMAL_F, ASCRT_INF_F) == ASCRT_INF_F);
  CHECK(std::nextafter(ASCRT_MIN_DENORM_F, 0.0F) == 0.0F);
  CHECK(static_cast<float>(ASCRT_MAX_NORMAL_FP16) == 65504.0F);
  CHECK(static_cast<float>(ASCRT_MIN_DENORM_FP16) == 0x1p-24F);
  CHECK(static_cast<float>(ASCRT_ONE_BF16) == 1.0F);
  CHECK(static_cast<float>(ASCRT_MAX_NORMAL_BF16) == 0x1.fep127F);
  CHECK(std::isinf(static_cast<float>(ASCRT_INF_BF16)));
}

template <class V, class T>
void check_vector(V (*make)(T, T)) {
  const V a = make(T(6.0F), T(-1.5F)), b = make(T(2.0F), T(0.5F));
  const auto is = [](const V& v, float x, float y) {
    CHECK(static_cast<float>(v.x) == x);
    CHECK(static_cast<float>(v.y) == y);
  };
  is(a + b, 8, -1);
  is(a - b, 4, -2);
  is(a * b, 12, -0.75F);
  is(a / b, 3, -3);
  is(-a, -6, 1.5F);
  V sum = a;
  sum += b;
  is(sum, 8, -1);
  sum /= b;
  is(sum, 4, -2);
  CHECK(a == a);
  CHECK(a != make(T(6.0F), T(0.0F)));
  CHECK(!(a > b));  // -1.5 is below 0.5
  CHECK(a + b > a - b);
  CHECK(a <= a);
}

TEST_CASE("half2 and bfloat162 compute element by element", "[names]") {
  check_vector<half2, half>(make_half2);
  check_vector<bfloat162, bfloat16_t>(make_bfloat162);
}

TEST_CASE("clz and bcnt1 count in the 64 bits of a number", "[names]") {
  CHECK(clz(uint64_t{1}) == 63);
  CHECK(clz(uint64_t{0}) == 64);
  CHECK(clz(~uint64_t{0}) == 0);
  CHECK(clz(uint32_t{1}) == 63);
  CHECK(bcnt1(uint64_t{0xf0f}) == 8);
  CHECK(bcnt0(uint64_t{0xf0f}) == 56);
}

void adds(float* data, float what) { data[aclsimThisThread()->number] += what; }
void calls(GM_ADDR data, float what) {
  AscendC::Simt::VF_CALL<adds>(AscendC::Simt::Dim3{32, 2}, reinterpret_cast<float*>(data), what);
}

TEST_CASE("Simt::VF_CALL runs a SIMT function with as many threads as its Dim3 has", "[names]") {
  Device device;
  std::vector<float> values(80);
  std::iota(values.begin(), values.end(), 0.0F);
  const auto memory = device.memory(values);
  REQUIRE(launch("calls", calls, 1, reinterpret_cast<GM_ADDR>(memory.data()), 3.0F) == 0);
  REQUIRE(device.synchronize() == 0);
  const auto got = memory.host();
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(got[i] == values[i] + (i < 64 ? 3 : 0));
}

/// Doubles 64 numbers; `waits`: the pipes wait for each other.
void doubles(GM_ADDR data, int waits) {
  using namespace AscendC;
  const LocalTensor<float> x(TPosition::VECCALC, 0, 64), y(TPosition::VECCALC, 256, 64);
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer(reinterpret_cast<float*>(data) + 64 * asc_get_block_idx(), 64);
  if ASC_IS_AIC
    return;
  DataCopy(x, gm, 64);
  if (waits != 0) {
    asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
    asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
  }
  Muls(y, x, static_cast<float>(asc_get_block_num()), 64);
  if (waits == 1) {
    asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
    asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
  }
  if (waits == 2) asc_sync();
  if (waits == 3) asc_sync_pipe(PIPE_ALL);
  DataCopy(gm, y, 64);
}

TEST_CASE("flags and barriers of the C interface order the pipes of a core", "[names]") {
  const std::vector<float> values(128, 1.5F);
  for (const int waits : {0, 1, 2, 3}) {
    CAPTURE(waits);
    Device device;
    const auto memory = device.memory(values);
    Said said;
    REQUIRE(launch("doubles", doubles, 2, reinterpret_cast<GM_ADDR>(memory.data()), waits) == 0);
    device.synchronize();
    CHECK((said.text().find("pipe-race") == std::string::npos) == (waits != 0));
    if (waits == 0) continue;
    for (const float value : memory.host()) CHECK(value == 3.0F);
  }
}

}  // namespace
}  // namespace smallnames
