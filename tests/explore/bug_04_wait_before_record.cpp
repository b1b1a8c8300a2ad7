// SPDX-License-Identifier: Apache-2.0
// A stream waits for an event that has not been recorded yet: the wait orders nothing.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream producer = machine.stream();
  const aclrtStream consumer = machine.stream();
  const aclrtEvent filled = machine.event();
  std::int32_t* const buffer = machine.device();
  std::int32_t* const sum = machine.device();

  if (!kRepaired) wait(consumer, filled);
  to_device(buffer, machine.host(7), producer);
  record(filled, producer);
  if (kRepaired) wait(consumer, filled);
  add(sum, buffer, nullptr, consumer);
  return device_verdict(machine, sum, 7);
}
