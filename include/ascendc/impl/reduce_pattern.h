/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which axes of a tensor a reduction removes (R) and keeps (A). C++11.
 */
#ifndef ASCENDC_IMPL_REDUCE_PATTERN_H_
#define ASCENDC_IMPL_REDUCE_PATTERN_H_

#include <stdint.h>

namespace AscendC {

enum class ReducePattern : uint32_t {
  AR = 0,
  RA = 1,
  R,
  ARA,
  ARAR,
  ARARA,
  ARARAR,
  ARARARA,
  ARARARAR,
  ARARARARA,
  RAR,
  RARA,
  RARAR,
  RARARA,
  RARARAR,
  RARARARA,
};

}  // namespace AscendC

#endif /* ASCENDC_IMPL_REDUCE_PATTERN_H_ */
