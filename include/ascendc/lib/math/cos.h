/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_COS_H_
#define ASCENDC_LIB_MATH_COS_H_

#include "ascendc/adv_api/math/cos.h"

#endif /* ASCENDC_LIB_MATH_COS_H_ */
