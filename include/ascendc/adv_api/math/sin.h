/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_MATH_SIN_H_
#define ASCENDC_ADV_API_MATH_SIN_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(Sin)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_MATH_SIN_H_ */
