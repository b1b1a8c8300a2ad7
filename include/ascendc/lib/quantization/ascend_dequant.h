/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_QUANTIZATION_ASCEND_DEQUANT_H_
#define ASCENDC_LIB_QUANTIZATION_ASCEND_DEQUANT_H_

#include "ascendc/adv_api/quantization/ascend_dequant.h"

#endif /* ASCENDC_LIB_QUANTIZATION_ASCEND_DEQUANT_H_ */
