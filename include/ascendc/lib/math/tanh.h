/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_TANH_H_
#define ASCENDC_LIB_MATH_TANH_H_

#include "ascendc/adv_api/math/tanh.h"

#endif /* ASCENDC_LIB_MATH_TANH_H_ */
