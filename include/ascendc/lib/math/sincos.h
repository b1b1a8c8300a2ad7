/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_SINCOS_H_
#define ASCENDC_LIB_MATH_SINCOS_H_

#include "ascendc/adv_api/math/sincos.h"

#endif /* ASCENDC_LIB_MATH_SINCOS_H_ */
