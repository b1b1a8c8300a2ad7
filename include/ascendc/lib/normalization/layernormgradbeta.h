/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_NORMALIZATION_LAYERNORMGRADBETA_H_
#define ASCENDC_LIB_NORMALIZATION_LAYERNORMGRADBETA_H_

#include "ascendc/adv_api/normalization/layernormgradbeta.h"

#endif /* ASCENDC_LIB_NORMALIZATION_LAYERNORMGRADBETA_H_ */
