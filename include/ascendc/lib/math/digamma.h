/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_DIGAMMA_H_
#define ASCENDC_LIB_MATH_DIGAMMA_H_

#include "ascendc/adv_api/math/digamma.h"

#endif /* ASCENDC_LIB_MATH_DIGAMMA_H_ */
