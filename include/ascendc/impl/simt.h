/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMT: functions of many threads on a vector core, launched as kernels of their own or called from
 * one.
 */
#ifndef ASCENDC_IMPL_SIMT_H_
#define ASCENDC_IMPL_SIMT_H_

#include <tuple>
#include <type_traits>

#include "acl/acl.h" /* dim3; first, as kernel_operator.h: functions have parameters of the names below */
#include "ascendc/impl/half.h"
#include "ascendc/impl/qualifiers.h"
#include "ascendc/impl/simt_constants.h"
#include "ascendc/impl/simt_convert.h"
#include "ascendc/impl/simt_half.h"
#include "ascendc/impl/simt_integer.h"
#include "ascendc/impl/simt_machine.h"
#include "ascendc/impl/simt_math.h"
#include "ascendc/impl/simt_memory.h"
#include "ascendc/impl/simt_names.h"
#include "ascendc/impl/simt_narrow.h"
#include "ascendc/impl/simt_vectors.h"
#include "ascendc/impl/simt_warp.h"
#include "ascendc/kernel_operator.h"

#define __simt_vf__
#define __simt_callee__
#define __SIMT_DEVICE_FUNCTIONS_DECL__ inline

namespace aclsim_simt {

inline dim3 of(const uint32_t (&values)[3]) { return dim3{values[0], values[1], values[2]}; }

template <auto function, typename Tuple>
void enter(const void* args) {
  std::apply(function, *static_cast<const Tuple*>(args));
}

/* Runs a function of threads; cores of the cube unit have none. */
template <auto funcPtr, typename... Args>
void call(dim3 wanted, const void* site, Args&&... args) {
  if (aclsimThisCore()->kind == ACLSIM_AIC) return;
  std::tuple<std::decay_t<Args>...> all(std::forward<Args>(args)...);
  const uint32_t threads[3] = {wanted.x, wanted.y ? wanted.y : 1, wanted.z ? wanted.z : 1};
  aclsimRunThreads(&enter<funcPtr, decltype(all)>, &all, threads, site);
}

}  // namespace aclsim_simt

/* Words of SIMT code only: kernels have variables of these names. */
#define threadIdx (::aclsim_simt::of(aclsimThisThread()->index))
#define blockIdx (::aclsim_simt::of(aclsimThisThread()->block))
#define blockDim (::aclsim_simt::of(aclsimThisThread()->block_dim))
#define gridDim (::aclsim_simt::of(aclsimThisThread()->grid_dim))

template <auto funcPtr, typename... Args>
ACLSIM_API void asc_vf_call(dim3 threadNums, Args&&... args) {
  aclsim_simt::call<funcPtr>(threadNums, ACLSIM_SITE, std::forward<Args>(args)...);
}

namespace AscendC {
namespace Simt {
struct Dim3 {
  uint32_t x, y, z;
  constexpr Dim3(uint32_t first = 1, uint32_t second = 1, uint32_t third = 1)
      : x(first), y(second), z(third) {}
};
template <auto funcPtr, typename... Args>
ACLSIM_API void VF_CALL(Dim3 threadNums, Args&&... args) {
  aclsim_simt::call<funcPtr>(dim3{threadNums.x, threadNums.y, threadNums.z}, ACLSIM_SITE,
                             std::forward<Args>(args)...);
}
}  // namespace Simt
}  // namespace AscendC

#endif /* ASCENDC_IMPL_SIMT_H_ */
