// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/matrix/gemm.h"

#include <algorithm>
#include <vector>

#if ACLSIM_HAVE_BLAS
#include <cblas.h>

#include "device_sim/base/mutex.h"
#endif

#if ACLSIM_WRAP_BLAS
// The variant without threads hands the same buffer to two threads that ask for one at the same
// time. The linker sends its requests here.
extern "C" {
void* __real_blas_memory_alloc(int position);  // NOLINT(bugprone-reserved-identifier)
void __real_blas_memory_free(void* buffer);    // NOLINT(bugprone-reserved-identifier)
void* __wrap_blas_memory_alloc(int position);  // NOLINT(bugprone-reserved-identifier)
void __wrap_blas_memory_free(void* buffer);    // NOLINT(bugprone-reserved-identifier)
}

static sim::Mutex& blas_mutex() {
  static auto& mutex = *new sim::Mutex;  // used until the process exits
  return mutex;
}

void* __wrap_blas_memory_alloc(int position) {
  const sim::LockGuard guard(blas_mutex());
  return __real_blas_memory_alloc(position);
}

void __wrap_blas_memory_free(void* buffer) {
  const sim::LockGuard guard(blas_mutex());
  __real_blas_memory_free(buffer);
}
#endif

namespace aclnn {
namespace {

/// Packs a matrix with any steps into contiguous rows.
template <class T>
std::vector<T> packed(std::int64_t rows, std::int64_t columns, const Matrix<T>& from) {
  std::vector<T> to(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      to[static_cast<std::size_t>(i * columns + j)] = from.data[i * from.row + j * from.column];
    }
  }
  return to;
}

#if ACLSIM_HAVE_BLAS
void product(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const float* a, int lda,
             const float* b, int ldb, float beta, float* c, int ldc) {
  cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1.0F, a, lda, b, ldb, beta, c, ldc);
}
void product(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const double* a, int lda,
             const double* b, int ldb, double beta, double* c, int ldc) {
  cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1.0, a, lda, b, ldb, beta, c, ldc);
}

/// How the library wants an operand: its leading dimension, and whether it is transposed.
template <class T>
class Packed {
 public:
  Packed(std::int64_t rows, std::int64_t columns, const Matrix<T>& matrix) : data_(matrix.data) {
    if (matrix.column == 1 && matrix.row >= columns) {
      leading_ = static_cast<int>(matrix.row);
    } else if (matrix.row == 1 && matrix.column >= rows) {
      transposed_ = CblasTrans;
      leading_ = static_cast<int>(matrix.column);
    } else {
      copy_ = packed(rows, columns, matrix);
      data_ = copy_.data();
      leading_ = static_cast<int>(columns);
    }
  }
  const T* data() const { return data_; }
  int leading() const { return leading_; }
  CBLAS_TRANSPOSE transposed() const { return transposed_; }

 private:
  const T* data_;
  std::vector<T> copy_;
  CBLAS_TRANSPOSE transposed_ = CblasNoTrans;
  int leading_ = 1;
};

template <class T>
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<T>& a,
              const Matrix<T>& b, T* c, std::int64_t c_row, bool add) {
  const Packed<T> left(m, k, a), right(k, n, b);
#if ACLSIM_LOCK_BLAS  // the same, if the linker cannot redirect the library's requests
  static auto& mutex = *new sim::Mutex;
  const sim::LockGuard guard(mutex);
#endif
  product(left.transposed(), right.transposed(), static_cast<int>(m), static_cast<int>(n),
          static_cast<int>(k), left.data(), left.leading(), right.data(), right.leading(),
          add ? T(1) : T(0), c, static_cast<int>(c_row));
}
#else
template <class T>
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<T>& a,
              const Matrix<T>& b, T* c, std::int64_t c_row, bool add) {
  const std::vector<T> right = packed(k, n, b);
  for (std::int64_t i = 0; i < m; ++i) {
    T* const row = c + i * c_row;
    if (!add) std::fill(row, row + n, T(0));
    for (std::int64_t l = 0; l < k; ++l) {
      const T factor = a.data[i * a.row + l * a.column];
      const T* const from = right.data() + l * n;
      for (std::int64_t j = 0; j < n; ++j) row[j] += factor * from[j];
    }
  }
}
#endif

template <class T>
void product_of(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<T>& a,
                const Matrix<T>& b, T* c, std::int64_t c_row, bool add) {
  if (m == 0 || n == 0) return;
  if (k != 0) return multiply(m, n, k, a, b, c, c_row, add);
  for (std::int64_t i = 0; i < m && !add; ++i) std::fill(c + i * c_row, c + i * c_row + n, T(0));
}

}  // namespace

void gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<float>& a,
          const Matrix<float>& b, float* c, std::int64_t c_row, bool add) {
  product_of(m, n, k, a, b, c, c_row, add);
}

void gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<double>& a,
          const Matrix<double>& b, double* c, std::int64_t c_row, bool add) {
  product_of(m, n, k, a, b, c, c_row, add);
}

}  // namespace aclnn
