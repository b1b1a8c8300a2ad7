// SPDX-License-Identifier: Apache-2.0
// Launches with aclsimLaunchKernelCode: blocks, arguments, errors.
#include <cstring>
#include <vector>

#include "ascendc/impl/launch.h"
#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/support/catch.h"

namespace {

__global__ __aicore__ void fill(__gm__ int32_t* out, int32_t add) {
  out[block_idx] = static_cast<int32_t>(block_idx * 10 + block_num) + add;
}

}  // namespace

TEST_CASE("each block of a launch runs once, with its index and the arguments", "[launch]") {
  Device device;
  const auto out = device.memory<int32_t>(8);
  CHECK(launch("fill", fill, 8, out.data(), 5) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(out.host() == std::vector<int32_t>{13, 23, 33, 43, 53, 63, 73, 83});
}

TEST_CASE("a launch of no blocks, or of more than 65535, is refused", "[launch]") {
  Device device;
  const auto out = device.memory<int32_t>(8);
  CHECK(launch("fill", fill, 0, out.data(), 5) == 107000);
  CHECK(launch("fill", fill, 65536, out.data(), 5) == 107000);
}

TEST_CASE("a kernel is known by its address until its own description is forgotten", "[launch]") {
  const int place = 0;
  const aclsimKernelCode first{}, second{};
  CHECK(aclsimKernelAt(&place) == nullptr);
  aclsimKnowKernel(&place, &first);
  CHECK(aclsimKernelAt(&place) == &first);
  // A library that was unloaded late describes an address that another one has taken over.
  aclsimKnowKernel(&place, &second);
  aclsimForgetKernel(&place, &first);
  CHECK(aclsimKernelAt(&place) == &second);
  aclsimForgetKernel(&place, &second);
  CHECK(aclsimKernelAt(&place) == nullptr);
}
