// SPDX-License-Identifier: Apache-2.0
// The host synchronises the stream that computes, and reads what another stream copies.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream compute = machine.stream();
  const aclrtStream copies = machine.stream();
  const aclrtEvent computed = machine.event();
  std::int32_t* const buffer = machine.device(7);
  std::int32_t* const sum = machine.device();
  std::int32_t* const result = machine.host();

  add(sum, buffer, nullptr, compute);
  record(computed, compute);
  wait(copies, computed);
  to_host(result, sum, copies);
  synchronise(kRepaired ? copies : compute);
  return verdict(result, 7);
}
