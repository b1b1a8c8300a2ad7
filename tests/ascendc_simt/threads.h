// SPDX-License-Identifier: Apache-2.0
// A function of threads that writes words.
#pragma once

#include <cstdint>
#include <vector>

#include "ascendc/simt_api/asc_simt.h"
#include "tests/ascendc/rows.h"

// These are words of SIMT code alone.
#undef blockIdx
#undef blockDim
#undef gridDim
#undef threadIdx

namespace simt_test {

/// The number of the thread in its block.
inline uint32_t me() { return aclsimThisThread()->number; }
template <void (*function)(int32_t*), uint32_t threads>
void run_threads(GM_ADDR x) {
  asc_vf_call<function>(dim3{threads, 1, 1}, reinterpret_cast<int32_t*>(x));
}
/// Runs the function in `threads` threads and returns the words that it wrote.
template <void (*function)(int32_t*), uint32_t threads>
std::vector<int32_t> words_of(std::size_t count) {
  return first_words<run_threads<function, threads>>(count);
}

}  // namespace simt_test
