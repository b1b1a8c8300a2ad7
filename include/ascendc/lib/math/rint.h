/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_RINT_H_
#define ASCENDC_LIB_MATH_RINT_H_

#include "ascendc/adv_api/math/rint.h"

#endif /* ASCENDC_LIB_MATH_RINT_H_ */
