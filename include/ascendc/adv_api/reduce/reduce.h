/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_REDUCE_REDUCE_H_
#define ASCENDC_ADV_API_REDUCE_REDUCE_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(ReduceAll)
ACLSIM_REFUSED_LIBRARY(ReduceAny)
ACLSIM_REFUSED_LIBRARY(ReduceMax)
ACLSIM_REFUSED_LIBRARY(ReduceMean)
ACLSIM_REFUSED_LIBRARY(ReduceMin)
ACLSIM_REFUSED_LIBRARY(ReduceProd)
ACLSIM_REFUSED_LIBRARY(ReduceSum)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_REDUCE_REDUCE_H_ */
