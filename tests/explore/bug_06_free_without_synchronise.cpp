// SPDX-License-Identifier: Apache-2.0
// Memory is freed while a kernel has still to read it, handed out again and overwritten.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream stream = machine.stream();
  std::int32_t* const sum = machine.device();
  std::int32_t* const buffer = machine.device(7);

  add(sum, buffer, nullptr, stream);
  if (kRepaired) synchronise(stream);
  machine.free(buffer);
  machine.device(8);  // likely the same block; its content is set by a copy outside every stream
  return device_verdict(machine, sum, 7);
}
