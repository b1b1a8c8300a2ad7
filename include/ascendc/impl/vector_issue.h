/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the templates of vector_*.h fill in an instruction.
 */
#ifndef ASCENDC_IMPL_VECTOR_ISSUE_H_
#define ASCENDC_IMPL_VECTOR_ISSUE_H_

#include "ascendc/impl/limit_rows.h"
#include "ascendc/impl/vector_rows.h"
#include "ascendc/impl/vector_types.h"

#if ACLSIM_NPU_ARCH == 3510
#define ACLSIM_HERE(old_types, new_types) new_types
#else
#define ACLSIM_HERE(old_types, new_types) old_types
#endif

/* Stops the compilation where T is none of the types of the row, with their names. */
#define ACLSIM_TYPES(Name, T, old_types, new_types)                                        \
  static_assert(aclsim_vector::among<T>(ACLSIM_SET_OF(ACLSIM_HERE(old_types, new_types))), \
                "AscendC::" #Name ": the tensors' type is none of: " ACLSIM_TEXT_OF(       \
                    ACLSIM_HERE(old_types, new_types)))
/* The same of a row of limit_rows.h. */
#define ACLSIM_TYPES_OF(Name, T) ACLSIM_TYPES(Name, T, ACLSIM_TYPES_##Name, ACLSIM_TYPES_##Name)
#define ACLSIM_PAIR_OF(Name, D, S)                                                 \
  static_assert(aclsim_vector::pair_modes(ACLSIM_OP_##Name, aclsim_element::of<D>, \
                                          aclsim_element::of<S>) != 0,             \
                "AscendC::" #Name                                                  \
                ": no such types of destination and source on this architecture")

namespace aclsim_vector {

using AscendC::LocalTensor;

template <typename T>
constexpr bool among(uint32_t types) {
  return aclsim_element::of<T> < 32 && ((types >> aclsim_element::of<T>)&1U) != 0;
}

/* The rounding modes that a pair of types takes here; 0: there is no such pair. */
constexpr uint32_t pair_modes(uint16_t opcode, uint8_t dst, uint8_t src) {
#define ACLSIM_PAIR(name, to, from, old_modes, new_modes)                         \
  if (opcode == ACLSIM_OP_##name && dst == ACLSIM_##to && src == ACLSIM_##from) { \
    return ACLSIM_HERE((old_modes), (new_modes));                                 \
  }
  ACLSIM_VECTOR_PAIRS(ACLSIM_PAIR)
#undef ACLSIM_PAIR
  return 0;
}

template <typename T>
uint64_t bits_of(T value) {
  if constexpr (sizeof(T) == 1) {
    return __builtin_bit_cast(uint8_t, value);
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(uint16_t, value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(uint32_t, value);
  } else {
    return __builtin_bit_cast(uint64_t, value);
  }
}
template <typename T>
T from_bits(uint64_t bits) {
  if constexpr (sizeof(T) == 1) {
    return __builtin_bit_cast(T, static_cast<uint8_t>(bits));
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, static_cast<uint16_t>(bits));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, static_cast<uint32_t>(bits));
  } else {
    return __builtin_bit_cast(T, bits);
  }
}

/* A value beyond 16 bits becomes one that is outside of every range, so the check reports it. */
constexpr uint16_t narrow(int64_t value) {
  return value < 0 || value > 65535 ? uint16_t{65535} : static_cast<uint16_t>(value);
}

/* A bool and a number of 8 bits are moved as a byte, and so are two numbers of 4 bits. */
template <typename T>
inline constexpr bool is_byte = std::is_same_v<T, bool> || among<T>(ACLSIM_SET_NARROW);
template <typename T>
constexpr int64_t bytes_or_count(int64_t count) {
  constexpr int64_t kPerByte = is_byte<T> ? aclsim_element::per_byte<T> : 1;
  return (count + kPerByte - 1) / kPerByte;
}
template <typename T>
decltype(auto) plain(const LocalTensor<T>& tensor) {
  if constexpr (is_byte<T>) {
    return tensor.template ReinterpretCast<uint8_t>();
  } else {
    return (tensor);
  }
}
template <typename T>
auto plain(T value) {
  if constexpr (is_byte<T>) {
    return __builtin_bit_cast(uint8_t, value);
  } else {
    return value;
  }
}

template <typename T>
struct IsTensor : std::false_type {};
template <typename T>
struct IsTensor<LocalTensor<T>> : std::true_type {};

struct Issue {
  aclsimInstruction instruction;

  Issue(uint16_t opcode, const void* site) : instruction() {
    instruction.size = sizeof(aclsimInstruction);
    instruction.opcode = opcode;
    instruction.pipe = PIPE_V;
    instruction.site = site;
  }

  template <typename T>
  Issue& tensor(const LocalTensor<T>& tensor, uint8_t access, int64_t block_stride = 1,
                int64_t repeat_stride = 8) {
    aclsimOperand& operand = instruction.operand[instruction.operands++];
    operand = tensor.aclsim_operand(access);
    operand.block_stride = narrow(block_stride);
    operand.repeat_stride = narrow(repeat_stride);
    return *this;
  }
  template <typename T>
  Issue& to(const LocalTensor<T>& dst, int64_t block_stride = 1, int64_t repeat_stride = 8) {
    return tensor(dst, ACLSIM_WRITES, block_stride, repeat_stride);
  }
  /* A destination that is a source too. */
  template <typename T>
  Issue& onto(const LocalTensor<T>& dst, int64_t block_stride = 1, int64_t repeat_stride = 8) {
    return tensor(dst, ACLSIM_READS | ACLSIM_WRITES, block_stride, repeat_stride);
  }
  template <typename T>
  Issue& from(const LocalTensor<T>& src, int64_t block_stride = 1, int64_t repeat_stride = 8) {
    return tensor(src, ACLSIM_READS, block_stride, repeat_stride);
  }
  Issue& bits(uint64_t value) {
    instruction.scalar[instruction.scalars++] = value;
    return *this;
  }
  template <typename T>
  Issue& scalar(T value) {
    return bits(bits_of(value));
  }
  template <typename Mode>
  Issue& mode(Mode value) {
    instruction.mode = static_cast<int32_t>(value);
    return *this;
  }
  Issue& more(const void* parameters) {
    instruction.more = parameters;
    return *this;
  }
  Issue& repeats(int64_t times) {
    instruction.repeat = narrow(times);
    return *this;
  }

  /* The last thing: which lanes, and off it goes. */
  void count(int64_t number) {
    instruction.form = ACLSIM_COUNT;
    instruction.count = number;
    aclsimIssue(&instruction);
  }
  template <bool isSetMask = true>
  void lanes(uint64_t mask, int64_t times) {
    instruction.form = isSetMask ? ACLSIM_MASK_N : ACLSIM_MASK_KEPT;
    instruction.mask[0] = mask;
    repeats(times);
    aclsimIssue(&instruction);
  }
  template <bool isSetMask = true>
  void lanes(const uint64_t* mask, int64_t times) {
    instruction.form = isSetMask ? ACLSIM_MASK_BITS : ACLSIM_MASK_KEPT;
    if (isSetMask) {
      instruction.mask[0] = mask[0];
      instruction.mask[1] = mask[1];
    }
    repeats(times);
    aclsimIssue(&instruction);
  }
  void kept(int64_t times) {
    instruction.form = ACLSIM_MASK_KEPT;
    repeats(times);
    aclsimIssue(&instruction);
  }
  void go() { aclsimIssue(&instruction); }
};

/* The value of a register of the machine. */
inline aclsimAnswer ask(uint16_t opcode, const void* site) {
  aclsimAnswer answer = {};
  Issue(opcode, site).more(&answer).go();
  return answer;
}

}  // namespace aclsim_vector

#endif /* ASCENDC_IMPL_VECTOR_ISSUE_H_ */
