/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SIGMOID_H_
#define ASCENDC_LIB_ACTIVATION_SIGMOID_H_

#include "ascendc/adv_api/activation/sigmoid.h"

#endif /* ASCENDC_LIB_ACTIVATION_SIGMOID_H_ */
