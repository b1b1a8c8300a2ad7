// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "device_sim/base/sanitizer.h"
#include "device_sim/memory/pages.h"
#include "device_sim/streams/op.h"
#include "tests/sim/probe.h"
#include "tests/sim/world.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"

using namespace simtest;
using sim::Memory;

namespace {

sim::SystemConfig guarded_machine() {
  sim::SystemConfig config = small_machine();
  config.host_access = sim::HostAccess::guard;
  return config;
}

}  // namespace

TEST_CASE("an address names its device", "[memory]") {
  Memory memory(small_machine(3));
  CHECK(memory.device_count() == 3);
  for (int d = 0; d < 3; ++d) {
    auto* const at = static_cast<char*>(memory.device(d).allocate(1000, 64));
    CHECK(memory.space_of(at) == &memory.device(d));
    const auto found = memory.find(at + 999);
    REQUIRE(found);
    CHECK(found->device == d);
    CHECK_FALSE(memory.find(at + 1000));
    CHECK(memory.space_of(at + 1000) == &memory.device(d));
  }
  auto* const pinned = static_cast<char*>(memory.host().allocate(1000, 64));
  CHECK(memory.find(pinned + 1)->device == sim::kHostDevice);
  CHECK(memory.space_of(pinned) == &memory.host());
}

TEST_CASE("the beginnings of two spaces do not differ in high bits only", "[memory]") {
  sim::SystemConfig config;  // as large as by default: powers of two
  config.devices = 8;
  Memory memory(config);
  std::set<std::uintptr_t> bits;
  const auto look = [&](sim::AddressSpace& space) {
    const auto at = reinterpret_cast<std::uintptr_t>(space.allocate(1000, 64));
    bits.insert(at >> 21 & 0x7f);
  };
  for (int d = 0; d < 8; ++d) look(memory.device(d));
  look(memory.host());
  CHECK(bits.size() == 9);
}

TEST_CASE("other memory of the process belongs to no device", "[memory]") {
  const Memory memory(small_machine());
  const auto heap = std::make_unique<int>();
  for (const void* address :
       {static_cast<const void*>(&memory), static_cast<const void*>(heap.get()),
        static_cast<const void*>(nullptr), reinterpret_cast<const void*>(~std::uintptr_t{0})}) {
    CHECK_FALSE(memory.find(address));
    CHECK_FALSE(memory.space_of(address));
    CHECK(memory.engine(address) == address);
  }
}

TEST_CASE("a look-up that was kept is forgotten when the piece is freed", "[memory]") {
  Memory memory(small_machine());
  void* const at = memory.device(0).allocate(100, 64);
  for (int i = 0; i < 3; ++i) CHECK(memory.find(at));
  SECTION("by this thread") { memory.device(0).free(at); }
  SECTION("by another") {
    std::thread([&] { memory.device(0).free(at); }).join();
  }
  CHECK_FALSE(memory.find(at));
  REQUIRE(memory.device(0).allocate(50, 64) == at);
  CHECK(memory.find(at)->size == 50);
}

TEST_CASE("a look-up that was kept is forgotten with its machine", "[memory]") {
  for (int i = 0; i < 10; ++i) {
    Memory memory(small_machine());
    void* const at = memory.device(0).allocate(100 + static_cast<std::size_t>(i), 64);
    CHECK(memory.find(at)->size == 100 + static_cast<std::size_t>(i));
  }
}

TEST_CASE("threads that look up while others free see a piece or none", "[memory]") {
  Memory memory(small_machine());
  auto* const keeper = static_cast<char*>(memory.device(0).allocate(4096, 64));
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread looker([&] {
    while (!stop) {
      const auto found = memory.find(keeper + 100);
      if (!found || found->size != 4096) ++wrong;
    }
  });
  for (int i = 0; i < 3000; ++i) {
    void* const at = memory.device(0).allocate(64, 64);
    const auto found = memory.find(at);
    if (!found || found->size != 64) ++wrong;
    memory.device(0).free(at);
    if (memory.find(at)) ++wrong;
  }
  stop = true;
  looker.join();
  CHECK(wrong == 0);
}

TEST_CASE("in an open machine the host may touch device memory", "[memory]") {
  Memory memory(small_machine());
  auto* const at = static_cast<char*>(memory.device(0).allocate(100, 64));
  CHECK_FALSE(memory.guarded());
  CHECK(memory.engine(at) == at);
  std::memset(at, 1, 100);
}

TEST_CASE("hosts can be barred from memory for a time, the engine cannot", "[memory]") {
  sim::SystemConfig config = small_machine();
  config.bars_hosts = true;
  Memory memory(config);
  Probe probe;
  for (sim::AddressSpace* const space : {&memory.device(0), &memory.host()}) {
    auto* const at = static_cast<char*>(space->allocate(4096, 4096));
    auto* const engine = static_cast<char*>(memory.engine(at));
    REQUIRE(engine != at);
    CHECK_FALSE(memory.guarded());
    at[7] = 3;
    CHECK(engine[7] == 3);
    memory.limit_hosts(reinterpret_cast<std::uintptr_t>(at), 4096, sim::HostRights::none);
    CHECK_FALSE(probe.readable(at));
    CHECK_FALSE(probe.writable(at));
    engine[7] = 4;
    memory.limit_hosts(reinterpret_cast<std::uintptr_t>(at), 4096, sim::HostRights::read);
    CHECK(probe.readable(at));
    CHECK_FALSE(probe.writable(at));
    engine[7] = 4;
    memory.limit_hosts(reinterpret_cast<std::uintptr_t>(at), 4096, sim::HostRights::all);
    CHECK(probe.writable(at));
    CHECK(at[7] == 4);
    space->free(at);
  }
}

TEST_CASE("pages of free memory can be closed to the program, the engine keeps its access",
          "[memory]") {
  sim::SystemConfig config = small_machine();
  config.closes_free = true;
  Memory memory(config);
  sim::AddressSpace& space = memory.device(0);
  Probe probe;
  auto* const first = static_cast<std::byte*>(space.allocate(4096, 512));
  auto* const second = static_cast<std::byte*>(space.allocate(512, 512));
  auto* const third = static_cast<std::byte*>(space.allocate(512, 512));
  CHECK(third == second + 512);
  CHECK(probe.readable(first));
  CHECK(probe.readable(third));
  CHECK_FALSE(probe.readable(second + 4096));
  CHECK(space.free(second));
  CHECK(probe.readable(third));  // of the same page
  CHECK(space.free(first));
  CHECK_FALSE(probe.readable(first));
  CHECK(probe.readable(static_cast<std::byte*>(memory.engine(first))));
  CHECK(space.free(third));
  CHECK_FALSE(probe.readable(third));
  space.hold_freed();
  auto* const held = static_cast<std::byte*>(space.allocate(4096, 4096));
  CHECK(space.free(held));
  CHECK(probe.readable(held));
  space.release_freed();
  CHECK_FALSE(probe.readable(held));
}

namespace {

std::size_t most_mappings() {
  std::size_t most = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> most;
  return most;
}

/// Pages that can be read beside pages that cannot, until the process may have no more mappings.
bool take_all_mappings() {
  const std::size_t bytes = (most_mappings() + 2) * sim::kPage;
  void* const range =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return false;
  for (std::size_t at = sim::kPage; at < bytes; at += 2 * sim::kPage) {
    if (mprotect(static_cast<std::byte*>(range) + at, sim::kPage, PROT_READ) != 0) return true;
  }
  return false;
}

}  // namespace

CHILD_PROGRAM(too_many_mappings) {
  sim::SystemConfig config = small_machine();
  config.closes_free = true;
  Memory memory(config);
  sim::AddressSpace& space = memory.device(0);
  Probe probe;
  auto* const first = static_cast<std::byte*>(space.allocate(4096, 4096, 4096));
  CHILD_EXPECT(!probe.readable(first + 4096));
  CHILD_EXPECT(take_all_mappings());
  for (int i = 0; i < 4; ++i)
    CHILD_EXPECT(probe.writable(static_cast<std::byte*>(space.allocate(4096, 4096, 4096))));
  CHILD_EXPECT(probe.readable(first + 4096));
  return 0;
}

TEST_CASE("memory that is freed for later stays where it is, and does not count as used") {
  Memory memory(small_machine());
  sim::AddressSpace& space = memory.device(0);
  const std::size_t before = space.used();
  auto* const first = static_cast<char*>(space.allocate(4096, 512));
  first[0] = 7;
  REQUIRE(space.free_later(first));
  CHECK_FALSE(space.free_later(first));
  CHECK(space.used() == before);
  CHECK(space.live_count() == 0);
  CHECK(first[0] == 7);
  CHECK(space.find_held(first)->size == 4096);
  REQUIRE(space.around(first + 9).freed);
  CHECK(space.around(first + 9).freed->held);
  void* const second = space.allocate(4096, 512);
  CHECK(second != first);
  space.let_go(first);
  CHECK(space.used() == before + 4096);
  CHECK_FALSE(space.find_held(first));
  CHECK(space.allocate(4096, 512) == first);
  // Another process may keep it: then it is no memory of this one any more.
  REQUIRE(space.keep(first));
  REQUIRE(space.free(first));
  CHECK_FALSE(space.around(first + 9).freed);
  space.let_go(first);
}

TEST_CASE("a process that may have no more mappings opens all pages, goes on, and says so once",
          "[memory]") {
  constexpr std::size_t kUsual = 65530;
  if (sim::kSanitized || most_mappings() > 4 * kUsual)
    return;  // a sanitizer needs mappings of its own
  const support::ChildResult result = support::run_child("too_many_mappings");
  CAPTURE(result.output);
  CHECK(result.clean());
  const std::string said = "aclsim: device 0: pages without an allocation are open from here on";
  const std::size_t at = result.output.find(said);
  REQUIRE(at != std::string::npos);
  CHECK(result.output.find(said, at + 1) == std::string::npos);
}

TEST_CASE("in a guarded machine only the engine may touch device memory", "[memory]") {
  Memory memory(guarded_machine());
  Probe probe;
  auto* const at = static_cast<char*>(memory.device(1).allocate(100, 64));
  REQUIRE(memory.guarded());
  CHECK_FALSE(probe.readable(at));
  CHECK(errno == EFAULT);
  CHECK_FALSE(probe.writable(at));
  auto* const engine = static_cast<char*>(memory.engine(at + 5));
  REQUIRE(engine != at + 5);
  sim::device_fill(engine, 42, 1);
  CHECK(memory.find(at + 5)->begin == reinterpret_cast<std::uintptr_t>(at));
  CHECK_FALSE(memory.find(engine));

  SECTION("until its pages are opened") {
    memory.open_pages(*memory.find(at));
    CHECK(probe.readable(at));
    CHECK(probe.writable(at));
    CHECK(at[5] == 42);
    memory.close_pages(*memory.find(at));
    CHECK_FALSE(probe.readable(at));
  }
  SECTION("the pinned memory of the host is the host's") {
    auto* const pinned = static_cast<char*>(memory.host().allocate(100, 64));
    CHECK(probe.writable(pinned));
    CHECK(memory.engine(pinned) == pinned);
    CHECK(memory.engine(&memory) == &memory);
  }
}

TEST_CASE("ops of a guarded machine work on what the user calls by its address", "[memory]") {
  Memory memory(guarded_machine());
  const sim::VirtualClock clock;
  ManualDriver driver(memory, clock);
  const auto s = make_stream(driver);
  auto* const a = static_cast<char*>(memory.device(0).allocate(100, 64));
  auto* const b = static_cast<char*>(memory.device(1).allocate(100, 64));
  char host[4] = {};
  s->submit(sim::make_fill(a, 0, 'x', 100));
  s->submit(sim::make_copy(b + 10, 1, a + 50, 0, 10));
  s->submit(sim::make_copy(host, sim::kHostDevice, b + 9, 1, 3));
  REQUIRE(s->try_own());
  while (s->step() == Step::moved) {
  }
  CHECK(host[0] == 0);
  CHECK(host[1] == 'x');
  CHECK(host[2] == 'x');
  driver.ready.clear();
}

TEST_CASE("a machine without devices has only the host's memory", "[memory]") {
  sim::SystemConfig config = guarded_machine();
  config.devices = 0;
  Memory memory(config);
  CHECK(memory.device_count() == 0);
  void* const at = memory.host().allocate(10, 64);
  CHECK(memory.find(at)->device == sim::kHostDevice);
}

// AddressSanitizer needs more addresses than a limit allows.
TEST_CASE("a machine takes at most half of the addresses that a limit leaves", "[memory]") {
  if (sim::kSanitized) return;
  for (const std::size_t gib : {2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 96, 97, 1000}) {
    CAPTURE(gib);
    const pid_t child = fork();
    if (child == 0) {
      std::size_t pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      const std::size_t left = gib << 30;
      const rlimit limit{pages * 4096 + left, pages * 4096 + left};
      if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
      sim::SystemConfig config;
      config.devices = 8;
      const Memory memory(config);
      const std::size_t kept = left / 2 - (std::size_t{8} << 20);  // less what the test allocates
      const bool room = mmap(nullptr, kept, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                             -1, 0) != MAP_FAILED;
      // It does not leave much more than it has to.
      const std::size_t capacity = memory.device(0).capacity();
      _exit(!room ? 3 : capacity < left / 64 && capacity < (std::size_t{64} << 20) ? 4 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
}
