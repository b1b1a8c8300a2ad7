/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_SORT_SORT_H_
#define ASCENDC_LIB_SORT_SORT_H_

#include "ascendc/adv_api/sort/sort.h"

#endif /* ASCENDC_LIB_SORT_SORT_H_ */
