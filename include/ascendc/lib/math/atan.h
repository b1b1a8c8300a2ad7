/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ATAN_H_
#define ASCENDC_LIB_MATH_ATAN_H_

#include "ascendc/adv_api/math/atan.h"

#endif /* ASCENDC_LIB_MATH_ATAN_H_ */
