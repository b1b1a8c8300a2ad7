// SPDX-License-Identifier: Apache-2.0
// A kernel that takes an address and writes words there.
#pragma once

#include <cstdint>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"

/// Runs a kernel, which must have no messages, and returns the bytes that it wrote.
template <void (*kernel)(GM_ADDR)>
std::vector<int32_t> run(uint32_t blocks = 1) {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(1024, 0));
  Said said;
  CHECK(KernelOf<kernel>::enqueue("kernel", ACLSIM_CORES_INFERRED, blocks, nullptr,
                                  reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  return memory.host();
}

/// The first `count` words that it wrote.
template <void (*kernel)(GM_ADDR)>
std::vector<int32_t> first_words(std::size_t count) {
  std::vector<int32_t> words = run<kernel>();
  words.resize(count);
  return words;
}

/// Runs a kernel that is refused, and returns its messages.
template <void (*kernel)(GM_ADDR)>
std::string refused() {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(1024, 0));
  Said said;
  CHECK(KernelOf<kernel>::enqueue("kernel", ACLSIM_CORES_INFERRED, 1, nullptr,
                                  reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() != 0);
  return said.text();
}

inline AscendC::GlobalTensor<int32_t> words(GM_ADDR x, uint64_t count = 1024) {
  AscendC::GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(x), count);
  return tensor;
}
