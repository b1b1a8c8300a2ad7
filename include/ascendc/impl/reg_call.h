/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call of a function of registers (`__simd_vf__`): one operation of the vector pipe.
 */
#ifndef ASCENDC_IMPL_REG_CALL_H_
#define ASCENDC_IMPL_REG_CALL_H_

#include <utility>

#include "ascendc/impl/qualifiers.h"
#include "ascendc/impl/reg_machine.h"

namespace aclsim_reg {

/* Accesses in its life belong to one call. In a nested call it does nothing. */
class Scope {
 public:
  explicit Scope(const void* site = nullptr) { aclsimVfBegin(site); }
  ~Scope() { aclsimVfEnd(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
};

}  // namespace aclsim_reg

template <auto funcPtr, typename... Args>
ACLSIM_THROUGH auto asc_vf_call(Args&&... args)
    -> decltype(static_cast<void>(funcPtr(std::forward<Args>(args)...))) {
  if (ASCEND_IS_AIC) return;
  const aclsim_reg::Scope scope;
  funcPtr(std::forward<Args>(args)...);
}

namespace AscendC {
template <auto funcPtr, typename... Args>
ACLSIM_THROUGH auto VF_CALL(Args&&... args)
    -> decltype(static_cast<void>(funcPtr(std::forward<Args>(args)...))) {
  if (ASCEND_IS_AIC) return;
  const aclsim_reg::Scope scope;
  funcPtr(std::forward<Args>(args)...);
}
}  // namespace AscendC

/* A block of statements that is a call. */
#define __VEC_SCOPE__ if (const ::aclsim_reg::Scope aclsim_scope; ASCEND_IS_AIV)

#endif /* ASCENDC_IMPL_REG_CALL_H_ */
