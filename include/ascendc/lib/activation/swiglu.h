/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SWIGLU_H_
#define ASCENDC_LIB_ACTIVATION_SWIGLU_H_

#include "ascendc/adv_api/activation/swiglu.h"

#endif /* ASCENDC_LIB_ACTIVATION_SWIGLU_H_ */
