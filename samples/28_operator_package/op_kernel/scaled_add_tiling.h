/* SPDX-License-Identifier: Apache-2.0 */
/* The tiling data of ScaledAdd, which the host writes and the kernel reads. */
#ifndef SCALED_ADD_TILING_H_
#define SCALED_ADD_TILING_H_

#include <cstdint>

struct ScaledAddTiling {
  uint32_t total;    /* elements */
  uint32_t per_core; /* of each core but the last one; a multiple of `per_tile` */
  uint32_t per_tile; /* elements in one buffer */
  float factor;
};

#endif /* SCALED_ADD_TILING_H_ */
