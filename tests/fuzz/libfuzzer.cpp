// SPDX-License-Identifier: Apache-2.0
// The entry of libFuzzer. ACLSIM_FUZZ_TARGET names the target, as does the name of the program,
// fuzz_<target>.
#include <cstdint>
#include <string>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Target& target = fuzz::target(ACLSIM_FUZZ_TARGET);
  target.run(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
