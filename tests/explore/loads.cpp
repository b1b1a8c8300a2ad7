// SPDX-License-Identifier: Apache-2.0
// loads FILE: fails in every second process that the kernel loads, including the first. The file
// lists the number that the kernel draws for each. Copies of a process behave like their original.
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
