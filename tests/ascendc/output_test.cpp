// SPDX-License-Identifier: Apache-2.0
// The output of kernels, and the time at which it appears.
#include <algorithm>
#include <string>

#include "ascendc/kernel_operator.h"
#include "ascendc/utils/debug/asc_dump.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

__global__ __aicore__ void says_a_word(GM_ADDR) { AscendC::printf("word\n"); }

__global__ __aicore__ void says_too_much(GM_ADDR, int32_t lines) {
  for (int32_t i = 0; i < lines; ++i) AscendC::printf("%s", "0123456789abcdef0123456789abcde\n");
  if (lines > 32768) AscendC::printf("the end\n");
}

__global__ __aicore__ void shows_pointers(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 64, 8);
  Duplicate(t, 5, 8);
  PipeBarrier<PIPE_ALL>();
  asc_dump(reinterpret_cast<__ubuf__ int32_t*>(t.GetPhyAddr()), 4, 3);
  asc_dump_ubuf(reinterpret_cast<__ubuf__ int32_t*>(t.GetPhyAddr()), 5, 1);
  asc_dump_gm(reinterpret_cast<__gm__ int32_t*>(x), 6, 2);
}

}  // namespace

TEST_CASE("what kernels print is there once their stream is destroyed", "[output]") {
  Device device;
  const auto x = device.memory<int32_t>(8);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  Said said(STDOUT_FILENO);
  for (int i = 0; i < 50; ++i) {
    REQUIRE(KernelOf<&says_a_word>::enqueue("word", ACLSIM_CORES_INFERRED, 2, stream,
                                            reinterpret_cast<GM_ADDR>(x.data())) == 0);
  }
  CHECK(aclrtDestroyStream(stream) == 0);
  const std::string text = said.text();
  CHECK(std::count(text.begin(), text.end(), '\n') == 100);
}

TEST_CASE("a block keeps a MiB of text, and says how much it dropped behind that", "[output]") {
  Device device;
  const auto x = device.memory<int32_t>(8);
  const int32_t more = GENERATE(0, 10);
  Said said(STDOUT_FILENO);
  CHECK(launch("much", says_too_much, 1, reinterpret_cast<GM_ADDR>(x.data()), 32768 + more) == 0);
  CHECK(device.synchronize() == 0);
  const std::string text = said.text();
  if (more == 0) {
    CHECK(text.size() == 1U << 20);
  } else {
    CHECK(
        text.substr(1U << 20) ==
        "aclsim: kernel much, block 0: 328 bytes of output were dropped; at most 1048576 are kept "
        "of a block\n");
  }
}

TEST_CASE("asc_dump shows what lies behind a pointer, and in which memory", "[output]") {
  Device device;
  const auto x = device.memory(std::vector<int32_t>{7, 8, 9});
  Said said(STDOUT_FILENO);
  CHECK(launch("shows", shows_pointers, 1, reinterpret_cast<GM_ADDR>(x.data())) == 0);
  CHECK(device.synchronize() == 0);
  const std::string text = said.text();
  CAPTURE(text);
  CHECK(contains(text, "desc=4"));
  CHECK(contains(text, "data_type=int32, position=UB, dump_size=3\n[5, 5, 5]\n"));
  CHECK(contains(text, "data_type=int32, position=UB, dump_size=1\n[5]\n"));
  CHECK(contains(text, "data_type=int32, position=GM, dump_size=2\n[7, 8]\n"));
}
