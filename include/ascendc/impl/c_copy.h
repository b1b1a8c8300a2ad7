/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of copies between global memory and the unified buffer.
 */
#ifndef ASCENDC_IMPL_C_COPY_H_
#define ASCENDC_IMPL_C_COPY_H_

#include "ascendc/impl/copy.h"

enum class asc_load_l2_cache_mode : uint8_t {
  NORMAL_FIRST_VICTIM = 0,
  NORMAL_LAST_VICTIM = 1,
  NORMAL_PERSISTENT = 2,
  NOTALLOC_KEEP = 4,
  NOTALLOC_CLEAN = 5,
  NOTALLOC_DROP = 6
};
enum class asc_store_l2_cache_mode : uint8_t {
  NORMAL_FIRST_VICTIM = 0,
  NORMAL_LAST_VICTIM = 1,
  NORMAL_PERSISTENT = 2,
  NOTALLOC_CLEAN = 4
};

namespace aclsim_c {

inline aclsimOperand at(const void* address, AscendC::TPosition position, uint8_t access) {
  aclsimOperand operand{};
  operand.address = const_cast<void*>(address);
  operand.block_stride = 1;
  operand.repeat_stride = 8;
  operand.element = ACLSIM_UINT8;
  operand.position = static_cast<uint8_t>(position);
  operand.access = access | ACLSIM_POINTER;
  return operand;
}

/* Blocks of bytes; steps from the start of a block to the start of the next, in bytes. */
struct Copy {
  uint32_t blocks;
  uint32_t bytes;
  int64_t from_step;
  int64_t to_step;
};

inline aclsimMove move_of(const Copy& copy) {
  aclsimMove move = AscendC::aclsim_copy::one_row(copy.bytes);
  move.count[0] = copy.blocks;
  move.from_step[0] = copy.from_step;
  move.to_step[0] = copy.to_step;
  return move;
}
inline void issue_in(uint16_t opcode, const aclsimMove& move, void* dst, const void* src,
                     const void* site) {
  using AscendC::TPosition;
  if (move.count[0] == 0 || move.row == 0) return;
  AscendC::aclsim_copy::issue(opcode, move, at(dst, TPosition::VECIN, ACLSIM_WRITES),
                              at(src, TPosition::GM, ACLSIM_READS), move.count[0], site);
}
inline void issue_out(uint16_t opcode, const aclsimMove& move, void* dst, const void* src,
                      const void* site) {
  using AscendC::TPosition;
  if (move.count[0] == 0 || move.row == 0) return;
  AscendC::aclsim_copy::issue(opcode, move, at(dst, TPosition::GM, ACLSIM_WRITES),
                              at(src, TPosition::VECOUT, ACLSIM_READS), move.count[0], site);
}

/* Each block is filled up to 32 bytes, except for blocks without a gap. */
inline void padded_in(const Copy& copy, void* dst, const void* src, uint32_t left, uint32_t right,
                      bool constant, uint32_t width, const void* site) {
  aclsimMove move = move_of(copy);
  constexpr uint32_t kMost = ACLSIM_MOST_PAD_SIDE;
  if (left * width > kMost || right * width > kMost) {
    aclsimViolation("asc_copy_gm2ub_align: bytes of padding on one side",
                    (left > right ? left : right) * width, kMost, site);
  }
  const bool dense = copy.blocks > 1 && copy.to_step == static_cast<int64_t>(copy.bytes);
  move.left = left * width;
  if (!dense) move.padded = (copy.bytes + (left + right) * width + 31) / 32 * 32;
  if (!constant) {
    move.pad_bytes = width;
    move.pad_with_first = 1;
  }
  issue_in(ACLSIM_MOVE_PADDED, move, dst, src, site);
}

}  // namespace aclsim_c

/* `size` bytes, a multiple of 32. */
ACLSIM_API inline void asc_copy_gm2ub(__ubuf__ void* dst, __gm__ void* src, uint32_t size) {
  aclsim_c::issue_in(ACLSIM_MOVE_COPY, aclsim_c::move_of({1, size, 0, 0}), dst, src, ACLSIM_SITE);
}
ACLSIM_API inline void asc_copy_ub2gm(__gm__ void* dst, __ubuf__ void* src, uint32_t size) {
  aclsim_c::issue_out(ACLSIM_MOVE_COPY, aclsim_c::move_of({1, size, 0, 0}), dst, src, ACLSIM_SITE);
}
/* Any number of bytes. */
template <typename T, typename U, std::enable_if_t<sizeof(T) == sizeof(U), int> = 0>
ACLSIM_API void asc_copy_gm2ub_align(__ubuf__ T* dst, __gm__ U* src, uint32_t size) {
  aclsim_c::padded_in({1, size, 0, 0}, dst, src, 0, 0, true, sizeof(T), ACLSIM_SITE);
}
template <typename T, typename U, std::enable_if_t<sizeof(T) == sizeof(U), int> = 0>
ACLSIM_API void asc_copy_ub2gm_align(__gm__ T* dst, __ubuf__ U* src, uint32_t size) {
  aclsim_c::issue_out(ACLSIM_MOVE_PADDED, aclsim_c::move_of({1, size, 0, 0}), dst, src,
                      ACLSIM_SITE);
}
template <typename T>
ACLSIM_THROUGH void asc_set_copy_pad_val(T pad_value) {
  AscendC::SetPadValue(pad_value);
}

/* The same, and all pipes wait for the end. */
#define ACLSIM_C_COPY_SYNC(name, To, From)                              \
  ACLSIM_API inline void name##_sync(To dst, From src, uint32_t size) { \
    name(dst, src, size);                                               \
    aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE);                           \
  }
#define ACLSIM_C_ALIGN_SYNC(name)                                                      \
  template <typename T, typename U, std::enable_if_t<sizeof(T) == sizeof(U), int> = 0> \
  ACLSIM_API void name##_sync(T* dst, U* src, uint32_t size) {                         \
    name(dst, src, size);                                                              \
    aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE);                                          \
  }
ACLSIM_C_COPY_SYNC(asc_copy_gm2ub, __ubuf__ void*, __gm__ void*)
ACLSIM_C_COPY_SYNC(asc_copy_ub2gm, __gm__ void*, __ubuf__ void*)
ACLSIM_C_ALIGN_SYNC(asc_copy_gm2ub_align)
ACLSIM_C_ALIGN_SYNC(asc_copy_ub2gm_align)
#undef ACLSIM_C_COPY_SYNC
#undef ACLSIM_C_ALIGN_SYNC

#if ACLSIM_NPU_ARCH == 3510
/* Lengths and strides in bytes. */
ACLSIM_API inline void asc_copy_gm2ub(__ubuf__ void* dst, __gm__ void* src, uint16_t n_burst,
                                      uint32_t len_burst, uint64_t src_stride,
                                      uint32_t dst_stride) {
  const aclsim_c::Copy copy = {n_burst, len_burst, static_cast<int64_t>(src_stride), dst_stride};
  aclsim_c::issue_in(ACLSIM_MOVE_COPY, aclsim_c::move_of(copy), dst, src, ACLSIM_SITE);
}
ACLSIM_API inline void asc_copy_ub2gm(__gm__ void* dst, __ubuf__ void* src, uint16_t n_burst,
                                      uint32_t len_burst, uint64_t dst_stride,
                                      uint32_t src_stride) {
  const aclsim_c::Copy copy = {n_burst, len_burst, src_stride, static_cast<int64_t>(dst_stride)};
  aclsim_c::issue_out(ACLSIM_MOVE_COPY, aclsim_c::move_of(copy), dst, src, ACLSIM_SITE);
}

/* Caches change no results here. */
template <typename T, typename U, typename Mode, std::enable_if_t<sizeof(T) == sizeof(U), int> = 0>
ACLSIM_API void asc_copy_gm2ub_align(__ubuf__ T* dst, __gm__ U* src, uint16_t n_burst,
                                     uint32_t len_burst, uint8_t left_padding_num,
                                     uint8_t right_padding_num, bool enable_constant_pad,
                                     Mode /*l2_cache_mode*/, uint64_t src_stride,
                                     uint32_t dst_stride) {
  const aclsim_c::Copy copy = {n_burst, len_burst, static_cast<int64_t>(src_stride), dst_stride};
  aclsim_c::padded_in(copy, dst, src, left_padding_num, right_padding_num, enable_constant_pad,
                      sizeof(T), ACLSIM_SITE);
}
template <typename T, typename U, typename Mode, std::enable_if_t<sizeof(T) == sizeof(U), int> = 0>
ACLSIM_API void asc_copy_ub2gm_align(__gm__ T* dst, __ubuf__ U* src, uint16_t n_burst,
                                     uint32_t len_burst, Mode /*l2_cache_mode*/,
                                     uint64_t dst_stride, uint32_t src_stride) {
  const aclsim_c::Copy copy = {n_burst, len_burst, src_stride, static_cast<int64_t>(dst_stride)};
  aclsim_c::issue_out(ACLSIM_MOVE_PADDED, aclsim_c::move_of(copy), dst, src, ACLSIM_SITE);
}
#else
/* Lengths and gaps in units of 32 bytes; a gap is from the end of a block to the next. */
ACLSIM_API inline void asc_copy_gm2ub(__ubuf__ void* dst, __gm__ void* src, uint16_t n_burst,
                                      uint16_t len_burst, uint16_t src_gap, uint16_t dst_gap) {
  const aclsim_c::Copy copy = {n_burst, len_burst * 32U, (len_burst + src_gap) * int64_t{32},
                               (len_burst + dst_gap) * int64_t{32}};
  aclsim_c::issue_in(ACLSIM_MOVE_COPY, aclsim_c::move_of(copy), dst, src, ACLSIM_SITE);
}
ACLSIM_API inline void asc_copy_ub2gm(__gm__ void* dst, __ubuf__ void* src, uint16_t n_burst,
                                      uint16_t len_burst, uint16_t src_gap, uint16_t dst_gap) {
  const aclsim_c::Copy copy = {n_burst, len_burst * 32U, (len_burst + src_gap) * int64_t{32},
                               (len_burst + dst_gap) * int64_t{32}};
  aclsim_c::issue_out(ACLSIM_MOVE_COPY, aclsim_c::move_of(copy), dst, src, ACLSIM_SITE);
}
#endif

#endif /* ASCENDC_IMPL_C_COPY_H_ */
