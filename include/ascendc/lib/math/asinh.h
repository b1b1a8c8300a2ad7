/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ASINH_H_
#define ASCENDC_LIB_MATH_ASINH_H_

#include "ascendc/adv_api/math/asinh.h"

#endif /* ASCENDC_LIB_MATH_ASINH_H_ */
