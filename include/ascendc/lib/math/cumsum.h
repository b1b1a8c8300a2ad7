/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_CUMSUM_H_
#define ASCENDC_LIB_MATH_CUMSUM_H_

#include "ascendc/adv_api/math/cumsum.h"

#endif /* ASCENDC_LIB_MATH_CUMSUM_H_ */
