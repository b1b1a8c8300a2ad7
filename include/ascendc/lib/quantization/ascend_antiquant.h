/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_QUANTIZATION_ASCEND_ANTIQUANT_H_
#define ASCENDC_LIB_QUANTIZATION_ASCEND_ANTIQUANT_H_

#include "ascendc/adv_api/quantization/ascend_antiquant.h"

#endif /* ASCENDC_LIB_QUANTIZATION_ASCEND_ANTIQUANT_H_ */
