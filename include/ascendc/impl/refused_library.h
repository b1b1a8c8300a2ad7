/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the high-level library, which are not emulated: a call of one does not compile, and
 * the message names it.
 */
#ifndef ASCENDC_IMPL_REFUSED_LIBRARY_H_
#define ASCENDC_IMPL_REFUSED_LIBRARY_H_

#include "ascendc/impl/refused.h"
#include "ascendc/impl/refused_library_types.h"

#define ACLSIM_REFUSED_LIBRARY(NAME) ACLSIM_REFUSED_FORMS(NAME, ACLSIM_OF_LIBRARY(NAME))
#define ACLSIM_OF_LIBRARY(NAME)                                  \
  "AscendC::" #NAME                                              \
  " is not emulated: of the high-level library there is Matmul " \
  "(docs/kernels.md)"

#endif /* ASCENDC_IMPL_REFUSED_LIBRARY_H_ */
