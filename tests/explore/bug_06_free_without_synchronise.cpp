// SPDX-License-Identifier: Apache-2.0
// Memory is freed before a kernel reads it, allocated again and overwritten.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream stream = machine.stream();
  std::int32_t* const sum = machine.device();
  std::int32_t* const buffer = machine.device(7);

  add(sum, buffer, nullptr, stream);
  if (kRepaired) synchronise(stream);
  machine.free(buffer);
  machine.device(8);  // likely the same block; a copy outside of every stream sets its content
  return device_verdict(machine, sum, 7);
}
