/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_PAD_BROADCAST_H_
#define ASCENDC_ADV_API_PAD_BROADCAST_H_

#include "ascendc/impl/refused_library.h"

namespace AscendC {
ACLSIM_REFUSED_LIBRARY(Broadcast)
ACLSIM_REFUSED_LIBRARY(GetBroadcastTilingInfo)
}  // namespace AscendC

#endif /* ASCENDC_ADV_API_PAD_BROADCAST_H_ */
