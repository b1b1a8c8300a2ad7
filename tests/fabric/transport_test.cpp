// SPDX-License-Identifier: Apache-2.0
// Memory that ranks share: as threads, and as processes.
#include "runtime/fabric/transport/transport.h"

#include <cstring>
#include <iostream>
#include <thread>

#include "runtime/fabric/store/hosted_store.h"
#include "tests/fabric/memory_rank.h"
#include "tests/fabric/ranks.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace fabric;
using catch_compat::ContainsSubstring;
using fabrictest::hex;
using fabrictest::Rank;
using fabrictest::sleep_until_word_is;
using fabrictest::soon;
using fabrictest::unhex;
using support::RunningChild;

namespace {

constexpr std::size_t kBytes = Rank::kBytes;

}  // namespace

/// Rank 1 of 2: writes a pattern into rank 0's memory, notifies, waits for the answer.
CHILD_PROGRAM(writer) {
  std::string info;
  std::cin >> info;
  Rank me(RootInfo::unpack(unhex(info)), 1, 2);
  const Bytes pattern(1000, std::byte{0x5a});
  me.way(0).put(me.memory(0), 100, pattern);
  me.way(0).notify(me.memory(0), 0, {.op = AtomicOp::add, .operand = 1});
  CHILD_EXPECT(sleep_until_word_is(me, 1));
  Bytes answer(1000);
  me.way(0).get(me.memory(0), 2000, answer);
  CHILD_EXPECT(answer == Bytes(1000, std::byte{0x77}));
  std::uint64_t before = 0;
  me.way(0).atomic(me.memory(0), 8, {.op = AtomicOp::add, .width = 4, .operand = 5}, &before);
  CHILD_EXPECT(before == 10);
  std::cout << "done" << std::endl;
  std::string line;
  std::cin >> line;
  me.group->leave();
  return 0;
}

TEST_CASE("processes write, read and count in each other's memory, and wake each other",
          "[fabric]") {
  const auto hosted = HostedStore::open(Identity::draw_nonce(), {}, "127.0.0.1");
  RunningChild child("writer");
  child.say(hex(hosted->root_info().pack()));
  Rank me(hosted->root_info(), 0, 2);
  CHECK(std::string(me.way(1).name()) == "memory");
  REQUIRE(sleep_until_word_is(me, 1));
  CHECK(std::memcmp(me.block.base + 100, Bytes(1000, std::byte{0x5a}).data(), 1000) == 0);
  std::memset(me.block.base + 2000, 0x77, 1000);
  me.block.word(1) = 10;
  me.way(1).notify(me.memory(1), 0, {.op = AtomicOp::set, .operand = 1});
  CHECK(child.hear() == "done");
  CHECK(me.block.word(1) == 15);
  me.group->leave();
  child.say("end");
}

TEST_CASE("threads that are ranks write, count and wake each other", "[fabric]") {
  const auto hosted = HostedStore::inside(Identity::draw_nonce());
  constexpr int kRanks = 3;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < kRanks; ++number) {
    threads.emplace_back([&, number] {
      Rank me(hosted->root_info(), number, kRanks);
      const int next = (number + 1) % kRanks;
      const Bytes mine(5000, static_cast<std::byte>(number));
      me.way(next).put(me.memory(next), 4096, mine);
      me.way(next).notify(me.memory(next), 0, {.op = AtomicOp::add, .operand = 1});
      bool good = sleep_until_word_is(me, 1);
      const Bytes wanted(5000, static_cast<std::byte>((number + kRanks - 1) % kRanks));
      good = good && std::memcmp(me.block.base + 4096, wanted.data(), wanted.size()) == 0;
      bool arrived = false;
      me.way(next).flush([&](const FabricError* error) { arrived = error == nullptr; });
      right += good && arrived;
      me.group->collectives("end").barrier(soon());
      me.group->leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == kRanks);
}

TEST_CASE("atomics do what they say, with 4 and 8 bytes", "[fabric]") {
  const auto hosted = HostedStore::inside(Identity::draw_nonce());
  Rank me(hosted->root_info(), 0, 1);
  const auto run = [&](Atomic what, std::uint64_t start) {
    me.block.word(2) = start;
    std::uint64_t before = 0;
    me.way(0).atomic(me.memory(0), 16, what, &before);
    const std::uint64_t mask = what.width == 4 ? 0xffffffffu : ~std::uint64_t{0};
    CHECK(before == (start & mask));
    return me.block.word(2).load();
  };
  CHECK(run({AtomicOp::add, 8, 5}, ~std::uint64_t{0}) == 4);
  CHECK(run({AtomicOp::add, 4, 5}, 0x1'ffff'ffff) == 0x1'0000'0004);
  CHECK(run({AtomicOp::set, 8, 7}, 3) == 7);
  CHECK(run({AtomicOp::bit_and, 8, 6}, 3) == 2);
  CHECK(run({AtomicOp::bit_or, 4, 6}, 0x1'0000'0001) == 0x1'0000'0007);
  CHECK(run({AtomicOp::bit_xor, 8, 6}, 3) == 5);
  CHECK(run({AtomicOp::compare_and_set, 8, 9, 3}, 3) == 9);
  CHECK(run({AtomicOp::compare_and_set, 8, 9, 4}, 3) == 3);
  me.group->leave();
}

TEST_CASE("what is not inside the memory is refused, with both sizes", "[fabric]") {
  const auto hosted = HostedStore::inside(Identity::draw_nonce());
  Rank me(hosted->root_info(), 0, 1);
  Transport& way = me.way(0);
  PeerMemory& memory = me.memory(0);
  Bytes bytes(64);
  CHECK_NOTHROW(way.put(memory, kBytes - 64, bytes));
  CHECK_THROWS_WITH(way.put(memory, kBytes - 63, bytes),
                    "a put of 64 bytes at offset 65473 passes the end of the memory of rank 0, "
                    "which has 65536 bytes");
  CHECK_THROWS_AS(way.get(memory, ~std::size_t{0}, bytes), FabricError);
  CHECK_THROWS_AS(way.atomic(memory, 4, {.width = 8}, nullptr), FabricError);
  CHECK_THROWS_AS(way.atomic(memory, 0, {.width = 2}, nullptr), FabricError);
  const auto base = reinterpret_cast<std::uintptr_t>(me.block.base);
  CHECK(memory.offset_of(base + 8, 8) == 8);
  CHECK_THROWS_AS(memory.offset_of(base - 1, 1), FabricError);
  CHECK_THROWS_AS(memory.offset_of(base + kBytes - 1, 2), FabricError);
  me.group->leave();
}

TEST_CASE("only memory with a file, and from a page on, can be registered", "[fabric]") {
  const auto hosted = HostedStore::inside(Identity::draw_nonce());
  Rank me(hosted->root_info(), 0, 1);
  MemorySpec spec = me.block.spec();
  spec.base = me.block.base + 8;
  CHECK_THROWS_WITH(RegisteredMemory::of(*me.group, spec), ContainsSubstring("start at a page"));
  spec = me.block.spec();
  spec.file = nullptr;
  CHECK_THROWS_WITH(RegisteredMemory::of(*me.group, spec), ContainsSubstring("a file"));
  me.group->leave();
}

TEST_CASE("memory that is not registered any more cannot be attached", "[fabric]") {
  const auto hosted = HostedStore::inside(Identity::draw_nonce());
  Rank me(hosted->root_info(), 0, 1);
  const MemoryCard card = me.registered->card();
  me.registered.reset();
  CHECK_THROWS_WITH(me.way(0).attach(card),
                    ContainsSubstring("rank 0 does not share this memory any more"));
  me.group->leave();
}
