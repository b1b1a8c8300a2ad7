/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_NORMALIZE_H_
#define ASCENDC_LIB_NORMALIZATION_NORMALIZE_H_

#include "ascendc/adv_api/normalization/normalize.h"

#endif /* ASCENDC_LIB_NORMALIZATION_NORMALIZE_H_ */
