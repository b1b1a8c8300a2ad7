// SPDX-License-Identifier: Apache-2.0
// Ranks as threads and as processes: their locality and their end.
#include "runtime/fabric/ranks/group.h"

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <thread>

#include "runtime/fabric/store/hosted_store.h"
#include "tests/fabric/ranks.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace fabric;
using fabrictest::hex;
using fabrictest::soon;
using fabrictest::unhex;
using namespace std::chrono_literals;
using catch_compat::ContainsSubstring;
using support::eventually;
using support::RunningChild;

namespace {

std::shared_ptr<Group> form(const RootInfo& info, GroupSpec spec, Moment end = soon()) {
  auto store = join_store(info, {}, {.rank = spec.rank, .end = end});
  return Group::form(std::move(store), spec, end);
}

/// The localities that a group has found: "this rank, same host".
std::string localities(const Group& group) {
  std::string text;
  for (int rank = 0; rank < group.size(); ++rank) {
    text += (rank == 0 ? "" : ", ") + std::string(name(group.peer(rank).locality));
  }
  return text;
}

/// All ranks as threads of this process; returns what `body` returned for each.
template <class Body>
std::vector<std::string> as_threads(int ranks, Body&& body) {
  const auto hosted = HostedStore::inside(Identity::draw_nonce());
  std::vector<std::string> results(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        results[static_cast<std::size_t>(rank)] = body(hosted->root_info(), rank);
      } catch (const FabricError& error) {
        results[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

}  // namespace

/// A rank that executes commands. The first line is root info, rank, size, servers ("-": none).
CHILD_PROGRAM(rank) {
  std::string info;
  std::string servers;
  std::string line;
  GroupSpec spec;
  std::cin >> info >> spec.rank >> spec.size >> servers;
  if (servers != "-") {
    for (const char server : servers) spec.servers.emplace_back(1, server);
  }
  std::shared_ptr<Group> group;
  try {
    group = form(RootInfo::unpack(unhex(info)), spec);
  } catch (const FabricError& error) {
    std::cout << error.what() << std::endl;
    return 0;
  }
  std::cout << localities(*group) << std::endl;
  while (std::getline(std::cin, line)) {
    if (line == "leave") group->leave();
    if (line == "give up") group->give_up("gave up: told to");
    if (line == "loss") {
      eventually([&] { return group->lost(); });
      std::cout << (group->lost() ? group->loss()->text : "none") << std::endl;
    }
    if (line == "wait") {
      try {
        group->collectives("never").barrier(soon());
      } catch (const FabricError& error) {
        std::cout << error.what() << std::endl;
      }
    }
    if (line == "end") break;
  }
  return 0;
}

namespace {

/// Processes that are ranks, rank 0 being this one.
struct Job {
  explicit Job(int ranks, const std::string& servers = "-") : size(ranks) {
    for (int rank = 1; rank < ranks; ++rank) {
      children.push_back(std::make_unique<RunningChild>("rank"));
      children.back()->say(hex(hosted->root_info().pack()) + " " + std::to_string(rank) + " " +
                           std::to_string(ranks) + " " + servers);
    }
    GroupSpec spec{.rank = 0, .size = ranks};
    if (servers != "-") {
      for (const char server : servers) spec.servers.emplace_back(1, server);
    }
    group = form(hosted->root_info(), spec);
  }
  RunningChild& child(int rank) { return *children.at(static_cast<std::size_t>(rank - 1)); }

  const int size;
  std::shared_ptr<HostedStore> hosted = HostedStore::open(Identity::draw_nonce(), {}, "127.0.0.1");
  std::vector<std::unique_ptr<RunningChild>> children;
  std::shared_ptr<Group> group;
};

}  // namespace

TEST_CASE("ranks that are threads of one process find that out", "[fabric]") {
  const auto results = as_threads(3, [](const RootInfo& info, int rank) {
    const auto group = form(info, {.rank = rank, .size = 3});
    group->collectives("end").barrier(soon());
    group->leave();
    return localities(*group);
  });
  CHECK(results[0] == "this rank, same process, same process");
  CHECK(results[2] == "same process, same process, this rank");
}

TEST_CASE("ranks tell each other what they bring", "[fabric]") {
  const auto results = as_threads(2, [](const RootInfo& info, int rank) {
    GroupSpec spec{.rank = rank, .size = 2};
    spec.about = bytes_of("I am " + std::to_string(rank));
    const auto group = form(info, spec);
    group->collectives("end").barrier(soon());
    group->leave();
    return text_of(group->peer(1 - rank).about);
  });
  CHECK(results == std::vector<std::string>{"I am 1", "I am 0"});
}

TEST_CASE("ranks that do not agree all fail, with who says what", "[fabric]") {
  const auto results = as_threads(2, [](const RootInfo& info, int rank) {
    GroupSpec spec{.rank = rank, .size = 2};
    spec.agreed = rank == 0 ? "buffers of 200 MB" : "buffers of 100 MB";
    form(info, spec);
    return std::string("formed");
  });
  // A rank may learn the difference from the other rank before it finds it: "rank 1 (...) gave up:
  // ranks ...".
  for (const std::string& result : results) {
    CHECK_THAT(result, ContainsSubstring("ranks do not agree: rank") &&
                           ContainsSubstring("rank 0 says 2 ranks, buffers of 200 MB") &&
                           ContainsSubstring("rank 1 says 2 ranks, buffers of 100 MB"));
  }
}

TEST_CASE("ranks that are processes of a host find that out", "[fabric]") {
  Job job(3);
  CHECK(localities(*job.group) == "this rank, same host, same host");
  CHECK(job.child(1).hear() == "same host, this rank, same host");
  CHECK(job.child(2).hear() == "same host, same host, this rank");
  CHECK(job.group->ranks_of_host() == std::vector{0, 1, 2});
  job.group->leave();
}

TEST_CASE("a rank table decides which ranks share a host", "[fabric]") {
  Job job(3, "aba");
  CHECK(localities(*job.group) == "this rank, another host, same host");
  CHECK(job.child(1).hear() == "another host, this rank, another host");
  job.group->leave();
}

TEST_CASE("a rank table may put threads of one process on two hosts", "[fabric]") {
  const auto results = as_threads(2, [](const RootInfo& info, int rank) {
    GroupSpec spec{.rank = rank, .size = 2};
    spec.servers = {"a", "b"};
    const auto group = form(info, spec);
    group->collectives("end").barrier(soon());
    group->leave();
    return localities(*group);
  });
  CHECK(results[1] == "another host, this rank");
}

TEST_CASE("a rank that is killed is reported by all others", "[fabric]") {
  const std::string servers = GENERATE("-", "abc");  // with and without a direct view of it
  Job job(4, servers == "-" ? servers : "abca");
  for (int rank = 1; rank < 4; ++rank) job.child(rank).hear();
  const int pid = job.child(2).pid();
  job.child(1).say("wait");
  job.child(2).kill();
  const std::string who = "rank 2 (process " + std::to_string(pid);
  CHECK_THAT(job.child(1).hear(), ContainsSubstring(who) && ContainsSubstring("has died"));
  CHECK_THAT(job.child(3).ask("loss"), ContainsSubstring(who) && ContainsSubstring("has died"));
  REQUIRE(eventually([&] { return job.group->lost(); }));
  CHECK(job.group->loss()->rank == 2);
  CHECK_THAT(job.group->loss()->text, ContainsSubstring(who) && ContainsSubstring("has died"));
  CHECK_THROWS_AS(job.group->collectives("more").barrier(soon()), FabricError);
}

TEST_CASE("a rank that gives up says why", "[fabric]") {
  Job job(3);
  job.child(1).hear();
  job.child(2).hear();
  job.child(1).say("give up");
  CHECK_THAT(job.child(2).ask("loss"),
             ContainsSubstring("rank 1") && ContainsSubstring("gave up: told to"));
  std::atomic<int> told{0};
  job.group->on_loss([&](const Loss& loss) { told += loss.rank; });
  CHECK(eventually([&] { return told == 1; }));
}

TEST_CASE("a rank that leaves and ends is missed by nobody", "[fabric]") {
  Job job(3);
  job.child(1).hear();
  job.child(2).hear();
  job.child(1).say("leave");
  job.child(1).say("end");
  CHECK(job.child(1).hear() == "(nothing)");
  // Another death is noticed after it, and is the first.
  job.child(2).kill();
  REQUIRE(eventually([&] { return job.group->lost(); }));
  CHECK(job.group->loss()->rank == 2);
}

TEST_CASE("the death of the process that holds the store is reported; its orderly end is not",
          "[fabric]") {
  const bool orderly = GENERATE(false, true);
  RunningChild holder("store_holder");
  const RootInfo info = RootInfo::unpack(unhex(holder.hear()));
  const auto group = form(info, {.rank = 1, .size = 2});
  CHECK(holder.hear() == "formed");
  if (orderly) {
    holder.say("leave");
    CHECK(holder.hear() == "left");
  }
  holder.kill();
  if (orderly) {
    CHECK(eventually([&] {
      try {
        group->store().set("key", {});
      } catch (const FabricError& error) {
        return error.status() == Status::closed;
      }
      return false;
    }));
    CHECK_FALSE(group->lost());
  } else {
    REQUIRE(eventually([&] { return group->lost(); }));
    CHECK(group->loss()->rank == 0);
  }
  group->leave();
}

CHILD_PROGRAM(store_holder) {
  const auto hosted = HostedStore::open(Identity::draw_nonce(), {}, "127.0.0.1");
  std::cout << hex(hosted->root_info().pack()) << std::endl;
  const auto group = form(hosted->root_info(), {.rank = 0, .size = 2});
  std::cout << "formed" << std::endl;
  std::string line;
  std::getline(std::cin, line);
  group->leave();
  std::cout << "left" << std::endl;
  std::getline(std::cin, line);
  return 0;
}

/// Whether a process can be reached from another network namespace.
CHILD_PROGRAM(other_namespace) {
  std::string text;
  std::cin >> text;
  if (unshare(CLONE_NEWNET) != 0) {
    std::cout << "forbidden" << std::endl;
    return 0;
  }
  const Bytes bytes = unhex(text);
  Reader reader(bytes);
  std::string why;
  const auto peer = PeerProcess::reach(ProcessCard::unpack(reader), &why);
  std::cout << (peer ? "reached" : "not reached: " + why) << std::endl;
  return 0;
}

TEST_CASE("a process of another network namespace is one of another host", "[fabric]") {
  const auto process = Process::mine();
  Writer writer;
  process->card().pack(writer);
  RunningChild child("other_namespace");
  const std::string answer = child.ask(hex(writer.take()));
  if (answer == "forbidden") {
    WARN("skipped: this system lets tests make no network namespace");
    return;
  }
  CHECK_THAT(answer, ContainsSubstring("not reached: process"));
}

TEST_CASE("a process that only looks like another by its number is not taken for it", "[fabric]") {
  const auto process = Process::mine();
  ProcessCard card = process->card();
  CHECK(PeerProcess::reach(card) != nullptr);
  card.id[3] ^= std::byte{1};
  std::string why;
  CHECK(PeerProcess::reach(card, &why) == nullptr);
  CHECK_THAT(why, ContainsSubstring("is another one"));
}
