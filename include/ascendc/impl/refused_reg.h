/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the vector unit's registers, which is not emulated below its instructions: a call
 * does not compile, and the message names the function.
 */
#ifndef ASCENDC_IMPL_REFUSED_REG_H_
#define ASCENDC_IMPL_REFUSED_REG_H_

#include "ascendc/impl/refused.h"

namespace AscendC {
namespace Reg {

#define ACLSIM_OF_REGISTERS(NAME) \
  "AscendC::Reg::" #NAME          \
  " is not emulated: there are no registers of the vector unit (docs/kernels.md)"

template <typename T, auto... traits>
struct RegTensor {
  static_assert(sizeof(T) == 0, ACLSIM_OF_REGISTERS(RegTensor));
};
struct MaskReg {};
struct AddrReg {};
struct UnalignRegForLoad {};
struct UnalignRegForStore {};

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
ACLSIM_REFUSED(Abs)
ACLSIM_REFUSED(Add)
ACLSIM_REFUSED(Adds)
ACLSIM_REFUSED(And)
ACLSIM_REFUSED(Arange)
ACLSIM_REFUSED(Axpy)
ACLSIM_REFUSED(Cast)
ACLSIM_REFUSED(ClearSpr)
ACLSIM_REFUSED(Compare)
ACLSIM_REFUSED(Compares)
ACLSIM_REFUSED(CreateAddrReg)
ACLSIM_REFUSED(CreateMask)
ACLSIM_REFUSED(DeInterleave)
ACLSIM_REFUSED(Div)
ACLSIM_REFUSED(Duplicate)
ACLSIM_REFUSED(Exp)
ACLSIM_REFUSED(ExpSub)
ACLSIM_REFUSED(Gather)
ACLSIM_REFUSED(GatherB)
ACLSIM_REFUSED(Histograms)
ACLSIM_REFUSED(Interleave)
ACLSIM_REFUSED(LeakyRelu)
ACLSIM_REFUSED(Ln)
ACLSIM_REFUSED(LoadAlign)
ACLSIM_REFUSED(LoadUnAlign)
ACLSIM_REFUSED(LoadUnAlignPre)
ACLSIM_REFUSED(LocalMemBar)
ACLSIM_REFUSED(Log)
ACLSIM_REFUSED(MaskGenWithRegTensor)
ACLSIM_REFUSED(Max)
ACLSIM_REFUSED(Maxs)
ACLSIM_REFUSED(Mins)
ACLSIM_REFUSED(Mul)
ACLSIM_REFUSED(Muls)
ACLSIM_REFUSED(Pack)
ACLSIM_REFUSED(PairReduceElem)
ACLSIM_REFUSED(Reduce)
ACLSIM_REFUSED(ReduceDataBlock)
ACLSIM_REFUSED(Scatter)
ACLSIM_REFUSED(Select)
ACLSIM_REFUSED(ShiftLeft)
ACLSIM_REFUSED(ShiftRight)
ACLSIM_REFUSED(Sqrt)
ACLSIM_REFUSED(Squeeze)
ACLSIM_REFUSED(StoreAlign)
ACLSIM_REFUSED(StoreUnAlign)
ACLSIM_REFUSED(StoreUnAlignPost)
ACLSIM_REFUSED(Sub)
ACLSIM_REFUSED(Truncate)
ACLSIM_REFUSED(UpdateMask)
ACLSIM_REFUSED(Xor)
#undef ACLSIM_REFUSED

}  // namespace Reg
namespace MicroAPI = Reg; /* the older name */
}  // namespace AscendC

#endif /* ASCENDC_IMPL_REFUSED_REG_H_ */
