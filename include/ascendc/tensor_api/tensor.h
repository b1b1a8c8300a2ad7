/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tensor API (AscendC::Te): layouts, tensors, copies and products. Other architectures than
 * 3510 have layouts and tensors, and refuse copies and products.
 */
#ifndef ASCENDC_TENSOR_API_TENSOR_H_
#define ASCENDC_TENSOR_API_TENSOR_H_

#include "ascendc/impl/te_copy.h"
#include "ascendc/impl/te_cube.h"
#include "ascendc/impl/te_layout.h"
#include "ascendc/impl/te_squeeze.h"
#include "ascendc/impl/te_tensor.h"

#endif /* ASCENDC_TENSOR_API_TENSOR_H_ */
