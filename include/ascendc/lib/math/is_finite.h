/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_IS_FINITE_H_
#define ASCENDC_LIB_MATH_IS_FINITE_H_

#include "ascendc/adv_api/math/is_finite.h"

#endif /* ASCENDC_LIB_MATH_IS_FINITE_H_ */
