/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_TRANSPOSE_CONFUSION_TRANSPOSE_H_
#define ASCENDC_LIB_TRANSPOSE_CONFUSION_TRANSPOSE_H_

#include "ascendc/adv_api/transpose/confusion_transpose.h"

#endif /* ASCENDC_LIB_TRANSPOSE_CONFUSION_TRANSPOSE_H_ */
