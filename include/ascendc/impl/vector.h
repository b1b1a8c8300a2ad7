/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector unit's part of the kernel programming interface.
 */
#ifndef ASCENDC_IMPL_VECTOR_H_
#define ASCENDC_IMPL_VECTOR_H_

#include "ascendc/impl/vector_arithmetic.h"
#include "ascendc/impl/vector_compare.h"
#include "ascendc/impl/vector_convert.h"
#include "ascendc/impl/vector_gather.h"
#include "ascendc/impl/vector_mask.h"
#include "ascendc/impl/vector_reduce.h"
#include "ascendc/impl/vector_scalar.h"
#include "ascendc/impl/vector_sort.h"

#endif /* ASCENDC_IMPL_VECTOR_H_ */
