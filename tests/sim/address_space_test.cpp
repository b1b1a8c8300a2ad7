// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/address_space.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "device_sim/memory/memory.h"
#include "tests/sim/machine.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::AddressSpace;
using sim::Memory;

namespace {

constexpr std::size_t kCapacity = std::size_t{2} << 20;

struct Fixture {
  Memory memory{small_machine()};
  AddressSpace& space = memory.device(0);

  std::byte* take(std::size_t size, std::size_t alignment = 64, std::size_t padding = 0) {
    return static_cast<std::byte*>(space.allocate(size, alignment, padding));
  }
};

bool all_are(const std::byte* begin, std::size_t size, int value) {
  return std::all_of(begin, begin + size, [value](std::byte b) { return b == std::byte(value); });
}

bool runs_out(AddressSpace& space, std::size_t size, std::size_t padding = 0) {
  try {
    space.allocate(size, 64, padding);
  } catch (const sim::MachineError& error) {
    return error.error() == sim::Error::out_of_memory;
  }
  return false;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "memory is aligned as asked", "[memory]") {
  take(1);
  for (const std::size_t alignment : {1u, 64u, 512u, 4096u, 65536u, 1u << 20}) {
    const auto address = reinterpret_cast<std::uintptr_t>(take(100, alignment));
    CHECK(address % alignment == 0);
    CHECK(address % 64 == 0);
  }
}

TEST_CASE_METHOD(Fixture, "fresh memory is zero and can be written", "[memory]") {
  std::byte* const a = take(100'000);
  CHECK(all_are(a, 100'000, 0));
  std::memset(a, 7, 100'000);
  std::byte* const b = take(100'000);
  CHECK(all_are(b, 100'000, 0));
  CHECK(all_are(a, 100'000, 7));
}

TEST_CASE_METHOD(Fixture, "a piece is found by every address inside it and by no other",
                 "[memory]") {
  std::byte* const a = take(100);
  std::byte* const b = take(200);
  CHECK(space.find(a)->size == 100);
  CHECK(space.find(a + 99)->begin == reinterpret_cast<std::uintptr_t>(a));
  CHECK_FALSE(space.find(a + 100));  // only padding: the allocation does not contain it
  CHECK_FALSE(space.find(a - 1));
  CHECK(space.find(b + 199)->size == 200);
  CHECK_FALSE(space.find(b + 200));
  CHECK(space.try_find(b + 10)->begin == reinterpret_cast<std::uintptr_t>(b));
}

TEST_CASE_METHOD(Fixture, "an allocation knows its device, its number and its caller", "[memory]") {
  int caller = 0;
  const void* const a = memory.device(1).allocate(10, 64, 0, &caller);
  const void* const b = memory.device(0).allocate(10, 64);
  const auto found = memory.device(1).find(a);
  REQUIRE(found);
  CHECK(found->device == 1);
  CHECK(found->caller == &caller);
  CHECK(found->end() - found->begin == 10);
  CHECK(memory.device(0).find(b)->serial == found->serial + 1);
}

TEST_CASE_METHOD(Fixture, "memory is freed once", "[memory]") {
  std::byte* const a = take(100);
  CHECK_FALSE(space.free(a + 1));
  CHECK_FALSE(space.free(nullptr));
  CHECK_FALSE(space.free(&space));
  CHECK(space.free(a));
  CHECK_FALSE(space.free(a));
  CHECK_FALSE(space.find(a));
  CHECK(space.used() == 0);
}

TEST_CASE_METHOD(Fixture,
                 "who listens for the end of a piece is called once, while it is still there",
                 "[memory]") {
  auto* const piece = static_cast<char*>(space.allocate(100, 64));
  void* const other = space.allocate(100, 64);
  int calls = 0;
  const auto listener = std::make_shared<const AddressSpace::FreeListener>([&] {
    ++calls;
    CHECK(space.find(piece));
  });
  CHECK(space.on_free(piece + 99, listener));
  CHECK_FALSE(space.on_free(piece + 100, listener));
  CHECK(space.free(other));
  CHECK_FALSE(space.free(piece + 99));
  CHECK(calls == 0);
  CHECK(space.free(piece));
  CHECK(calls == 1);
  CHECK(space.allocate(100, 64) == piece);
  CHECK(space.free(piece));
  CHECK(calls == 1);
}

TEST_CASE_METHOD(Fixture, "a listener is called by free_all, too, and not once it is gone",
                 "[memory]") {
  int calls = 0;
  const auto stays = std::make_shared<const AddressSpace::FreeListener>([&] { ++calls; });
  auto goes = std::make_shared<const AddressSpace::FreeListener>([&] { calls += 100; });
  void* const piece = space.allocate(100, 64);
  CHECK(space.on_free(piece, goes));
  CHECK(space.on_free(piece, stays));
  CHECK(space.on_free(piece, stays));
  goes.reset();
  space.free_all();
  CHECK(calls == 2);
}

TEST_CASE_METHOD(Fixture, "the smallest hole that fits is taken, the lowest among equals",
                 "[memory]") {
  std::byte* const big = take(4096);
  take(64);
  std::byte* const small = take(512);
  take(64);
  std::byte* const equal = take(512);
  take(64);
  space.free(big);
  space.free(equal);
  space.free(small);
  CHECK(take(512) == small);
  CHECK(take(400) == equal);
  CHECK(take(400) == big);
}

TEST_CASE_METHOD(Fixture, "neighbouring holes become one", "[memory]") {
  std::byte* const pieces[3] = {take(1024), take(1024), take(1024)};
  take(kCapacity - 3 * 1024);
  CHECK(runs_out(space, 64));
  int order[3] = {0, 1, 2};
  for (int i = GENERATE(range(0, 6)); i > 0; --i) std::next_permutation(order, order + 3);
  for (const int i : order) space.free(pieces[i]);
  CHECK(take(3 * 1024) == pieces[0]);
}

TEST_CASE_METHOD(Fixture, "a recycled piece keeps what was in it", "[memory]") {
  std::byte* const a = take(4096);
  std::memset(a, 9, 4096);
  space.free(a);
  REQUIRE(take(4096) == a);
  CHECK(all_are(a, 4096, 9));
}

TEST_CASE_METHOD(Fixture, "padding lies behind a piece and belongs to nobody", "[memory]") {
  std::byte* const a = take(100, 64, 32);
  std::byte* const b = take(100);
  CHECK(b - a >= 132);
  CHECK_FALSE(space.find(a + 100));
}

TEST_CASE_METHOD(Fixture, "a device has as much memory as it has", "[memory]") {
  CHECK(space.capacity() == kCapacity);
  CHECK(runs_out(space, kCapacity + 1));
  CHECK(runs_out(space, kCapacity, 1));
  CHECK(runs_out(space, ~std::size_t{0}));
  CHECK(runs_out(space, ~std::size_t{0} - 100));
  std::byte* const all = take(kCapacity);
  CHECK(space.used() == kCapacity);
  CHECK(runs_out(space, 1));
  space.free(all);
  CHECK(take(kCapacity) == all);
}

TEST_CASE_METHOD(Fixture, "memory that is full of holes says so", "[memory]") {
  std::vector<std::byte*> pieces;
  for (std::size_t i = 0; i < 16; ++i) pieces.push_back(take(kCapacity / 16));
  for (std::size_t i = 0; i < 16; i += 2) space.free(pieces[i]);
  CHECK(runs_out(space, kCapacity / 16 + 1));
  CHECK(space.used() == kCapacity / 2);
}

TEST_CASE_METHOD(Fixture, "pieces of no bytes have addresses of their own", "[memory]") {
  std::byte* const a = take(0);
  std::byte* const b = take(0);
  std::byte* const c = take(10);
  CHECK(a != b);
  CHECK(b != c);
  CHECK(space.live_count() == 3);
  CHECK(space.free(a));
  CHECK(space.free(b));
  CHECK(space.find(c));
}

TEST_CASE_METHOD(Fixture, "free_all frees all", "[memory]") {
  for (int i = 0; i < 10; ++i) take(1000);
  CHECK(space.live().size() == 10);
  CHECK(space.free_all() == 10);
  CHECK(space.live_count() == 0);
  CHECK(space.used() == 0);
  CHECK(take(kCapacity));
}

TEST_CASE_METHOD(Fixture, "what free_all freed is known once, until it is handed out again",
                 "[memory]") {
  void* const first = take(1000);
  void* const second = take(1000);
  void* const freed = take(1000);
  space.free(freed);
  space.free_all();
  CHECK(space.forget_freed_by_all(first));
  CHECK_FALSE(space.forget_freed_by_all(first));
  CHECK_FALSE(space.forget_freed_by_all(freed));
  CHECK(take(4000));
  CHECK_FALSE(space.forget_freed_by_all(second));
}

TEST_CASE_METHOD(Fixture, "bytes are counted by label, now and at their most", "[memory]") {
  space.allocate(64, 64, 0, nullptr, 1);
  void* const first = space.allocate(100, 64, 28, nullptr, 7);
  void* const second = space.allocate(256, 64, 0, nullptr, 7);
  CHECK(space.find(first)->label == 7);
  CHECK(space.usage().at(1).current == 64);
  CHECK(space.usage().at(7).current == 128 + 256);
  REQUIRE(space.free(second));
  space.hold_freed();
  REQUIRE(space.free(first));
  CHECK(space.usage().at(7).current == 128);
  space.release_freed();
  CHECK(space.usage().at(7).current == 0);
  CHECK(space.usage().at(7).peak == 128 + 256);
  space.free_all();
  CHECK(space.usage().at(7).peak == 0);
}

TEST_CASE("all devices together keep within the budget", "[memory]") {
  sim::SystemConfig config = small_machine();
  config.memory_budget_bytes = kCapacity + 4096;
  Memory memory(config);
  void* const first = memory.device(0).allocate(kCapacity, 64);
  CHECK(runs_out(memory.device(1), 8192));
  CHECK(memory.device(1).used() == 0);
  CHECK(memory.device(1).allocate(4096, 64));
  CHECK(runs_out(memory.host(), 64));
  memory.device(0).free(first);
  CHECK(memory.host().allocate(kCapacity, 64));
}

TEST_CASE("a budget is never overdrawn", "[memory]") {
  sim::MemoryBudget budget(100);
  CHECK(budget.take(60));
  CHECK_FALSE(budget.take(41));
  CHECK_FALSE(budget.take(~std::size_t{0}));
  CHECK(budget.take(40));
  budget.give(100);
  CHECK(budget.take(100));
  CHECK(sim::MemoryBudget::host_share() > 0);
}

TEST_CASE("memory behaves like a table of ranges, whatever the order of calls", "[memory]") {
  for (const std::uint64_t seed : seeds(20)) {
    INFO("ACLSIM_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    Fixture f;
    struct Piece {
      std::size_t size;
      std::size_t padding;
      int value;
    };
    std::map<std::byte*, Piece> model;
    int value = 0;
    bool sound = true;
    for (int i = 0; i < 2000; ++i) {
      if (model.empty() || random() % 5 < 3) {
        const std::size_t size = 1 + random() % (random() % 8 == 0 ? 200'000 : 2000);
        const std::size_t alignment = std::size_t{64} << random() % 7;
        const std::size_t padding = random() % 2 * 32;
        std::byte* at = nullptr;
        try {
          at = f.take(size, alignment, padding);
        } catch (const sim::MachineError&) {
          f.space.free(model.begin()->first);
          model.erase(model.begin());
          continue;
        }
        // It overlaps neither its neighbour below nor the one above.
        const auto above = model.lower_bound(at);
        if (above != model.end() && at + size + padding > above->first) sound = false;
        if (above != model.begin()) {
          const auto below = std::prev(above);
          if (below->first + below->second.size + below->second.padding > at) sound = false;
        }
        sound = sound && reinterpret_cast<std::uintptr_t>(at) % alignment == 0;
        value = (value + 1) % 251;
        std::memset(at, value, size);
        model[at] = {size, padding, value};
      } else {
        auto it = model.begin();
        std::advance(it, random() % model.size());
        // The written bytes are unchanged, and each inner address finds the allocation.
        const auto& [at, piece] = *it;
        sound = sound && all_are(at, piece.size, piece.value);
        const auto found = f.space.find(at + random() % piece.size);
        sound = sound && found && found->size == piece.size;
        sound = sound && f.space.free(at) && !f.space.find(at);
        model.erase(it);
      }
    }
    CHECK(sound);
    CHECK(f.space.live_count() == model.size());
    f.space.free_all();
    CHECK(f.take(kCapacity));
  }
}

TEST_CASE("what was freed on one device counts against the budget of all", "[memory]") {
  sim::SystemConfig config = small_machine();
  config.memory_bytes = std::size_t{8} << 20;
  config.memory_budget_bytes = std::size_t{8} << 20;
  Memory memory(config);
  constexpr std::size_t kSize = std::size_t{6} << 20;
  auto* const first = static_cast<std::byte*>(memory.device(0).allocate(kSize, 64));
  std::memset(memory.engine(first), 7, kSize);
  REQUIRE(memory.device(0).free(first));
  // Six megabytes of stale pages and six more are too much: the stale ones go back to the host.
  void* const second = memory.device(1).allocate(kSize, 64);
  REQUIRE(memory.device(1).free(second));
  auto* const again = static_cast<std::byte*>(memory.device(0).allocate(kSize, 64));
  CHECK(all_are(static_cast<std::byte*>(memory.engine(again)), kSize, 0));
}

TEST_CASE("freed memory between live memory goes back to the host above 1 GiB", "[memory]") {
  sim::SystemConfig config = small_machine();
  config.memory_bytes = std::size_t{8} << 30;
  config.memory_budget_bytes = std::size_t{64} << 30;
  Memory memory(config);
  constexpr std::size_t kSize = std::size_t{64} << 20;
  // Each allocation is larger than all holes before it, and every second one stays.
  for (std::size_t i = 0; i < 40; ++i) {
    void* const freed = memory.device(0).allocate(kSize + i * 4096, 64);
    std::memset(memory.engine(freed), 7, 1);
    REQUIRE(memory.device(0).allocate(kSize + (i + 1) * 4096, 64));
    REQUIRE(memory.device(0).free(freed));
  }
  // The holes have 2.5 GiB. The first ones are not resident, the last ones are.
  const auto first_byte = [&](std::size_t size) {
    auto* const again = static_cast<std::byte*>(memory.device(0).allocate(size, 64));
    return static_cast<int>(*static_cast<std::byte*>(memory.engine(again)));
  };
  CHECK(first_byte(kSize) == 0);
  CHECK(first_byte(kSize + 10 * 4096) == 0);
  CHECK(first_byte(kSize + 39 * 4096) == 7);
}

TEST_CASE_METHOD(Fixture, "memory that is freed while held is not handed out until released",
                 "[memory]") {
  std::byte* const a = take(1000);
  space.hold_freed();
  REQUIRE(space.free(a));
  CHECK_FALSE(space.find(a));
  CHECK(space.find_held(a));
  CHECK(take(1000) != a);
  space.release_freed();
  CHECK_FALSE(space.find_held(a));
  CHECK(take(1000) == a);
}

TEST_CASE("memory that is kept is not handed out until it is let go", "[memory]") {
  sim::Memory memory(small_machine());
  sim::AddressSpace& space = memory.device(0);
  const auto take = [&] { return static_cast<std::byte*>(space.allocate(1000, 64)); };
  std::byte* const a = take();
  const auto part = space.keep(a + 10);
  REQUIRE(part);
  std::memset(memory.engine(a), 7, 1000);
  char byte = 0;
  CHECK(pread(part->file->get(), &byte, 1, static_cast<off_t>(part->offset)) == 1);
  CHECK(byte == 7);
  CHECK(space.keep(a));
  REQUIRE(space.free(a));
  CHECK_FALSE(space.find(a));
  CHECK_FALSE(space.keep(a));
  CHECK(take() != a);
  SECTION("as often as it was kept") {
    space.let_go(a + 10);
    CHECK(take() != a);
    space.let_go(a);
    CHECK(take() == a);
  }
  SECTION("and until a kernel that was given up has ended") {
    space.hold_freed();
    space.let_go(a);
    space.let_go(a);
    CHECK(take() != a);
    space.release_freed();
    CHECK(take() == a);
  }
  SECTION("though kernels that were given up have ended") {
    space.hold_freed();
    space.release_freed();
    CHECK(take() != a);
    space.let_go(a);
    space.let_go(a);
  }
  CHECK_FALSE(memory.host().keep(memory.host().allocate(64, 64)));
}

TEST_CASE("memory that is kept while it lives is let go without being freed", "[memory]") {
  sim::Memory memory(small_machine());
  void* const a = memory.device(0).allocate(1000, 64);
  REQUIRE(memory.device(0).keep(a));
  memory.device(0).let_go(a);
  CHECK(memory.device(0).find(a));
  REQUIRE(memory.device(0).free(a));
  CHECK(memory.device(0).allocate(1000, 64) == a);
}
