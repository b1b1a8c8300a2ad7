/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_PHILOX_H_
#define ASCENDC_LIB_MATH_PHILOX_H_

#include "ascendc/adv_api/math/philox.h"

#endif /* ASCENDC_LIB_MATH_PHILOX_H_ */
