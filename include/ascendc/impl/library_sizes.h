/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory of the library's functions, for host code that plans it and for the emulator
 * that checks it. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_SIZES_H_
#define ASCENDC_IMPL_LIBRARY_SIZES_H_

#include <stdint.h>

#include "ascendc/impl/library_rows.h"

#if defined(__cpp_constexpr) && __cpp_constexpr >= 201304
#define ACLSIM_CONSTEXPR constexpr
#else
#define ACLSIM_CONSTEXPR
#endif

namespace aclsim_library {

/* The intermediate tensors of a function of the rows. */
ACLSIM_CONSTEXPR inline uint32_t intermediates(uint16_t function) {
  switch (function) {
#define ACLSIM_LIBRARY_TEMPORARY(number, name, shape, operands, old_types, new_types, temporary, \
                                 flags)                                                          \
  case number:                                                                                   \
    return temporary;
    ACLSIM_LIBRARY_ROWS(ACLSIM_LIBRARY_TEMPORARY)
#undef ACLSIM_LIBRARY_TEMPORARY
    default:
      return 0;
  }
}

/* One repeat of each intermediate tensor. */
ACLSIM_CONSTEXPR inline uint64_t least_temporary(uint16_t function) {
  return uint64_t{256} * intermediates(function);
}

/* All of each, in at least 4 bytes an element. */
ACLSIM_CONSTEXPR inline uint64_t most_temporary(uint16_t function, uint64_t elements,
                                                uint32_t type_size) {
  const uint64_t bytes = elements * (type_size < 4 ? 4 : type_size);
  const uint64_t repeats = bytes == 0 ? 1 : (bytes + 255) / 256;
  return repeats * 256 * intermediates(function);
}

/* For functions that compute a matrix row by row: one row of float of each intermediate tensor, in
 * steps of 16 elements, which are a block of each type. The most memory is as much for all rows. */
ACLSIM_CONSTEXPR inline uint64_t least_temporary_of_row(uint16_t function, uint64_t elements) {
  return ((elements == 0 ? 1 : elements) + 15) / 16 * 64 * intermediates(function);
}
ACLSIM_CONSTEXPR inline uint64_t most_temporary_of_rows(uint16_t function, uint64_t rows,
                                                        uint64_t elements) {
  return (rows == 0 ? 1 : rows) * least_temporary_of_row(function, elements);
}

}  // namespace aclsim_library

#endif /* ASCENDC_IMPL_LIBRARY_SIZES_H_ */
