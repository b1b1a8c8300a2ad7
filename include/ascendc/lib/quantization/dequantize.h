/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_QUANTIZATION_DEQUANTIZE_H_
#define ASCENDC_LIB_QUANTIZATION_DEQUANTIZE_H_

#include "ascendc/adv_api/quantization/dequantize.h"

#endif /* ASCENDC_LIB_QUANTIZATION_DEQUANTIZE_H_ */
