/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_IS_INF_H_
#define ASCENDC_LIB_MATH_IS_INF_H_

#include "ascendc/adv_api/math/is_inf.h"

#endif /* ASCENDC_LIB_MATH_IS_INF_H_ */
