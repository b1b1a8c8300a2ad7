/* SPDX-License-Identifier: Apache-2.0 */
/* Programs include the header by this name too. */
#ifndef HCCL_INCLUDE_HCOMM_PRIMITIVES_H_
#define HCCL_INCLUDE_HCOMM_PRIMITIVES_H_

#include "hcomm/hcomm_primitives.h"

#endif /* HCCL_INCLUDE_HCOMM_PRIMITIVES_H_ */
