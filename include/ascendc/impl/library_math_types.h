/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configurations of mathematical functions that host code and kernels share. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_MATH_TYPES_H_
#define ASCENDC_IMPL_LIBRARY_MATH_TYPES_H_

namespace AscendC {

enum class SinAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
struct SinConfig {
  SinAlgo algo = SinAlgo::POLYNOMIAL_APPROXIMATION;
};
enum class CosAlgo { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
struct CosConfig {
  CosAlgo algo = CosAlgo::POLYNOMIAL_APPROXIMATION;
};

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_MATH_TYPES_H_ */
