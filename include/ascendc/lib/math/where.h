/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_WHERE_H_
#define ASCENDC_LIB_MATH_WHERE_H_

#include "ascendc/adv_api/math/where.h"

#endif /* ASCENDC_LIB_MATH_WHERE_H_ */
