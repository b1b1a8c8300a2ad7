/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_EXP_H_
#define ASCENDC_LIB_MATH_EXP_H_

#include "ascendc/adv_api/math/exp.h"

#endif /* ASCENDC_LIB_MATH_EXP_H_ */
