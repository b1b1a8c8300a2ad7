/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_COSH_H_
#define ASCENDC_LIB_MATH_COSH_H_

#include "ascendc/adv_api/math/cosh.h"

#endif /* ASCENDC_LIB_MATH_COSH_H_ */
