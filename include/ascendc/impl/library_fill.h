/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fill: writes one value to global memory by way of the first bytes of the unified buffer. A
 * program calls it before it takes memory with InitBuffer, and lets MTE2 (or the vector pipe,
 * before another Fill) wait for MTE3 afterwards.
 */
#ifndef ASCENDC_IMPL_LIBRARY_FILL_H_
#define ASCENDC_IMPL_LIBRARY_FILL_H_

#include "ascendc/impl/copy.h"
#include "ascendc/impl/vector_issue.h"

namespace aclsim_library {

template <typename T>
void fill(const AscendC::GlobalTensor<T>& to, uint64_t size, T value, const void* site) {
  constexpr uint64_t kPiece = 16384 / sizeof(T);
  if (size == 0) return;
  const uint64_t piece = size < kPiece ? size : kPiece;
  const AscendC::LocalTensor<T> local(AscendC::TPosition::VECCALC, 0, static_cast<uint32_t>(piece));
  aclsim_vector::Issue(ACLSIM_OP_Duplicate, site)
      .to(local)
      .scalar(value)
      .count(static_cast<int64_t>(piece));
  constexpr auto kEvent = static_cast<uint32_t>(AscendC::HardEvent::V_MTE3);
  const int32_t id = aclsimEventId(kEvent, 0);
  aclsimSetFlag(kEvent, id, site);
  aclsimWaitFlag(kEvent, id, site);
  for (uint64_t done = 0; done < size; done += piece) {
    const uint64_t here = size - done < piece ? size - done : piece;
    AscendC::aclsim_copy::padded_out(to[done].aclsim_operand(ACLSIM_WRITES),
                                     local.aclsim_operand(ACLSIM_READS), 1,
                                     static_cast<uint32_t>(here * sizeof(T)), 0, 0, site);
  }
}

}  // namespace aclsim_library

namespace AscendC {

template <typename T>
ACLSIM_API void Fill(const GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size, const T value) {
  ACLSIM_TYPES(Fill, T, B16_B32, ALL);
  aclsim_library::fill(gmWorkspaceAddr, size, value, ACLSIM_SITE);
}
/* The older name. */
template <typename T>
ACLSIM_API void InitGlobalMemory(const GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size,
                                 const T value) {
  ACLSIM_TYPES(InitGlobalMemory, T, B16_B32, ALL);
  aclsim_library::fill(gmWorkspaceAddr, size, value, ACLSIM_SITE);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_FILL_H_ */
