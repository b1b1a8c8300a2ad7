/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_MATH_LOG_H_
#define ASCENDC_ADV_API_MATH_LOG_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(Log)
ACLSIM_REFUSED_LIBRARY(Log10)
ACLSIM_REFUSED_LIBRARY(Log2)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_MATH_LOG_H_ */
