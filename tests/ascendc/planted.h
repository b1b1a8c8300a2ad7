// SPDX-License-Identifier: Apache-2.0
// Kernels with a planted mistake that can be switched off, and their messages.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"

namespace planted {

constexpr int32_t kCount = 64;      // floats in a tensor
constexpr uint32_t kFloats = 4096;  // in the memory that a kernel gets

struct Place {
  AscendC::GlobalTensor<float> from;
  AscendC::GlobalTensor<float> to;
  AscendC::LocalTensor<float> a{AscendC::TPosition::VECCALC, 0, kCount};
  AscendC::LocalTensor<float> b{AscendC::TPosition::VECCALC, 1024, kCount};
  explicit Place(GM_ADDR x) {
    from.SetGlobalBuffer(reinterpret_cast<float*>(x), kCount);
    to.SetGlobalBuffer(reinterpret_cast<float*>(x) + 1024 + AscendC::GetBlockIdx() * 64, kCount);
  }
};
template <AscendC::HardEvent event>
void order(int32_t id = 0) {
  AscendC::SetFlag<event>(id);
  AscendC::WaitFlag<event>(id);
}

#define PLANTED(NAME) void NAME([[maybe_unused]] GM_ADDR x, [[maybe_unused]] bool good)

struct Planted {
  const char* name;
  void (*kernel)(GM_ADDR, bool);
  int code;
  const char* rule;
  uint32_t blocks = 1;
  uint32_t cores = ACLSIM_CORES_INFERRED;
};
#define ROW(NAME, CODE, RULE, ...) \
  { #NAME, NAME, CODE, RULE, ##__VA_ARGS__ }

inline void (*planted_kernel)(GM_ADDR, bool);
inline void run_planted(GM_ADDR x, bool good) { planted_kernel(x, good); }

inline int run(const Planted& planted, bool good, uint32_t blocks, std::string& text) {
  Device device;
  const auto memory = device.memory(std::vector<float>(kFloats, 1.0F));
  planted_kernel = planted.kernel;
  Said said;
  Said output(STDOUT_FILENO);
  REQUIRE(KernelOf<&run_planted>::enqueue(planted.name, planted.cores, blocks, nullptr,
                                          reinterpret_cast<GM_ADDR>(memory.data()), good) == 0);
  const int code = device.synchronize();
  output.text();
  text = said.text();
  return code;
}

/// The rule finds the mistake, and the twin has no finding. `sentence`: a part of the message.
inline void check(const Planted& mistake, const std::string& sentence = "") {
  CAPTURE(mistake.name);
  std::string text;
  CHECK(run(mistake, true, mistake.blocks, text) == 0);
  CHECK(text == "");
  CHECK(run(mistake, false, mistake.blocks, text) == mistake.code);
  CAPTURE(text);
  CHECK(contains(text, std::string("[") + mistake.rule + "]"));
  CHECK(contains(text, mistake.name));
  CHECK(contains(text, sentence));
}

/// The kernels of planted_test.cpp.
std::span<const Planted> first_kernels();

}  // namespace planted
