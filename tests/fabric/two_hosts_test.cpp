// SPDX-License-Identifier: Apache-2.0
// Ranks of two hosts, which are network namespaces.
#include "tests/support/two_hosts.h"

#include <cstring>
#include <iostream>

#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/store/hosted_store.h"
#include "tests/fabric/memory_rank.h"
#include "tests/fabric/ranks.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace fabric;
using catch_compat::ContainsSubstring;
using fabrictest::flush;
using fabrictest::hex;
using fabrictest::Rank;
using fabrictest::sleep_until_word_is;
using fabrictest::soon;
using fabrictest::unhex;
using support::TwoHosts;

namespace {

constexpr std::size_t kHostBytes = 24 << 20;
constexpr std::size_t kLarge = 1'000'003;  // large enough to be sent in chunks
constexpr std::size_t kHuge = 20'000'003;  // more than goes into the buffers of a connection

std::string where_is(const Group& group, int rank) { return name(group.peer(rank).locality); }

Bytes pattern(std::size_t bytes, unsigned salt) {
  Bytes made(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    made[i] = static_cast<std::byte>((i * 7 + i / 251 + salt) & 255);
  return made;
}

/// Executes a command of rank 0 of two; one command in each line.
std::string obey(Rank& me, const std::string& word, std::uint64_t number) {
  if (word == "where") return where_is(*me.group, 1);
  if (word == "way") return me.way(1).name();
  if (word == "wait") return sleep_until_word_is(me, number) ? "woken" : "not woken";
  if (word == "put") {
    const Bytes bytes = pattern(number, 1);
    me.way(1).put(me.memory(1), 4096, bytes);
    me.way(1).notify(me.memory(1), 0, {.op = AtomicOp::add, .operand = 1});
    return flush(me.way(1));
  }
  if (word == "change") {
    Bytes bytes = pattern(number, 1);
    me.way(1).put(me.memory(1), 4096, bytes);
    const std::string problem = flush(me.way(1), true);
    bytes.assign(number, std::byte{0xff});
    me.way(1).notify(me.memory(1), 0, {.op = AtomicOp::add, .operand = 1});
    return problem.empty() ? flush(me.way(1)) : problem;
  }
  if (word == "get") {
    Bytes bytes(number);
    me.way(1).get(me.memory(1), 4096, bytes);
    const std::string problem = flush(me.way(1));
    return problem.empty() && bytes != pattern(number, 2) ? "other bytes" : problem;
  }
  if (word == "count") {
    std::uint64_t before = 0;
    me.way(1).atomic(me.memory(1), 16, {.op = AtomicOp::add, .width = 4, .operand = number},
                     &before);
    const std::string problem = flush(me.way(1));
    return problem.empty() ? std::to_string(before) : problem;
  }
  if (word == "loss") {
    support::eventually([&] { return me.group->lost(); });
    return me.group->lost() ? me.group->loss()->text : "none";
  }
  return "what?";
}

}  // namespace

/// Rank 0 opens the store and rank 1 joins it; then both execute commands.
CHILD_PROGRAM(rank_of_host) {
  int number = 0;
  std::string info;
  std::cin >> number >> info;
  std::shared_ptr<HostedStore> hosted;
  if (number == 0) {
    hosted = HostedStore::open(Identity::draw_nonce());
    info = hex(hosted->root_info().pack());
    std::cout << info << std::endl;
  }
  Rank me(RootInfo::unpack(unhex(info)), number, 2, kHostBytes);
  std::cout << "met" << std::endl;
  std::string word;
  std::uint64_t argument = 0;
  while (std::cin >> word >> argument) {
    if (word == "leave") break;
    if (word == "check" || word == "fill") {
      const Bytes bytes = pattern(argument, word == "check" ? 1 : 2);
      if (word == "fill") std::memcpy(me.block.base + 4096, bytes.data(), bytes.size());
      const bool same = std::memcmp(me.block.base + 4096, bytes.data(), bytes.size()) == 0;
      me.group->process()->io()->drain();  // that thread serves the other host from here on
      std::cout << (same ? "same" : "other") << std::endl;
    } else if (word == "word") {
      std::cout << me.block.word(argument).load() << std::endl;
    } else {
      std::cout << obey(me, word, argument) << std::endl;
    }
  }
  me.group->leave();
  return 0;
}

namespace {

struct Pair {
  explicit Pair(const TwoHosts& hosts)
      : first(hosts.start(0, "rank_of_host")), second(hosts.start(1, "rank_of_host")) {
    second->say("1 " + first->ask("0 -"));
    met = first->hear() == "met" && second->hear() == "met";
  }
  const std::unique_ptr<support::RunningChild> first;
  const std::unique_ptr<support::RunningChild> second;
  bool met = false;
};

}  // namespace

TEST_CASE("ranks of two hosts write, read and count in each other's memory", "[fabric][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  Pair ranks(*hosts);
  REQUIRE(ranks.met);
  CHECK(ranks.first->ask("where 1") == "another host");
  CHECK(ranks.first->ask("way 1") == "ucx");
  std::uint64_t notified = 0;
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{5000}, kCopiedPut, kCopiedPut + 1, kLarge}) {
    CAPTURE(bytes);
    ranks.second->say("wait " + std::to_string(++notified));
    CHECK(ranks.first->ask("put " + std::to_string(bytes)) == "");
    CHECK(ranks.second->hear() == "woken");
    CHECK(ranks.second->ask("check " + std::to_string(bytes)) == "same");
    CHECK(ranks.second->ask("fill " + std::to_string(bytes)) == "same");
    CHECK(ranks.first->ask("get " + std::to_string(bytes)) == "");
  }
  for (const std::size_t bytes : {kCopiedPut, kHuge}) {
    CAPTURE(bytes);
    ranks.second->say("wait " + std::to_string(++notified));
    CHECK(ranks.first->ask("change " + std::to_string(bytes)) == "");
    CHECK(ranks.second->hear() == "woken");
    CHECK(ranks.second->ask("check " + std::to_string(bytes)) == "same");
  }
  CHECK(ranks.first->ask("count 5") == "0");
  CHECK(ranks.first->ask("count 6") == "5");
  CHECK(ranks.second->ask("word 2") == "11");
  ranks.first->say("leave 0");
  ranks.second->say("leave 0");
}

TEST_CASE("a rank notices that one of another host has died", "[fabric][hosts]") {
  const bool first_dies = GENERATE(false, true);
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  Pair ranks(*hosts);
  REQUIRE(ranks.met);
  if (first_dies) {  // with the store
    ranks.first->kill();
    CHECK_THAT(ranks.second->ask("loss 0"),
               ContainsSubstring("rank 0 (process ") && ContainsSubstring("has died"));
  } else {
    ranks.second->kill();
    CHECK_THAT(ranks.first->ask("loss 0"), ContainsSubstring("rank 1 "));
    CHECK_THAT(ranks.first->ask("put 1000000"), ContainsSubstring("rank 1"));
    CHECK_THAT(ranks.first->ask("get 10"), ContainsSubstring("rank 1"));
  }
}
