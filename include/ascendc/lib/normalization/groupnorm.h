/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_GROUPNORM_H_
#define ASCENDC_LIB_NORMALIZATION_GROUPNORM_H_

#include "ascendc/adv_api/normalization/groupnorm.h"

#endif /* ASCENDC_LIB_NORMALIZATION_GROUPNORM_H_ */
