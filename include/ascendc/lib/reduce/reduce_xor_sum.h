/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_REDUCE_REDUCE_XOR_SUM_H_
#define ASCENDC_LIB_REDUCE_REDUCE_XOR_SUM_H_

#include "ascendc/adv_api/reduce/reduce_xor_sum.h"

#endif /* ASCENDC_LIB_REDUCE_REDUCE_XOR_SUM_H_ */
