// SPDX-License-Identifier: Apache-2.0
// Sums and means of rows, and reductions along one of two axes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "ascendc/impl/library_sizes_reduction.h"
#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"
#include "runtime/ascendc/library/row_loops.h"

namespace ascendc::library {
namespace {

// ---- plans

// dst, src, tmp?; numbers: rows, elements of a row in memory, elements that count, and for Mean the
// bytes of the type of the accumulation.
void plan_row_sums(const Call& call, Plan& plan) {
  const bool mean = call.function() == ACLSIM_LIB_Mean;
  plan.require_range(mean ? "meanParams.outter" : "sumParams.outter", call.number(0), 1,
                     UINT32_MAX);
  plan.require_multiple(mean ? "meanParams.inner * sizeof(T)" : "sumParams.inner * sizeof(T)",
                        call.number(1) * call.bytes(1), 32);
  plan.require_range(mean ? "meanParams.n" : "sumParams.n", call.number(2), 1, call.number(1));
  plan.require_same_type(0, 1);
  plan.read_rows(1, call.count(0), call.count(2), call.count(1));
  plan.write(0, call.count(0));
  plan.temporary(2,
                 mean ? aclsim_library::mean_temporary(call.count(2), call.bytes(1), call.count(3))
                      : aclsim_library::sum_temporary(call.count(2), call.bytes(1)));
}

/// The source of a reduction along one axis.
struct Matrix {
  explicit Matrix(const Call& call)
      : rows(call.count(0)), cols(call.count(1)), stride(cols), along_rows(call.number(2) == 1) {
    const std::uint64_t block = 32 / call.bytes(1);
    if (call.number(3) != 0) stride = (cols + block - 1) / block * block;
  }
  std::uint64_t rows, cols, stride;
  bool along_rows;
};

// dst, src, tmp?; numbers: the two axes, the reduced one, whether rows are padded, architecture.
void plan_pattern(const Call& call, Plan& plan) {
  plan.require_range("srcShape[0]", call.number(0), 1, UINT32_MAX);
  plan.require_range("srcShape[1]", call.number(1), 1, UINT32_MAX);
  const std::uint16_t function = call.function();
  const bool padded_only = call.number(4) != 3510 || function == ACLSIM_LIB_ReduceMean ||
                           function == ACLSIM_LIB_ReduceProd || function == ACLSIM_LIB_ReduceAny ||
                           function == ACLSIM_LIB_ReduceAll;
  if (padded_only && call.number(3) == 0) {
    plan.refuse(Fault::kRange,
                "srcInnerPad is false; expected true: rows that begin at multiples "
                "of 32 bytes");
  }
  plan.require_same_type(0, 1);
  const Matrix from(call);
  plan.read_rows(1, from.rows, from.cols, from.stride);
  plan.write(0, from.along_rows ? from.rows : from.cols);
  plan.temporary(2, aclsim_library::pattern_temporary(from.rows, from.cols, call.bytes(1),
                                                      call.reuses_source()));
}

// dst, src0, src1, tmp?; number: elements.
void plan_xor_sum(const Call& call, Plan& plan) {
  plan.require_range("calCount", call.number(0), 1, UINT32_MAX);
  plan.read(1, call.count(0));
  plan.read(2, call.count(0));
  plan.write(0, 1);
  plan.temporary(
      3, aclsim_library::xor_sum_temporary(call.count(0), call.bytes(1), call.reuses_source()));
}

// ---- operations

struct Add {
  static constexpr double kFirst = 0;
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Multiply {
  static constexpr double kFirst = 1;
  template <typename T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
// A NaN stays.
struct Greatest {
  static constexpr double kFirst = -std::numeric_limits<double>::infinity();
  template <typename T>
  T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};
struct Least {
  static constexpr double kFirst = std::numeric_limits<double>::infinity();
  template <typename T>
  T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};
struct Any {
  static constexpr double kFirst = 0;
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a != T(0) || b != T(0));
  }
};
struct All {
  static constexpr double kFirst = 1;
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a != T(0) && b != T(0));
  }
};

// ---- floating numbers, in double

constexpr std::size_t kLanes = 16;
static_assert(kPiece % kLanes == 0);

/// Elements [first, first + number) of the source to one value. The lanes have no order between
/// them, so that the compiler uses vectors.
template <typename Op>
double reduce_row(const Call& call, std::uint64_t first, std::uint64_t number) {
  double lanes[kLanes], values[kPiece];
  std::fill_n(lanes, kLanes, Op::kFirst);
  for (std::uint64_t done = 0; done < number; done += kPiece) {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, number - done));
    call.load(1, first + done, here, values);
    std::fill(values + here, values + (here + kLanes - 1) / kLanes * kLanes, Op::kFirst);
    for (std::size_t i = 0; i < here; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = Op()(lanes[lane], values[i + lane]);
      }
    }
  }
  for (std::size_t width = kLanes / 2; width != 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) {
      lanes[lane] = Op()(lanes[lane], lanes[lane + width]);
    }
  }
  return lanes[0];
}

/// The sum of elements of a row. The values of all floating types are exact in float.
double sum_row(const Call& call, std::uint64_t first, std::uint64_t number) {
  if (call.element(1) == ACLSIM_FLOAT) {
    return row_loops().sum_in_double(call.at<float>(1, first), number);
  }
  double sum = 0;
  float values[kPiece];
  for (std::uint64_t done = 0; done < number; done += kPiece) {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, number - done));
    call.load(1, first + done, here, values);
    sum += row_loops().sum_in_double(values, here);
  }
  return sum;
}

template <typename Op>
void reduce_columns(const Call& call, const Matrix& from, double divisor) {
  double results[kPiece], values[kPiece] = {};
  for (std::uint64_t first = 0; first < from.cols; first += kPiece) {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, from.cols - first));
    std::fill_n(results, kPiece, Op::kFirst);
    for (std::uint64_t row = 0; row < from.rows; ++row) {
      call.load(1, row * from.stride + first, here, values);
      for (std::size_t i = 0; i < here; i += kLanes) {  // whole lanes: vectors, no rest
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          results[i + lane] = Op()(results[i + lane], values[i + lane]);
        }
      }
    }
    for (std::size_t i = 0; i < here; ++i) results[i] /= divisor;
    call.store(0, first, here, results);
  }
}

template <typename Op>
void reduce_floating(const Call& call, const Matrix& from, bool mean) {
  const double divisor = mean ? static_cast<double>(from.along_rows ? from.cols : from.rows) : 1;
  if (!from.along_rows) return reduce_columns<Op>(call, from, divisor);
  for (std::uint64_t row = 0; row < from.rows; ++row) {
    const std::uint64_t first = row * from.stride;
    const double value = (std::is_same_v<Op, Add> ? sum_row(call, first, from.cols)
                                                  : reduce_row<Op>(call, first, from.cols)) /
                         divisor;
    call.store(0, row, 1, &value);
  }
}

// ---- integers, which wrap around

template <typename Op, typename T>
void reduce_integers(const Call& call, const Matrix& from) {
  using Sum = std::conditional_t<std::is_same_v<Op, Add>, std::uint64_t, T>;
  const T* const src = call.at<T>(1);
  T* const dst = call.at<T>(0);
  const std::uint64_t results = from.along_rows ? from.rows : from.cols;
  const std::uint64_t number = from.along_rows ? from.cols : from.rows;
  const std::uint64_t to_next = from.along_rows ? 1 : from.stride;
  for (std::uint64_t i = 0; i < results; ++i) {
    const T* const first = src + i * (from.along_rows ? from.stride : 1);
    auto value = static_cast<Sum>(*first);
    if constexpr (std::is_same_v<Op, Any> || std::is_same_v<Op, All>) value = value != 0 ? 1 : 0;
    for (std::uint64_t k = 1; k < number; ++k) {
      value = Op()(value, static_cast<Sum>(first[k * to_next]));
    }
    dst[i] = static_cast<T>(value);
  }
}

template <typename Op, bool mean = false>
void compute_pattern(const Call& call) {
  const Matrix from(call);
  if (is_floating(call.element(1))) return reduce_floating<Op>(call, from, mean);
  if constexpr (!std::is_same_v<Op, Multiply>) {
    with_integer(call.element(1),
                 [&](auto type) { reduce_integers<Op, decltype(type)>(call, from); });
  }
}

void compute_row_sums(const Call& call) {
  const bool mean = call.function() == ACLSIM_LIB_Mean;
  const double divisor = mean ? static_cast<double>(call.count(2)) : 1;
  for (std::uint64_t row = 0; row < call.count(0); ++row) {
    const double value = sum_row(call, row * call.count(1), call.count(2)) / divisor;
    call.store(0, row, 1, &value);
  }
}

void compute_xor_sum(const Call& call) {
  const auto* const left = call.at<std::int16_t>(1);
  const auto* const right = call.at<std::int16_t>(2);
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < call.count(0); ++i) {
    sum += static_cast<std::int16_t>(left[i] ^ right[i]);
  }
  *call.at<std::int16_t>(0) = static_cast<std::int16_t>(std::clamp<std::int64_t>(
      sum, std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()));
}

}  // namespace

const std::vector<Function> kReductionFunctions = {
    {ACLSIM_LIB_Sum, plan_row_sums, compute_row_sums},
    {ACLSIM_LIB_Mean, plan_row_sums, compute_row_sums},
    {ACLSIM_LIB_ReduceSum, plan_pattern, compute_pattern<Add>},
    {ACLSIM_LIB_ReduceMax, plan_pattern, compute_pattern<Greatest>},
    {ACLSIM_LIB_ReduceMin, plan_pattern, compute_pattern<Least>},
    {ACLSIM_LIB_ReduceProd, plan_pattern, compute_pattern<Multiply>},
    {ACLSIM_LIB_ReduceMean, plan_pattern, compute_pattern<Add, true>},
    {ACLSIM_LIB_ReduceAny, plan_pattern, compute_pattern<Any>},
    {ACLSIM_LIB_ReduceAll, plan_pattern, compute_pattern<All>},
    {ACLSIM_LIB_ReduceXorSum, plan_xor_sum, compute_xor_sum},
};

}  // namespace ascendc::library
