/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sizes and tilings that host code asks of the high-level library, which is not emulated: a
 * call does not compile, and the message names the function. C++11.
 */
#ifndef ASCENDC_IMPL_REFUSED_TILING_H_
#define ASCENDC_IMPL_REFUSED_TILING_H_

namespace AscendC {

#define ACLSIM_REFUSED(NAME)                                                     \
  template <typename... T>                                                       \
  int NAME(...) {                                                                \
    static_assert(sizeof...(T) > 1000,                                           \
                  "AscendC::" #NAME                                              \
                  " is not emulated: of the high-level library there is Matmul " \
                  "(docs/kernels.md)");                                          \
    return 0;                                                                    \
  }
#undef ACLSIM_REFUSED

}  // namespace AscendC

#endif /* ASCENDC_IMPL_REFUSED_TILING_H_ */
