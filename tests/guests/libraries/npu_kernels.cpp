// SPDX-License-Identifier: Apache-2.0
//
// A kernel binary as the kernel compiler makes it, by hand: descriptions of kernels for NPU cores.
#include "ascendc/impl/launcher.h"
#include "ascendc/impl/qualifiers.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

/// Each block writes its place.
static void fill(int32_t* to, int16_t a, int32_t b, int64_t c) {
  const auto block = static_cast<int32_t>(block_idx);
  to[block] = block * 1000000 + a * 10000 + b * 100 + static_cast<int32_t>(c);
}

/// Through a placeholder: the sum of a table that came with the arguments.
static void sum(int32_t* to, const int32_t* table, uint32_t count) {
  int32_t all = 0;
  for (uint32_t i = 0; i < count; ++i) all += table[i];
  *to = all;
}

namespace npu {
void scaled(int32_t* to) { *to = static_cast<int32_t>(block_num); }
}  // namespace npu

using FillEntry = aclsim::launch::Entry<void(int32_t*, int16_t, int32_t, int64_t), &fill>;
using SumEntry = aclsim::launch::Entry<void(int32_t*, const int32_t*, uint32_t), &sum>;
using ScaledEntry = aclsim::launch::Entry<void(int32_t*), &npu::scaled>;

EXPORTED const aclsimKernelCode aclsimKernelCode_fill;
EXPORTED const aclsimKernelCode aclsimKernelCode_sum;
EXPORTED const aclsimKernelCode aclsimKernelCode_npu__scaled;
const aclsimKernelCode aclsimKernelCode_fill =
    FillEntry::code("fill", "npu_kernels.cpp", 14, ACLSIM_CORES_VECTOR);
const aclsimKernelCode aclsimKernelCode_sum =
    SumEntry::code("sum", "npu_kernels.cpp", 20, ACLSIM_CORES_VECTOR);
const aclsimKernelCode aclsimKernelCode_npu__scaled =
    ScaledEntry::code("npu::scaled", "npu_kernels.cpp", 27, ACLSIM_CORES_CUBE);

// An exported function that is not a kernel, and must not be treated as one.
EXPORTED int32_t helper() { return 7; }
int32_t helper();
