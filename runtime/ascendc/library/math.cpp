// SPDX-License-Identifier: Apache-2.0
// Mathematics element by element, and cumulative sums.
#include <cmath>
#include <limits>
#include <type_traits>

#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"

namespace ascendc::library {
namespace {

// ---- plans
// --------------------------------------------------------------------------------------- number 0
// is the count of elements.

// dst, src, tmp?
void plan_unary(const Call& call, Plan& plan) {
  plan.read(1, call.count(0));
  plan.write(0, call.count(0));
  plan.temporary(2);
}

// dst, src0?, src1?, tmp?; a value instead of a tensor is a number behind the count.
void plan_binary(const Call& call, Plan& plan) {
  plan.read(1, call.count(0));
  plan.read(2, call.count(0));
  plan.write(0, call.count(0));
  plan.temporary(3);
}

// dst, src
void plan_mapped(const Call& call, Plan& plan) {
  plan.read(1, call.count(0));
  plan.write(0, call.count(0));
}

void plan_axpy(const Call& call, Plan& plan) {
  plan_unary(call, plan);
  plan.read(0, call.count(0));
}

void plan_clamp(const Call& call, Plan& plan) {
  for (const unsigned source : {1U, 2U, 3U}) plan.read(source, call.count(0));
  plan.write(0, call.count(0));
}

void plan_fma(const Call& call, Plan& plan) {
  for (const unsigned source : {1U, 2U, 3U}) plan.read(source, call.count(0));
  plan.write(0, call.count(0));
  plan.temporary(4);
}

void plan_sincos(const Call& call, Plan& plan) {
  plan.read(2, call.count(0));
  plan.write(0, call.count(0));
  plan.write(1, call.count(0));
  plan.temporary(3);
}

// number 1: which of two tensors has the value in its first element; -1: neither.
void plan_logical_scalar(const Call& call, Plan& plan) {
  if (!call.has(1) && !call.has(2)) {
    plan.refuse(Fault::kRange, "src0 and src1 are values; expected a tensor for one of them");
  }
  for (const unsigned source : {1U, 2U}) {
    plan.read(source, call.number(1) + 1 == source ? 1 : call.count(0));
  }
  plan.write(0, call.count(0));
}

void plan_where(const Call& call, Plan& plan) {
  for (const unsigned source : {1U, 2U, 3U}) plan.read(source, call.count(0));
  plan.write(0, call.count(0));
}

// dst, lastRow?, src, tmp?; numbers: rows, elements of a row, along the row.
void plan_cumsum(const Call& call, Plan& plan) {
  plan.require_range("cumSumInfo.outter", call.number(0), 1, UINT32_MAX);
  plan.require_range("cumSumInfo.inner", call.number(1), 1, UINT32_MAX);
  const std::int64_t bytes = call.bytes(0);
  plan.require_multiple("cumSumInfo.inner * sizeof(T)", call.number(1) * bytes, 32);
  plan.read(2, call.count(0) * call.count(1));
  plan.write(0, call.count(0) * call.count(1));
  plan.write(1, call.count(1));
  plan.temporary(3);
}

// ---- computations of one element
// -----------------------------------------------------------------

template <double (*f)(double)>
void compute_unary(const Call& call) {
  each_of_one<double>(call, 0, 1, call.count(0), f);
}
template <double (*f)(double, double)>
void compute_binary(const Call& call) {
  const std::uint8_t element = call.element(0);
  each_of_two<double>(call, 0, {call, 1, 1, element}, {call, 2, call.has(1) ? 1U : 2U, element},
                      call.count(0), f);
}

double fraction(double x) { return std::isinf(x) ? 0.0 : x - std::trunc(x); }
double sign(double x) { return std::isnan(x) ? x : x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }
double acos_of(double x) { return std::acos(x); }
double acosh_of(double x) { return std::acosh(x); }
double asin_of(double x) { return std::asin(x); }
double asinh_of(double x) { return std::asinh(x); }
double atan_of(double x) { return std::atan(x); }
double atanh_of(double x) { return std::atanh(x); }
double ceil_of(double x) { return std::ceil(x); }
double cos_of(double x) { return std::cos(x); }
double cosh_of(double x) { return std::cosh(x); }
double erf_of(double x) { return std::erf(x); }
double erfc_of(double x) { return std::erfc(x); }
double exp_of(double x) { return std::exp(x); }
double floor_of(double x) { return std::floor(x); }
double log_of(double x) { return std::log(x); }
double log2_of(double x) { return std::log2(x); }
double log10_of(double x) { return std::log10(x); }
double near(double x) { return std::nearbyint(x); }  // ties to even
double sin_of(double x) { return std::sin(x); }
double sinh_of(double x) { return std::sinh(x); }
double tan_of(double x) { return std::tan(x); }
double tanh_of(double x) { return std::tanh(x); }
double trunc_of(double x) { return std::trunc(x); }
double fmod_of(double x, double y) { return std::fmod(x, y); }
double hypot_of(double x, double y) { return std::hypot(x, y); }
double pow_of(double x, double y) { return std::pow(x, y); }

// lgamma() of the C library writes a global variable; lgamma_r does not.
double lgamma_of(double x) {
  int sign_of_gamma = 0;
  return ::lgamma_r(x, &sign_of_gamma);
}

/// The logarithmic derivative of the gamma function: reflection for small arguments, then a
/// recurrence up to where the asymptotic series has all bits of a float.
double digamma(double x) {
  if (std::isnan(x) || x == std::numeric_limits<double>::infinity()) return x;
  if (x <= 0 && x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  if (x < 0) {
    constexpr double kPi = 3.14159265358979323846;
    sum = -kPi / std::tan(kPi * (x - std::floor(x)));
    x = 1 - x;
  }
  for (; x < 12; x += 1) sum -= 1 / x;
  const double y = 1 / (x * x);
  const double series =
      y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y * (1.0 / 132)))));
  return sum + std::log(x) - 0.5 / x - series;
}

void compute_sign(const Call& call) {
  if (is_floating(call.element(0))) return compute_unary<sign>(call);
  std::int64_t* const to = call.at<std::int64_t>(0);
  const std::int64_t* const from = call.at<std::int64_t>(1);
  for (std::uint64_t i = 0; i < call.count(0); ++i) to[i] = (from[i] > 0) - (from[i] < 0);
}

/// x to the power of y in the arithmetic of the type, which wraps around. A negative power is the
/// whole part of 1 / x^-y; 0 to it is 0.
template <typename T>
T integer_power(T x, T y) {
  if constexpr (std::is_signed_v<T>) {
    if (y < 0) {
      if (x == 1) return 1;
      if (x == T(-1)) return y % 2 == 0 ? T(1) : T(-1);
      return 0;
    }
  }
  auto base = static_cast<std::uint64_t>(x);
  std::uint64_t power = 1;
  for (auto rest = static_cast<std::uint64_t>(y); rest != 0; rest >>= 1) {
    if ((rest & 1U) != 0) power *= base;
    base *= base;
  }
  return static_cast<T>(power);
}

void compute_power(const Call& call) {
  if (is_floating(call.element(0))) return compute_binary<pow_of>(call);
  with_integer(call.element(0), [&](auto type) {
    using T = decltype(type);
    const auto source = [&](unsigned operand, unsigned number) {
      return [&call, operand, value = static_cast<T>(call.number(number))](std::uint64_t i) {
        return call.has(operand) ? call.at<T>(operand)[i] : value;
      };
    };
    const auto base = source(1, 1);
    const auto exponent = source(2, call.has(1) ? 1 : 2);
    for (std::uint64_t i = 0; i < call.count(0); ++i) {
      call.at<T>(0)[i] = integer_power<T>(base(i), exponent(i));
    }
  });
}

void compute_axpy(const Call& call) {
  const auto scalar = static_cast<float>(call.value(1, call.element(1)));
  float products[kPiece], sums[kPiece];
  for (std::uint64_t first = 0; first < call.count(0); first += kPiece) {
    const auto here = std::min<std::uint64_t>(kPiece, call.count(0) - first);
    call.load(1, first, here, products);
    call.load(0, first, here, sums);
    for (std::size_t i = 0; i < here; ++i) sums[i] += products[i] * scalar;
    call.store(0, first, here, sums);
  }
}

template <bool greatest>
void compute_clamp_one(const Call& call) {
  const double limit = call.value(1, call.element(0));
  each_of_one<double>(call, 0, 1, call.count(0),
                      [limit](double x) { return (greatest ? x > limit : x < limit) ? limit : x; });
}

/// Calls f(T()) with a type that holds the elements exactly and compares as they do.
template <typename F>
void with_comparable(const Call& call, unsigned operand, F&& f) {
  if (!with_integer(call.element(operand), f)) f(double{});
}

/// Element i of a source as T, or a value.
template <typename T>
class Each {
 public:
  Each(const Call& call, unsigned operand, unsigned number, std::uint8_t element)
      : call_(call), operand_(operand) {
    if (call.has(operand)) return;
    if constexpr (std::is_same_v<T, double>) {
      value_ = call.value(number, element);
    } else {
      value_ = static_cast<T>(call.number(number));
    }
  }
  T operator()(std::uint64_t i) const {
    if (!call_.has(operand_)) return value_;
    if constexpr (std::is_same_v<T, double>) {
      double value = 0;
      call_.load(operand_, i, 1, &value);
      return value;
    } else {
      return call_.at<T>(operand_)[i];
    }
  }

 private:
  const Call& call_;
  unsigned operand_;
  T value_{};
};

template <typename T>
void put(const Call& call, unsigned operand, std::uint64_t i, T value) {
  if constexpr (std::is_same_v<T, double>) {
    call.store(operand, i, 1, &value);
  } else {
    call.at<T>(operand)[i] = value;
  }
}

void compute_clamp(const Call& call) {
  with_comparable(call, 0, [&](auto type) {
    using T = decltype(type);
    const std::uint8_t element = call.element(0);
    const Each<T> from(call, 1, 0, element), least(call, 2, 1, element),
        most(call, 3, call.has(2) ? 1 : 2, element);
    for (std::uint64_t i = 0; i < call.count(0); ++i) {
      T value = from(i);
      if (value < least(i)) value = least(i);
      if (value > most(i)) value = most(i);
      put<T>(call, 0, i, value);
    }
  });
}

void compute_fma(const Call& call) {
  double a[kPiece], b[kPiece], c[kPiece];
  const bool wide = call.element(0) == ACLSIM_FLOAT;
  for (std::uint64_t first = 0; first < call.count(0); first += kPiece) {
    const auto here = std::min<std::uint64_t>(kPiece, call.count(0) - first);
    call.load(1, first, here, a);
    call.load(2, first, here, b);
    call.load(3, first, here, c);
    for (std::size_t i = 0; i < here; ++i) {
      a[i] = wide ? std::fma(static_cast<float>(a[i]), static_cast<float>(b[i]),
                             static_cast<float>(c[i]))
                  : a[i] * b[i] + c[i];
    }
    call.store(0, first, here, a);
  }
}

void compute_sincos(const Call& call) {
  double x[kPiece], y[kPiece];
  for (std::uint64_t first = 0; first < call.count(0); first += kPiece) {
    const auto here = std::min<std::uint64_t>(kPiece, call.count(0) - first);
    call.load(2, first, here, x);
    for (std::size_t i = 0; i < here; ++i) {
      y[i] = std::cos(x[i]);
      x[i] = std::sin(x[i]);
    }
    call.store(0, first, here, x);
    call.store(1, first, here, y);
  }
}

// ---- answers of yes and no
// -----------------------------------------------------------------------

double is_finite(double x) { return std::isfinite(x) ? 1 : 0; }
double is_infinite(double x) { return std::isinf(x) ? 1 : 0; }
double is_nan(double x) { return std::isnan(x) ? 1 : 0; }

template <bool (*f)(bool, bool)>
void compute_logical(const Call& call, unsigned single_left, unsigned single_right) {
  const std::uint8_t element = call.element(call.has(1) ? 1 : 2);
  const auto compute = [&](auto type) {
    using T = decltype(type);
    const Each<T> left(call, 1, 2, element), right(call, 2, 2, element);
    for (std::uint64_t i = 0; i < call.count(0); ++i) {
      call.at<std::uint8_t>(0)[i] =
          f(left(i * (1 - single_left)) != T{}, right(i * (1 - single_right)) != T{}) ? 1 : 0;
    }
  };
  if (!with_integer(element, compute)) compute(double{});
}
bool both(bool a, bool b) { return a && b; }
bool either(bool a, bool b) { return a || b; }
bool differ(bool a, bool b) { return a != b; }
template <bool (*f)(bool, bool)>
void compute_logical_two(const Call& call) {
  compute_logical<f>(call, 0, 0);
}
template <bool (*f)(bool, bool)>
void compute_logical_scalar(const Call& call) {
  compute_logical<f>(call, call.number(1) == 0, call.number(1) == 1);
}

void compute_logical_not(const Call& call) {
  const auto compute = [&](auto type) {
    using T = decltype(type);
    const Each<T> from(call, 1, 0, call.element(1));
    for (std::uint64_t i = 0; i < call.count(0); ++i) {
      call.at<std::uint8_t>(0)[i] = from(i) == T{} ? 1 : 0;
    }
  };
  if (!with_integer(call.element(1), compute)) compute(double{});
}

template <typename F>
void bitwise(const Call& call, F&& f) {
  const std::uint64_t bytes = call.count(0) * call.bytes(0);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const std::uint8_t other = call.has(2) ? call.at<std::uint8_t>(2)[i] : std::uint8_t{0};
    call.at<std::uint8_t>(0)[i] = static_cast<std::uint8_t>(f(call.at<std::uint8_t>(1)[i], other));
  }
}
void compute_and(const Call& call) {
  bitwise(call, [](unsigned a, unsigned b) { return a & b; });
}
void compute_or(const Call& call) {
  bitwise(call, [](unsigned a, unsigned b) { return a | b; });
}
void compute_xor(const Call& call) {
  bitwise(call, [](unsigned a, unsigned b) { return a ^ b; });
}
void compute_not(const Call& call) {
  bitwise(call, [](unsigned a, unsigned) { return ~a; });
}

void compute_where(const Call& call) {
  // Elements are moved as integers of their size.
  const auto move = [&](auto type) {
    using T = decltype(type);
    const auto value = [&](unsigned operand, unsigned number, std::uint64_t i) {
      return call.has(operand) ? call.at<T>(operand)[i] : static_cast<T>(call.number(number));
    };
    for (std::uint64_t i = 0; i < call.count(0); ++i) {
      call.at<T>(0)[i] =
          call.at<std::uint8_t>(3)[i] != 0 ? value(1, 1, i) : value(2, call.has(1) ? 1 : 2, i);
    }
  };
  switch (call.bytes(0)) {
    case 1:
      return move(std::uint8_t{});
    case 2:
      return move(std::uint16_t{});
    case 4:
      return move(std::uint32_t{});
    default:
      return move(std::uint64_t{});
  }
}

void compute_cumsum(const Call& call) {
  const std::uint64_t rows = call.count(0), cols = call.count(1);
  std::vector<float> values(rows * cols);
  call.load(2, 0, values.size(), values.data());
  if (call.number(2) != 0) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (std::uint64_t col = 1; col < cols; ++col)
        values[row * cols + col] += values[row * cols + col - 1];
    }
  } else {
    for (std::uint64_t i = cols; i < values.size(); ++i) values[i] += values[i - cols];
  }
  call.store(0, 0, values.size(), values.data());
  if (call.has(1)) call.store(1, 0, cols, values.data() + (rows - 1) * cols);
}

}  // namespace

const std::vector<Function> kMathFunctions = {
    {ACLSIM_LIB_Acos, plan_unary, compute_unary<acos_of>},
    {ACLSIM_LIB_Acosh, plan_unary, compute_unary<acosh_of>},
    {ACLSIM_LIB_Asin, plan_unary, compute_unary<asin_of>},
    {ACLSIM_LIB_Asinh, plan_unary, compute_unary<asinh_of>},
    {ACLSIM_LIB_Atan, plan_unary, compute_unary<atan_of>},
    {ACLSIM_LIB_Atanh, plan_unary, compute_unary<atanh_of>},
    {ACLSIM_LIB_Ceil, plan_unary, compute_unary<ceil_of>},
    {ACLSIM_LIB_Cos, plan_unary, compute_unary<cos_of>},
    {ACLSIM_LIB_Cosh, plan_unary, compute_unary<cosh_of>},
    {ACLSIM_LIB_Digamma, plan_unary, compute_unary<digamma>},
    {ACLSIM_LIB_Erf, plan_unary, compute_unary<erf_of>},
    {ACLSIM_LIB_Erfc, plan_unary, compute_unary<erfc_of>},
    {ACLSIM_LIB_Floor, plan_unary, compute_unary<floor_of>},
    {ACLSIM_LIB_Frac, plan_unary, compute_unary<fraction>},
    {ACLSIM_LIB_Lgamma, plan_unary, compute_unary<lgamma_of>},
    {ACLSIM_LIB_Log, plan_unary, compute_unary<log_of>},
    {ACLSIM_LIB_Log2, plan_unary, compute_unary<log2_of>},
    {ACLSIM_LIB_Log10, plan_unary, compute_unary<log10_of>},
    {ACLSIM_LIB_Round, plan_unary, compute_unary<near>},
    {ACLSIM_LIB_Sign, plan_unary, compute_sign},
    {ACLSIM_LIB_Sin, plan_unary, compute_unary<sin_of>},
    {ACLSIM_LIB_Sinh, plan_unary, compute_unary<sinh_of>},
    {ACLSIM_LIB_Tan, plan_unary, compute_unary<tan_of>},
    {ACLSIM_LIB_Tanh, plan_unary, compute_unary<tanh_of>},
    {ACLSIM_LIB_Trunc, plan_unary, compute_unary<trunc_of>},
    {ACLSIM_LIB_Rint, plan_unary, compute_unary<near>},
    {ACLSIM_LIB_Exp, plan_unary, compute_unary<exp_of>},
    {ACLSIM_LIB_Fmod, plan_binary, compute_binary<fmod_of>},
    {ACLSIM_LIB_Hypot, plan_binary, compute_binary<hypot_of>},
    {ACLSIM_LIB_Xor, plan_binary, compute_xor},
    {ACLSIM_LIB_Power, plan_binary, compute_power},
    {ACLSIM_LIB_Axpy, plan_axpy, compute_axpy},
    {ACLSIM_LIB_ClampMax, plan_unary, compute_clamp_one<true>},
    {ACLSIM_LIB_ClampMin, plan_unary, compute_clamp_one<false>},
    {ACLSIM_LIB_Clamp, plan_clamp, compute_clamp},
    {ACLSIM_LIB_Fma, plan_fma, compute_fma},
    {ACLSIM_LIB_SinCos, plan_sincos, compute_sincos},
    {ACLSIM_LIB_IsFinite, plan_mapped, compute_unary<is_finite>},
    {ACLSIM_LIB_IsInf, plan_unary, compute_unary<is_infinite>},
    {ACLSIM_LIB_IsNan, plan_unary, compute_unary<is_nan>},
    {ACLSIM_LIB_LogicalAnd, plan_binary, compute_logical_two<both>},
    {ACLSIM_LIB_LogicalOr, plan_binary, compute_logical_two<either>},
    {ACLSIM_LIB_LogicalXor, plan_binary, compute_logical_two<differ>},
    {ACLSIM_LIB_LogicalNot, plan_mapped, compute_logical_not},
    {ACLSIM_LIB_LogicalAnds, plan_logical_scalar, compute_logical_scalar<both>},
    {ACLSIM_LIB_LogicalOrs, plan_logical_scalar, compute_logical_scalar<either>},
    {ACLSIM_LIB_BitwiseAnd, plan_binary, compute_and},
    {ACLSIM_LIB_BitwiseOr, plan_binary, compute_or},
    {ACLSIM_LIB_BitwiseXor, plan_binary, compute_xor},
    {ACLSIM_LIB_BitwiseNot, plan_mapped, compute_not},
    {ACLSIM_LIB_Where, plan_where, compute_where},
    {ACLSIM_LIB_CumSum, plan_cumsum, compute_cumsum},
};

}  // namespace ascendc::library
