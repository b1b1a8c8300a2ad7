// SPDX-License-Identifier: Apache-2.0
// Quantisation to numbers of 8 and 4 bits, from int32_t and of weights. Intermediate values are
// half as the older architecture has them, else float: each step is rounded.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "ascendc/impl/half.h"
#include "ascendc/impl/library_sizes.h"
#include "ascendc/impl/types.h"
#include "runtime/ascendc/library/call.h"
#include "runtime/ascendc/library/narrow_elements.h"
#include "runtime/ascendc/library/plan.h"

namespace ascendc::library {
namespace {

enum Operand : unsigned { kDst, kSrc, kScale, kOffset, kTmp };
constexpr std::int64_t kAny = 0xffffffff;

/// Element e of the computed elements is in row e / columns and column e % columns, and has
/// parameter (row / row_group) * width + column / column_group.
struct Grid {
  std::uint64_t elements = 0;
  std::uint64_t columns = 1;
  std::uint64_t src_stride = 1;  // elements from one row to the next
  std::uint64_t dst_stride = 1;
  std::uint64_t row_group = 1;
  std::uint64_t column_group = 1;
  std::uint64_t width = 0;
  std::uint64_t parameters = 0;
  std::uint64_t read = 0;  // elements of src
  std::uint64_t written = 0;

  std::uint64_t parameter(std::uint64_t row, std::uint64_t column) const {
    return row / row_group * width + column / column_group;
  }
};

Grid packed(std::uint64_t elements, std::uint64_t columns) {
  Grid grid;
  grid.elements = grid.read = grid.written = elements;
  grid.columns = grid.src_stride = grid.dst_stride = columns;
  return grid;
}

std::uint64_t groups_of(std::uint64_t size, std::uint64_t group) {
  return (size + group - 1) / group;
}

Grid grid_of_values(std::uint64_t elements) {
  Grid grid = packed(elements, std::max<std::uint64_t>(elements, 1));
  grid.column_group = grid.columns;
  return grid;
}
Grid grid_of_channels(std::uint64_t elements, std::uint64_t columns) {
  Grid grid = packed(elements, columns);
  grid.row_group = std::max<std::uint64_t>(elements, 1);
  grid.width = grid.parameters = columns;
  return grid;
}

Grid flat_grid(const Call& call) {
  const std::uint64_t count = call.count(ACLSIM_QUANT_COUNT), width = call.count(ACLSIM_QUANT_N);
  return width == 0 ? grid_of_values(count) : grid_of_channels(count, width);
}

/// Rows of dst are padded to blocks of 32 bytes.
Grid rows_grid(const Call& call) {
  const std::uint64_t rows = call.count(ACLSIM_QUANT_M), columns = call.count(ACLSIM_QUANT_N);
  const std::uint64_t block = 32 / call.bytes(kDst);
  Grid grid = grid_of_channels(rows * columns, columns);
  grid.dst_stride = groups_of(columns, block) * block;
  grid.written = rows * grid.dst_stride;
  grid.parameters = call.count(ACLSIM_QUANT_COUNT);
  return grid;
}

/// k x n with parameters of h x n, transposed n x k with n x w.
Grid weights_grid(const Call& call) {
  const std::uint64_t elements = call.count(ACLSIM_QUANT_M), k = call.count(ACLSIM_QUANT_N);
  if (!call.has(kScale)) return grid_of_values(elements);
  const bool transposed = call.number(ACLSIM_QUANT_AXIS) != 0;
  Grid grid = packed(elements, transposed ? k : elements / k);
  const std::uint64_t height = call.count(ACLSIM_QUANT_SCALE_HEIGHT);
  grid.width = call.count(ACLSIM_QUANT_SCALE_WIDTH);
  if (grid.width == 0) grid.width = call.count(ACLSIM_QUANT_OFFSET_WIDTH);
  const std::uint64_t rows = height != 0 ? height : call.count(ACLSIM_QUANT_OFFSET_HEIGHT);
  if (rows == 0 || grid.width == 0) return grid;
  (transposed ? grid.column_group : grid.row_group) = k / (transposed ? grid.width : rows);
  grid.parameters = rows * grid.width;
  return grid;
}

Grid policy_grid(const Call& call) {
  const std::uint64_t n = call.count(ACLSIM_QUANT_N), count = call.count(ACLSIM_QUANT_COUNT);
  const std::uint64_t rows = n == 0 ? 0 : count / n, group = call.count(ACLSIM_QUANT_GROUP);
  switch (call.number(ACLSIM_QUANT_BY)) {
    case ACLSIM_PER_TENSOR:
      return grid_of_values(count);
    case ACLSIM_PER_CHANNEL:
      return grid_of_channels(count, n);
    case ACLSIM_PER_TOKEN: {
      Grid grid = packed(count, n);
      grid.column_group = n;
      grid.width = 1;
      grid.parameters = rows;
      return grid;
    }
    default: {
      Grid grid = packed(count, n);
      const bool along_rows = call.number(ACLSIM_QUANT_AXIS) == 0;
      (along_rows ? grid.row_group : grid.column_group) = group;
      grid.width = along_rows ? n : groups_of(n, group);
      grid.parameters = (along_rows ? groups_of(rows, group) : rows) * grid.width;
      return grid;
    }
  }
}

Grid grid_of(const Call& call) {
  switch (call.number(ACLSIM_QUANT_FORM)) {
    case ACLSIM_QUANT_FLAT:
      return flat_grid(call);
    case ACLSIM_QUANT_ROWS:
      return rows_grid(call);
    case ACLSIM_QUANT_WEIGHTS:
      return weights_grid(call);
    default:
      return policy_grid(call);
  }
}

// ---- plans
// ---------------------------------------------------------------------------------------

void require_blocks(const Call& call, Plan& plan, const char* name, unsigned operand) {
  plan.require_multiple(
      name,
      call.number(ACLSIM_QUANT_N) * call.bytes(operand) / elements_per_byte(call.element(operand)),
      32);
}

void require_flat(const Call& call, Plan& plan) {
  const std::int64_t width = call.number(ACLSIM_QUANT_N);
  if (!call.has(kScale)) return;
  const bool quantises = call.function() == ACLSIM_LIB_AscendQuant;
  plan.require_range(quantises ? "scaleCount" : "the size of deqScale", width, 1, kAny);
  if (!quantises || width == 0) return;
  plan.require_multiple("scaleCount", width, 32);
  if (call.has(kOffset)) {
    plan.require_range("offsetCount", call.number(ACLSIM_QUANT_GROUP), width, width);
  }
  if (call.number(ACLSIM_QUANT_COUNT) % width != 0) {
    plan.require_multiple("calCount", call.number(ACLSIM_QUANT_COUNT), width);
  }
}

void require_rows(const Call& call, Plan& plan) {
  plan.require_range("params.m", call.number(ACLSIM_QUANT_M), 1, kAny);
  plan.require_range("params.n", call.number(ACLSIM_QUANT_N), 1, kAny);
  require_blocks(call, plan, "params.n * sizeof(int32_t)", kSrc);
  plan.require_range("params.calCount", call.number(ACLSIM_QUANT_COUNT), 1,
                     call.number(ACLSIM_QUANT_N));
}

void require_weights(const Call& call, Plan& plan) {
  const std::int64_t elements = call.number(ACLSIM_QUANT_M), k = call.number(ACLSIM_QUANT_N);
  const bool transposed = call.number(ACLSIM_QUANT_AXIS) != 0;
  plan.require_range("k", k, 1, std::max<std::int64_t>(elements, 1));
  if (transposed) plan.require_multiple("k", k, 32);
  if (k == 0) return;
  plan.require_multiple("the size of src", elements, k);
  if (!call.has(kScale)) return;
  const auto number = [&](aclsimQuantNumber first, aclsimQuantNumber second) {
    return call.number(first) != 0 ? call.number(first) : call.number(second);
  };
  const std::int64_t height = number(ACLSIM_QUANT_SCALE_HEIGHT, ACLSIM_QUANT_OFFSET_HEIGHT);
  const std::int64_t width = number(ACLSIM_QUANT_SCALE_WIDTH, ACLSIM_QUANT_OFFSET_WIDTH);
  if (height == 0 || width == 0) {
    return plan.refuse(Fault::kUnknown,
                       "the shape of scale is unknown; expected it in shapeInfo, or as ShapeInfo "
                       "of the tensor");
  }
  if (number(ACLSIM_QUANT_OFFSET_HEIGHT, ACLSIM_QUANT_SCALE_HEIGHT) != height) {
    plan.require_range("offsetHeight", call.number(ACLSIM_QUANT_OFFSET_HEIGHT), height, height);
  }
  if (number(ACLSIM_QUANT_OFFSET_WIDTH, ACLSIM_QUANT_SCALE_WIDTH) != width) {
    plan.require_range("offsetWidth", call.number(ACLSIM_QUANT_OFFSET_WIDTH), width, width);
  }
  const std::int64_t n = elements / k;
  plan.require_range(transposed ? "scaleHeight" : "scaleWidth", transposed ? height : width, n, n);
  plan.require_multiple("k", k, transposed ? width : height);
}

void require_policy(const Call& call, Plan& plan) {
  const std::int64_t m = call.number(ACLSIM_QUANT_M), n = call.number(ACLSIM_QUANT_N);
  plan.require_range("m", m, 1, kAny);
  plan.require_range("n", n, 1, kAny);
  require_blocks(call, plan, "n * sizeof(srcT)", kSrc);
  require_blocks(call, plan, "n * sizeof(dstT)", kDst);
  if (n == 0) return;
  plan.require_multiple("calCount", call.number(ACLSIM_QUANT_COUNT), n);
  plan.require_range("calCount", call.number(ACLSIM_QUANT_COUNT), 0, m * n);
  if (call.number(ACLSIM_QUANT_BY) != ACLSIM_PER_GROUP) return;
  plan.require_range("kDim", call.number(ACLSIM_QUANT_AXIS), 0, 1);
  plan.require_range("groupSize", call.number(ACLSIM_QUANT_GROUP), 1, kAny);
  plan.require_multiple("groupSize", call.number(ACLSIM_QUANT_GROUP), 32);
}

void plan_quantization(const Call& call, Plan& plan) {
  const std::int64_t form = call.number(ACLSIM_QUANT_FORM);
  if (form == ACLSIM_QUANT_FLAT) require_flat(call, plan);
  if (form == ACLSIM_QUANT_ROWS) require_rows(call, plan);
  if (form == ACLSIM_QUANT_WEIGHTS) require_weights(call, plan);
  if (form == ACLSIM_QUANT_POLICY) require_policy(call, plan);
  if (plan.violation()) return;
  const Grid grid = grid_of(call);
  plan.read(kSrc, groups_of(grid.read, elements_per_byte(call.element(kSrc))));
  plan.read(kScale, grid.parameters);
  plan.read(kOffset, grid.parameters);
  plan.write(kDst, groups_of(grid.written, elements_per_byte(call.element(kDst))));
  // The policies leave tmp alone.
  if (form == ACLSIM_QUANT_POLICY) return;
  plan.temporary(kTmp, std::max(aclsim_library::least_temporary(call.function()),
                                call.count(ACLSIM_QUANT_WORK)));
}

// ---- computations
// --------------------------------------------------------------------------------

/// The value as a half; a value out of range becomes the largest half or an infinity.
double as_half(const Call& call, double value) {
  const float near = aclsim_half::half_value(aclsim_half::half_bits(aclsim_half::to_odd(value)));
  if (!call.saturates() || !std::isinf(near)) return near;
  return std::copysign(65504.0, value);
}

std::vector<double> sources_of(const Call& call, std::uint64_t number) {
  std::vector<double> values(number);
  if (is_narrow(call.element(kSrc))) {
    load_narrow(call, kSrc, number, values.data());
    return values;
  }
  std::vector<float> floats(number);
  call.load(kSrc, 0, number, floats.data());
  std::copy(floats.begin(), floats.end(), values.begin());
  return values;
}

float float_of(std::int64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

/// The values of a tensor, or the one value of the call.
std::vector<float> parameters_of(const Call& call, unsigned operand, aclsimQuantNumber number,
                                 std::uint64_t parameters) {
  if (!call.has(operand)) return {float_of(call.number(number))};
  std::vector<float> values(parameters);
  if (is_narrow(call.element(operand))) {
    std::vector<double> scales(parameters);
    load_narrow(call, operand, parameters, scales.data());
    std::copy(scales.begin(), scales.end(), values.begin());
    return values;
  }
  if (call.element(operand) != ACLSIM_UINT64) {
    call.load(operand, 0, parameters, values.data());
    return values;
  }
  for (std::uint64_t i = 0; i < parameters; ++i) {
    values[i] = float_of(static_cast<std::int64_t>(call.at<std::uint64_t>(operand)[i]));
  }
  return values;
}

double to_whole(double value, std::int64_t mode) {
  switch (static_cast<AscendC::RoundMode>(mode)) {
    case AscendC::RoundMode::CAST_FLOOR:
      return std::floor(value);
    case AscendC::RoundMode::CAST_CEIL:
      return std::ceil(value);
    case AscendC::RoundMode::CAST_ROUND:
      return std::round(value);
    case AscendC::RoundMode::CAST_TRUNC:
      return std::trunc(value);
    default:
      return std::nearbyint(value);
  }
}

/// dst = f(src, scale, offset), each step rounded by `step`.
template <typename F>
void compute_with(const Call& call, F&& f) {
  const Grid grid = grid_of(call);
  const bool in_half = call.number(ACLSIM_QUANT_IN_HALF) != 0;
  const auto step = [&](double value) {
    return in_half ? as_half(call, value) : static_cast<double>(static_cast<float>(value));
  };
  const std::vector<double> sources = sources_of(call, grid.read);
  const auto scales = parameters_of(call, kScale, ACLSIM_QUANT_SCALE, grid.parameters);
  const auto offsets = parameters_of(call, kOffset, ACLSIM_QUANT_OFFSET, grid.parameters);
  const bool rows_only = call.number(ACLSIM_QUANT_FORM) == ACLSIM_QUANT_ROWS;
  const std::uint64_t columns = rows_only ? call.count(ACLSIM_QUANT_COUNT) : grid.columns;
  std::vector<double> results(grid.written);
  for (std::uint64_t e = 0; e < grid.elements; ++e) {
    const std::uint64_t row = e / grid.columns, column = e % grid.columns;
    double& result = results[row * grid.dst_stride + column];
    result = step(sources[row * grid.src_stride + column]);
    if (column >= columns) continue;  // converted, not scaled
    const std::uint64_t parameter = grid.parameter(row, column);
    result = f(result, step(scales[call.has(kScale) ? parameter : 0]),
               step(offsets[call.has(kOffset) ? parameter : 0]), step);
  }
  if (is_narrow(call.element(kDst))) {
    return store_narrow(call, kDst, results.size(), results.data(),
                        call.number(ACLSIM_QUANT_ROUND));
  }
  call.store(kDst, 0, results.size(), results.data());
}

void compute_quant(const Call& call) {
  const bool whole = !is_narrow(call.element(kDst));
  compute_with(call, [&](double src, double scale, double offset, auto&& step) {
    const double value = step(step(src * scale) + offset);
    return whole ? to_whole(value, call.number(ACLSIM_QUANT_ROUND)) : value;
  });
}
void compute_dequant(const Call& call) {
  compute_with(call,
               [](double src, double scale, double, auto&& step) { return step(src * scale); });
}
void compute_antiquant(const Call& call) {
  compute_with(call, [](double src, double scale, double offset, auto&& step) {
    return step(step(src + offset) * scale);
  });
}

}  // namespace

const std::vector<Function> kQuantizationFunctions = {
    {ACLSIM_LIB_AscendQuant, plan_quantization, compute_quant},
    {ACLSIM_LIB_AscendDequant, plan_quantization, compute_dequant},
    {ACLSIM_LIB_AscendAntiQuant, plan_quantization, compute_antiquant},
    {ACLSIM_LIB_Quantize, plan_quantization, compute_quant},
    {ACLSIM_LIB_Dequantize, plan_quantization, compute_dequant},
    {ACLSIM_LIB_AntiQuantize, plan_quantization, compute_antiquant},
};

}  // namespace ascendc::library
