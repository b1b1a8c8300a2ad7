/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_BATCHNORM_H_
#define ASCENDC_LIB_NORMALIZATION_BATCHNORM_H_

#include "ascendc/adv_api/normalization/batchnorm.h"

#endif /* ASCENDC_LIB_NORMALIZATION_BATCHNORM_H_ */
