/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_SIMPLESOFTMAX_H_
#define ASCENDC_LIB_ACTIVATION_SIMPLESOFTMAX_H_

#include "ascendc/adv_api/activation/simplesoftmax.h"

#endif /* ASCENDC_LIB_ACTIVATION_SIMPLESOFTMAX_H_ */
