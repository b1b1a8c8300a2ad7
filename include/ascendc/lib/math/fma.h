/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_FMA_H_
#define ASCENDC_LIB_MATH_FMA_H_

#include "ascendc/adv_api/math/fma.h"

#endif /* ASCENDC_LIB_MATH_FMA_H_ */
