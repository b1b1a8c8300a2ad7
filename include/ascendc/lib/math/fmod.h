/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATH_FMOD_H_
#define ASCENDC_LIB_MATH_FMOD_H_

#include "ascendc/adv_api/math/fmod.h"

#endif /* ASCENDC_LIB_MATH_FMOD_H_ */
