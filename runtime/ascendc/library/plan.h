// SPDX-License-Identifier: Apache-2.0
// The bytes that a call of the library reads and writes, and its first wrong argument.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ascendc/library/call.h"
#include "runtime/ascendc/vector/unit.h"

namespace ascendc::library {

using vector::Fault;
using vector::Touch;
using vector::Violation;

/// The product, but no more than 2^40, which is beyond all local memory and cannot overflow when it
/// is converted to bytes.
inline std::uint64_t limited_product(std::initializer_list<std::uint64_t> factors) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  std::uint64_t product = 1;
  for (const std::uint64_t factor : factors) {
    if (factor == 0) return 0;
    product = product > kMost / factor ? kMost : product * factor;
  }
  return product;
}

class Plan {
 public:
  explicit Plan(const Call& call) : call_(call) { touches_.reserve(kUsual); }

  /// The first `elements` elements of an operand, or those behind `first`; nothing of an absent
  /// one.
  void read(unsigned operand, std::uint64_t elements, std::uint64_t first = 0) {
    touch(operand, ACLSIM_READS, elements, first);
  }
  void write(unsigned operand, std::uint64_t elements, std::uint64_t first = 0) {
    touch(operand, ACLSIM_WRITES, elements, first);
  }
  /// `rows` rows of `width` elements, each `stride` elements after the one before.
  void read_rows(unsigned operand, std::uint64_t rows, std::uint64_t width, std::uint64_t stride) {
    touch_rows(operand, ACLSIM_READS, rows, width, stride);
  }
  void write_rows(unsigned operand, std::uint64_t rows, std::uint64_t width, std::uint64_t stride) {
    touch_rows(operand, ACLSIM_WRITES, rows, width, stride);
  }
  /// Temporary memory, of which at least `least` bytes are needed: all of it is written. Nothing of
  /// an absent one.
  void temporary(unsigned operand, std::uint64_t least);
  /// The same, as many bytes as the row says.
  void temporary(unsigned operand);

  /// Operands `a` and `b` may be one tensor: they overlap without an error if they begin at one
  /// address.
  void may_share(unsigned a, unsigned b) { shared_.push_back({a, b}); }

  /// The operand need not begin at a multiple of 32 bytes.
  void may_be_misaligned(unsigned operand) { misaligned_ |= 1U << operand; }

  /// The argument `name` must be between two numbers, or a multiple of a number.
  void require_range(const char* name, std::int64_t value, std::int64_t least, std::int64_t most);
  void require_multiple(const char* name, std::int64_t value, std::int64_t step);
  /// Two operands must have one element type, or an operand one of some.
  void require_same_type(unsigned a, unsigned b);
  void require_type(unsigned operand, std::initializer_list<std::uint8_t> elements);
  void refuse(Fault fault, std::string sentence);
  /// These two may not overlap although the row permits it of others.
  void require_apart(unsigned a, unsigned b) { apart_.emplace_back(a, b); }

  const std::vector<Touch>& touches() const noexcept { return touches_; }
  /// The first wrong argument, else the first operand that is empty, misaligned or too small.
  std::optional<Violation> violation() const;
  /// The first destination or temporary memory that overlaps another operand although the row does
  /// not permit it. The result is defined here, because sources are read first.
  std::optional<std::string> overlap() const;

 private:
  static constexpr std::size_t kUsual = 8;  // touches: one allocation

  void touch(unsigned operand, std::uint8_t access, std::uint64_t elements, std::uint64_t first);
  void touch_rows(unsigned operand, std::uint8_t access, std::uint64_t rows, std::uint64_t width,
                  std::uint64_t stride);
  void add(unsigned operand, std::uint8_t access, std::uint64_t offset, std::uint64_t bytes,
           std::uint64_t stride, std::uint64_t times);
  std::string name_of(unsigned operand) const;
  bool must_be_apart(unsigned a, unsigned b) const;
  bool share(const Touch& a, const Touch& b) const;
  Violation wrong(Fault fault, unsigned operand, const std::string& sentence) const;

  const Call& call_;
  std::vector<Touch> touches_;
  std::optional<Violation> refused_;
  std::vector<std::pair<unsigned, unsigned>> apart_;
  std::vector<std::pair<unsigned, unsigned>> shared_;
  std::uint32_t misaligned_ = 0;   // bits: operands that may be misaligned
  std::uint32_t temporaries_ = 0;  // bits: operands that are temporary memory
};

/// The plan and the computation of one function.
struct Function {
  std::uint16_t number;
  void (*plan)(const Call&, Plan&);
  void (*compute)(const Call&);
};

/// nullptr: the library does not have it.
const Function* function_of(std::uint16_t number) noexcept;

// The families.
extern const std::vector<Function> kMathFunctions;
extern const std::vector<Function> kActivationFunctions;
extern const std::vector<Function> kSoftmaxFunctions;
extern const std::vector<Function> kNormalizationFunctions;
extern const std::vector<Function> kReductionFunctions;
extern const std::vector<Function> kSortFunctions;
extern const std::vector<Function> kShapesFunctions;
extern const std::vector<Function> kFilterFunctions;
extern const std::vector<Function> kQuantizationFunctions;

// ---- for the core
// --------------------------------------------------------------------------------

inline bool knows(std::uint16_t opcode) noexcept {
  return opcode >= ACLSIM_LIBRARY_FIRST &&
         function_of(static_cast<std::uint16_t>(opcode - ACLSIM_LIBRARY_FIRST)) != nullptr;
}
inline void plan(const Call& call, Plan& plan) { function_of(call.function())->plan(call, plan); }
inline void compute(const Call& call) { function_of(call.function())->compute(call); }

}  // namespace ascendc::library
