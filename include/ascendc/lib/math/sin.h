/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_SIN_H_
#define ASCENDC_LIB_MATH_SIN_H_

#include "ascendc/adv_api/math/sin.h"

#endif /* ASCENDC_LIB_MATH_SIN_H_ */
