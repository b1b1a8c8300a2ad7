/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_GEGLU_H_
#define ASCENDC_LIB_ACTIVATION_GEGLU_H_

#include "ascendc/adv_api/activation/geglu.h"

#endif /* ASCENDC_LIB_ACTIVATION_GEGLU_H_ */
