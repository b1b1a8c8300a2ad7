/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the vector unit's registers on architectures without them: a call does not compile,
 * and the message names the function.
 */
#ifndef ASCENDC_IMPL_REFUSED_REG_H_
#define ASCENDC_IMPL_REFUSED_REG_H_

#include "ascendc/impl/refused.h"
#include "ascendc/impl/reg_rows.h"

namespace AscendC {
namespace Reg {

#define ACLSIM_OF_REGISTERS(NAME)                                                    \
  "AscendC::Reg::" #NAME                                                             \
  " needs architecture 3510: this architecture has no registers of the vector unit " \
  "(docs/kernels.md)"

template <typename T, auto... traits>
struct RegTensor {
  static_assert(sizeof(T) == 0, ACLSIM_OF_REGISTERS(RegTensor));
};
struct MaskReg {};
struct AddrReg {};
struct UnalignReg {};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;

/* Template arguments are types, values, or types before values. */
#define ACLSIM_REFUSED(NAME)                                               \
  template <typename... T>                                                 \
  void NAME(...) {                                                         \
    static_assert(aclsim_refused::no<T...>, ACLSIM_OF_REGISTERS(NAME));    \
  }                                                                        \
  template <auto V, auto... W>                                             \
  void NAME(...) {                                                         \
    static_assert(aclsim_refused::no_value<V>, ACLSIM_OF_REGISTERS(NAME)); \
  }                                                                        \
  template <typename T, auto V, auto... W>                                 \
  void NAME(...) {                                                         \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_REGISTERS(NAME));       \
  }
#define ACLSIM_REFUSED_LANES(NAME, shape, operation, types) ACLSIM_REFUSED(NAME)
#define ACLSIM_REFUSED_OTHER(NAME, types, remarks) ACLSIM_REFUSED(NAME)
ACLSIM_REG_ROWS(ACLSIM_REFUSED_LANES)
ACLSIM_REG_OTHER_ROWS(ACLSIM_REFUSED_OTHER)
ACLSIM_REG_OLD_NAMES(ACLSIM_REFUSED)
#undef ACLSIM_REFUSED_OTHER
#undef ACLSIM_REFUSED_LANES
#undef ACLSIM_REFUSED

}  // namespace Reg
namespace MicroAPI = Reg; /* the older name */
}  // namespace AscendC

#endif /* ASCENDC_IMPL_REFUSED_REG_H_ */
