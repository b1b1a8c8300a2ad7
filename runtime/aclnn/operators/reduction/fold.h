// SPDX-License-Identifier: Apache-2.0
// Reductions: how elements go into an accumulator is one small class; which elements, in which
// order and by how many workers is compiled once for each type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "runtime/aclnn/loops/rows.h"
#include "runtime/aclnn/plan/plan.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

inline constexpr std::int64_t kLeastFolded = std::int64_t{1} << 16;  // elements worth a piece

/// A reduction of numbers of type T. Made of a class with
///   using Acc = ...;                                         at most 32 bytes, trivially copyable
///   Acc start() const;
///   void row(Acc&, const T* x, int64_t count, int64_t first) const;   first: the index of x[0]
///   void one(Acc&, T x, int64_t index) const;
///   void merge(Acc&, const Acc& later) const;
///   T value(const Acc&, int64_t count) const;                of so many elements
///   int64_t index(const Acc&) const;                         only where indexes are an output
template <class T>
struct Fold {
  std::size_t bytes;
  void (*start)(const void* f, void* accs, std::int64_t count);
  void (*row)(const void* f, void* acc, const T* x, std::int64_t count, std::int64_t first);
  void (*each)(const void* f, void* accs, const T* x, std::int64_t count, std::int64_t index);
  void (*merge)(const void* f, void* acc, const void* later);
  void (*finish)(const void* f, const void* accs, std::int64_t folded, T* values,
                 std::int64_t* indexes, std::int64_t count);
  alignas(16) std::array<std::byte, 32> f;

  template <class F>
  static Fold of(const F& f) {
    using Acc = typename F::Acc;
    static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= 32 && sizeof(Acc) <= 32);
    Fold fold{sizeof(Acc), do_start<F>, do_row<F>, do_each<F>, do_merge<F>, do_finish<F>, {}};
    std::memcpy(fold.f.data(), &f, sizeof f);
    return fold;
  }

 private:
  template <class F>
  static const F& as(const void* f) {
    return *static_cast<const F*>(f);
  }
  template <class F>
  static typename F::Acc* accs_of(void* accs) {
    return static_cast<typename F::Acc*>(accs);
  }
  template <class F>
  static void do_start(const void* f, void* accs, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) accs_of<F>(accs)[i] = as<F>(f).start();
  }
  template <class F>
  static void do_row(const void* f, void* acc, const T* x, std::int64_t count, std::int64_t first) {
    as<F>(f).row(*accs_of<F>(acc), x, count, first);
  }
  template <class F>
  static void do_each(const void* f, void* accs, const T* x, std::int64_t count,
                      std::int64_t index) {
    for (std::int64_t i = 0; i < count; ++i) as<F>(f).one(accs_of<F>(accs)[i], x[i], index);
  }
  template <class F>
  static void do_merge(const void* f, void* acc, const void* later) {
    as<F>(f).merge(*accs_of<F>(acc), *static_cast<const typename F::Acc*>(later));
  }
  template <class F>
  static void do_finish(const void* f, const void* accs, std::int64_t folded, T* values,
                        std::int64_t* indexes, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto& acc = static_cast<const typename F::Acc*>(accs)[i];
      values[i] = as<F>(f).value(acc, folded);
      if constexpr (requires { as<F>(f).index(acc); }) indexes[i] = as<F>(f).index(acc);
    }
  }
};

/// The outputs: values, indexes or both, with the shape of the kept dims, or with the other dims of
/// size 1.
struct Folded {
  View values{};
  View indexes{};
};

/// The shape of a result; refuses outputs that have another one.
Shape folded_shape(const Shape& shape, const Dims& mask, bool keep);
void require_folded(Planner& p, const View& x, const Dims& mask, bool keep, const View& out);

/// Plans the reduction. Without elements along the dims, the result is the initial accumulator.
template <class T>
void plan_fold(Planner& p, const View& x, const Dims& mask, const Folded& out, const Fold<T>& fold);

}  // namespace aclnn
