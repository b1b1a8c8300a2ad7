/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sizes of element types, for the tilings of the library. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_TYPES_H_
#define ASCENDC_IMPL_LIBRARY_TILING_TYPES_H_

#include <stdint.h>

#include "graph/types.h"

namespace aclsim_library {

/* Bytes of one element; 1 for types that kernels do not compute with. */
inline uint32_t bytes_of_type(ge::DataType type) {
  switch (type) {
    case ge::DT_FLOAT16:
    case ge::DT_BF16:
    case ge::DT_INT16:
    case ge::DT_UINT16:
      return 2;
    case ge::DT_FLOAT:
    case ge::DT_INT32:
    case ge::DT_UINT32:
      return 4;
    case ge::DT_INT64:
    case ge::DT_UINT64:
    case ge::DT_DOUBLE:
      return 8;
    default:
      return 1;
  }
}

}  // namespace aclsim_library

#endif /* ASCENDC_IMPL_LIBRARY_TILING_TYPES_H_ */
