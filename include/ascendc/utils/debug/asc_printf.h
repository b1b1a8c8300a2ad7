/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_UTILS_DEBUG_ASC_PRINTF_H_
#define ASCENDC_UTILS_DEBUG_ASC_PRINTF_H_

#include "ascendc/kernel_operator.h"

#endif /* ASCENDC_UTILS_DEBUG_ASC_PRINTF_H_ */
