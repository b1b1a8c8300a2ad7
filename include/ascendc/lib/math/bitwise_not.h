/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_BITWISE_NOT_H_
#define ASCENDC_LIB_MATH_BITWISE_NOT_H_

#include "ascendc/adv_api/math/bitwise_not.h"

#endif /* ASCENDC_LIB_MATH_BITWISE_NOT_H_ */
