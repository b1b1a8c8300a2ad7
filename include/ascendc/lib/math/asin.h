/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ASIN_H_
#define ASCENDC_LIB_MATH_ASIN_H_

#include "ascendc/adv_api/math/asin.h"

#endif /* ASCENDC_LIB_MATH_ASIN_H_ */
