// SPDX-License-Identifier: Apache-2.0
// The addresses of a core's local memories in the process.
#include <cstdlib>
#include <memory>
#include <vector>

#include "runtime/ascendc/core/core.h"
#include "tests/support/catch.h"

namespace {

using namespace ascendc;

struct NoKernel final : Host {
  void found(const Finding&) override {}
  [[noreturn]] void end(End) override { std::abort(); }
  bool find_global(std::uintptr_t, GmRange&) override { return false; }
  std::string place_of(const void*) override { return {}; }
};

}  // namespace

TEST_CASE("the first byte of a memory is in it, also where another one ends there", "[core]") {
  NoKernel host;
  const Arch& arch = arch_of(2201);
  std::vector<std::unique_ptr<Core>> cores;
  bool met = false;
  for (int i = 0; i < 8; ++i) {  // the system maps one behind the other, in either order
    Core& core = *cores.emplace_back(std::make_unique<Core>());
    core.reset(arch, host, {});
    const Memory first = i % 2 == 0 ? Memory::l1 : Memory::ub;
    core.memory(first);
    std::byte* const l1 = core.memory(Memory::l1);
    std::byte* const ub = core.memory(Memory::ub);
    std::uint64_t offset = 1;
    CHECK(core.locate(l1, offset) == Memory::l1);
    CHECK(offset == 0);
    met |= ub + core.memory_bytes(Memory::ub) == l1;
    if (l1 + core.memory_bytes(Memory::l1) != ub) {
      CHECK(core.locate(l1 + core.memory_bytes(Memory::l1), offset) == Memory::l1);
      CHECK(offset == core.memory_bytes(Memory::l1));
    }
  }
  if (!met) WARN("the system mapped no two memories side by side");
}
