/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_QUANTIZATION_ANTIQUANTIZE_H_
#define ASCENDC_LIB_QUANTIZATION_ANTIQUANTIZE_H_

#include "ascendc/adv_api/quantization/antiquantize.h"

#endif /* ASCENDC_LIB_QUANTIZATION_ANTIQUANTIZE_H_ */
