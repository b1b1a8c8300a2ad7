/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_ACTIVATION_SOFTMAX_H_
#define ASCENDC_ADV_API_ACTIVATION_SOFTMAX_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(AdjustSoftMaxRes)
ACLSIM_REFUSED_LIBRARY(SoftMax)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_ACTIVATION_SOFTMAX_H_ */
