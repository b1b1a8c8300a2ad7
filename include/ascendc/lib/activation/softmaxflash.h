/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SOFTMAXFLASH_H_
#define ASCENDC_LIB_ACTIVATION_SOFTMAXFLASH_H_

#include "ascendc/adv_api/activation/softmaxflash.h"

#endif /* ASCENDC_LIB_ACTIVATION_SOFTMAXFLASH_H_ */
