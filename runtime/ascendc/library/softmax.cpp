// SPDX-License-Identifier: Apache-2.0
// Softmax, its gradient, and its forms that continue with earlier columns: row by row, in float.
#include <cmath>
#include <vector>

#include "ascendc/impl/library_sizes.h"
#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"
#include "runtime/ascendc/library/row_loops.h"
#include "runtime/ascendc/library/rows.h"

namespace ascendc::library {
namespace {

// The operands of the functions with maxima, and the first numbers of all functions.
enum Operand : unsigned {
  kDst,
  kSum,
  kMax,
  kSrc,
  kExpMax,
  kInSum,
  kInMax,
  kFlashTmp,
  kReduceMax,
  kMean = kReduceMax,
  kInMean
};
enum Number : unsigned { kRows, kColumns, kOriginalRows, kOriginalColumns, kFlags, kFirstOther };
enum Flag : std::uint64_t { kNz = 1, kCompact = 2, kUpdate = 4 };

constexpr std::uint64_t kFractal = 16;  // elements of a row of a fractal

/// A matrix whose columns at the end may be padding, which no maximum and no sum includes.
class Matrix {
 public:
  explicit Matrix(const Call& call)
      : rows(call.count(kRows)),
        columns(call.count(kColumns)),
        originals(call.count(kOriginalColumns)),
        call_(call) {}
  bool has(Flag flag) const { return (call_.count(kFlags) & flag) != 0; }
  /// Elements of a row of maxima and sums of an operand.
  std::uint64_t block(unsigned operand) const {
    return has(kCompact) ? 1 : 32 / call_.bytes(operand);
  }
  void load(unsigned operand, std::uint64_t row, float* to) const {
    each_part(row, [&](std::uint64_t first, std::uint64_t count, std::uint64_t column) {
      call_.load(operand, first, count, to + column);
    });
  }
  void store(unsigned operand, std::uint64_t row, const float* from) const {
    each_part(row, [&](std::uint64_t first, std::uint64_t count, std::uint64_t column) {
      call_.store(operand, first, count, from + column);
    });
  }
  float load_one(unsigned operand, std::uint64_t row) const {
    float value = 0;
    call_.load(operand, row * block(operand), 1, &value);
    return value;
  }
  void store_one(unsigned operand, std::uint64_t row, float value) const {
    if (!call_.has(operand)) return;
    float values[16];
    std::fill_n(values, 16, value);
    call_.store(operand, row * block(operand), block(operand), values);
  }

  const std::uint64_t rows, columns, originals;

 private:
  template <typename F>
  void each_part(std::uint64_t row, F&& f) const {
    if (!has(kNz)) return f(row * columns, columns, std::uint64_t{0});
    for (std::uint64_t column = 0; column < columns; column += kFractal) {
      f(column * rows + row * kFractal, kFractal, column);
    }
  }
  const Call& call_;
};

// ---- plans
// ---------------------------------------------------------------------------------------

void plan_shape(const Call& call, Plan& plan, unsigned src) {
  plan.require_range("srcM", call.number(kRows), 1, UINT32_MAX);
  plan.require_range("srcK", call.number(kColumns), 1, UINT32_MAX);
  plan.require_range("oriSrcM", call.number(kOriginalRows), 1, call.number(kRows));
  plan.require_range("oriSrcK", call.number(kOriginalColumns), 1, call.number(kColumns));
  const std::int64_t bytes = call.bytes(src);
  plan.require_multiple("srcK * sizeof(T)", call.number(kColumns) * bytes, 32);
  if ((call.count(kFlags) & kNz) != 0) {
    plan.require_multiple("srcK of a matrix in NZ", call.number(kColumns), kFractal);
  }
}

void plan_temporary(const Call& call, Plan& plan, unsigned tmp) {
  plan.temporary(tmp,
                 aclsim_library::least_temporary_of_row(call.function(), call.count(kColumns)));
}

/// Sums, maxima and the like of each row.
void read_ones(const Call& call, Plan& plan, unsigned operand) {
  if (call.has(operand)) plan.read(operand, call.count(kRows) * Matrix(call).block(operand));
}
void write_ones(const Call& call, Plan& plan, unsigned operand) {
  if (call.has(operand)) plan.write(operand, call.count(kRows) * Matrix(call).block(operand));
}

// dst, sum?, max?, src, tmp?
void plan_softmax(const Call& call, Plan& plan) {
  plan_shape(call, plan, kSrc);
  plan.read(kSrc, call.count(kRows) * call.count(kColumns));
  plan.write(kDst, call.count(kRows) * call.count(kColumns));
  write_ones(call, plan, kSum);
  write_ones(call, plan, kMax);
  plan_temporary(call, plan, 4);
  if (call.function() != ACLSIM_LIB_LogSoftMax) plan.may_share(kDst, kSrc);
}

// dst, inSum, inMax, src, tmp?
void plan_simple(const Call& call, Plan& plan) {
  plan_shape(call, plan, kSrc);
  plan.read(kSrc, call.count(kRows) * call.count(kColumns));
  read_ones(call, plan, kSum);
  read_ones(call, plan, kMax);
  plan.write(kDst, call.count(kRows) * call.count(kColumns));
  plan_temporary(call, plan, 4);
  plan.may_share(kDst, kSrc);
}

void plan_flash(const Call& call, Plan& plan) {
  plan_shape(call, plan, kSrc);
  plan.read(kSrc, call.count(kRows) * call.count(kColumns));
  read_ones(call, plan, kInSum);
  read_ones(call, plan, kInMax);
  plan.write(kDst, call.count(kRows) * call.count(kColumns));
  write_ones(call, plan, kSum);
  write_ones(call, plan, kMax);
  write_ones(call, plan, kExpMax);
  plan_temporary(call, plan, kFlashTmp);
  plan.may_share(kDst, kSrc);
  plan.may_share(kSum, kInSum);
  plan.may_share(kMax, kInMax);
}
void plan_flash_2(const Call& call, Plan& plan) {
  plan_flash(call, plan);
  write_ones(call, plan, kReduceMax);
}
void plan_flash_3(const Call& call, Plan& plan) {
  plan.require_range("params.srcK", call.number(kColumns), 512, UINT32_MAX);
  plan.require_multiple("params.srcK", call.number(kColumns), 64);
  plan.require_multiple("params.srcM", call.number(kRows), 8);
  plan.require_range("params.oriSrcM", call.number(kOriginalRows), call.number(kRows),
                     call.number(kRows));
  plan.require_range("params.oriSrcK", call.number(kOriginalColumns), call.number(kColumns),
                     call.number(kColumns));
  plan.require_range("params.loopCnt", call.number(kFirstOther), 1, UINT32_MAX);
  plan.require_range("params.splitMeanCnt", call.number(kFirstOther + 1), 8, 8);
  plan_flash(call, plan);
  read_ones(call, plan, kInMean);
  write_ones(call, plan, kMean);
  plan.may_share(kMean, kInMean);
}

// dst, grad, src, tmp?; number: only the sum.
void plan_grad(const Call& call, Plan& plan) {
  constexpr unsigned kGrad = 1, kOutput = 2, kTmp = 3;
  plan_shape(call, plan, kOutput);
  const std::uint64_t elements = call.count(kRows) * call.count(kColumns);
  plan.read(kGrad, elements);
  plan.read(kOutput, elements);
  if (call.number(kFirstOther) != 0) {
    write_ones(call, plan, kDst);
  } else {
    plan.write(kDst, elements);
  }
  plan_temporary(call, plan, kTmp);
  plan.may_share(kDst, kOutput);
}

// softMaxRes, maxTensor; numbers: from, to.
void plan_adjust(const Call& call, Plan& plan) {
  plan_shape(call, plan, 0);
  read_ones(call, plan, 1);
  plan.write(0, call.count(kRows) * call.count(kColumns));
}

// ---- computations of rows
// ------------------------------------------------------------------------

/// Replaces each element by its exponential with `greatest` subtracted. Returns the sum without
/// padding.
float exponentials(const Matrix& matrix, float* row, float greatest) {
  row_loops().subtract(row, matrix.columns, greatest);
  raise_e(row, matrix.columns);
  return row_loops().sum(row, matrix.originals);
}

void divide(const Matrix& matrix, float* row, float sum) {
  row_loops().divide(row, matrix.columns, sum);
}

void compute_softmax(const Call& call) {
  const Matrix matrix(call);
  std::vector<float> row(matrix.columns);
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    matrix.load(kSrc, i, row.data());
    const float greatest = row_loops().greatest(row.data(), matrix.originals);
    const float sum = exponentials(matrix, row.data(), greatest);
    divide(matrix, row.data(), sum);
    matrix.store(kDst, i, row.data());
    matrix.store_one(kSum, i, sum);
    matrix.store_one(kMax, i, greatest);
  }
}

/// From the difference, which is exact where the quotient of exponentials is 0.
void compute_log_softmax(const Call& call) {
  constexpr float kPerNatural = 0.43429448190325182F;
  const Matrix matrix(call);
  std::vector<float> row(matrix.columns), powers(matrix.columns);
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    matrix.load(kSrc, i, row.data());
    const float greatest = row_loops().greatest(row.data(), matrix.originals);
    powers = row;
    const float sum = exponentials(matrix, powers.data(), greatest);
    const float logarithm = std::log(sum);
    for (float& value : row) value = ((value - greatest) - logarithm) * kPerNatural;
    matrix.store(kDst, i, row.data());
    matrix.store_one(kSum, i, sum);
    matrix.store_one(kMax, i, greatest);
  }
}

void compute_simple(const Call& call) {
  const Matrix matrix(call);
  std::vector<float> row(matrix.columns);
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    matrix.load(kSrc, i, row.data());
    exponentials(matrix, row.data(), matrix.load_one(kMax, i));
    divide(matrix, row.data(), matrix.load_one(kSum, i));
    matrix.store(kDst, i, row.data());
  }
}

/// `divides`: the first form, whose results are softmax so far.
template <bool divides>
void compute_flash(const Call& call) {
  const Matrix matrix(call);
  const bool update = matrix.has(kUpdate);
  std::vector<float> row(matrix.columns);
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    matrix.load(kSrc, i, row.data());
    const float here = row_loops().greatest(row.data(), matrix.originals);
    const float before = update ? matrix.load_one(kInMax, i) : here;
    const float greatest = before > here ? before : here;
    float sum = exponentials(matrix, row.data(), greatest);
    if (update) {
      const float factor = raised_e(before - greatest);
      const float earlier = factor * matrix.load_one(kInSum, i);
      sum += earlier;
      matrix.store_one(kExpMax, i, divides ? earlier / sum : factor);
      matrix.store_one(kReduceMax, i, here);
    }
    if (divides) divide(matrix, row.data(), sum);
    matrix.store(kDst, i, row.data());
    matrix.store_one(kSum, i, sum);
    matrix.store_one(kMax, i, greatest);
  }
}

/// The means of the parts of a row: eight runs of eight of the first 512 elements, and the same
/// positions of each 64 elements after them.
constexpr std::size_t kMeans = 8;
void means_of(const float* row, std::size_t columns, float (&means)[kMeans]) {
  float groups[64];
  for (std::size_t i = 0; i < 64; ++i) {
    groups[i] = sum_of(8, [&](std::size_t k) { return row[i * 8 + k]; });
  }
  for (std::size_t first = 512; first < columns; first += 64) {
    for (std::size_t i = 0; i < 64; ++i) groups[i] += row[first + i];
  }
  const auto size = static_cast<float>(columns / kMeans);
  for (std::size_t i = 0; i < kMeans; ++i) {
    means[i] = sum_of(8, [&](std::size_t k) { return groups[i * 8 + k]; }) / size;
  }
}

void compute_flash_3(const Call& call) {
  const Matrix matrix(call);
  const bool update = matrix.has(kUpdate);
  const auto alpha = static_cast<float>(call.value(kFirstOther + 2, ACLSIM_FLOAT));
  const float scalar = alpha / (1.0F - alpha);
  const auto loops = static_cast<float>(call.number(kFirstOther));
  const std::size_t part = matrix.columns / kMeans;
  std::vector<float> row(matrix.columns);
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    matrix.load(kSrc, i, row.data());
    float means[kMeans];
    means_of(row.data(), matrix.columns, means);
    const float all = sum_of(kMeans, [&](std::size_t k) { return means[k]; }) / kMeans;
    for (std::size_t k = 0; k < matrix.columns; ++k) row[k] -= (all - means[k / part]) * scalar;
    const float before = update ? matrix.load_one(kInMean, i) : all;
    const float mean = update ? (all + before * (loops - 1.0F)) / loops : all;
    const float shift = (all - mean) * scalar, shift_before = (before - mean) * scalar;
    float greatest = shift + row_loops().greatest(row.data(), matrix.columns);
    const float earlier = update ? shift_before + matrix.load_one(kInMax, i) : greatest;
    greatest = earlier > greatest ? earlier : greatest;
    float sum = exponentials(matrix, row.data(), greatest - shift);
    if (update) {
      const float factor = raised_e(earlier - greatest);
      sum += factor * matrix.load_one(kInSum, i);
      matrix.store_one(kExpMax, i, factor);
    }
    matrix.store(kDst, i, row.data());
    matrix.store_one(kSum, i, sum);
    matrix.store_one(kMax, i, greatest);
    matrix.store_one(kMean, i, mean);
  }
}

void compute_grad(const Call& call) {
  constexpr unsigned kGrad = 1, kOutput = 2;
  const Matrix matrix(call);
  std::vector<float> grad(matrix.columns), row(matrix.columns);
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    matrix.load(kGrad, i, grad.data());
    matrix.load(kOutput, i, row.data());
    const float sum = sum_of(matrix.originals, [&](std::size_t k) { return grad[k] * row[k]; });
    if (call.number(kFirstOther) != 0) {
      matrix.store_one(kDst, i, sum);
      continue;
    }
    for (std::size_t k = 0; k < matrix.columns; ++k) row[k] *= grad[k] - sum;
    matrix.store(kDst, i, row.data());
  }
}

void compute_adjust(const Call& call) {
  const Matrix matrix(call);
  const std::uint64_t wanted = call.count(kFirstOther);
  const std::vector<float> row(matrix.columns,
                               static_cast<float>(call.value(kFirstOther + 1, call.element(0))));
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    const std::uint64_t at = i * matrix.block(1);
    const std::uint64_t bits = call.element(1) == ACLSIM_FLOAT ? *call.at<std::uint32_t>(1, at)
                                                               : *call.at<std::uint16_t>(1, at);
    if (bits == wanted) matrix.store(0, i, row.data());
  }
}

}  // namespace

const std::vector<Function> kSoftmaxFunctions = {
    {ACLSIM_LIB_SoftMax, plan_softmax, compute_softmax},
    {ACLSIM_LIB_SimpleSoftMax, plan_simple, compute_simple},
    {ACLSIM_LIB_SoftmaxFlash, plan_flash, compute_flash<true>},
    {ACLSIM_LIB_SoftmaxFlashV2, plan_flash_2, compute_flash<false>},
    {ACLSIM_LIB_SoftmaxFlashV3, plan_flash_3, compute_flash_3},
    {ACLSIM_LIB_SoftmaxGrad, plan_grad, compute_grad},
    {ACLSIM_LIB_SoftmaxGradFront, plan_grad, compute_grad},
    {ACLSIM_LIB_LogSoftMax, plan_softmax, compute_log_softmax},
    {ACLSIM_LIB_AdjustSoftMaxRes, plan_adjust, compute_adjust},
};

}  // namespace ascendc::library
