/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_UTILS_INIT_GLOBAL_MEMORY_H_
#define ASCENDC_LIB_UTILS_INIT_GLOBAL_MEMORY_H_

#include "ascendc/adv_api/utils/init_global_memory.h"

#endif /* ASCENDC_LIB_UTILS_INIT_GLOBAL_MEMORY_H_ */
