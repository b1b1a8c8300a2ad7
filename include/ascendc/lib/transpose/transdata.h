/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_TRANSPOSE_TRANSDATA_H_
#define ASCENDC_LIB_TRANSPOSE_TRANSDATA_H_

#include "ascendc/adv_api/transpose/transdata.h"

#endif /* ASCENDC_LIB_TRANSPOSE_TRANSDATA_H_ */
