/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_MATH_CLAMP_H_
#define ASCENDC_ADV_API_MATH_CLAMP_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(Clamp)
ACLSIM_REFUSED_LIBRARY(ClampMax)
ACLSIM_REFUSED_LIBRARY(ClampMin)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_MATH_CLAMP_H_ */
