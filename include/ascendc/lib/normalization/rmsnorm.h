/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_RMSNORM_H_
#define ASCENDC_LIB_NORMALIZATION_RMSNORM_H_

#include "ascendc/adv_api/normalization/rmsnorm.h"

#endif /* ASCENDC_LIB_NORMALIZATION_RMSNORM_H_ */
