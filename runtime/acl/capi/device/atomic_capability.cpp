// SPDX-License-Identifier: Apache-2.0
#include <span>

#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace {

struct CapabilityRow {
  aclrtAtomicOperation operation;
  std::uint32_t between_devices;
};

constexpr std::uint32_t kReduction =
    ACL_RT_ATOMIC_CAPABILITY_SIGNED | ACL_RT_ATOMIC_CAPABILITY_REDUCTION |
    ACL_RT_ATOMIC_CAPABILITY_SCALAR8 | ACL_RT_ATOMIC_CAPABILITY_SCALAR16 |
    ACL_RT_ATOMIC_CAPABILITY_SCALAR32;

// The default chip reduces while it copies to a peer and has no other atomics across a link; across
// the host's bus it has none.
constexpr CapabilityRow kCapabilityRows[] = {
    {ACL_RT_ATOMIC_OPERATION_INTEGER_ADD, 0},
    {ACL_RT_ATOMIC_OPERATION_INTEGER_MIN, 0},
    {ACL_RT_ATOMIC_OPERATION_INTEGER_MAX, 0},
    {ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT, 0},
    {ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT, 0},
    {ACL_RT_ATOMIC_OPERATION_AND, 0},
    {ACL_RT_ATOMIC_OPERATION_OR, 0},
    {ACL_RT_ATOMIC_OPERATION_XOR, 0},
    {ACL_RT_ATOMIC_OPERATION_EXCHANGE, 0},
    {ACL_RT_ATOMIC_OPERATION_CAS, 0},
    {ACL_RT_ATOMIC_OPERATION_FLOAT_ADD, 0},
    {ACL_RT_ATOMIC_OPERATION_FLOAT_MIN, 0},
    {ACL_RT_ATOMIC_OPERATION_FLOAT_MAX, 0},
    {ACL_RT_ATOMIC_OPERATION_DMA_ADD, kReduction},
    {ACL_RT_ATOMIC_OPERATION_DMA_MIN, kReduction},
    {ACL_RT_ATOMIC_OPERATION_DMA_MAX, kReduction},
    {ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD, 0},
    {ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN, 0},
    {ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX, 0},
    {ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS, 0},
    {ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH, 0},
};

std::uint32_t between_devices(aclrtAtomicOperation operation) {
  for (const CapabilityRow& row : kCapabilityRows) {
    if (row.operation == operation) return row.between_devices;
  }
  fail(ACL_ERROR_INVALID_PARAM, "operations holds {}, which is not an atomic operation",
       static_cast<int>(operation));
}

/// Answers for each operation in turn. Nothing is written when one of them is unknown.
void answer(std::uint32_t* capabilities, const aclrtAtomicOperation* operations,
            std::uint32_t count, bool has_link) {
  const std::span asked(operations, count);
  for (const aclrtAtomicOperation operation : asked) between_devices(operation);
  for (const aclrtAtomicOperation operation : asked) {
    *capabilities++ = has_link ? between_devices(operation) : 0;
  }
}

void check(const std::uint32_t* capabilities, const aclrtAtomicOperation* operations,
           std::uint32_t count) {
  require_input(capabilities, "capabilities");
  require_input(operations, "operations");
  if (count == 0) fail(ACL_ERROR_INVALID_PARAM, "count is 0; expected 1 or more");
}

}  // namespace

extern "C" {

aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t* capabilities,
                                              const aclrtAtomicOperation* operations,
                                              const uint32_t count, int32_t deviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    check(capabilities, operations, count);
    runtime.physical(deviceId);
    answer(capabilities, operations, count, false);
  });
}

aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t* capabilities,
                                             const aclrtAtomicOperation* operations,
                                             const uint32_t count, int32_t srcDeviceId,
                                             int32_t dstDeviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    check(capabilities, operations, count);
    const int src = runtime.physical(srcDeviceId, "srcDeviceId");
    const int dst = runtime.physical(dstDeviceId, "dstDeviceId");
    if (src == dst) {
      fail(ACL_ERROR_INVALID_PARAM, "srcDeviceId and dstDeviceId are both {}", srcDeviceId);
    }
    answer(capabilities, operations, count, runtime.links().reachable(src, dst));
  });
}

}  // extern "C"
