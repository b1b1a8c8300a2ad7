// SPDX-License-Identifier: Apache-2.0
// The cube unit: what an instruction requires, touches and computes. Pure, as the vector unit is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ascendc/impl/cube.h"
#include "ascendc/impl/instruction.h"

namespace ascendc::cube {

/// The memories in which an operand may be, or-ed.
enum Where : std::uint16_t {
  kGlobal = 1,
  kUb = 2,
  kL1 = 4,
  kL0A = 8,
  kL0B = 16,
  kL0C = 32,
  kBias = 64,
  kFixpipe = 128,
  kScalesA = 256,
  kScalesB = 512,
  kIndex = 1024
};

/// The memories and the alignment that an instruction expects of an operand.
struct Operand {
  const char* name;  // as the function's documentation names it
  std::uint16_t where;
  std::uint16_t alignment;  // bytes, of an address in local memory
};

/// Bytes of one operand. A kept instruction has the same touches.
struct Touch {
  std::uint8_t operand;
  bool write;
  std::uintptr_t begin;
  std::uint64_t bytes;
  bool padding = false;  // elements that fill up fractals: they may pass the end of the tensor
};

/// A row of A or a column of B whose values decide no other row or column of C.
struct Line {
  bool is_col;
  std::uint32_t number;
};
/// The bytes of a line in its source, and the bytes of C that it decides.
void lines_of(const aclsimInstruction& mmad, std::vector<Line>& lines);
void sources_of(const aclsimInstruction& mmad, const Line& line, std::vector<Touch>& touches);
void results_of(const aclsimInstruction& mmad, const Line& line, std::vector<Touch>& touches);

/// Takes the results of an instruction, row by row.
class Output {
 public:
  virtual ~Output() = default;
  /// `to`: the begin of the row, as the operand's address plus an offset. `half`: 1 for the second
  /// half of a result that two cores get.
  virtual void row(std::uint32_t half, std::uintptr_t to, const std::byte* from,
                   std::uint32_t bytes) = 0;
};

/// Whether the opcode is one of this unit, apart from the products of the Matmul object.
bool knows(std::uint16_t opcode) noexcept;
/// The function that the program called.
const char* called(const aclsimInstruction& instruction) noexcept;
/// The bytes of the structure that `more` points to.
std::size_t more_bytes(const aclsimInstruction& instruction) noexcept;
/// The operand of an instruction; null if it has no such operand.
const Operand* operand(std::uint16_t opcode, unsigned number) noexcept;

/// The mistake in the arguments; empty if the instruction may be executed.
std::optional<std::string> check(const aclsimInstruction& instruction);
/// Whether an argument of zero makes the instruction do nothing.
bool is_empty(const aclsimInstruction& instruction) noexcept;
/// Appends the bytes that an instruction reads and writes; check has passed.
void touched(const aclsimInstruction& instruction, std::vector<Touch>& touches);
/// Computes the instruction; check has passed. `saturates`: results that are infinite become the
/// largest number, and NaN becomes 0.
void execute(const aclsimInstruction& instruction, bool saturates, Output& output);

/// The structure behind an instruction, filled up with zeros for kernels that were built with an
/// older header.
template <typename Params>
Params params_of(const aclsimInstruction& instruction) noexcept {
  Params params{};
  const auto* const from = static_cast<const unsigned char*>(instruction.more);
  const auto size = *static_cast<const std::uint32_t*>(instruction.more);
  auto* const to = reinterpret_cast<unsigned char*>(&params);
  for (std::size_t i = 0; i < sizeof params && i < size; ++i) to[i] = from[i];
  return params;
}

/// Collects touches and joins neighbours of one operand and kind.
class Touches {
 public:
  explicit Touches(std::vector<Touch>& to) : to_(to) {}
  void add(unsigned operand, bool write, std::uintptr_t begin, std::uint64_t bytes,
           bool padding = false) {
    if (bytes == 0) return;
    if (!to_.empty()) {
      Touch& last = to_.back();
      if (last.operand == operand && last.write == write && last.padding == padding &&
          last.begin + last.bytes == begin) {
        last.bytes += bytes;
        return;
      }
    }
    to_.push_back({static_cast<std::uint8_t>(operand), write, begin, bytes, padding});
  }

 private:
  std::vector<Touch>& to_;
};

inline std::uintptr_t begin_of(const aclsimInstruction& instruction, unsigned operand) noexcept {
  return reinterpret_cast<std::uintptr_t>(instruction.operand[operand].address);
}

}  // namespace ascendc::cube
