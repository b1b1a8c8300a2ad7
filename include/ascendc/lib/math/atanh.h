/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ATANH_H_
#define ASCENDC_LIB_MATH_ATANH_H_

#include "ascendc/adv_api/math/atanh.h"

#endif /* ASCENDC_LIB_MATH_ATANH_H_ */
