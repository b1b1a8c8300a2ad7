/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_SORT_TOPK_H_
#define ASCENDC_LIB_SORT_TOPK_H_

#include "ascendc/adv_api/sort/topk.h"

#endif /* ASCENDC_LIB_SORT_TOPK_H_ */
