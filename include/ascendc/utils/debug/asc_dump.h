/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory behind a pointer, shown as DumpTensor shows a tensor.
 */
#ifndef ASCENDC_UTILS_DEBUG_ASC_DUMP_H_
#define ASCENDC_UTILS_DEBUG_ASC_DUMP_H_

#include "ascendc/kernel_operator.h"

namespace aclsim_debug {

/* Address spaces are not part of types here: the address determines the memory. */
inline AscendC::TPosition position_of(const void* address) {
  using P = AscendC::TPosition;
  for (const P position : {P::VECCALC, P::A1, P::A2, P::B2, P::CO1, P::C2, P::C2PIPE2GM}) {
    const auto number = static_cast<uint32_t>(position);
    const auto begin = reinterpret_cast<uint64_t>(aclsimLocalAddress(number, 0, 0, nullptr));
    if (reinterpret_cast<uint64_t>(address) - begin < aclsimLocalSize(number)) return position;
  }
  return P::GM;
}

template <typename T>
void dump_pointer(const T* input, uint32_t desc, uint32_t elements) {
  if (aclsimThisCore()->kind == ACLSIM_NO_CORE) return;
  aclsimOperand operand{};
  operand.address = const_cast<T*>(input);
  operand.element = aclsim_element::of<T>;
  operand.position = static_cast<uint8_t>(position_of(input));
  aclsimDumpTensor(&operand, desc, elements, 0, nullptr);
}

}  // namespace aclsim_debug

namespace __asc_aicore {

#define ACLSIM_DUMP_POINTER(NAME)                          \
  template <typename T>                                    \
  void NAME(T* input, uint32_t desc, uint32_t dump_size) { \
    aclsim_debug::dump_pointer<T>(input, desc, dump_size); \
  }
ACLSIM_DUMP_POINTER(asc_dump)
ACLSIM_DUMP_POINTER(asc_dump_gm)
ACLSIM_DUMP_POINTER(asc_dump_ubuf)
ACLSIM_DUMP_POINTER(asc_dump_cbuf)
ACLSIM_DUMP_POINTER(asc_dump_l1buf)
#undef ACLSIM_DUMP_POINTER

#if ACLSIM_NPU_ARCH == 3510
template <typename T, typename U, aclsim_reg::if_reg<U> = 0>
void asc_dump_reg(U& input, uint32_t desc, uint32_t dump_size) {
  static_assert(std::is_same_v<T, typename U::ActualT>,
                "asc_dump_reg: T is not the type of the register");
  aclsim_debug::dump_pointer<T>(reinterpret_cast<T*>(input.aclsim_bytes), desc, dump_size);
}
template <typename T, typename U, aclsim_reg::if_reg<U> = 0>
void asc_dump(U& input, uint32_t desc, uint32_t dump_size) {
  asc_dump_reg<T>(input, desc, dump_size);
}
#else
template <typename T, typename U>
void asc_dump_reg(U& /*input*/, uint32_t /*desc*/, uint32_t /*dump_size*/) {
  static_assert(sizeof(U) == 0, "asc_dump_reg needs architecture 3510 (docs/kernels.md)");
}
#endif

}  // namespace __asc_aicore

using __asc_aicore::asc_dump;
using __asc_aicore::asc_dump_cbuf;
using __asc_aicore::asc_dump_gm;
using __asc_aicore::asc_dump_l1buf;
using __asc_aicore::asc_dump_reg;
using __asc_aicore::asc_dump_ubuf;

#endif /* ASCENDC_UTILS_DEBUG_ASC_DUMP_H_ */
