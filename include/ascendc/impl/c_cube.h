/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of the cube unit: its functions take pointers into the memories of the unit.
 */
#ifndef ASCENDC_IMPL_C_CUBE_H_
#define ASCENDC_IMPL_C_CUBE_H_

#include "ascendc/impl/copy.h"
#include "ascendc/impl/cube_unit.h"

namespace aclsim_c {

/* The tensor of `elements` elements at a pointer into a memory. */
template <typename T>
AscendC::LocalTensor<T> tensor_at(const T* at, AscendC::TPosition position, uint64_t elements) {
  AscendC::TBuffAddr address;
  address.dataLen = static_cast<uint32_t>(elements * sizeof(T) / aclsim_element::per_byte<T>);
  address.bufferAddr = static_cast<uint32_t>(aclsimLocalOffset(at));
  address.logicPos = static_cast<uint8_t>(position);
  address.absAddr = reinterpret_cast<uint8_t*>(const_cast<T*>(at));
  AscendC::LocalTensor<T> made;
  made.SetAddr(address);
  return made;
}
}  // namespace aclsim_c

#if ACLSIM_NPU_ARCH == 3510
namespace aclsim_c {
/* Fractals of scales have 32 bytes: `x_step` groups of rows or columns with `y_step` fractals
   each. Strides and positions are in fractals. */
ACLSIM_THROUGH void load_scales(AscendC::TPosition position, uint64_t dst, const fp8_e8m0_t* src,
                                uint16_t x_start_pos, uint16_t y_start_pos, uint8_t x_step,
                                uint8_t y_step, uint16_t src_stride, uint16_t dst_stride,
                                const void* site) {
  constexpr uint64_t kFractal = 32;
  constexpr uint64_t kLargestMemory = uint64_t{1} << 20;
  if (x_step == 0 || y_step == 0) return;
  const auto reach = [&](uint64_t stride) { return (stride * (x_step - 1U) + y_step) * kFractal; };
  /* An address of L0A or L0B divided by 16, which loses bits that are 0. */
  const uint64_t offset = dst < kLargestMemory / 16
                              ? dst
                              : aclsimLocalOffset(reinterpret_cast<const void*>(dst * 16)) / 16;
  auto* const to = static_cast<fp8_e8m0_t*>(
      aclsimLocalAddress(static_cast<uint32_t>(position), offset, reach(dst_stride), site));
  const auto from = src + (uint64_t{x_start_pos} * src_stride + y_start_pos) * kFractal;
  AscendC::DataCopyParams p;
  p.blockCount = x_step;
  p.blockLen = y_step;
  p.srcGap = static_cast<uint16_t>(src_stride - y_step);
  p.dstGap = static_cast<uint16_t>(dst_stride - y_step);
  AscendC::DataCopy(tensor_at(to, position, reach(dst_stride)),
                    tensor_at(from, AscendC::TPosition::A1, reach(src_stride)), p);
}
}  // namespace aclsim_c

/* `dst`: the address of the matrix in L0A or L0B, divided by 16. */
#define ACLSIM_C_SCALES(NAME, POSITION)                                                            \
  ACLSIM_API inline void NAME(uint64_t dst, __cbuf__ fp8_e8m0_t* src, uint16_t x_start_pos,        \
                              uint16_t y_start_pos, uint8_t x_step, uint8_t y_step,                \
                              uint16_t src_stride, uint16_t dst_stride) {                          \
    aclsim_c::load_scales(static_cast<AscendC::TPosition>(POSITION), dst, src, x_start_pos,        \
                          y_start_pos, x_step, y_step, src_stride, dst_stride, ACLSIM_SITE);       \
  }                                                                                                \
  ACLSIM_API inline void NAME##_sync(uint64_t dst, __cbuf__ fp8_e8m0_t* src, uint16_t x_start_pos, \
                                     uint16_t y_start_pos, uint8_t x_step, uint8_t y_step,         \
                                     uint16_t src_stride, uint16_t dst_stride) {                   \
    NAME(dst, src, x_start_pos, y_start_pos, x_step, y_step, src_stride, dst_stride);              \
    aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE);                                                      \
  }
ACLSIM_C_SCALES(asc_copy_l12l0a_mx, ACLSIM_POSITION_SCALES_A)
ACLSIM_C_SCALES(asc_copy_l12l0b_mx, ACLSIM_POSITION_SCALES_B)
#undef ACLSIM_C_SCALES
#endif

#endif /* ASCENDC_IMPL_C_CUBE_H_ */
