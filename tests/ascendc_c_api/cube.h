// SPDX-License-Identifier: Apache-2.0
// Kernels of the cube unit in the C interface: pointers into its memories, and the frames around
// the results.
#pragma once

#include <string>
#include <vector>

#include "ascendc/c_api/asc_simd.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace c_cube_test {

using AscendC::TPosition;
using cube_test::Matrix;
using cube_test::product;
using cube_test::random_matrix;
using cube_test::stored;
using cube_test::transposed;
using cube_test::up;

constexpr uint32_t kSide = 32;          // rows and columns of C in most tests
constexpr uint32_t kPitch = kSide + 8;  // elements from a row of C in global memory to the next
constexpr uint32_t kFirst = kPitch;     // elements before it
constexpr int kSentinel = -99;

/// Calls a function, or its form after which all pipes wait.
#define CALL(sync, name, ...)   \
  do {                          \
    if (sync) {                 \
      name##_sync(__VA_ARGS__); \
    } else {                    \
      name(__VA_ARGS__);        \
    }                           \
  } while (false)

template <class T>
T* local(TPosition position, uint32_t offset) {
  return static_cast<T*>(aclsimLocalAddress(static_cast<uint32_t>(position), offset, 0, nullptr));
}
inline void order(pipe_t from, pipe_t to) {
  asc_sync_notify(from, to, EVENT_ID0);
  asc_sync_wait(from, to, EVENT_ID0);
}

/// A multiple of 32 bytes from global memory into L1.
inline void copy_in(void* dst, void* src, uint32_t bytes, bool sync = false) {
#if ACLSIM_NPU_ARCH == 3510
  CALL(sync, asc_copy_gm2l1, dst, src, 1, bytes / 32, 0, 0, 0);
#else
  CALL(sync, asc_copy_gm2l1, dst, src, bytes);
#endif
}
/// A multiple of 512 bytes from L1, in the same order.
template <class T>
void load_a(T* dst, T* src, uint32_t bytes) {
#if ACLSIM_NPU_ARCH == 3510
  asc_copy_l12l0a(dst, src, 0, 0, bytes / 512, 1, 1, 1);
#else
  asc_copy_l12l0a(dst, src, 0, bytes / 512, 1, 0);
#endif
}
template <class T>
void load_b(T* dst, T* src, uint32_t bytes) {
#if ACLSIM_NPU_ARCH == 3510
  asc_copy_l12l0b(dst, src, 0, 0, bytes / 512, 1, 1, 1);
#else
  asc_copy_l12l0b(dst, src, 0, bytes / 512, 1, 0);
#endif
}
inline void set_matrices(uint16_t number, uint16_t from_step, uint16_t to_step) {
#if ACLSIM_NPU_ARCH == 3510
  asc_set_l0c2gm_nz2nd(number, from_step, to_step);
#else
  asc_set_l0c_copy_params(number, from_step, to_step);
#endif
}
/// Sums in L0C as they are, or with a quantisation, as rows or as fractals.
template <class Out, class Sum>
void store(Out* dst, Sum* src, uint32_t rows, uint32_t cols, uint32_t pitch, bool sync = false,
           uint64_t quant = QuantMode_t::NoQuant, bool to_rows = true, uint8_t relu = 0,
           bool split = false, uint8_t unit_flag = 0) {
#if ACLSIM_NPU_ARCH == 3510
  CALL(sync, asc_copy_l0c2gm, dst, src, cols, rows, pitch, up(rows, 16), 0, 0, unit_flag, quant,
       relu, split, to_rows, QuantMode_post::NoConv, 0, false, 0, false, false, false, false);
#else
  CALL(sync, asc_copy_l0c2gm, dst, src, cols, rows, pitch, up(rows, 16), unit_flag, quant, relu,
       split, to_rows);
#endif
}

/// A product of two matrices that the host has stored in the order of L0A and of L0B.
template <class T, class Sum>
struct Product {
  Product(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t depth_of_all)
      : depth(depth_of_all),
        a_gm(reinterpret_cast<T*>(a)),
        b_gm(reinterpret_cast<T*>(b)),
        c_gm(reinterpret_cast<Sum*>(c) + kFirst) {
    asc_init();
  }
  uint32_t bytes() const { return kSide * depth * sizeof(T) / aclsim_element::per_byte<T>; }
  void copy() {
    copy_in(a1, a_gm, bytes());
    copy_in(b1, b_gm, bytes());
    order(PIPE_MTE2, PIPE_MTE1);
  }
  void load() {
    load_a(a2, a1, bytes());
    load_b(b2, b1, bytes());
  }
  void multiply(bool from_bias = false, bool from_zero = true) {
    order(PIPE_MTE1, PIPE_M);
    asc_mmad(sums, a2, b2, kSide, depth, kSide, 0, ACLSIM_NPU_ARCH == 3510, from_bias, from_zero);
    order(PIPE_M, PIPE_FIX);
  }
  void store_rows() {
    set_matrices(1, 0, 0);
    store(c_gm, sums, kSide, kSide, kPitch);
    asc_sync();
  }

  uint32_t depth;
  T *a_gm, *b_gm;
  Sum* c_gm;
  T *a1 = local<T>(TPosition::A1, 0), *b1 = local<T>(TPosition::A1, 8192);
  T *a2 = local<T>(TPosition::A2, 0), *b2 = local<T>(TPosition::B2, 0);
  Sum* sums = local<Sum>(TPosition::CO1, 0);
};

template <class T>
std::vector<T> for_l0a(const Matrix& from) {
  std::vector<T> made(from.values.size());
  const std::vector<T> rows = stored<T>(from);
  for (uint32_t i = 0; i < from.rows; ++i) {
    for (uint32_t j = 0; j < from.cols; ++j) {
      made[cube_test::l0a(i, j, from.rows, from.cols, 32 / sizeof(T))] =
          rows[std::size_t{i} * from.cols + j];
    }
  }
  return made;
}
template <class T>
std::vector<T> for_l0b(const Matrix& from) {
  std::vector<T> made(from.values.size());
  const std::vector<T> rows = stored<T>(from);
  for (uint32_t i = 0; i < from.rows; ++i) {
    for (uint32_t j = 0; j < from.cols; ++j) {
      made[cube_test::zn(i, j, from.cols, 32 / sizeof(T))] = rows[std::size_t{i} * from.cols + j];
    }
  }
  return made;
}

/// `rows` rows of results with the sentinels before, between and behind them.
template <class T>
std::vector<T> framed(const std::vector<T>& values, uint32_t rows, uint32_t cols,
                      uint32_t pitch = kPitch, uint32_t first = kFirst) {
  std::vector<T> made(first + std::size_t{rows + 1} * pitch, static_cast<T>(kSentinel));
  for (uint32_t i = 0; i < rows; ++i) {
    for (uint32_t j = 0; j < cols; ++j) made[first + i * pitch + j] = values[i * cols + j];
  }
  return made;
}
/// A product of matrices of kSide rows and columns.
template <class T>
std::vector<T> framed(const Matrix& c) {
  return framed<T>(stored<T>(c), c.rows, c.cols);
}

/// Runs a kernel with these arguments, and gives what it makes of `count` sentinels. It must have
/// no finding.
template <auto kernel, class Out, class A, class B, class... More>
std::vector<Out> results(const Device& device, const std::vector<A>& a, const std::vector<B>& b,
                         std::size_t count, More... more) {
  const auto a_bytes = device.memory(a);
  const auto b_bytes = device.memory(b);
  const auto c_bytes = device.memory(std::vector<Out>(count, static_cast<Out>(kSentinel)));
  Said said;
  REQUIRE(KernelOf<kernel>::enqueue("c_cube", ACLSIM_CORES_CUBE, 1, nullptr,
                                    reinterpret_cast<GM_ADDR>(a_bytes.data()),
                                    reinterpret_cast<GM_ADDR>(b_bytes.data()),
                                    reinterpret_cast<GM_ADDR>(c_bytes.data()), more...) == 0);
  const int code = device.synchronize();
  const std::string text = said.text();
  INFO(text);
  REQUIRE(code == 0);
  CHECK(text.empty());
  return c_bytes.host();
}

}  // namespace c_cube_test
