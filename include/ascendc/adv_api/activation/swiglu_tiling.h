/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_ADV_API_ACTIVATION_SWIGLU_TILING_H_
#define ASCENDC_ADV_API_ACTIVATION_SWIGLU_TILING_H_

#include "ascendc/impl/refused_tiling.h"

#endif /* ASCENDC_ADV_API_ACTIVATION_SWIGLU_TILING_H_ */
