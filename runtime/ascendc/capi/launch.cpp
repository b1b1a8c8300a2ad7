// SPDX-License-Identifier: Apache-2.0
#include "ascendc/impl/launch.h"

#include <set>
#include <string>

#include "device_sim/base/mutex.h"
#include "runtime/ascendc/launch/known_kernels.h"
#include "runtime/ascendc/launch/launch.h"

using ascendc::KnownKernels;

extern "C" __attribute__((visibility("default"))) std::uint32_t aclsimLaunchKernelCode(
    const aclsimKernelLaunchRequest* request, void* stream) {
  return ascendc::launch(*request, stream, __builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) std::int32_t aclsimRunKernelCode(
    const aclsimKernelRun* run) {
  return ascendc::run_now(*run);
}

extern "C" __attribute__((visibility("default"))) void aclsimKnowKernel(
    const void* address, const aclsimKernelCode* code) {
  KnownKernels::of_process().know(address, *code);
}

extern "C" __attribute__((visibility("default"))) void aclsimForgetKernel(
    const void* address, const aclsimKernelCode* code) {
  KnownKernels::of_process().forget(address, *code);
}

extern "C" __attribute__((visibility("default"))) const aclsimKernelCode* aclsimKernelAt(
    const void* address) {
  return KnownKernels::of_process().find(address);
}

extern "C" __attribute__((visibility("default"))) const char* aclsimKeepText(const char* text) {
  static sim::Mutex mutex;
  static auto& kept = *new std::set<std::string>;  // libraries use it until the process ends
  const sim::LockGuard guard(mutex);
  return kept.insert(text).first->c_str();
}
