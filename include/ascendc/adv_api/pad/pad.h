/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_PAD_PAD_H_
#define ASCENDC_ADV_API_PAD_PAD_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(Pad)
ACLSIM_REFUSED_LIBRARY(UnPad)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_PAD_PAD_H_ */
