// SPDX-License-Identifier: Apache-2.0
// The functions that add elements to accumulators (see Fold).
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include "runtime/aclnn/loops/exp_rows.h"
#include "runtime/aclnn/loops/sums.h"

namespace aclnn {

/// Defines row() by one().
#define ACLNN_ROW_OF_ONES(T)                                                     \
  void row(Acc& acc, const T* x, std::int64_t count, std::int64_t first) const { \
    for (std::int64_t i = 0; i < count; ++i) one(acc, x[i], first + i);          \
  }

/// Sums, multiplied by a factor or divided by the count at the end.
template <class T>
struct SumFold {
  static constexpr bool kFloat = std::is_floating_point_v<T>;
  using Acc = std::conditional_t<
      kFloat, double,
      std::conditional_t<std::is_integral_v<T>, std::uint64_t, std::complex<double>>>;
  bool mean = false;

  Acc start() const { return Acc{}; }
  void row(Acc& acc, const T* x, std::int64_t count, std::int64_t) const {
    if constexpr (kFloat) {
      acc += sum_of(x, count);
    } else {
      for (std::int64_t i = 0; i < count; ++i) acc += static_cast<Acc>(x[i]);
    }
  }
  void one(Acc& acc, T x, std::int64_t) const { acc += static_cast<Acc>(x); }
  void merge(Acc& acc, const Acc& later) const { acc += later; }
  T value(const Acc& acc, std::int64_t count) const {
    if (!mean) return static_cast<T>(acc);
    if constexpr (std::is_integral_v<T>) {
      return count == 0 ? T(0) : static_cast<T>(acc) / static_cast<T>(count);
    } else {
      return static_cast<T>(acc / static_cast<double>(count));
    }
  }
};

template <class T>
struct ProductFold {
  using Acc = typename SumFold<T>::Acc;
  Acc start() const { return Acc(1); }
  void one(Acc& acc, T x, std::int64_t) const { acc *= static_cast<Acc>(x); }
  ACLNN_ROW_OF_ONES(T)
  void merge(Acc& acc, const Acc& later) const { acc *= later; }
  T value(const Acc& acc, std::int64_t) const { return static_cast<T>(acc); }
};

/// The greatest value, or NaN if any value is NaN.
template <class T>
struct GreatestFold {
  using Acc = T;
  Acc start() const {
    if constexpr (std::is_floating_point_v<T>)
      return -std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::lowest();
  }
  static T greater(T a, T b) { return b > a || b != b ? b : a; }
  void row(Acc& acc, const T* x, std::int64_t count, std::int64_t) const {
    constexpr std::int64_t kAtOnce = 16;
    T all[kAtOnce];
    for (T& one : all) one = acc;
    std::int64_t i = 0;
    for (; i + kAtOnce <= count; i += kAtOnce) {
      for (std::int64_t j = 0; j < kAtOnce; ++j) all[j] = greater(all[j], x[i + j]);
    }
    for (; i < count; ++i) all[0] = greater(all[0], x[i]);
    for (const T one : all) acc = greater(acc, one);
  }
  void one(Acc& acc, T x, std::int64_t) const { acc = greater(acc, x); }
  void merge(Acc& acc, const Acc& later) const { acc = greater(acc, later); }
  T value(const Acc& acc, std::int64_t) const { return acc; }
};

/// The greatest or least, and where the first of them is; what is not a number is both.
template <class T>
struct ExtremeFold {
  struct Acc {
    T value;
    std::int64_t index;  // -1: none yet
  };
  bool least = false;

  Acc start() const { return {T{}, -1}; }
  bool beats(T x, T best) const {
    if (best != best) return false;
    return x != x || (least ? x < best : x > best);
  }
  void one(Acc& acc, T x, std::int64_t index) const {
    if (acc.index < 0 || beats(x, acc.value)) acc = {x, index};
  }
  void row(Acc& acc, const T* x, std::int64_t count, std::int64_t first) const {
    constexpr std::int64_t kAtOnce = 32;
    std::int64_t i = 0;
    if (acc.index < 0 && count > 0) acc = {x[0], first};
    // Most blocks have nothing better: these are passed without looking for places.
    for (; i + kAtOnce <= count; i += kAtOnce) {
      int better = 0;
      const T best = acc.value;
      if (least) {
        for (std::int64_t j = 0; j < kAtOnce; ++j) better |= !(x[i + j] >= best);
      } else {
        for (std::int64_t j = 0; j < kAtOnce; ++j) better |= !(x[i + j] <= best);
      }
      if (!better) continue;
      for (std::int64_t j = 0; j < kAtOnce; ++j) one(acc, x[i + j], first + i + j);
    }
    for (; i < count; ++i) one(acc, x[i], first + i);
  }
  void merge(Acc& acc, const Acc& later) const {
    if (later.index >= 0) one(acc, later.value, later.index);
  }
  T value(const Acc& acc, std::int64_t) const { return acc.value; }
  std::int64_t index(const Acc& acc) const { return acc.index; }
};

/// Whether any is not 0, or all are; 1 or 0.
struct TruthFold {
  using Acc = bool;
  bool all = false;
  Acc start() const { return all; }
  void one(Acc& acc, double x, std::int64_t) const {
    acc = all ? acc && x != 0.0 : acc || x != 0.0;
  }
  ACLNN_ROW_OF_ONES(double)
  void merge(Acc& acc, const Acc& later) const { acc = all ? acc && later : acc || later; }
  double value(const Acc& acc, std::int64_t) const { return acc ? 1.0 : 0.0; }
};

/// (sum |x|^p)^(1/p); its limits for infinite p; how many are not 0 for p = 0.
struct NormFold {
  using Acc = double;
  double p = 2;

  Acc start() const { return p == -std::numeric_limits<double>::infinity() ? -p : 0.0; }
  void one(Acc& acc, float number, std::int64_t) const {
    const double x = std::abs(static_cast<double>(number));
    if (p == 2.0)
      acc += x * x;
    else if (p == 1.0)
      acc += x;
    else if (p == 0.0)
      acc += x != 0.0 ? 1.0 : 0.0;
    else if (std::isinf(p))
      extreme(acc, x);
    else
      acc += std::pow(x, p);
  }
  void row(Acc& acc, const float* x, std::int64_t count, std::int64_t) const {
    if (p == 2.0) {
      acc += sum_doubles(count, [=](std::int64_t i) {
        return static_cast<double>(x[i]) * static_cast<double>(x[i]);
      });
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) one(acc, x[i], 0);
  }
  void merge(Acc& acc, const Acc& later) const {
    if (std::isinf(p))
      extreme(acc, later);
    else
      acc += later;
  }
  float value(const Acc& acc, std::int64_t) const {
    if (p == 2.0) return static_cast<float>(std::sqrt(acc));
    if (p == 0.0 || std::isinf(p)) return static_cast<float>(acc);
    return static_cast<float>(std::pow(acc, 1.0 / p));
  }

 private:
  void extreme(Acc& acc, double x) const {
    if (x != x || (p > 0 ? x > acc : x < acc)) acc = x;
  }
};

/// Variance, or its root, by means and sums of squared distances of blocks (Chan, Golub, LeVeque).
struct VarianceFold {
  struct Acc {
    double count, mean, squares;
  };
  std::int64_t correction = 1;
  bool root = false;

  Acc start() const { return {0, 0, 0}; }
  void one(Acc& acc, float number, std::int64_t) const {
    const auto x = static_cast<double>(number);
    acc.count += 1;
    const double distance = x - acc.mean;
    acc.mean += distance / acc.count;
    acc.squares += distance * (x - acc.mean);
  }
  void row(Acc& acc, const float* x, std::int64_t count, std::int64_t) const {
    if (count == 0) return;
    const double mean = sum_of(x, count) / static_cast<double>(count);
    const double squares = sum_doubles(count, [=](std::int64_t i) {
      const double distance = static_cast<double>(x[i]) - mean;
      return distance * distance;
    });
    merge(acc, {static_cast<double>(count), mean, squares});
  }
  void merge(Acc& acc, const Acc& later) const {
    if (later.count == 0) return;
    const double count = acc.count + later.count, distance = later.mean - acc.mean;
    acc.squares += later.squares + distance * distance * (acc.count * later.count / count);
    acc.mean += distance * (later.count / count);
    acc.count = count;
  }
  float value(const Acc& acc, std::int64_t count) const {
    const double free = std::max(static_cast<double>(count - correction), 0.0);
    const double variance = acc.squares / free;  // not a number for a single element, as in torch
    return static_cast<float>(root ? std::sqrt(variance) : variance);
  }
};

/// log sum exp, with the greatest element so far taken out.
struct LogSumExpFold {
  struct Acc {
    float greatest;
    double sum;
  };
  static constexpr float kLeast = -std::numeric_limits<float>::infinity();

  Acc start() const { return {kLeast, 0}; }
  void one(Acc& acc, float x, std::int64_t) const { merge(acc, {x, 1.0}); }
  void row(Acc& acc, const float* x, std::int64_t count, std::int64_t) const {
    float greatest = kLeast;
    GreatestFold<float>{}.row(greatest, x, count, 0);
    const bool plain = std::isfinite(greatest);
    merge(acc, {greatest, plain ? exp_sum(x, greatest, count) : 1.0});
  }
  void merge(Acc& acc, const Acc& later) const {
    const float greatest = GreatestFold<float>::greater(acc.greatest, later.greatest);
    if (!std::isfinite(greatest)) {
      acc = {greatest, 1.0};
      return;
    }
    const auto scaled = [=](const Acc& part) {
      return part.sum *
             std::exp(static_cast<double>(part.greatest) - static_cast<double>(greatest));
    };
    acc = {greatest, scaled(acc) + scaled(later)};
  }
  float value(const Acc& acc, std::int64_t) const {
    return static_cast<float>(static_cast<double>(acc.greatest) + std::log(acc.sum));
  }
};

}  // namespace aclnn
