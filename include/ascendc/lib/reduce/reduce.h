/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_REDUCE_REDUCE_H_
#define ASCENDC_LIB_REDUCE_REDUCE_H_

#include "ascendc/adv_api/reduce/reduce.h"

#endif /* ASCENDC_LIB_REDUCE_REDUCE_H_ */
