/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_HYPOT_H_
#define ASCENDC_LIB_MATH_HYPOT_H_

#include "ascendc/adv_api/math/hypot.h"

#endif /* ASCENDC_LIB_MATH_HYPOT_H_ */
