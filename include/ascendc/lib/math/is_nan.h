/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_IS_NAN_H_
#define ASCENDC_LIB_MATH_IS_NAN_H_

#include "ascendc/adv_api/math/is_nan.h"

#endif /* ASCENDC_LIB_MATH_IS_NAN_H_ */
