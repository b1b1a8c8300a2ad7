/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_MATH_IS_INF_H_
#define ASCENDC_ADV_API_MATH_IS_INF_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(IsInf)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_MATH_IS_INF_H_ */
