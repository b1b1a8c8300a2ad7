// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/library/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "ascendc/impl/library_sizes.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc::library {
namespace {

constexpr std::uint64_t kBlock = 32;  // bytes

std::uint64_t end_of(const Touch& touch) {
  return touch.address + touch.stride * (touch.times - 1) + touch.bytes;
}

bool meet(const Touch& a, const Touch& b) {
  if (a.address >= end_of(b) || b.address >= end_of(a)) return false;
  for (std::uint64_t i = 0; i < a.times; ++i) {
    const std::uint64_t first = a.address + i * a.stride;
    for (std::uint64_t k = 0; k < b.times; ++k) {
      const std::uint64_t other = b.address + k * b.stride;
      if (first < other + b.bytes && other < first + a.bytes) return true;
    }
  }
  return false;
}

const char* name_of_element(std::uint8_t element) {
  return element == ACLSIM_BOOL ? "bool" : vector::element_name(element);
}

}  // namespace

void Plan::add(unsigned operand, std::uint8_t access, std::uint64_t offset, std::uint64_t bytes,
               std::uint64_t stride, std::uint64_t times) {
  if (bytes == 0 || times == 0 || !call_.has(operand)) return;
  const auto base = reinterpret_cast<std::uintptr_t>(call_.operand(operand).address);
  touches_.push_back(
      {static_cast<std::uint8_t>(operand), access, base + offset, bytes, stride, times});
}

void Plan::touch(unsigned operand, std::uint8_t access, std::uint64_t elements,
                 std::uint64_t first) {
  const unsigned bytes = call_.bytes(operand);
  elements = limited_product({elements});
  add(operand, access, first * bytes, elements * bytes, elements * bytes, 1);
  const bool source = access == ACLSIM_READS && call_.operand(operand).access == ACLSIM_READS;
  if (source && call_.reuses_source()) touch(operand, ACLSIM_WRITES, elements, first);
}

void Plan::touch_rows(unsigned operand, std::uint8_t access, std::uint64_t rows,
                      std::uint64_t width, std::uint64_t stride) {
  if (width == stride) return touch(operand, access, limited_product({rows, width}), 0);
  const unsigned bytes = call_.bytes(operand);
  // Rows that exceed all local memory together are described as one piece.
  const std::uint64_t all = limited_product({rows, stride});
  if (all != rows * stride) return add(operand, access, 0, all * bytes, all * bytes, 1);
  add(operand, access, 0, width * bytes, stride * bytes, rows);
}

void Plan::temporary(unsigned operand, std::uint64_t least) {
  if (!call_.has(operand)) return;
  temporaries_ |= 1U << operand;
  const std::uint64_t all = vector::room(call_.operand(operand));
  add(operand, ACLSIM_WRITES, 0, std::max(least, all), 0, 1);
}

void Plan::temporary(unsigned operand) {
  temporary(operand, aclsim_library::least_temporary(call_.function()));
}

void Plan::refuse(Fault fault, std::string sentence) {
  if (refused_) return;
  refused_ = Violation{fault, -1, fmt::format("{}: {}", call_.row().name, sentence)};
}

void Plan::require_range(const char* name, std::int64_t value, std::int64_t least,
                         std::int64_t most) {
  if (value >= least && value <= most) return;
  refuse(Fault::kRange, fmt::format("{} is {}; expected {} to {}", name, value, least, most));
}

void Plan::require_multiple(const char* name, std::int64_t value, std::int64_t step) {
  if (value % step == 0) return;
  refuse(Fault::kRange, fmt::format("{} is {}; expected a multiple of {}", name, value, step));
}

void Plan::require_same_type(unsigned a, unsigned b) {
  if (!call_.has(a) || !call_.has(b) || call_.element(a) == call_.element(b)) return;
  refuse(Fault::kUnknown, fmt::format("tensors {} and {} have the types {} and {}; expected one "
                                      "type",
                                      name_of(a), name_of(b), name_of_element(call_.element(a)),
                                      name_of_element(call_.element(b))));
}

void Plan::require_type(unsigned operand, std::initializer_list<std::uint8_t> elements) {
  if (!call_.has(operand)) return;
  std::string expected;
  for (const std::uint8_t element : elements) {
    if (call_.element(operand) == element) return;
    expected += (expected.empty() ? "" : " or ") + std::string(name_of_element(element));
  }
  refuse(Fault::kUnknown, fmt::format("tensor {} has the type {}; expected {}", name_of(operand),
                                      name_of_element(call_.element(operand)), expected));
}

std::string Plan::name_of(unsigned operand) const {
  const auto& names = call_.row().operands;
  return operand < names.size() ? names[operand] : std::to_string(operand);
}

Violation Plan::wrong(Fault fault, unsigned operand, const std::string& sentence) const {
  return {fault, static_cast<std::int8_t>(operand),
          fmt::format("{}: tensor {}: {}", call_.row().name, name_of(operand), sentence)};
}

std::optional<Violation> Plan::violation() const {
  if (refused_) return refused_;
  for (const Touch& touch : touches_) {
    const aclsimOperand& operand = call_.operand(touch.operand);
    const auto address = reinterpret_cast<std::uintptr_t>(operand.address);
    if (vector::is_nowhere(operand.address)) {
      return wrong(Fault::kEmpty, touch.operand, "it is empty: no memory was taken for it");
    }
    if (address % kBlock != 0 && (misaligned_ >> touch.operand & 1U) == 0) {
      return wrong(Fault::kAlignment, touch.operand,
                   fmt::format("address {:#x} is {} bytes past a multiple of {}", address,
                               address % kBlock, kBlock));
    }
    if (vector::is_past(operand)) {
      return wrong(Fault::kSize, touch.operand,
                   fmt::format("it begins {} bytes past the end of its memory", ~operand.bytes));
    }
    const std::uint64_t needed = end_of(touch) - address;
    if (operand.bytes != 0 && needed > operand.bytes) {
      return wrong(Fault::kSize, touch.operand,
                   fmt::format("{} bytes needed, {} there", needed, operand.bytes));
    }
  }
  return std::nullopt;
}

bool Plan::must_be_apart(unsigned a, unsigned b) const {
  return std::any_of(apart_.begin(), apart_.end(), [a, b](const auto& pair) {
    return pair == std::pair(a, b) || pair == std::pair(b, a);
  });
}

bool Plan::share(const Touch& a, const Touch& b) const {
  if (call_.operand(a.operand).address != call_.operand(b.operand).address) return false;
  return std::any_of(shared_.begin(), shared_.end(), [&](const auto& pair) {
    return (pair.first == a.operand && pair.second == b.operand) ||
           (pair.first == b.operand && pair.second == a.operand);
  });
}

std::optional<std::string> Plan::overlap() const {
  const bool in_place = (call_.row().flags & ACLSIM_IN_PLACE) != 0;
  for (const Touch& written : touches_) {
    if (written.access != ACLSIM_WRITES) continue;
    const bool temporary = (temporaries_ >> written.operand & 1U) != 0;
    for (const Touch& other : touches_) {
      if (other.operand == written.operand || !meet(written, other)) continue;
      if (share(written, other)) continue;
      if (in_place && !temporary && (temporaries_ >> other.operand & 1U) == 0 &&
          !must_be_apart(written.operand, other.operand)) {
        continue;
      }
      return fmt::format("{}: tensors {} and {} overlap; expected memory of their own",
                         call_.row().name, name_of(written.operand), name_of(other.operand));
    }
  }
  return std::nullopt;
}

const Function* function_of(std::uint16_t number) noexcept {
  static const std::vector<const Function*> by_number = [] {
    std::vector<const Function*> functions(ACLSIM_LIBRARY_LAST - ACLSIM_LIBRARY_FIRST + 1);
    for (const auto* family : {&kMathFunctions, &kActivationFunctions, &kSoftmaxFunctions,
                               &kNormalizationFunctions, &kReductionFunctions, &kSortFunctions,
                               &kShapesFunctions, &kFilterFunctions, &kQuantizationFunctions}) {
      for (const Function& function : *family) functions[function.number] = &function;
    }
    return functions;
  }();
  return number < by_number.size() ? by_number[number] : nullptr;
}

}  // namespace ascendc::library
