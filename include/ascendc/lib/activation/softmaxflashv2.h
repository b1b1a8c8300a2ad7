/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SOFTMAXFLASHV2_H_
#define ASCENDC_LIB_ACTIVATION_SOFTMAXFLASHV2_H_

#include "ascendc/adv_api/activation/softmaxflashv2.h"

#endif /* ASCENDC_LIB_ACTIVATION_SOFTMAXFLASHV2_H_ */
