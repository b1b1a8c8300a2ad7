/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_ERFC_H_
#define ASCENDC_LIB_MATH_ERFC_H_

#include "ascendc/adv_api/math/erfc.h"

#endif /* ASCENDC_LIB_MATH_ERFC_H_ */
