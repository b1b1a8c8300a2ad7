/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_ACTIVATION_LOGSOFTMAX_H_
#define ASCENDC_LIB_ACTIVATION_LOGSOFTMAX_H_

#include "ascendc/adv_api/activation/logsoftmax.h"

#endif /* ASCENDC_LIB_ACTIVATION_LOGSOFTMAX_H_ */
