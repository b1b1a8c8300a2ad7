/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_FLOOR_H_
#define ASCENDC_LIB_MATH_FLOOR_H_

#include "ascendc/adv_api/math/floor.h"

#endif /* ASCENDC_LIB_MATH_FLOOR_H_ */
