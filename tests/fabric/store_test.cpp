// SPDX-License-Identifier: Apache-2.0
// The store, reached by threads of its process and through TCP: the same cases for both.
#include "runtime/fabric/store/store.h"
#include "device_sim/base/mutex.h"

#include <sys/socket.h>

#include <chrono>
#include <future>
#include <thread>

#include "runtime/fabric/store/local_store.h"
#include "runtime/fabric/store/protocol.h"
#include "runtime/fabric/store/store_server.h"
#include "runtime/fabric/store/tcp_store.h"
#include "tests/fabric/manual_time.h"
#include "tests/support/catch.h"
#include "tests/support/waiting.h"

using namespace fabric;
using namespace std::chrono_literals;
using catch_compat::ContainsSubstring;
using support::eventually;

namespace {

/// A hub, and stores of ranks that reach it in one way or the other.
struct World {
  explicit World(bool over_tcp) : tcp(over_tcp) {
    if (tcp) server = StoreServer::start(hub, identity, "127.0.0.1");
  }
  std::unique_ptr<Store> join(const RankPlace& as) {
    return join(as, "process " + std::to_string(1000 + as.rank));
  }
  std::unique_ptr<Store> join(const RankPlace& as, const std::string& who) {
    if (!tcp) return make_local_store(hub, as, who, time);
    // The connection is made in real time; what waits then is the test's.
    return join_tcp_store(places(), identity, as, who, kNever, time);
  }
  std::vector<StorePlace> places() const { return {{"127.0.0.1", server->port()}}; }

  const bool tcp;
  fabrictest::ManualTime time;
  std::shared_ptr<Hub> hub = std::make_shared<Hub>();
  Identity identity{Identity::draw_nonce(), "secret"};
  std::shared_ptr<StoreServer> server;
};

/// The text of the FabricError that `call` throws.
template <class Call>
std::string problem_of(Call&& call) {
  try {
    call();
  } catch (const FabricError& error) {
    return error.what();
  }
  return "nothing";
}

template <class Call>
Status status_of(Call&& call) {
  try {
    call();
  } catch (const FabricError& error) {
    return error.status();
  }
  return Status::broken;
}

}  // namespace

TEST_CASE("ranks see what others set, and wait for it", "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join(0);
  const auto one = world.join(1);
  zero->set("key", bytes_of("value"));
  CHECK(one->get("key", kNever) == bytes_of("value"));
  auto later = std::async(std::launch::async, [&] { return zero->get("later", kNever); });
  one->set("later", bytes_of("now"));
  CHECK(later.get() == bytes_of("now"));
  CHECK(one->add("count", 2) == 2);
  CHECK(zero->add("count", 3) == 5);
  CHECK(zero->remove("key"));
  CHECK_FALSE(one->remove("key"));
  zero->leave();
  one->leave();
}

TEST_CASE("ranks exchange several values at once", "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join(0);
  const auto one = world.join(1);
  auto others = std::async(std::launch::async, [&] {
    return zero->exchange({{"a", bytes_of("1")}, {"b", bytes_of("2")}}, {"d", "c"}, kNever);
  });
  CHECK(one->exchange({{"c", bytes_of("3")}, {"d", bytes_of("4")}}, {"a", "b"}, kNever) ==
        KeyTable::Values{bytes_of("1"), bytes_of("2")});
  CHECK(others.get() == KeyTable::Values{bytes_of("4"), bytes_of("3")});
  CHECK(one->exchange({}, {"c"}, kNever) == KeyTable::Values{bytes_of("3")});
}

TEST_CASE("a value of many megabytes comes through", "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join(0);
  Bytes value(std::size_t{5} << 20);
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<std::byte>(i * 31 >> 3);
  zero->set("large", value);
  CHECK(zero->get("large", kNever) == value);
  zero->leave();
}

TEST_CASE("a wait ends at its time and says what was missing", "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join(0);
  zero->set("there", {});
  const Moment end = world.time.in(30s);
  auto late = std::async(std::launch::async, [&] {
    try {
      zero->get({"there", "a", "b"}, end);
    } catch (const StoreTimeout& timeout) {
      return timeout.missing();
    }
    return std::vector<std::string>{"nothing thrown"};
  });
  REQUIRE(eventually([&] { return world.time.waits() == 1; }));
  world.time.advance(29s);
  CHECK(late.wait_for(0s) == std::future_status::timeout);
  world.time.advance(1s);
  CHECK(eventually([&] {
    world.time.wake();
    return late.wait_for(0s) == std::future_status::ready;
  }));
  CHECK(late.get() == std::vector<std::string>{"a", "b"});
  // The wait is gone: what comes now is for the next.
  zero->set("a", bytes_of("1"));
  CHECK(zero->get("a", kNever) == bytes_of("1"));
  zero->leave();
}

TEST_CASE("a rank that gives up fails the others, those that wait included", "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join(0);
  const auto one = world.join(1);
  auto waits = std::async(std::launch::async,
                          [&] { return problem_of([&] { zero->get("never", kNever); }); });
  REQUIRE(eventually([&] { return world.time.waits() == 1; }));
  one->give_up("gave up: out of memory");
  CHECK_THAT(waits.get(), ContainsSubstring("rank 1 (process 1001") &&
                              ContainsSubstring("gave up: out of memory"));
  CHECK(status_of([&] { zero->set("key", {}); }) == Status::lost);
  // A rank that comes later learns it too.
  CHECK(status_of([&] {
          const auto two = world.join(2);
          for (;;) two->set("key", {});
        }) == Status::lost);
  zero->leave();
}

TEST_CASE("a rank whose store goes without a farewell is lost; one that leaves is not",
          "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join(0);
  sim::Mutex mutex;
  std::vector<Departure> departures;
  zero->on_departure([&](const Departure& departure) {
    const sim::LockGuard guard(mutex);
    departures.push_back(departure);
  });
  const auto count = [&] {
    const sim::LockGuard guard(mutex);
    return departures.size();
  };
  world.join(1)->leave();
  REQUIRE(eventually([&] { return count() == 1; }));
  CHECK(departures[0].rank == 1);
  CHECK(departures[0].orderly);
  zero->set("still", {});
  world.join(2).reset();
  REQUIRE(eventually([&] { return count() == 2; }));
  CHECK(departures[1].rank == 2);
  CHECK_FALSE(departures[1].orderly);
  CHECK(status_of([&] { zero->set("key", {}); }) == Status::lost);
  zero->on_departure(nullptr);
  zero->leave();
}

TEST_CASE("a second rank of the same number is refused, and the first is named", "[fabric]") {
  World world(GENERATE(false, true));
  const auto first = world.join(3);
  std::string problem = problem_of([&] { world.join(3); });
  CHECK_THAT(problem,
             ContainsSubstring("rank 3 (process 1003") && ContainsSubstring("has joined already"));
  CHECK(status_of([&] { world.join(3); }) == Status::refused);
  first->leave();
}

TEST_CASE("a rank number outside of the group is refused, and the group goes on", "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join({0, 2});
  for (const RankPlace wrong : {RankPlace{2, 2}, RankPlace{5, 8}, RankPlace{1 << 30, 0},
                                RankPlace{-1, 2}, RankPlace{-1, 0}, RankPlace{1, -3}}) {
    CAPTURE(wrong.rank, wrong.ranks);
    std::string problem = problem_of([&] { world.join(wrong); });
    CHECK_THAT(problem, ContainsSubstring("rank " + std::to_string(wrong.rank) + " (process ") &&
                            ContainsSubstring("outside of the group, which has the ranks 0 to 1"));
    CHECK(status_of([&] { world.join(wrong); }) == Status::refused);
  }
  const auto one = world.join({1, 2});
  one->set("key", bytes_of("value"));
  CHECK(zero->get("key", kNever) == bytes_of("value"));
  one->leave();
  zero->leave();
}

TEST_CASE("a negative rank is refused although the size of the group is not known", "[fabric]") {
  World world(GENERATE(false, true));
  CHECK(status_of([&] { world.join(-2); }) == Status::refused);
  CHECK(status_of([&] { world.join({3, 3}); }) == Status::refused);
  world.join(7)->leave();
}

TEST_CASE("control characters of a rank are not shown to the others", "[fabric]") {
  World world(true);
  const auto zero = world.join(0);
  std::promise<std::string> told;
  zero->on_departure([&](const Departure& departure) { told.set_value(departure.text); });
  const auto one = world.join(1, "\x1b]0;title\x07 of\nrank 1");
  CHECK_THAT(problem_of([&] { world.join(1, "\x1b[2J"); }),
             ContainsSubstring("(\\x1b]0;title\\x07 of\\x0arank 1") &&
                 ContainsSubstring("this one is \\x1b[2J"));
  one->give_up("gave up:\r\x1b[31m");
  CHECK_THAT(told.get_future().get(), ContainsSubstring("gave up:\\x0d\\x1b[31m"));
  zero->on_departure(nullptr);
}

TEST_CASE("what a store does not take is refused, and the store goes on", "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join(0);
  CHECK(status_of([&] { zero->set("", {}); }) == Status::invalid);
  zero->set("text", bytes_of("text"));
  CHECK(status_of([&] { zero->add("text", 1); }) == Status::invalid);
  CHECK(zero->get("text", kNever) == bytes_of("text"));
  zero->leave();
}

TEST_CASE("ranks gather round after round, and leave nothing behind but the last two", "[fabric]") {
  World world(GENERATE(false, true));
  constexpr int kRanks = 5;
  constexpr int kRounds = 20;
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int rank = 0; rank < kRanks; ++rank) {
    threads.emplace_back([&, rank] {
      const auto store = world.join(rank);
      StoreCollectives collectives(*store, "rounds", rank, kRanks);
      for (int round = 0; round < kRounds; ++round) {
        const auto all = collectives.allgather(Writer().number(rank * 100 + round).take(), kNever);
        bool good = all.size() == kRanks;
        for (int other = 0; good && other < kRanks; ++other) {
          good = Reader(all[static_cast<std::size_t>(other)]).number<int>() == other * 100 + round;
        }
        right += good;
      }
      collectives.barrier(kNever);
      store->leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == kRanks * kRounds);
  const auto last = make_local_store(world.hub, 9, "test");
  CHECK_FALSE(last->remove("rounds/1/0"));
  last->leave();
}

TEST_CASE("collectives over the store name the ranks that did not come", "[fabric]") {
  World world(GENERATE(false, true));
  const auto zero = world.join(0);
  const auto two = world.join(2);
  StoreCollectives there(*two, "init", 2, 4);
  auto other = std::async(std::launch::async,
                          [&] { return problem_of([&] { there.barrier(world.time.in(10s)); }); });
  StoreCollectives here(*zero, "init", 0, 4);
  auto mine = std::async(std::launch::async,
                         [&] { return problem_of([&] { here.barrier(world.time.in(10s)); }); });
  REQUIRE(eventually([&] { return world.time.waits() == 2; }));
  world.time.advance(11s);
  CHECK(eventually([&] {
    world.time.wake();
    return mine.wait_for(0s) == std::future_status::ready &&
           other.wait_for(0s) == std::future_status::ready;
  }));
  CHECK(mine.get() == "rank 0 of 4 waited in vain for ranks 1, 3 (init)");
  CHECK(other.get() == "rank 2 of 4 waited in vain for ranks 1, 3 (init)");
  zero->leave();
  two->leave();
}

// ---- TCP alone ----

namespace {

/// A store that refuses gets: a rank may only read keys in the message that sets its own.
class NeverAsks final : public Store {
 public:
  explicit NeverAsks(Store& store) : store_(store) {}
  void set(const std::string& key, Bytes value) override { store_.set(key, std::move(value)); }
  std::int64_t add(const std::string& key, std::int64_t amount) override {
    return store_.add(key, amount);
  }
  bool remove(const std::string& key) override { return store_.remove(key); }
  KeyTable::Values get(const std::vector<std::string>&, Moment) override {
    throw FabricError(Status::broken, "a second message");
  }
  KeyTable::Values exchange(Entries mine, const std::vector<std::string>& keys,
                            Moment end) override {
    return store_.exchange(std::move(mine), keys, end);
  }
  void leave() override { store_.leave(); }
  void give_up(const std::string& why) override { store_.give_up(why); }
  void on_departure(Hub::OnDeparture tell) override { store_.on_departure(std::move(tell)); }
  void fail(const FabricError& why) override { store_.fail(why); }
  bool is_local() const noexcept override { return store_.is_local(); }
  Timekeeper& timekeeper() const noexcept override { return store_.timekeeper(); }

 private:
  Store& store_;
};

}  // namespace

TEST_CASE(
    "a collective over the store takes one message of each rank, so its process may end after it",
    "[fabric]") {
  World world(true);
  const auto zero = world.join(0);
  const auto one = world.join(1);
  auto met = std::async(std::launch::async, [&] {
    NeverAsks asking(*one);
    return problem_of([&] { StoreCollectives(asking, "all", 1, 2).barrier(kNever); });
  });
  CHECK(problem_of([&] { StoreCollectives(*zero, "all", 0, 2).barrier(kNever); }) == "nothing");
  CHECK(met.get() == "nothing");
}

TEST_CASE("a rank may come before its store", "[fabric]") {
  const Identity identity(Identity::draw_nonce(), {});
  const auto hub = std::make_shared<Hub>();
  const std::uint16_t port =
      StoreServer::start(std::make_shared<Hub>(), identity, "127.0.0.1")->port();
  auto early = std::async(std::launch::async, [&] {
    return join_tcp_store({{"127.0.0.1", port}}, identity, 1, "early", Timekeeper::real().in(60s));
  });
  std::shared_ptr<StoreServer> server;
  REQUIRE(eventually([&] {
    try {
      server = StoreServer::start(hub, identity, "127.0.0.1", port);
    } catch (const FabricError&) {
    }
    return server != nullptr;
  }));
  const auto store = early.get();
  store->set("key", {});
  store->leave();
}

TEST_CASE("a rank that has left finds the next store of the same identity, not the one it has left",
          "[fabric]") {
  World old(true);
  const auto first = old.join(0);
  old.join(1)->leave();
  auto again = std::async(std::launch::async, [&, places = old.places()] {
    return join_tcp_store(places, old.identity, 1, "again", Timekeeper::real().in(60s));
  });
  CHECK(old.hub->members() == 1);
  first->leave();
  const std::uint16_t port = old.server->port();
  old.server = nullptr;
  const auto hub = std::make_shared<Hub>();
  const auto server = StoreServer::start(hub, old.identity, "127.0.0.1", port);
  const auto store = again.get();
  store->set("key", {});
  CHECK(hub->members() == 1);
  store->leave();
  CHECK(hub->members() == 0);  // it has left when the call returns
}

TEST_CASE("a rank that finds no next store is told that it has left this one", "[fabric]") {
  World world(true);
  world.join(1)->leave();
  const auto join = [&] {
    join_tcp_store(world.places(), world.identity, 1, "again", Timekeeper::real().in(100ms));
  };
  CHECK(status_of(join) == Status::timed_out);
  CHECK_THAT(problem_of(join), ContainsSubstring("rank 1 has left, and the others have not yet"));
}

TEST_CASE("a rank that does not know nonce or secret is refused by the store, and refuses it",
          "[fabric]") {
  World world(true);
  const Identity::Nonce nonce = Identity::draw_nonce();
  const Identity stranger(nonce, "another secret");
  const auto join = [&] {
    join_tcp_store(world.places(), stranger, 0, "stranger", Timekeeper::real().in(20s));
  };
  CHECK(status_of(join) == Status::refused);
  CHECK_THAT(problem_of(join), ContainsSubstring("identity of this communicator"));
  CHECK(world.hub->members() == 0);
}

TEST_CASE("of several places the one that has the store is found", "[fabric]") {
  World world(true);
  World other(true);
  std::vector<StorePlace> places = other.places();
  places.push_back({"127.0.0.1", 1});  // no process listens there
  places.push_back(world.places()[0]);
  const auto store = join_tcp_store(places, world.identity, 0, "rank", Timekeeper::real().in(60s));
  store->set("key", {});
  CHECK(world.hub->members() == 1);
  store->leave();
}

TEST_CASE("a store that nobody holds is told of with all places, when the time is over",
          "[fabric]") {
  const Identity identity(Identity::draw_nonce(), {});
  const std::string problem = problem_of([&] {
    join_tcp_store({{"127.0.0.1", 1}, {"no-such-host.invalid", 2}}, identity, 3, "rank",
                   Timekeeper::real().in(200ms));
  });
  CHECK_THAT(problem, ContainsSubstring("rank 3 cannot reach the store: 127.0.0.1 port 1 ") &&
                          ContainsSubstring("no-such-host.invalid port 2 "));
}

TEST_CASE("a port that is taken is told of", "[fabric]") {
  World world(true);
  const std::string problem = problem_of(
      [&] { StoreServer::start(world.hub, world.identity, "127.0.0.1", world.server->port()); });
  CHECK_THAT(problem,
             ContainsSubstring("cannot listen at 127.0.0.1 port " +
                               std::to_string(world.server->port()) + ": Address already in use"));
}
