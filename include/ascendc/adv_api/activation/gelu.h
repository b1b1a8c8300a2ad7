/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_ACTIVATION_GELU_H_
#define ASCENDC_ADV_API_ACTIVATION_GELU_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(FasterGelu)
ACLSIM_REFUSED_LIBRARY(FasterGeluV2)
ACLSIM_REFUSED_LIBRARY(Gelu)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_ACTIVATION_GELU_H_ */
