// SPDX-License-Identifier: Apache-2.0
// The consumer waits for the producer, but the producer fills the buffer again without waiting for
// the consumer.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream producer = machine.stream();
  const aclrtStream consumer = machine.stream();
  const aclrtEvent filled = machine.event();
  const aclrtEvent read = machine.event();
  std::int32_t* const buffer = machine.device();
  std::int32_t* const sum = machine.device();

  to_device(buffer, machine.host(7), producer);
  record(filled, producer);
  wait(consumer, filled);
  add(sum, buffer, nullptr, consumer);
  if (kRepaired) {
    record(read, consumer);
    wait(producer, read);
  }
  to_device(buffer, machine.host(8), producer);
  return device_verdict(machine, sum, 7);
}
