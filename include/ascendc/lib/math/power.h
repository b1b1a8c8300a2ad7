/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_POWER_H_
#define ASCENDC_LIB_MATH_POWER_H_

#include "ascendc/adv_api/math/power.h"

#endif /* ASCENDC_LIB_MATH_POWER_H_ */
