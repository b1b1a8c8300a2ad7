/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_LAYERNORMGRAD_H_
#define ASCENDC_LIB_NORMALIZATION_LAYERNORMGRAD_H_

#include "ascendc/adv_api/normalization/layernormgrad.h"

#endif /* ASCENDC_LIB_NORMALIZATION_LAYERNORMGRAD_H_ */
