// SPDX-License-Identifier: Apache-2.0
// One event is recorded after each of two producers: a wait refers to the second record only.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream left = machine.stream();
  const aclrtStream right = machine.stream();
  const aclrtStream consumer = machine.stream();
  const aclrtEvent left_filled = machine.event();
  const aclrtEvent right_filled = kRepaired ? machine.event() : left_filled;
  std::int32_t* const a = machine.device();
  std::int32_t* const b = machine.device();
  std::int32_t* const sum = machine.device();

  to_device(a, machine.host(3), left);
  record(left_filled, left);
  to_device(b, machine.host(4), right);
  record(right_filled, right);
  if (kRepaired) wait(consumer, left_filled);
  wait(consumer, right_filled);
  add(sum, a, b, consumer);
  return device_verdict(machine, sum, 7);
}
