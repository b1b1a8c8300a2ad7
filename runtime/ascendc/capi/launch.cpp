// SPDX-License-Identifier: Apache-2.0
#include "ascendc/impl/launch.h"

#include "runtime/ascendc/launch/launch.h"

extern "C" __attribute__((visibility("default"))) std::uint32_t aclsimLaunchKernelCode(
    const aclsimKernelLaunchRequest* request, void* stream) {
  return ascendc::launch(*request, stream, __builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) std::int32_t aclsimRunKernelCode(
    const aclsimKernelRun* run) {
  return ascendc::run_now(*run);
}
