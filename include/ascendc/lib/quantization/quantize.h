/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_QUANTIZATION_QUANTIZE_H_
#define ASCENDC_LIB_QUANTIZATION_QUANTIZE_H_

#include "ascendc/adv_api/quantization/quantize.h"

#endif /* ASCENDC_LIB_QUANTIZATION_QUANTIZE_H_ */
