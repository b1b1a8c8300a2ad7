/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SOFTMAX_H_
#define ASCENDC_LIB_ACTIVATION_SOFTMAX_H_

#include "ascendc/adv_api/activation/softmax.h"

#endif /* ASCENDC_LIB_ACTIVATION_SOFTMAX_H_ */
