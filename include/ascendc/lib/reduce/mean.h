/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_REDUCE_MEAN_H_
#define ASCENDC_LIB_REDUCE_MEAN_H_

#include "ascendc/adv_api/reduce/mean.h"

#endif /* ASCENDC_LIB_REDUCE_MEAN_H_ */
