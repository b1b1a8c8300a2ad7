/* SPDX-License-Identifier: Apache-2.0 */
/* Programs include the header by this name too. */
#ifndef HCCL_INCLUDE_HCOMM_RES_DEFS_H_
#define HCCL_INCLUDE_HCOMM_RES_DEFS_H_

#include "hcomm/hcomm_res_defs.h"

#endif /* HCCL_INCLUDE_HCOMM_RES_DEFS_H_ */
