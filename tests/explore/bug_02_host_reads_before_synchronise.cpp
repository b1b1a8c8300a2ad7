// SPDX-License-Identifier: Apache-2.0
// The host reads the target of an asynchronous copy that may not have run.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream stream = machine.stream();
  std::int32_t* const buffer = machine.device(7);
  std::int32_t* const result = machine.host();

  to_host(result, buffer, stream);
  if (kRepaired) synchronise(stream);
  return verdict(result, 7);
}
