/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_SIGN_H_
#define ASCENDC_LIB_MATH_SIGN_H_

#include "ascendc/adv_api/math/sign.h"

#endif /* ASCENDC_LIB_MATH_SIGN_H_ */
