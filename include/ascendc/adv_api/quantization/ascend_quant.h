/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_QUANTIZATION_ASCEND_QUANT_H_
#define ASCENDC_ADV_API_QUANTIZATION_ASCEND_QUANT_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(AscendQuant)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_QUANTIZATION_ASCEND_QUANT_H_ */
