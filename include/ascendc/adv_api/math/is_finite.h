/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_MATH_IS_FINITE_H_
#define ASCENDC_ADV_API_MATH_IS_FINITE_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(IsFinite)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_MATH_IS_FINITE_H_ */
