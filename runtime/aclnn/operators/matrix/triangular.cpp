// SPDX-License-Identifier: Apache-2.0
// Systems of equations with a triangle of factors.
#include <algorithm>
#include <complex>

#include "aclnnop/aclnn_triangular_solve.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/operators/matrix/common.h"

namespace aclnn {
namespace {

constexpr TypeSet kSolved{ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};

struct TriangularSystem {
  bool upper, transpose, unit;
  std::int64_t n, k;
};

template <class T>
void read_matrix(const Data& data, std::vector<T>& to) {
  to.resize(static_cast<std::size_t>(data.count()));
  Reader<T> reader(data);
  reader.seek(0);
  const T* const from = reader.next(data.count(), to.data());
  if (from != to.data()) std::copy(from, from + data.count(), to.data());
}

template <class T>
void write_matrix(const std::vector<T>& from, const Data& data) {
  Writer<T> writer(data);
  writer.seek(0);
  writer.write(data.count(), from.data());
}

/// Solves for all columns of x at once, which holds the right sides.
template <class T>
void solve_triangle(const TriangularSystem& t, const T* a, T* x) {
  const bool backwards = t.upper != t.transpose;
  for (std::int64_t step = 0; step < t.n; ++step) {
    const std::int64_t i = backwards ? t.n - 1 - step : step;
    T* const row = x + i * t.k;
    for (std::int64_t done = 0; done < step; ++done) {
      const std::int64_t l = backwards ? t.n - 1 - done : done;
      const T factor = t.transpose ? a[l * t.n + i] : a[i * t.n + l];
      const T* const from = x + l * t.k;
      for (std::int64_t j = 0; j < t.k; ++j) row[j] -= factor * from[j];
    }
    if (t.unit) continue;
    const T diagonal = a[i * t.n + i];
    for (std::int64_t j = 0; j < t.k; ++j) row[j] /= diagonal;
  }
}

template <class T>
void plan_solve(Planner& p, const TriangularSystem& t, const View& right, const View& factors,
                const View& x, const View& copy) {
  std::int64_t batches = 1;
  for (int d = 0; d + 2 < copy.rank(); ++d) batches *= copy.size(d);
  p.job(batches, [=](Execution& run, std::int64_t batch) {
    thread_local std::vector<T> a, b;
    read_matrix(run.at(matrix_at(factors, batch)), a);
    if (x.count() != 0) {
      read_matrix(run.at(matrix_at(right, batch)), b);
      solve_triangle(t, a.data(), b.data());
      write_matrix(b, run.at(matrix_at(x, batch)));
    }
    for (std::int64_t i = 0; i < t.n; ++i) {
      T* const row = a.data() + i * t.n;
      std::fill(t.upper ? row : row + i + 1, t.upper ? row + i : row + t.n, T(0));
    }
    write_matrix(a, run.at(matrix_at(copy, batch)));
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnTriangularSolveGetWorkspaceSize(const aclTensor* self, const aclTensor* A,
                                                 bool upper, bool transpose, bool unitriangular,
                                                 aclTensor* xOut, aclTensor* mOut,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return first_phase("aclnnTriangularSolve", workspaceSize, executor, [&](Planner& p) {
    const auto [right, factors, x, copy] =
        p.take(In{self, "self", kSolved}, In{A, "A", kSolved}, Out{xOut, "xOut", kSolved},
               Out{mOut, "mOut", kSolved});
    for (const View& view : {factors, x, copy}) p.require_type(view, right.type);
    p.require_rank(right, 2, kMaxRank);
    p.require_rank(factors, 2, kMaxRank);
    const int last = factors.rank() - 1;
    require(factors.size(last) == factors.size(last - 1),
            "A has the shape {}; expected square matrices", factors.shape.text());
    View a = factors, b = right;
    const Shape shape = expand_matrices(p, a, b);
    p.require_shape(x, shape);
    p.require_shape(copy, a.shape);
    if (copy.count() == 0) return;
    const TriangularSystem t{upper, transpose, unitriangular, a.size(a.rank() - 1),
                             b.size(b.rank() - 1)};
    if (is_complex(right.type)) return plan_solve<std::complex<double>>(p, t, b, a, x, copy);
    plan_solve<double>(p, t, b, a, x, copy);
  });
}
ACLNN_SECOND_PHASE(aclnnTriangularSolve)
