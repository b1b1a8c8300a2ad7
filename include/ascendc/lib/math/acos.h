/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ACOS_H_
#define ASCENDC_LIB_MATH_ACOS_H_

#include "ascendc/adv_api/math/acos.h"

#endif /* ASCENDC_LIB_MATH_ACOS_H_ */
