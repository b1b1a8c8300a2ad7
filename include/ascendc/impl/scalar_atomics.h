/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations of the scalar unit on global memory. Each returns the old value.
 */
#ifndef ASCENDC_IMPL_SCALAR_ATOMICS_H_
#define ASCENDC_IMPL_SCALAR_ATOMICS_H_

#include "ascendc/impl/atomic_step.h"
#include "ascendc/impl/qualifiers.h"
#include "ascendc/impl/std.h"

#if ACLSIM_NPU_ARCH == 3510
namespace AscendC {
namespace aclsim_scalar {
template <typename T>
inline constexpr bool is_count = Std::is_one_of_v<T, uint32_t, uint64_t>;
template <typename T>
inline constexpr bool is_number = Std::is_one_of_v<T, int32_t, uint32_t, float, int64_t, uint64_t>;
}  // namespace aclsim_scalar

#define ACLSIM_ATOMIC(NAME, TYPES, TEXT, EXPRESSION)                                           \
  template <typename T>                                                                        \
  T NAME(__gm__ T* address, aclsim_atomic::same<T> value) {                                    \
    static_assert(aclsim_scalar::TYPES<T>, "AscendC::" #NAME ": the type is not " TEXT);       \
    return aclsim_atomic::atomic(address, [&]([[maybe_unused]] T old) { return EXPRESSION; }); \
  }
ACLSIM_ATOMIC(AtomicAdd, is_number, "int32_t, uint32_t, float, int64_t or uint64_t",
              static_cast<T>(old + value))
ACLSIM_ATOMIC(AtomicMax, is_number, "int32_t, uint32_t, float, int64_t or uint64_t",
              old < value ? value : old)
ACLSIM_ATOMIC(AtomicMin, is_number, "int32_t, uint32_t, float, int64_t or uint64_t",
              value < old ? value : old)
ACLSIM_ATOMIC(AtomicExch, is_count, "uint32_t or uint64_t", value)
#undef ACLSIM_ATOMIC
/* Stores value2 if the memory has value1. */
template <typename T>
T AtomicCas(__gm__ T* address, aclsim_atomic::same<T> value1, aclsim_atomic::same<T> value2) {
  static_assert(aclsim_scalar::is_count<T>,
                "AscendC::AtomicCas: the type is not uint32_t or uint64_t");
  return aclsim_atomic::atomic(address, [&](T old) { return old == value1 ? value2 : old; });
}
}  // namespace AscendC
#endif

#endif /* ASCENDC_IMPL_SCALAR_ATOMICS_H_ */
