/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_LIB_MATRIX_MATMUL_MATMUL_H_
#define ASCENDC_LIB_MATRIX_MATMUL_MATMUL_H_

#include "ascendc/impl/matmul.h"
#include "ascendc/kernel_operator.h"

#endif /* ASCENDC_LIB_MATRIX_MATMUL_MATMUL_H_ */
