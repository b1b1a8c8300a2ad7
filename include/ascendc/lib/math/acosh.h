/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ACOSH_H_
#define ASCENDC_LIB_MATH_ACOSH_H_

#include "ascendc/adv_api/math/acosh.h"

#endif /* ASCENDC_LIB_MATH_ACOSH_H_ */
