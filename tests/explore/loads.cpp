// SPDX-License-Identifier: Apache-2.0
// loads FILE: fails in every second process that loads it, from the first on; the file has the
// numbers that are the kernel's own for each. Copies of a process are all in the same case.
#include <sys/auxv.h>

#include <cstring>
#include <fstream>

#include "bug.h"

int main(int, char** argv) {
  std::uint64_t load = 0;
  std::memcpy(&load, reinterpret_cast<const void*>(::getauxval(AT_RANDOM)), sizeof load);
  std::uint64_t known = 0;
  int index = 0;
  for (std::ifstream file(argv[1]); file >> known && known != load;) ++index;
  if (known != load) std::ofstream(argv[1], std::ios::app) << load << '\n';
  Machine machine;
  to_device(machine.device(), machine.host(1), machine.stream());
  return index % 2 == 0 ? 1 : 0;
}
