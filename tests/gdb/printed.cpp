// SPDX-License-Identifier: Apache-2.0
// Objects that gdb prints with scripts/gdb/aclsim.py: built with full debug information.
#include "runtime/order/engine/vector_clock.h"
#include "tests/sim/world.h"

using aclrtStream = void*;

[[gnu::noinline]] void stop_here(const sim::Stream& stream, const sim::Op& op,
                                 const order::VectorClock& clock, aclrtStream handle) {
  asm volatile("" ::"r"(&stream), "r"(&op), "r"(&clock), "r"(handle));
}

int main() {
  simtest::World world;
  sim::Stream& parked = world.stream();
  sim::Stream& other = world.stream(1);
  const auto awaited = world.signal(&other);
  world.kernel(parked, "first");
  world.wait(parked, awaited);
  world.kernel(parked, "second");
  world.run(parked);

  order::VectorClock clock;
  clock.set(1, 4);
  clock.set(17, 2);
  int byte = 0;
  const sim::Op op = sim::make_copy(&byte, 1, &byte, 0, 4096);
  // Mark 5, kind 2 (stream), slot 7, generation 3.
  const auto handle = reinterpret_cast<aclrtStream>(
      (std::uintptr_t{0x5} << 60) | (std::uintptr_t{2} << 54) | (std::uintptr_t{7} << 32) | 3);
  stop_here(parked, op, clock, handle);
}
