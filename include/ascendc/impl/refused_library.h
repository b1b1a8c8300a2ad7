/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the high-level library, which are not emulated: a call of one does not compile, and
 * the message names it.
 */
#ifndef ASCENDC_IMPL_REFUSED_LIBRARY_H_
#define ASCENDC_IMPL_REFUSED_LIBRARY_H_

#include "ascendc/impl/refused.h"
#include "ascendc/impl/refused_library_types.h"

/* A configuration, which is a variable, behind none or some values. */
#define ACLSIM_REFUSED_WITH_CONFIG(NAME)                                            \
  template <typename T, const auto& C>                                              \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_LIBRARY(NAME));                  \
  }                                                                                 \
  template <typename T, auto V0, const auto& C>                                     \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_LIBRARY(NAME));                  \
  }                                                                                 \
  template <typename T, auto V0, auto V1, const auto& C>                            \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_LIBRARY(NAME));                  \
  }                                                                                 \
  template <typename T, auto V0, auto V1, auto V2, const auto& C>                   \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_LIBRARY(NAME));                  \
  }                                                                                 \
  template <typename T, auto V0, auto V1, auto V2, auto V3, const auto& C>          \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_LIBRARY(NAME));                  \
  }                                                                                 \
  template <typename T, auto V0, auto V1, auto V2, auto V3, auto V4, const auto& C> \
  aclsim_refused::of_config<C> NAME(...) {                                          \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_LIBRARY(NAME));                  \
  }

/* A function; its template arguments are types, values, types before values, or a configuration
 * behind those. */
#define ACLSIM_REFUSED_LIBRARY(NAME)                                     \
  template <typename... T>                                               \
  void NAME(...) {                                                       \
    static_assert(aclsim_refused::no<T...>, ACLSIM_OF_LIBRARY(NAME));    \
  }                                                                      \
  template <auto V, auto... W>                                           \
  void NAME(...) {                                                       \
    static_assert(aclsim_refused::no_value<V>, ACLSIM_OF_LIBRARY(NAME)); \
  }                                                                      \
  template <typename T, auto V, auto... W>                               \
  void NAME(...) {                                                       \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_LIBRARY(NAME));       \
  }                                                                      \
  template <typename T, typename U, auto V, auto... W>                   \
  void NAME(...) {                                                       \
    static_assert(aclsim_refused::no<T>, ACLSIM_OF_LIBRARY(NAME));       \
  }                                                                      \
  ACLSIM_REFUSED_WITH_CONFIG(NAME)
#define ACLSIM_OF_LIBRARY(NAME)                                  \
  "AscendC::" #NAME                                              \
  " is not emulated: of the high-level library there is Matmul " \
  "(docs/kernels.md)"

#endif /* ASCENDC_IMPL_REFUSED_LIBRARY_H_ */
