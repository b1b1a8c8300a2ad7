/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_DEEPNORM_H_
#define ASCENDC_LIB_NORMALIZATION_DEEPNORM_H_

#include "ascendc/adv_api/normalization/deepnorm.h"

#endif /* ASCENDC_LIB_NORMALIZATION_DEEPNORM_H_ */
