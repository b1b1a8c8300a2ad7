/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atoms of the tensor API (AscendC::Te): an operation with its trait and perhaps with parameters.
 * Programs add operations of their own as specialisations of CopyTraits and MmadTraits.
 */
#ifndef ASCENDC_IMPL_TE_ATOM_H_
#define ASCENDC_IMPL_TE_ATOM_H_

#include "ascendc/impl/te_tensor.h"

namespace AscendC {
namespace Te {

/* The trait of a copy or a product that has no choices. */
struct NoTrait {};

namespace aclsim_te {
/* The parameters that with() has bound come after all others. */
template <typename Operation, typename Trait, typename... Params>
struct Bound {
  using Places = std::index_sequence_for<Params...>;
  std::tuple<Params...> params;

  template <typename... More>
  constexpr auto with(const More&... more) const {
    return Bound<Operation, Trait, Params..., More...>{
        std::tuple_cat(params, std::tuple<More...>(more...))};
  }
};
template <typename Operation, typename Trait>
using TraitTypeOf = std::remove_cv_t<typename Trait::TraitType>;
}  // namespace aclsim_te

/* (operation), (operation, trait), or for an operation that has other ones with parameters
   (operation, trait, operation with parameters, its trait). */
#define ACLSIM_TE_TRAITS(TRAITS, ATOM, MAKE, CALL)                                          \
  namespace aclsim_te {                                                                     \
  template <typename Operation, typename Trait, typename... Params, std::size_t... i,       \
            typename... Args>                                                               \
  ACLSIM_THROUGH void run_##CALL(const Bound<Operation, Trait, Params...>& bound,           \
                                 std::index_sequence<i...>, const Args&... args) {          \
    static_assert(ACLSIM_NPU_ARCH == 3510 || sizeof(Operation) == 0,                        \
                  "AscendC::Te::" #CALL " needs architecture 3510");                        \
    static_cast<void>(bound); /* without parameters */                                      \
    Operation::template CALL<TraitTypeOf<Operation, Trait>, Trait::value>(                  \
        args..., std::get<i>(bound.params)...);                                             \
  }                                                                                         \
  }                                                                                         \
                                                                                            \
  template <typename... Args>                                                               \
  struct TRAITS;                                                                            \
  template <typename Operation, typename Trait, typename WithOperation, typename WithTrait> \
  struct TRAITS<Operation, Trait, WithOperation, WithTrait> {                               \
    using aclsim_bound = aclsim_te::Bound<Operation, Trait>;                                \
    using aclsim_with = aclsim_te::Bound<WithOperation, WithTrait>;                         \
  };                                                                                        \
  template <typename Operation, typename Trait>                                             \
  struct TRAITS<Operation, Trait> : TRAITS<Operation, Trait, Operation, Trait> {};          \
  template <typename Operation>                                                             \
  struct TRAITS<Operation> : TRAITS<Operation, typename Operation::aclsim_default> {};      \
                                                                                            \
  template <typename T>                                                                     \
  struct ATOM;                                                                              \
  template <typename... Args>                                                               \
  struct ATOM<TRAITS<Args...>> {                                                            \
    template <typename... Params>                                                           \
    constexpr auto with(const Params&... params) const {                                    \
      const auto bound = typename TRAITS<Args...>::aclsim_with{}.with(params...);           \
      return ATOM<std::remove_const_t<decltype(bound)>>{bound};                             \
    }                                                                                       \
    template <typename... More>                                                             \
    ACLSIM_THROUGH void Call(const More&... args) const {                                   \
      const auto& all = bound();                                                            \
      aclsim_te::run_##CALL(all, typename std::decay_t<decltype(all)>::Places(), args...);  \
    }                                                                                       \
    constexpr auto bound() const { return typename TRAITS<Args...>::aclsim_bound{}; }       \
  };                                                                                        \
  template <typename Operation, typename Trait, typename... Bounds>                         \
  struct ATOM<aclsim_te::Bound<Operation, Trait, Bounds...>> {                              \
    aclsim_te::Bound<Operation, Trait, Bounds...> value;                                    \
    template <typename... Params>                                                           \
    constexpr auto with(const Params&... params) const {                                    \
      const auto more = value.with(params...);                                              \
      return ATOM<std::remove_const_t<decltype(more)>>{more};                               \
    }                                                                                       \
    template <typename... More>                                                             \
    ACLSIM_THROUGH void Call(const More&... args) const {                                   \
      const auto& all = bound();                                                            \
      aclsim_te::run_##CALL(all, typename std::decay_t<decltype(all)>::Places(), args...);  \
    }                                                                                       \
    constexpr const auto& bound() const { return value; }                                   \
  };                                                                                        \
                                                                                            \
  template <typename Operation>                                                             \
  constexpr ATOM<TRAITS<Operation>> MAKE(const Operation&) {                                \
    return {};                                                                              \
  }                                                                                         \
  template <typename Operation, typename Trait>                                             \
  constexpr ATOM<TRAITS<Operation, Trait>> MAKE(const Operation&, const Trait&) {           \
    return {};                                                                              \
  }

ACLSIM_TE_TRAITS(CopyTraits, CopyAtom, MakeCopy, Copy)
ACLSIM_TE_TRAITS(MmadTraits, MmadAtom, MakeMmad, Mmad)
#undef ACLSIM_TE_TRAITS

/* `others`: further arguments of the operation, such as a quantisation or a coordinate. */
template <typename T, typename Dst, typename Src, typename... Others,
          Std::enable_if_t<IsAttrTensorV<Dst> && IsAttrTensorV<Src>, int> = 0>
ACLSIM_THROUGH void Copy(const CopyAtom<T>& atomCopy, const Dst& dst, const Src& src,
                         const Others&... others) {
  atomCopy.Call(dst, src, others...);
}
template <typename T, typename Dst, typename Fm, typename Filter, typename... Others,
          Std::enable_if_t<IsAttrTensorV<Dst>, int> = 0>
ACLSIM_THROUGH void Mmad(const MmadAtom<T>& atomMmad, const Dst& dst, const Fm& fm,
                         const Filter& filter, const Others&... others) {
  atomMmad.Call(dst, fm, filter, others...);
}

}  // namespace Te
}  // namespace AscendC

#endif /* ASCENDC_IMPL_TE_ATOM_H_ */
