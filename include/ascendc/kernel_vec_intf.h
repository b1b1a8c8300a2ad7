/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_KERNEL_VEC_INTF_H_
#define ASCENDC_KERNEL_VEC_INTF_H_

#include "ascendc/kernel_operator.h"

#endif /* ASCENDC_KERNEL_VEC_INTF_H_ */
