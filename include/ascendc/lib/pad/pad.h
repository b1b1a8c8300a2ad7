/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_PAD_PAD_H_
#define ASCENDC_LIB_PAD_PAD_H_

#include "ascendc/adv_api/pad/pad.h"

#endif /* ASCENDC_LIB_PAD_PAD_H_ */
