/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_LOGICAL_ORS_H_
#define ASCENDC_LIB_MATH_LOGICAL_ORS_H_

#include "ascendc/adv_api/math/logical_ors.h"

#endif /* ASCENDC_LIB_MATH_LOGICAL_ORS_H_ */
