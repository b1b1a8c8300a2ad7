// SPDX-License-Identifier: Apache-2.0
// The host reuses a pinned buffer before an asynchronous copy has read it.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream stream = machine.stream();
  std::int32_t* const first = machine.device();
  std::int32_t* const second = machine.device();
  std::int32_t* const staging = machine.host(7);

  to_device(first, staging, stream);
  if (kRepaired) synchronise(stream);
  std::fill_n(staging, kCount, 8);
  to_device(second, staging, stream);
  return device_verdict(machine, first, 7);
}
