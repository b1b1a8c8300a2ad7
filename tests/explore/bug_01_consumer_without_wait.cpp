// SPDX-License-Identifier: Apache-2.0
// A stream reads a buffer that another stream fills, without a wait.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream producer = machine.stream();
  const aclrtStream consumer = machine.stream();
  const aclrtEvent filled = machine.event();
  std::int32_t* const buffer = machine.device();
  std::int32_t* const sum = machine.device();

  to_device(buffer, machine.host(7), producer);
  if (kRepaired) {
    record(filled, producer);
    wait(consumer, filled);
  }
  add(sum, buffer, nullptr, consumer);
  return device_verdict(machine, sum, 7);
}
