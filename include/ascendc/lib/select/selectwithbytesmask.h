/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_SELECT_SELECTWITHBYTESMASK_H_
#define ASCENDC_LIB_SELECT_SELECTWITHBYTESMASK_H_

#include "ascendc/adv_api/select/selectwithbytesmask.h"

#endif /* ASCENDC_LIB_SELECT_SELECTWITHBYTESMASK_H_ */
