/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_NORMALIZATION_NORMALIZE_H_
#define ASCENDC_ADV_API_NORMALIZATION_NORMALIZE_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(Normalize)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_NORMALIZATION_NORMALIZE_H_ */
