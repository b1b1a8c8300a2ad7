/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_GELU_H_
#define ASCENDC_LIB_ACTIVATION_GELU_H_

#include "ascendc/adv_api/activation/gelu.h"

#endif /* ASCENDC_LIB_ACTIVATION_GELU_H_ */
