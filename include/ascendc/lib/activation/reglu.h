/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_REGLU_H_
#define ASCENDC_LIB_ACTIVATION_REGLU_H_

#include "ascendc/adv_api/activation/reglu.h"

#endif /* ASCENDC_LIB_ACTIVATION_REGLU_H_ */
