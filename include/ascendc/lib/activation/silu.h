/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SILU_H_
#define ASCENDC_LIB_ACTIVATION_SILU_H_

#include "ascendc/adv_api/activation/silu.h"

#endif /* ASCENDC_LIB_ACTIVATION_SILU_H_ */
