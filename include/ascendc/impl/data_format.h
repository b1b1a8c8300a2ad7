/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of tensors, for kernels and host code. C++11.
 */
#ifndef ASCENDC_IMPL_DATA_FORMAT_H_
#define ASCENDC_IMPL_DATA_FORMAT_H_

#include <stdint.h>

namespace AscendC {

enum class DataFormat : uint8_t {
  ND = 0,
  NZ = 1,
  NCHW = 2,
  NC1HWC0 = 3,
  NHWC = 4,
  NCDHW = 5,
  NDC1HWC0 = 6,
  FRACTAL_Z_3D = 7
};

struct TransDataConfig {
  DataFormat srcFormat;
  DataFormat dstFormat;
};

}  // namespace AscendC

#endif /* ASCENDC_IMPL_DATA_FORMAT_H_ */
