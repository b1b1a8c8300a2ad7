/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_CEIL_H_
#define ASCENDC_LIB_MATH_CEIL_H_

#include "ascendc/adv_api/math/ceil.h"

#endif /* ASCENDC_LIB_MATH_CEIL_H_ */
