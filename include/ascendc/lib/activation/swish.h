/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SWISH_H_
#define ASCENDC_LIB_ACTIVATION_SWISH_H_

#include "ascendc/adv_api/activation/swish.h"

#endif /* ASCENDC_LIB_ACTIVATION_SWISH_H_ */
