/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_FRAC_H_
#define ASCENDC_LIB_MATH_FRAC_H_

#include "ascendc/adv_api/math/frac.h"

#endif /* ASCENDC_LIB_MATH_FRAC_H_ */
