// SPDX-License-Identifier: Apache-2.0
// Two alternating buffers: the computation waits for the copy, but the copy of chunk i + 2 does not
// wait for the computation of chunk i. An error is possible only from the third chunk on.
#include "bug.h"

int main() {
  constexpr std::int32_t kChunks = 4;
  Machine machine;
  const aclrtStream copies = machine.stream();
  const aclrtStream compute = machine.stream();
  std::int32_t* const buffers[] = {machine.device(), machine.device()};
  const aclrtEvent filled[] = {machine.event(), machine.event()};
  const aclrtEvent used[] = {machine.event(), machine.event()};
  std::int32_t* const sum = machine.device();

  std::int32_t expected = 0;
  for (std::int32_t chunk = 0; chunk < kChunks; ++chunk) {
    const std::int32_t value = 1 << (4 * chunk);
    const int side = chunk % 2;
    if (kRepaired && chunk >= 2) wait(copies, used[side]);
    to_device(buffers[side], machine.host(value), copies);
    record(filled[side], copies);
    wait(compute, filled[side]);
    add(sum, buffers[side], nullptr, compute);
    record(used[side], compute);
    expected += value;
  }
  return device_verdict(machine, sum, expected);
}
