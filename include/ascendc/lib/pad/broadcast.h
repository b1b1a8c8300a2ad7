/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_PAD_BROADCAST_H_
#define ASCENDC_LIB_PAD_BROADCAST_H_

#include "ascendc/adv_api/pad/broadcast.h"

#endif /* ASCENDC_LIB_PAD_BROADCAST_H_ */
