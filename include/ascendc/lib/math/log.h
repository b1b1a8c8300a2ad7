/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_LOG_H_
#define ASCENDC_LIB_MATH_LOG_H_

#include "ascendc/adv_api/math/log.h"

#endif /* ASCENDC_LIB_MATH_LOG_H_ */
