/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel programming interface, on the host. Each part is in a header of its own below impl/.
 */
#ifndef ASCENDC_KERNEL_OPERATOR_H_
#define ASCENDC_KERNEL_OPERATOR_H_

#if __cplusplus < 201703L
#error "kernels need C++17; expected -std=c++17 or later"
#endif

#include "ascendc/adv_api/kernel_api.h"
#include "ascendc/impl/copy.h"
#include "ascendc/impl/cube_unit.h"
#include "ascendc/impl/debug.h"
#include "ascendc/impl/names.h"
#include "ascendc/impl/nddma.h"
#include "ascendc/impl/pipe.h"
#include "ascendc/impl/refused.h"
#include "ascendc/impl/reg.h"
#include "ascendc/impl/scalar_atomics.h"
#include "ascendc/impl/sync.h"
#include "ascendc/impl/system.h"
#include "ascendc/impl/tensor.h"
#include "ascendc/impl/tensor_list.h"
#include "ascendc/impl/tiling_data.h"
#include "ascendc/impl/types.h"
#include "ascendc/impl/vector.h"

#endif /* ASCENDC_KERNEL_OPERATOR_H_ */
