/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_FILTER_DROPOUT_H_
#define ASCENDC_LIB_FILTER_DROPOUT_H_

#include "ascendc/adv_api/filter/dropout.h"

#endif /* ASCENDC_LIB_FILTER_DROPOUT_H_ */
