/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_ACTIVATION_SOFTMAXFLASHV2_H_
#define ASCENDC_ADV_API_ACTIVATION_SOFTMAXFLASHV2_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(SoftMaxFlashV2TilingFunc)
ACLSIM_REFUSED_LIBRARY(SoftmaxFlashV2)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_ACTIVATION_SOFTMAXFLASHV2_H_ */
