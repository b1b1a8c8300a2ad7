/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_WELFORDFINALIZE_H_
#define ASCENDC_LIB_NORMALIZATION_WELFORDFINALIZE_H_

#include "ascendc/adv_api/normalization/welfordfinalize.h"

#endif /* ASCENDC_LIB_NORMALIZATION_WELFORDFINALIZE_H_ */
