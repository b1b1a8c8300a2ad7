/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ROUND_H_
#define ASCENDC_LIB_MATH_ROUND_H_

#include "ascendc/adv_api/math/round.h"

#endif /* ASCENDC_LIB_MATH_ROUND_H_ */
