/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_CPU_DEBUG_LAUNCH_H_
#define ASCENDC_CPU_DEBUG_LAUNCH_H_

#include "ascendc/tikicpulib.h"

#endif /* ASCENDC_CPU_DEBUG_LAUNCH_H_ */
