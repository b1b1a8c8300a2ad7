/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_TAN_H_
#define ASCENDC_LIB_MATH_TAN_H_

#include "ascendc/adv_api/math/tan.h"

#endif /* ASCENDC_LIB_MATH_TAN_H_ */
