/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ERF_H_
#define ASCENDC_LIB_MATH_ERF_H_

#include "ascendc/adv_api/math/erf.h"

#endif /* ASCENDC_LIB_MATH_ERF_H_ */
