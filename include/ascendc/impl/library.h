/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call of the high-level library, as one instruction of the vector pipe. The templates of
 * library_*.h only fill in the structure; libascendc_runtime checks, orders and computes it.
 */
#ifndef ASCENDC_IMPL_LIBRARY_H_
#define ASCENDC_IMPL_LIBRARY_H_

#include "ascendc/impl/library_rows.h"
#include "ascendc/impl/opcodes.h"
#include "ascendc/impl/vector_issue.h"

#define ACLSIM_LIBRARY_OPERANDS 16
#define ACLSIM_LIBRARY_NUMBERS 24

enum aclsimLibraryCallFlag { ACLSIM_REUSES_SOURCE = 1 /* isReuseSource: sources may change */ };

/* An operand that a call lacks has no element type. The meaning of the numbers depends on the
 * function. */
typedef struct aclsimLibraryCall {
  uint32_t size;
  uint16_t operands;
  uint16_t numbers;
  uint32_t flags; /* aclsimLibraryCallFlag */
  uint32_t reserved;
  int64_t number[ACLSIM_LIBRARY_NUMBERS];
  aclsimOperand operand[ACLSIM_LIBRARY_OPERANDS];
} aclsimLibraryCall;

namespace aclsim_library {

using aclsim_vector::IsTensor;
using AscendC::LocalTensor;

/* Whether the function has this element type on the architecture. */
template <typename T>
constexpr bool has_type(uint16_t function) {
  switch (function) {
#define ACLSIM_LIBRARY_TYPE(number, name, shape, operands, old_types, new_types, temporary, flags) \
  case number:                                                                                     \
    return aclsim_vector::among<T>(ACLSIM_SET_OF(ACLSIM_HERE(old_types, new_types)));
    ACLSIM_LIBRARY_ROWS(ACLSIM_LIBRARY_TYPE)
#undef ACLSIM_LIBRARY_TYPE
    default:
      return false;
  }
}

#define ACLSIM_LIBRARY_TYPES(Name, T)                                          \
  static_assert(aclsim_library::has_type<T>(ACLSIM_LIB_##Name),                \
                "AscendC::" #Name                                              \
                ": there is no such function for this type of tensor on this " \
                "architecture (docs/kernel_functions.md)")

/* Operands in the order of the row, then numbers. */
class Call {
 public:
  Call(uint16_t function, const void* site, bool reuses = false)
      : function_(function), site_(site), call_() {
    call_.size = sizeof(aclsimLibraryCall);
    call_.flags = reuses ? ACLSIM_REUSES_SOURCE : 0;
  }
  template <typename T>
  Call& to(const LocalTensor<T>& tensor) {
    return operand(tensor.aclsim_operand(ACLSIM_WRITES));
  }
  template <typename T>
  Call& onto(const LocalTensor<T>& tensor) {
    return operand(tensor.aclsim_operand(ACLSIM_READS | ACLSIM_WRITES));
  }
  template <typename T>
  Call& from(const LocalTensor<T>& tensor) {
    return operand(tensor.aclsim_operand(ACLSIM_READS));
  }
  /* An operand that this call lacks. */
  Call& none() { return operand(aclsimOperand()); }
  Call& number(int64_t value) {
    call_.number[call_.numbers++] = value;
    return *this;
  }
  /* The bits of a value of the kernel's type. */
  template <typename T>
  Call& value(T value) {
    return number(static_cast<int64_t>(aclsim_vector::bits_of(value)));
  }
  /* A source that is a tensor or a value: an operand or none, and a number. */
  template <typename T, typename U>
  Call& tensor_or_value(const U& given) {
    if constexpr (IsTensor<U>::value) {
      from(given);
    } else {
      none();
      values_[kept_++] = aclsim_vector::bits_of(static_cast<T>(given));
    }
    return *this;
  }
  /* The values that tensor_or_value has kept, as numbers. */
  Call& values() {
    for (uint32_t i = 0; i < kept_; ++i) number(static_cast<int64_t>(values_[i]));
    return *this;
  }
  /* On a cube core the functions of the library do nothing. */
  void go() {
    if (ASCEND_IS_AIC) return;
    aclsimInstruction instruction{};
    instruction.size = sizeof(aclsimInstruction);
    instruction.opcode = static_cast<uint16_t>(ACLSIM_LIBRARY_FIRST + function_);
    instruction.pipe = PIPE_V;
    instruction.site = site_;
    instruction.more = &call_;
    aclsimIssue(&instruction);
  }

 private:
  Call& operand(const aclsimOperand& operand) {
    call_.operand[call_.operands++] = operand;
    return *this;
  }
  uint16_t function_;
  const void* site_;
  aclsimLibraryCall call_;
  uint64_t values_[2] = {};
  uint32_t kept_ = 0;
};

}  // namespace aclsim_library

#endif /* ASCENDC_IMPL_LIBRARY_H_ */
