// SPDX-License-Identifier: Apache-2.0
// Kernels that were compiled with ASCENDC_DUMP=0 show nothing.
#include <string>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

void speaks(GM_ADDR) {
  LocalTensor<float> t(TPosition::VECCALC, 0, 8);
  Duplicate(t, 1.0F, 8);
  AscendC::printf("text %d\n", 1);
  PRINTF("text %d\n", 2);
  DumpTensor(t, 3, 8);
}
void asserts(GM_ADDR x) { ascendc_assert(x == nullptr, "x is %d\n", 4); }

std::string shown(std::uint32_t (*enqueue)(GM_ADDR), int code) {
  Device device;
  const auto memory = device.memory<int32_t>(8);
  Said output(STDOUT_FILENO);
  Said findings;
  CHECK(enqueue(reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == code);
  CHECK((code == 0) == findings.text().empty());
  return output.text();
}

}  // namespace

TEST_CASE("a kernel that is compiled without output prints and dumps nothing", "[silent]") {
  CHECK(shown([](GM_ADDR x) { return launch("speaks", speaks, 1, x); }, 0) == "");
}

TEST_CASE("an assertion of a kernel without output fails all the same", "[silent]") {
  CHECK(shown([](GM_ADDR x) { return launch("asserts", asserts, 1, x); }, 507035) == "");
}
