/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_SINH_H_
#define ASCENDC_LIB_MATH_SINH_H_

#include "ascendc/adv_api/math/sinh.h"

#endif /* ASCENDC_LIB_MATH_SINH_H_ */
