/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SOFTMAXGRAD_H_
#define ASCENDC_LIB_ACTIVATION_SOFTMAXGRAD_H_

#include "ascendc/adv_api/activation/softmaxgrad.h"

#endif /* ASCENDC_LIB_ACTIVATION_SOFTMAXGRAD_H_ */
