// SPDX-License-Identifier: Apache-2.0
// Two streams read a buffer, and the stream that overwrites it waits for only one of them.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream writer = machine.stream();
  const aclrtStream readers[] = {machine.stream(), machine.stream()};
  const aclrtEvent read[] = {machine.event(), machine.event()};
  std::int32_t* const buffer = machine.device(7);
  std::int32_t* const sums[] = {machine.device(), machine.device()};

  for (int r = 0; r < 2; ++r) {
    add(sums[r], buffer, nullptr, readers[r]);
    record(read[r], readers[r]);
  }
  wait(writer, read[0]);
  if (kRepaired) wait(writer, read[1]);
  to_device(buffer, machine.host(8), writer);
  const int first = device_verdict(machine, sums[0], 7);
  return first != 0 ? first : device_verdict(machine, sums[1], 7);
}
