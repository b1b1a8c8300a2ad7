/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the interface that are not emulated: a call of one does not compile, and the message
 * names it. They take anything, and rank below each function that a kernel has itself.
 */
#ifndef ASCENDC_IMPL_REFUSED_H_
#define ASCENDC_IMPL_REFUSED_H_

#include "ascendc/impl/refused_cube_types.h"

namespace aclsim_refused {
template <typename... T>
inline constexpr bool no = sizeof...(T) > 1000;
template <auto... V>
inline constexpr bool no_value = sizeof...(V) > 1000;
template <const auto& C>
using of_config = std::enable_if_t<std::is_class_v<std::remove_reference_t<decltype(C)>>>;
}  // namespace aclsim_refused

namespace AscendC {

/* A configuration, which is a variable, behind none or some values. */
#define ACLSIM_REFUSED_WITH_CONFIG(NAME, TEXT)                                      \
  template <typename T, const auto& C>                                              \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, TEXT);                                     \
  }                                                                                 \
  template <typename T, typename U, const auto& C>                                  \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, TEXT);                                     \
  }                                                                                 \
  template <typename T, auto V0, const auto& C>                                     \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, TEXT);                                     \
  }                                                                                 \
  template <typename T, auto V0, auto V1, const auto& C>                            \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, TEXT);                                     \
  }                                                                                 \
  template <typename T, auto V0, auto V1, auto V2, const auto& C>                   \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, TEXT);                                     \
  }                                                                                 \
  template <typename T, auto V0, auto V1, auto V2, auto V3, const auto& C>          \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, TEXT);                                     \
  }                                                                                 \
  template <typename T, auto V0, auto V1, auto V2, auto V3, auto V4, const auto& C> \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, TEXT);                                     \
  }

/* A function; its template arguments are types, values, types before values, or a configuration
 * behind those. */
#define ACLSIM_REFUSED_FORMS(NAME, TEXT)               \
  template <typename... T>                             \
  void NAME(...) {                                     \
    static_assert(aclsim_refused::no<T...>, TEXT);     \
  }                                                    \
  template <auto V, auto... W>                         \
  void NAME(...) {                                     \
    static_assert(aclsim_refused::no_value<V>, TEXT);  \
  }                                                    \
  template <typename T, auto V, auto... W>             \
  void NAME(...) {                                     \
    static_assert(aclsim_refused::no<T>, TEXT);        \
  }                                                    \
  template <typename T, typename U, auto V, auto... W> \
  void NAME(...) {                                     \
    static_assert(aclsim_refused::no<T>, TEXT);        \
  }                                                    \
  ACLSIM_REFUSED_WITH_CONFIG(NAME, TEXT)
#define ACLSIM_REFUSED(NAME) \
  ACLSIM_REFUSED_FORMS(NAME, "AscendC::" #NAME " is not emulated (docs/kernels.md)")
ACLSIM_REFUSED(LoadDataUnzip)
#if ACLSIM_NPU_ARCH == 3510
ACLSIM_REFUSED(MmadWithSparse)
ACLSIM_REFUSED(LoadDataWithSparse)
#else
ACLSIM_REFUSED(MmadMx)
ACLSIM_REFUSED(LoadDataWithStride)
#endif
ACLSIM_REFUSED(LoadImageToLocal)
ACLSIM_REFUSED(LoadUnzipIndex)
ACLSIM_REFUSED(BroadCastVecToMM)
ACLSIM_REFUSED(SetFixPipeClipRelu)
ACLSIM_REFUSED(SetFixPipeAddr)
ACLSIM_REFUSED(SetAippFunctions)
ACLSIM_REFUSED(Conv2D)
ACLSIM_REFUSED(GetConv2dTiling)
ACLSIM_REFUSED(Gemm)
ACLSIM_REFUSED(GetGemmTiling)
ACLSIM_REFUSED(Async)
ACLSIM_REFUSED(CheckLocalMemoryIA)
#if ACLSIM_NPU_ARCH != 3510
ACLSIM_REFUSED(NdDmaDci)
ACLSIM_REFUSED(AtomicAdd)
ACLSIM_REFUSED(AtomicCas)
ACLSIM_REFUSED(AtomicExch)
ACLSIM_REFUSED(AtomicMax)
ACLSIM_REFUSED(AtomicMin)
ACLSIM_REFUSED(AllocMutexID)
ACLSIM_REFUSED(ReleaseMutexID)
ACLSIM_REFUSED(DataCopyL1ToUB)
#endif
ACLSIM_REFUSED(GetScalarCacheMode)
ACLSIM_REFUSED(SetScalarCacheMode)
ACLSIM_REFUSED(GetSsbufBaseAddr)
ACLSIM_REFUSED(GetStoreAtomicConfig)
ACLSIM_REFUSED(SetStoreAtomicConfig)
ACLSIM_REFUSED(SetLoopModePara)
ACLSIM_REFUSED(ResetLoopModePara)
ACLSIM_REFUSED(InitDump)
#undef ACLSIM_REFUSED

/* Unsupported copies, by the type of their parameters. */
#define ACLSIM_REFUSED_COPY(PARAMS)                                                        \
  template <typename... T, typename To, typename From, typename Params,                    \
            std::enable_if_t<std::is_same_v<Params, PARAMS>, int> = 0>                     \
  void DataCopy(const To&, const From&, const Params&) {                                   \
    static_assert(aclsim_refused::no<T..., To>,                                            \
                  "AscendC::DataCopy with " #PARAMS " is not emulated (docs/kernels.md)"); \
  }
/* Members of a class. */
#define ACLSIM_REFUSED_MEMBER(CLASS, NAME)                                             \
  template <auto... V>                                                                 \
  static void NAME(...) {                                                              \
    static_assert(aclsim_refused::no_value<V...>,                                      \
                  "AscendC::" #CLASS "::" #NAME " is not emulated (docs/kernels.md)"); \
  }                                                                                    \
  template <typename T, typename... U>                                                 \
  static void NAME(...) {                                                              \
    static_assert(aclsim_refused::no<T>,                                               \
                  "AscendC::" #CLASS "::" #NAME " is not emulated (docs/kernels.md)"); \
  }
}  // namespace AscendC

#endif /* ASCENDC_IMPL_REFUSED_H_ */
