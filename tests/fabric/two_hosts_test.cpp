// SPDX-License-Identifier: Apache-2.0
// Two network namespaces with a cable between them are two hosts: neither reaches the other's
// abstract sockets, and all that they have in common is TCP.
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/store/rendezvous.h"
#include "tests/fabric/ranks.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace fabric;
using catch_compat::ContainsSubstring;
using fabrictest::hex;
using fabrictest::soon;
using fabrictest::unhex;
using support::RunningChild;

namespace {

bool ip(const std::string& arguments) {
  return std::system(("ip " + arguments + " >/dev/null 2>&1").c_str()) == 0;
}

std::shared_ptr<Group> join(const RootInfo& info, int rank) {
  auto store = join_store(info, {}, {.rank = rank, .end = soon()});
  return Group::form(std::move(store), {.rank = rank, .size = 2}, soon());
}

std::string where_is(const Group& group, int rank) { return name(group.peer(rank).locality); }

}  // namespace

/// A host: is put into a namespace of its own, then told what to do, a line each.
CHILD_PROGRAM(host) {
  if (unshare(CLONE_NEWNET) != 0) {
    std::cout << "forbidden" << std::endl;
    return 0;
  }
  std::cout << "host" << std::endl;
  std::string word;
  std::shared_ptr<Rendezvous> rendezvous;
  std::shared_ptr<Group> group;
  while (std::cin >> word) {
    std::string argument;
    std::cin >> argument;
    if (word == "cable") {  // to the namespace of another process
      const bool laid = ip("link add near type veth peer name far netns " + argument);
      std::cout << (laid ? "laid" : "no cable") << std::endl;
    } else if (word == "near" || word == "far") {
      const bool up = ip("addr add " + argument + "/24 dev " + word) &&
                      ip("link set " + word + " up") && ip("link set lo up");
      std::cout << (up ? "up" : "down") << std::endl;
    } else if (word == "open") {
      rendezvous = Rendezvous::open(Identity::draw_nonce());
      std::cout << hex(rendezvous->root_info().pack()) << std::endl;
      group = join(rendezvous->root_info(), 0);
      std::cout << "rank 1: " << where_is(*group, 1) << std::endl;
    } else if (word == "join") {
      group = join(RootInfo::unpack(unhex(argument)), 1);
      std::cout << "rank 0: " << where_is(*group, 0) << std::endl;
    } else if (word == "loss") {
      support::eventually([&] { return group->lost(); });
      std::cout << (group->lost() ? group->loss()->text : "none") << std::endl;
    }
  }
  return 0;
}

TEST_CASE("ranks of two hosts find each other, and one notices that the other has died",
          "[fabric]") {
  const bool first_dies = GENERATE(false, true);
  RunningChild first("host");
  RunningChild second("host");
  if (first.hear() == "forbidden" || second.hear() == "forbidden") {
    WARN("skipped: this system lets tests make no network namespace");
    return;
  }
  if (first.ask("cable " + std::to_string(second.pid())) != "laid") {
    WARN("skipped: this system lets tests make no veth, or has no ip");
    return;
  }
  REQUIRE(first.ask("near 10.231.7.1") == "up");
  REQUIRE(second.ask("far 10.231.7.2") == "up");
  const std::string info = first.ask("open -");
  CHECK(second.ask("join " + info) == "rank 0: another host");
  CHECK(first.hear() == "rank 1: another host");
  if (first_dies) {  // with the store
    first.kill();
    CHECK_THAT(second.ask("loss -"),
               ContainsSubstring("rank 0 (process ") && ContainsSubstring("has died"));
  } else {
    second.kill();
    CHECK_THAT(first.ask("loss -"), ContainsSubstring("rank 1 (process ") &&
                                        ContainsSubstring("on 10.231.7.2) has died"));
  }
}
