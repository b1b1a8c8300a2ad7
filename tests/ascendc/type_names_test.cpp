// SPDX-License-Identifier: Apache-2.0
// Names of types and constants that sources of kernels use and that no function of the interface
// takes.
#include <type_traits>

#include "ascendc/kernel_operator.h"
#include "tests/support/catch.h"

TEST_CASE("types are compared, chosen and measured by the interface's own templates", "[names]") {
  using namespace AscendC;
  CHECK((IsSameType<half, half>::value));
  CHECK((!IsSameType<half, float>::value));
  CHECK((std::is_same_v<Conditional<true, int, float>::type, int>));
  CHECK((std::is_same_v<Conditional<false, int, float>::type, float>));
  CHECK((SizeOfBits<half>::value == 16));
  CHECK((SizeOfBits<int4b_t>::value == 4));
  CHECK((IsLocalTensor<LocalTensor<half>>::value));
  CHECK((!IsLocalTensor<GlobalTensor<half>>::value));
  CHECK((std::is_same_v<BoolInst<true>, TrueType>));
  CHECK(!FalseType::value);
}

TEST_CASE("enumerations and structures without a function have the documented values", "[names]") {
  using namespace AscendC;
  CHECK(static_cast<int>(HardEventAic::MAX) == 24);
  CHECK(static_cast<int>(HardEventAiv::MAX) == 13);
  CHECK(static_cast<int>(TShapeType::DHCN) == 24);
  CHECK(static_cast<int>(BinaryScalarOp::ORS) == 7);
  CHECK(static_cast<int>(MemoryT::BIAS) == 5);
  CHECK(CONV2D_PAD == 4);
  CHECK(Nz2DnParams().dnNum == 1);
}
