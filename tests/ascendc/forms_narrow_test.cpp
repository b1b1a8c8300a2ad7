// SPDX-License-Identifier: Apache-2.0
// Tensors of numbers of 8 and 4 bits in kernels.
#include "tests/ascendc/forms.h"

namespace formsnarrow {
namespace {

using namespace forms;

constexpr std::uint32_t kMemory = 128;  // bytes

/// Bytes 32 to 91 of x. Byte 3 of the copy becomes byte 2 by way of a scalar.
template <class T, std::uint32_t per_byte>
__global__ __aicore__ void copied(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<T> in, out;
  in.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x), kMemory * per_byte);
  out.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y), kMemory * per_byte);
  LocalTensor<T> tensor(TPosition::VECCALC, 0, 64 * per_byte);
  DataCopy(tensor, in[32 * per_byte], 64 * per_byte);
  SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
  tensor.SetValue(3 * per_byte, tensor.GetValue(2 * per_byte));
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopyPad(out, tensor, DataCopyExtParams(1, 60, 0, 0, 0));
  const bool sized = tensor.GetSize() == 64 * per_byte && tensor.GetLength() == 64 &&
                     tensor.template ReinterpretCast<std::uint8_t>().GetSize() == 64;
  if (!sized) trap();
}

template <class T, std::uint32_t per_byte>
void check_copied() {
  Device device;
  Bytes wanted(kMemory, 0xff), given(kMemory);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<std::uint8_t>(i * 37 + 5);
  std::copy_n(given.begin() + 32, 60, wanted.begin());
  wanted[3] = wanted[2];
  const auto x = device.memory(given);
  const auto y = device.memory(Bytes(kMemory, 0xff));
  Said said;
  CHECK(launch("copied", (copied<T, per_byte>), 1, static_cast<GM_ADDR>(x.data()),
               static_cast<GM_ADDR>(y.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  CHECK(y.host() == wanted);
}

}  // namespace

TEST_CASE("tensors of 8 and 4 bits are copied, cut and reinterpreted by the size of their numbers",
          "[forms]") {
  check_copied<fp8_e4m3fn_t, 1>();
  check_copied<fp8_e5m2_t, 1>();
  check_copied<fp8_e8m0_t, 1>();
  check_copied<hifloat8_t, 1>();
  check_copied<fp4x2_e1m2_t, 2>();
  check_copied<fp4x2_e2m1_t, 2>();
  check_copied<int4x2_t, 2>();
}

TEST_CASE("the element types of kernels that are built keep their numbers", "[forms]") {
  CHECK(ACLSIM_OTHER_ELEMENT == 17);
  CHECK(ACLSIM_FP8_E4M3FN == 18);
  CHECK(ACLSIM_INT4X2 == 24);
  struct Other {};
  CHECK(aclsim_element::of<Other> == ACLSIM_OTHER_ELEMENT);
  CHECK(aclsim_element::of<const hifloat8_t> == ACLSIM_HIFLOAT8);
}

}  // namespace formsnarrow
