/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_LAYERNORM_H_
#define ASCENDC_LIB_NORMALIZATION_LAYERNORM_H_

#include "ascendc/adv_api/normalization/layernorm.h"

#endif /* ASCENDC_LIB_NORMALIZATION_LAYERNORM_H_ */
