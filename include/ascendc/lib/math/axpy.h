/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_AXPY_H_
#define ASCENDC_LIB_MATH_AXPY_H_

#include "ascendc/adv_api/math/axpy.h"

#endif /* ASCENDC_LIB_MATH_AXPY_H_ */
