/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameter types of functions of the high-level library that are not emulated
 * (refused_library.h). With these types the compiler understands a kernel up to the call, and its
 * error names the function. Constructors ignore their values.
 */
#ifndef ASCENDC_IMPL_REFUSED_LIBRARY_TYPES_H_
#define ASCENDC_IMPL_REFUSED_LIBRARY_TYPES_H_

#include "ascendc/impl/refused_cube_types.h"
#include "ascendc/impl/refused_tilings.h"

namespace AscendC {

#define ACLSIM_USING(NAME) using tiling::NAME;
ACLSIM_REFUSED_TILINGS(ACLSIM_USING)
#undef ACLSIM_USING

/* A structure with members of one type. */
#define ACLSIM_PARAMS(NAME, ...) \
  struct NAME {                  \
    ACLSIM_ANY_VALUES(NAME)      \
    uint32_t __VA_ARGS__;        \
  };
#undef ACLSIM_PARAMS

/* Structures whose members are not known here. */
#define ACLSIM_UNKNOWN(NAME) \
  struct NAME {              \
    ACLSIM_ANY_VALUES(NAME)  \
  };
#undef ACLSIM_UNKNOWN

}  // namespace AscendC

#endif /* ASCENDC_IMPL_REFUSED_LIBRARY_TYPES_H_ */
