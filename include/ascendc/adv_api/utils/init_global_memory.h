/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_UTILS_INIT_GLOBAL_MEMORY_H_
#define ASCENDC_ADV_API_UTILS_INIT_GLOBAL_MEMORY_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(Fill)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_UTILS_INIT_GLOBAL_MEMORY_H_ */
