/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tilings of the high-level library as plain structures, whose bytes a kernel is given. C++11.
 */
#ifndef ASCENDC_KERNEL_TILING_KERNEL_TILING_H_
#define ASCENDC_KERNEL_TILING_KERNEL_TILING_H_

#include <string.h>

#include <iostream> /* public sources rely on it, and on memcpy */

#include "ascendc/impl/tiling_names.h"

#if __cplusplus >= 201402L
/* A structure from the bytes of its representation, also in a constant expression: tilings that are
   known when the kernel is compiled. Public sources call it by this name. */
template <typename T>
constexpr T convert_from_bytes(const uint8_t* bytes) {
  struct Representation {
    uint8_t all[sizeof(T)];
  };
  Representation copy{};
  for (size_t i = 0; i < sizeof(T); ++i) copy.all[i] = bytes[i];
  return __builtin_bit_cast(T, copy);
}
#endif

#endif /* ASCENDC_KERNEL_TILING_KERNEL_TILING_H_ */
