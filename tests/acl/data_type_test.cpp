// SPDX-License-Identifier: Apache-2.0
// Sizes of data types and half precision numbers.
#include <cmath>
#include <limits>

#include "tests/acl/world.h"

TEST_CASE("types smaller than a byte take one, and what is no type takes none") {
  for (const aclDataType type :
       {ACL_INT4, ACL_UINT1, ACL_FLOAT4_E2M1, ACL_FLOAT6_E3M2, ACL_FLOAT8_E5M2, ACL_HIFLOAT8}) {
    CHECK(aclDataTypeSize(type) == 1);
  }
  CHECK(aclDataTypeSize(ACL_COMPLEX32) == 4);
  CHECK(aclDataTypeSize(ACL_COMPLEX64) == 8);
  CHECK(aclDataTypeSize(ACL_BF16) == 2);
  CHECK(aclDataTypeSize(ACL_STRING) == 0);
  CHECK(aclDataTypeSize(ACL_DT_UNDEFINED) == 0);
  for (const int unknown : {5, 14, 28, 1000}) {
    CHECK(aclDataTypeSize(static_cast<aclDataType>(unknown)) == 0);
  }
}

TEST_CASE("half precision numbers widen exactly") {
  CHECK(aclFloat16ToFloat(0x0000) == 0.0F);
  CHECK(std::signbit(aclFloat16ToFloat(0x8000)));
  CHECK(aclFloat16ToFloat(0x3c00) == 1.0F);
  CHECK(aclFloat16ToFloat(0xc000) == -2.0F);
  CHECK(aclFloat16ToFloat(0x3555) == 0.333251953125F);
  CHECK(aclFloat16ToFloat(0x7bff) == 65504.0F);
  CHECK(aclFloat16ToFloat(0x0400) == std::ldexp(1.0F, -14));
  CHECK(aclFloat16ToFloat(0x0001) == std::ldexp(1.0F, -24));
  CHECK(aclFloat16ToFloat(0x83ff) == -std::ldexp(1023.0F, -24));
}

TEST_CASE("half precision knows neither infinity nor NaN") {
  CHECK(aclFloat16ToFloat(0x7c00) == 65536.0F);
  CHECK(aclFloat16ToFloat(0xfc00) == -65536.0F);
  CHECK(aclFloat16ToFloat(0x7e00) == 98304.0F);
}

TEST_CASE("every half precision number survives the way there and back") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7c00) == 0x7c00) continue;
    const auto half = static_cast<aclFloat16>(bits);
    if (aclFloatToFloat16(aclFloat16ToFloat(half)) != half) FAIL("not so: " << bits);
  }
}

TEST_CASE("narrowing takes the nearest, ties to even") {
  const float step = std::ldexp(1.0F, -10);  // above 1
  CHECK(aclFloatToFloat16(1.0F + step * 0.5F) == 0x3c00);
  CHECK(aclFloatToFloat16(1.0F + step * 1.5F) == 0x3c02);
  CHECK(aclFloatToFloat16(1.0F + step * 0.51F) == 0x3c01);
  CHECK(aclFloatToFloat16(2.0F - step * 0.25F) == 0x4000);  // the carry reaches the exponent
  CHECK(aclFloatToFloat16(-0.1F) == 0xae66);
}

TEST_CASE("what is too small becomes subnormal, then zero") {
  const float least = std::ldexp(1.0F, -24);
  CHECK(aclFloatToFloat16(least) == 1);
  CHECK(aclFloatToFloat16(least * 0.5F) == 0);
  CHECK(aclFloatToFloat16(least * 0.75F) == 1);
  CHECK(aclFloatToFloat16(least * 1023.6F) == 0x0400);  // up to the least normal one
  CHECK(aclFloatToFloat16(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(aclFloatToFloat16(-0.0F) == 0x8000);
}

TEST_CASE("what is too large saturates") {
  CHECK(aclFloatToFloat16(65519.0F) == 0x7bff);
  CHECK(aclFloatToFloat16(65520.0F) == 0x7bff);
  CHECK(aclFloatToFloat16(1e30F) == 0x7bff);
  CHECK(aclFloatToFloat16(-1e30F) == 0xfbff);
  CHECK(aclFloatToFloat16(std::numeric_limits<float>::infinity()) == 0x7bff);
  CHECK(aclFloatToFloat16(-std::numeric_limits<float>::infinity()) == 0xfbff);
  CHECK((aclFloatToFloat16(std::numeric_limits<float>::quiet_NaN()) & 0x7fff) == 0x7bff);
}
