/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DataCopy of up to five axes from global memory into the unified buffer, with padding on both
 * sides of each axis. Only architecture 3510 has it.
 */
#ifndef ASCENDC_IMPL_NDDMA_H_
#define ASCENDC_IMPL_NDDMA_H_

#include "ascendc/impl/copy.h"

namespace AscendC {

struct NdDmaConfig {
  static constexpr uint16_t unsetPad = 0xffff;
  bool isNearestValueMode = false; /* padding repeats the first or the last element of its axis */
  uint16_t loopLpSize = unsetPad;  /* of all axes, in elements; otherwise the axes have their own */
  uint16_t loopRpSize = unsetPad;
  bool ascOptimize = false;
};
inline constexpr NdDmaConfig kDefaultNdDmaConfig = {};

/* For each axis, the innermost first: strides and sizes in elements. */
template <uint8_t dim>
struct NdDmaLoopInfo {
  static_assert(dim >= 1 && dim <= ACLSIM_AXES, "AscendC::NdDmaLoopInfo: expected 1 to 5 axes");
  uint64_t loopSrcStride[dim] = {0};
  uint32_t loopDstStride[dim] = {0};
  uint32_t loopSize[dim] = {0};
  uint8_t loopLpSize[dim] = {0};
  uint8_t loopRpSize[dim] = {0};
};
template <typename T, uint8_t dim>
struct NdDmaParams {
  NdDmaLoopInfo<dim> loopInfo;
  T constantValue; /* of the padding, unless it repeats the nearest element */
};
using MultiCopyConfig = NdDmaConfig;
template <uint8_t dim>
using MultiCopyLoopInfo = NdDmaLoopInfo<dim>;
template <typename T, uint8_t dim>
using MultiCopyParams = NdDmaParams<T, dim>;

#if ACLSIM_NPU_ARCH == 3510
/* Caches change no results here. */
inline void NdDmaDci() {}
#endif

namespace aclsim_copy {
inline void require_below(const char* what, uint64_t value, uint64_t end, const void* site) {
  if (value >= end) aclsimViolation(what, value, end - 1, site);
}
}  // namespace aclsim_copy

template <typename T, uint8_t dim, const NdDmaConfig& config = kDefaultNdDmaConfig>
ACLSIM_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                         const NdDmaParams<T, dim>& params) {
  static_assert(ACLSIM_NPU_ARCH == 3510 || sizeof(T) == 0,
                "AscendC::DataCopy with NdDmaParams needs architecture 3510");
  static_assert(!config.isNearestValueMode || sizeof(T) < 8,
                "AscendC::DataCopy with NdDmaParams: elements of 8 bytes have no padding with the "
                "nearest value");
  static_assert((config.loopLpSize <= 255 || config.loopLpSize == NdDmaConfig::unsetPad) &&
                    (config.loopRpSize <= 255 || config.loopRpSize == NdDmaConfig::unsetPad),
                "AscendC::NdDmaConfig: the padding is 0 to 255 elements, or unsetPad");
  const void* const site = ACLSIM_SITE;
  aclsimAxes axes{};
  axes.size = sizeof axes;
  axes.width = sizeof(T);
  axes.axes = dim;
  axes.nearest = config.isNearestValueMode ? 1 : 0;
  std::memcpy(&axes.pad_value, &params.constantValue, sizeof(T));
  for (uint32_t i = 0; i < dim; ++i) {
    const auto& loops = params.loopInfo;
    constexpr uint64_t kSizes = uint64_t{1} << 20;
    if (loops.loopSize[i] == 0) {
      aclsimViolation("DataCopy: loopSize is 0; expected 1 to 1048575", 0, 0, site);
    }
    aclsim_copy::require_below("DataCopy: loopSize", loops.loopSize[i], kSizes, site);
    aclsim_copy::require_below("DataCopy: loopDstStride", loops.loopDstStride[i], kSizes, site);
    aclsim_copy::require_below("DataCopy: loopSrcStride", loops.loopSrcStride[i], uint64_t{1} << 40,
                               site);
    aclsimAxis& axis = axes.axis[i];
    axis.from_step = loops.loopSrcStride[i] * sizeof(T);
    axis.to_step = uint64_t{loops.loopDstStride[i]} * sizeof(T);
    axis.count = loops.loopSize[i];
    axis.before =
        config.loopLpSize != NdDmaConfig::unsetPad ? config.loopLpSize : loops.loopLpSize[i];
    axis.behind =
        config.loopRpSize != NdDmaConfig::unsetPad ? config.loopRpSize : loops.loopRpSize[i];
  }
  aclsimInstruction instruction;
  std::memset(&instruction, 0, offsetof(aclsimInstruction, operand));
  instruction.size = sizeof instruction;
  instruction.opcode = ACLSIM_MOVE_AXES;
  instruction.pipe = PIPE_MTE2;
  instruction.operands = 2;
  instruction.repeat = 1;
  instruction.site = site;
  instruction.more = &axes;
  instruction.operand[0] = dst.aclsim_operand(ACLSIM_WRITES);
  instruction.operand[1] = src.aclsim_operand(ACLSIM_READS);
  aclsimIssue(&instruction);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_NDDMA_H_ */
