/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_TRUNC_H_
#define ASCENDC_LIB_MATH_TRUNC_H_

#include "ascendc/adv_api/math/trunc.h"

#endif /* ASCENDC_LIB_MATH_TRUNC_H_ */
