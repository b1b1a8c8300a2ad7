// SPDX-License-Identifier: Apache-2.0
// The wait is enqueued after the read that it was meant to protect.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream producer = machine.stream();
  const aclrtStream consumer = machine.stream();
  const aclrtEvent filled = machine.event();
  std::int32_t* const buffer = machine.device();
  std::int32_t* const sum = machine.device();

  to_device(buffer, machine.host(7), producer);
  record(filled, producer);
  if (kRepaired) wait(consumer, filled);
  add(sum, buffer, nullptr, consumer);
  if (!kRepaired) wait(consumer, filled);
  return device_verdict(machine, sum, 7);
}
