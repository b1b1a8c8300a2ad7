/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_REDUCE_REDUCE_XOR_SUM_H_
#define ASCENDC_ADV_API_REDUCE_REDUCE_XOR_SUM_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(ReduceXorSum)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_REDUCE_REDUCE_XOR_SUM_H_ */
