/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_SIMT_API_DEVICE_FUNCTIONS_H_
#define ASCENDC_SIMT_API_DEVICE_FUNCTIONS_H_

#include "ascendc/impl/simt.h"

#endif /* ASCENDC_SIMT_API_DEVICE_FUNCTIONS_H_ */
