// SPDX-License-Identifier: Apache-2.0
// One call of the high-level library: its operands and numbers, and its elements as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ascendc/impl/library.h"

namespace ascendc::library {

/// A row of library_rows.h.
struct Row {
  std::uint16_t number;
  const char* name;
  std::vector<std::string> operands;  // without the marks of optional ones
  std::uint32_t old_types;            // bits of aclsimElement, on architecture 2201
  std::uint32_t new_types;            // on architecture 3510
  std::uint32_t flags;                // aclsimLibraryFlag
};

/// nullptr: there is no such function.
const Row* row_of(std::uint16_t number) noexcept;
const std::vector<Row>& all_rows();

/// Valid as long as the instruction is. Operands are counted as in the row.
class Call {
 public:
  /// `saturates`: half and bfloat16 results become the largest number instead of an infinity.
  Call(const aclsimInstruction& instruction, bool saturates);

  std::uint16_t function() const noexcept { return function_; }
  const Row& row() const noexcept { return *row_; }
  unsigned operands() const noexcept { return call_.operands; }
  const aclsimOperand& operand(unsigned i) const noexcept { return call_.operand[i]; }
  /// Whether the call has this operand.
  bool has(unsigned i) const noexcept {
    return i < call_.operands && call_.operand[i].element != ACLSIM_NO_ELEMENT;
  }
  std::uint8_t element(unsigned i) const noexcept { return call_.operand[i].element; }
  unsigned bytes(unsigned i) const noexcept;  // of one element
  std::int64_t number(unsigned i) const noexcept { return i < call_.numbers ? call_.number[i] : 0; }
  std::uint64_t count(unsigned i) const noexcept {
    return number(i) < 0 ? 0 : static_cast<std::uint64_t>(number(i));
  }
  /// A number that contains the bits of a value of an element type.
  double value(unsigned i, std::uint8_t element) const noexcept;
  bool reuses_source() const noexcept { return (call_.flags & ACLSIM_REUSES_SOURCE) != 0; }
  bool saturates() const noexcept { return saturates_; }

  /// The elements of an operand in memory; only for computations.
  template <typename T>
  T* at(unsigned i, std::uint64_t first = 0) const noexcept {
    return static_cast<T*>(call_.operand[i].address) + first;
  }
  /// Elements [first, first + to.size()) of any type as numbers, exact up to 53 (24) bits.
  void load(unsigned i, std::uint64_t first, std::size_t number, double* to) const;
  void load(unsigned i, std::uint64_t first, std::size_t number, float* to) const;
  /// Rounds to the nearest number of the element type, ties to even. Integers are saturated.
  void store(unsigned i, std::uint64_t first, std::size_t number, const double* from) const;
  void store(unsigned i, std::uint64_t first, std::size_t number, const float* from) const;

 private:
  std::uint16_t function_;
  const Row* row_;
  const aclsimLibraryCall& call_;
  bool saturates_;
};

/// Whether elements of a type are floating numbers with which the library computes.
inline bool is_floating(std::uint8_t element) noexcept {
  return element == ACLSIM_FLOAT || element == ACLSIM_HALF || element == ACLSIM_BFLOAT16;
}

/// Calls f(T()) with the integer type of an element (bool counts as std::uint8_t); false if it is
/// none.
template <typename F>
bool with_integer(std::uint8_t element, F&& f) {
  switch (element) {
    case ACLSIM_BOOL:
    case ACLSIM_UINT8:
      f(std::uint8_t{});
      return true;
    case ACLSIM_INT8:
      f(std::int8_t{});
      return true;
    case ACLSIM_INT16:
      f(std::int16_t{});
      return true;
    case ACLSIM_UINT16:
      f(std::uint16_t{});
      return true;
    case ACLSIM_INT32:
      f(std::int32_t{});
      return true;
    case ACLSIM_UINT32:
      f(std::uint32_t{});
      return true;
    case ACLSIM_INT64:
      f(std::int64_t{});
      return true;
    case ACLSIM_UINT64:
      f(std::uint64_t{});
      return true;
    default:
      return false;
  }
}

}  // namespace ascendc::library
