// SPDX-License-Identifier: Apache-2.0
// Products of matrices: checked, put into the order of the cube's pipe, computed.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/cube/narrow_sources.h"
#include "runtime/ascendc/cube/product.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc {
namespace {

/// Stretches of a matrix that are contiguous where it lies.
std::vector<Span> spans_of(const aclsimMatrix& layout, std::uint8_t element, std::uintptr_t begin,
                           std::uint64_t rows, std::uint64_t cols) {
  std::vector<Span> spans;
  const std::uint32_t bits = vector::element_bits(element);
  const std::uint64_t width = layout.format == ACLSIM_MATRIX_ROWS ? cols
                              : layout.fractal != 0               ? layout.fractal
                                                                  : 256 / bits;
  for (std::uint64_t col = 0; col < cols; col += width) {
    const std::uint64_t here = std::min(width, cols - col);
    for (std::uint64_t row = 0; row < rows; ++row) {
      const std::uint64_t at = cube::place(layout, (bits + 7) / 8, row, col) * bits;
      const Span span{begin + at / 8, (at % 8 + here * bits + 7) / 8};
      if (!spans.empty() && spans.back().begin + spans.back().bytes == span.begin) {
        spans.back().bytes += span.bytes;
      } else {
        spans.push_back(span);
      }
    }
  }
  return spans;
}

std::vector<Span> spans_of(const aclsimMatrix& layout, const aclsimOperand& operand,
                           std::uint32_t rows, std::uint32_t cols) {
  const auto begin = reinterpret_cast<std::uintptr_t>(operand.address);
  return layout.transposed != 0 ? spans_of(layout, operand.element, begin, cols, rows)
                                : spans_of(layout, operand.element, begin, rows, cols);
}

bool is_given(const aclsimInstruction& instruction, unsigned operand) {
  return instruction.operands > operand && instruction.operand[operand].address != nullptr;
}

cube::Scales scales_of(const aclsimOperand& operand, const aclsimScales& layout) {
  return {static_cast<const std::uint8_t*>(operand.address), layout};
}

/// Bytes of the scales of a row of A, or of a column of B.
std::vector<Span> spans_of(const aclsimScales& layout, const aclsimOperand& operand,
                           std::uint32_t rows, std::uint32_t depth) {
  std::vector<Span> spans;
  const auto begin = reinterpret_cast<std::uintptr_t>(operand.address);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t group = 0; group * cube::kScaled < depth; group += 2) {
      const bool both = (group + 1) * cube::kScaled < depth;
      const Span span{begin + cube::place(layout, row, group), both ? 2U : 1U};
      if (!spans.empty() && spans.back().begin + spans.back().bytes == span.begin) {
        spans.back().bytes += span.bytes;
      } else {
        spans.push_back(span);
      }
    }
  }
  return spans;
}

/// Bytes of the index of a sparse B.
std::vector<Span> spans_of_index(const aclsimMatmul& what, const aclsimOperand& operand) {
  std::vector<Span> spans;
  const auto begin = reinterpret_cast<std::uintptr_t>(operand.address);
  const std::uint64_t bytes = (std::uint64_t{what.depth} + 7) / 8;
  for (std::uint64_t byte = 0; byte < bytes; byte += 8) {
    for (std::uint32_t col = 0; col < what.cols; ++col) {
      spans.push_back({begin + cube::place_of_index(what.index_stride, col, byte * 4),
                       std::min<std::uint64_t>(8, bytes - byte)});
    }
  }
  return spans;
}

bool is_scaled(const aclsimInstruction& instruction) {
  return is_given(instruction, 4) && is_given(instruction, 5);
}

cube::Problem problem_of(const aclsimInstruction& instruction, const aclsimMatmul& what,
                         const cube::Source& a, const cube::Source& b) {
  const aclsimOperand* const operand = instruction.operand;
  cube::Problem problem;
  problem.rows = what.rows;
  problem.cols = what.cols;
  problem.depth = what.depth;
  problem.a = a;
  problem.b = b;
  if (is_given(instruction, 3)) {
    problem.bias = operand[3].address;
    problem.bias_element = operand[3].element;
  }
  problem.result = operand[0].element;
  problem.relu = what.relu != 0;
  return problem;
}

}  // namespace

void Core::check_matmul(const Issued& issued, const aclsimMatmul& what) {
  const aclsimOperand* const operand = issued.instruction.operand;
  const bool scaled = is_scaled(issued.instruction), sparse = what.index_stride != 0;
  if (!cube::multiplies(operand[1].element, operand[2].element, operand[0].element, scaled) ||
      (sparse && operand[2].element != ACLSIM_INT8)) {
    violated("matmul", fmt::format("{}: no product of these types of A, B and C", issued.name),
             issued.site);
  }
  if (what.rows == 0 || what.cols == 0 || what.depth == 0) {
    violated("matmul",
             fmt::format("{}: C is {} x {} with a depth of {}; expected more than 0 of each",
                         issued.name, what.rows, what.cols, what.depth),
             issued.site);
  }
  const auto require_stride = [&](const char* name, const aclsimMatrix& layout, std::uint32_t rows,
                                  std::uint32_t cols) {
    if (layout.transposed != 0) std::swap(rows, cols);
    const std::uint32_t least = layout.format == ACLSIM_MATRIX_ROWS ? cols : rows;
    if (layout.stride >= least) return;
    violated("matmul",
             fmt::format("{}: {} is stored with {} elements from row to row; expected at "
                         "least {}",
                         issued.name, name, layout.stride, least),
             issued.site);
  };
  require_stride("A", what.a, what.rows, what.depth);
  require_stride("B", what.b, sparse ? what.depth / 2 : what.depth, what.cols);
  require_stride("C", what.c, what.rows, what.cols);
}

void Core::touch_matrix(const Issued& issued, const aclsimOperand& operand,
                        const std::vector<Span>& spans, bool write) {
  const bool global = memory_of(operand.position) == Memory::count;
  if (!spans.empty())
    require_memory(operand.address, !global, issued.name, write ? "C" : "a source", issued.site);
  for (const Span& span : spans) {
    check_end(issued, operand, span.begin, span.bytes);
    if (global) require_global(span.begin, span.bytes, write, issued.name, issued.site);
    touch(issued, span.begin, span.bytes, write, operand.tensor);
  }
}

void Core::issue_matmul(const aclsimInstruction& instruction, const void* site) {
  aclsimMatmul what{};
  const auto& given = *static_cast<const aclsimMatmul*>(instruction.more);
  std::memcpy(&what, &given, std::min<std::size_t>(given.size, sizeof what));
  const aclsimOperand& to = instruction.operand[0];
  if (options_.checks) require_live(instruction, site, what.called);
  const Issued issued{instruction, Pipe::m, what.called, site, step(Pipe::m)};
  check_matmul(issued, what);
  const auto written = spans_of(what.c, to, what.rows, what.cols);
  if (options_.checks) {
    touch_matrix(issued, instruction.operand[1],
                 spans_of(what.a, instruction.operand[1], what.rows, what.depth), false);
    touch_matrix(issued, instruction.operand[2],
                 spans_of(what.b, instruction.operand[2],
                          what.index_stride != 0 ? what.depth / 2 : what.depth, what.cols),
                 false);
    if (what.index_stride != 0) {
      touch_matrix(issued, instruction.operand[5], spans_of_index(what, instruction.operand[5]),
                   false);
    }
    if (is_scaled(instruction)) {
      touch_matrix(issued, instruction.operand[4],
                   spans_of(what.a_scales, instruction.operand[4], what.rows, what.depth), false);
      touch_matrix(issued, instruction.operand[5],
                   spans_of(what.b_scales, instruction.operand[5], what.cols, what.depth), false);
    }
    if (is_given(instruction, 3)) {
      const aclsimOperand& bias = instruction.operand[3];
      touch_matrix(issued, bias,
                   {{reinterpret_cast<std::uintptr_t>(bias.address),
                     std::uint64_t{what.cols} * cube::bytes_of(bias.element)}},
                   false);
    }
    touch_matrix(issued, to, written, true);
  }
  pipes_.run(Pipe::m, [this, kept = instruction, what, site, tick = issued.tick] {
    multiply(kept, what, tick, site);
  });
}

namespace {

/// The columns of a matrix one after the other.
std::vector<std::byte> transposed(const std::vector<std::byte>& from, std::uint32_t rows,
                                  std::uint32_t cols, std::uint32_t bytes) {
  std::vector<std::byte> to(from.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t col = 0; col < cols; ++col) {
      std::memcpy(&to[(col * rows + row) * bytes], &from[(row * cols + col) * bytes], bytes);
    }
  }
  return to;
}

}  // namespace

void Core::multiply(const aclsimInstruction& instruction, const aclsimMatmul& what,
                    std::uint32_t tick, const void* site) {
  const aclsimOperand& to = instruction.operand[0];
  const aclsimOperand* const operand = instruction.operand;
  const bool scaled = is_scaled(instruction);
  const cube::Scales of_a = scales_of(operand[4], what.a_scales);
  const cube::Scales of_b = scales_of(operand[5], what.b_scales);
  const cube::Widened a({operand[1].address, operand[1].element, what.a}, what.rows, what.depth,
                        true, scaled ? &of_a : nullptr);
  cube::Source given_b{operand[2].address, operand[2].element, what.b};
  std::vector<std::int8_t> dense;
  if (what.index_stride != 0) {
    dense = cube::dense_of_sparse(given_b, what.depth, what.cols,
                                  static_cast<const std::uint8_t*>(operand[5].address),
                                  what.index_stride);
    given_b = {dense.data(), ACLSIM_INT8, {ACLSIM_MATRIX_ROWS, 0, what.cols, 0, 0}};
  }
  const cube::Widened b(given_b, what.depth, what.cols, false, scaled ? &of_b : nullptr);
  std::vector<std::byte> result = cube::product(problem_of(instruction, what, a.source, b.source));
  const std::uint32_t bytes = cube::bytes_of(to.element);
  std::uint32_t rows = what.rows, cols = what.cols;
  if (what.c.transposed != 0) {
    result = transposed(result, rows, cols, bytes);
    std::swap(rows, cols);
  }
  const bool global = memory_of(to.position) == Memory::count;
  const auto atomic = static_cast<Atomic>(what.atomic);
  const std::uint32_t width = what.c.format == ACLSIM_MATRIX_ROWS ? cols
                              : what.c.fractal != 0               ? what.c.fractal
                                                                  : 32 / bytes;
  const aclsimMove plain{};
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t col = 0; col < cols; col += width) {
      const std::byte* const from = result.data() + (std::size_t{row} * cols + col) * bytes;
      const RowCopy moved{reinterpret_cast<std::uintptr_t>(to.address) +
                              cube::place(what.c, bytes, row, col) * bytes,
                          reinterpret_cast<std::uintptr_t>(from),
                          std::min(width, cols - col) * bytes};
      if (global && options_.checks) {
        host_->writes_global(
            *this, {moved.to, from, moved.bytes, atomic != Atomic::none, site, Pipe::m, tick});
      }
      copy_row(plain, moved, atomic, to.element);
      if (global && options_.checks) host_->wrote_global();
    }
  }
}

}  // namespace ascendc
