/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_CLAMP_H_
#define ASCENDC_LIB_MATH_CLAMP_H_

#include "ascendc/adv_api/math/clamp.h"

#endif /* ASCENDC_LIB_MATH_CLAMP_H_ */
