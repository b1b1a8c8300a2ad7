/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_LGAMMA_H_
#define ASCENDC_LIB_MATH_LGAMMA_H_

#include "ascendc/adv_api/math/lgamma.h"

#endif /* ASCENDC_LIB_MATH_LGAMMA_H_ */
