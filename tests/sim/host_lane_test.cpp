// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <mutex>
#include <thread>

#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;
using Posted = sim::HostLane::Posted;
using Served = sim::HostLane::Served;

TEST_CASE("a stream stands still while its blocking host call runs", "[lane]") {
  World w;
  Stream& s = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  w.host_call(s, *lane, "h", true, [&] { CHECK(s.retired() == 0); });
  w.kernel(s, "a");
  w.run_all();
  CHECK(s.state() == State::parked);
  CHECK_FALSE(s.parked_on());
  CHECK(lane->queued() == 1);
  CHECK(World::serve(*lane) == Served::some);
  w.run_all();
  CHECK(w.log == "ha");
  CHECK(w.all_given_back());
}

TEST_CASE("a stream does not wait for a host call that does not block", "[lane]") {
  World w;
  Stream& s = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  w.host_call(s, *lane, "h", false);
  w.kernel(s, "a");
  w.run_all();
  CHECK(s.drained());
  CHECK(lane->queued() == 1);
  World::serve(*lane);
  CHECK(w.log == "ah");
  CHECK(w.all_given_back());
}

TEST_CASE("a lane runs its items in the order in which streams came to them", "[lane]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  w.host_call(s, *lane, "1", false);
  w.host_call(s, *lane, "2", true);
  w.host_call(s, *lane, "4", false);
  w.host_call(t, *lane, "3", false);
  w.run(s);
  w.run(t);
  World::serve(*lane);
  w.run_all();
  World::serve(*lane);
  CHECK(w.log == "1234");
}

TEST_CASE("an item is in its lane before its op has left the stream", "[lane]") {
  World w;
  Stream& s = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  struct Looker final : sim::Observer {
    sim::HostLane* lane = nullptr;
    std::size_t queued = 0;
    void finished(const Stream&, const sim::Op&, Failure, sim::Nanoseconds,
                  sim::Nanoseconds) override {
      queued = lane->queued();
    }
  } looker;
  looker.lane = lane.get();
  w.driver.set_observer(&looker);
  w.host_call(s, *lane, "h", false);
  w.run_all();
  w.driver.set_observer(nullptr);
  CHECK(looker.queued == 1);
  World::serve(*lane);
}

TEST_CASE("a stream goes on when the serving thread ends inside its host function", "[lane]") {
  World w;
  Stream& s = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  s.submit(sim::make_host_call(
      *lane, [](void*) { pthread_exit(nullptr); }, nullptr, true));
  w.kernel(s, "a");
  w.run_all();
  pthread_t server{};
  const auto serve = [](void* argument) -> void* {
    static_cast<sim::HostLane*>(argument)->serve(soon());
    return nullptr;
  };
  REQUIRE(pthread_create(&server, nullptr, serve, lane.get()) == 0);
  pthread_join(server, nullptr);
  w.run_all();
  CHECK(w.log == "a");
  CHECK(s.take_failure() == Failure{sim::Error::host_call_failed, 0});
}

TEST_CASE("serving an empty lane returns when the deadline has passed", "[lane]") {
  const auto lane = sim::make_ref<sim::HostLane>();
  CHECK(World::serve(*lane) == Served::nothing);
  CHECK(lane->serve(sim::Deadline::in(std::chrono::milliseconds(2))) == Served::nothing);
}

TEST_CASE("a closed lane still runs what it holds", "[lane]") {
  const auto lane = sim::make_ref<sim::HostLane>();
  int runs = 0;
  lane->post({[](void* n) { ++*static_cast<int*>(n); }, &runs, {}, false});
  lane->close();
  CHECK(lane->serve(soon()) == Served::some);
  CHECK(runs == 1);
  CHECK(lane->serve(soon()) == Served::closed);
}

TEST_CASE("streams go on, with a failure, when their lane is closed for good", "[lane]") {
  World w;
  const auto lane = sim::make_ref<sim::HostLane>();
  Stream& s = w.stream();
  Stream& t = w.stream();
  for (int i = 0; i < 3; ++i) w.host_call(s, *lane, "h", true);
  w.kernel(s, "a");
  w.host_call(t, *lane, "n", false);
  w.kernel(t, "b");
  w.run_all();
  CHECK(lane->queued() == 2);
  CHECK(lane->close_and_fail() == 1);  // the one that no stream waited for
  w.run_all();
  CHECK(w.log == "ba");
  CHECK(s.drained());
  CHECK(s.take_failure() == Failure{sim::Error::host_call_dropped, 0});
  CHECK_FALSE(t.failure());
  CHECK(lane->serve(soon()) == Served::closed);
  CHECK(w.all_given_back());
}

TEST_CASE("a closed lane takes nothing more", "[lane]") {
  const auto lane = sim::make_ref<sim::HostLane>();
  lane->close();
  CHECK(lane->post({[](void*) {}, nullptr, {}, false}) == Posted::closed);
  CHECK(lane->queued() == 0);
}

TEST_CASE("an item may post to its own lane", "[lane]") {
  const auto lane = sim::make_ref<sim::HostLane>();
  struct Chain {
    sim::HostLane& lane;
    int left;
    static void run(void* self) {
      auto& chain = *static_cast<Chain*>(self);
      if (--chain.left > 0) chain.lane.post({&Chain::run, self, {}, false});
    }
  } chain{*lane, 5};
  lane->post({&Chain::run, &chain, {}, false});
  CHECK(World::serve(*lane) == Served::some);
  CHECK(chain.left == 0);
}

TEST_CASE("a serving thread sees every item and the end", "[lane]") {
  const auto lane = sim::make_ref<sim::HostLane>(GENERATE(sim::Nanoseconds{0}, 30'000u));
  std::atomic<int> runs{0};
  std::thread server([&] {
    while (lane->serve(sim::Deadline::never()) != Served::closed) {
    }
  });
  constexpr int kItems = 3000;
  std::vector<std::thread> posters;
  for (int p = 0; p < 2; ++p) {
    posters.emplace_back([&] {
      for (int i = 0; i < kItems; ++i) {
        lane->post({[](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &runs, {}, false});
        if (i % 64 == 0) eventually([&] { return lane->queued() == 0; });
      }
    });
  }
  for (std::thread& poster : posters) poster.join();
  CHECK(eventually([&] { return runs == 2 * kItems; }));
  lane->close();
  server.join();
}

namespace {
/// Threads for a crewed lane, as many as are asked for.
class Crew final : public sim::HostLane::Crew {
 public:
  void start(sim::HostLane& lane) {
    start_later(lane);
    lane.staff();
  }
  void start_later(sim::HostLane& lane) { lane_ = &lane; }
  bool add_thread() override {
    ++asked;
    if (!lane_) return true;  // no thread is started
    if (refuses) return false;
    const std::lock_guard guard(mutex_);
    threads_.emplace_back([lane = Ref<sim::HostLane>::share(lane_)] {
      while (lane->serve(sim::Deadline::never()) != Served::closed) {
      }
    });
    return true;
  }
  void stop() {
    lane_->close();
    for (std::thread& thread : threads_) thread.join();
  }
  std::atomic<int> asked{0};
  std::atomic<bool> refuses{false};

 private:
  sim::HostLane* lane_ = nullptr;
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

sim::Op make_call(sim::HostLane& lane, const std::function<void()>& body, bool blocking) {
  const auto call = [](void* b) { (*static_cast<const std::function<void()>*>(b))(); };
  return sim::make_host_call(lane, call, const_cast<std::function<void()>*>(&body), blocking);
}
}  // namespace

TEST_CASE("a crew is asked for one thread, not for one per item", "[lane]") {
  Crew crew;  // starts no thread
  const auto lane = sim::make_ref<sim::HostLane>(crew);
  for (int i = 0; i < 10; ++i) lane->post({[](void*) {}, nullptr, {}, false});
  CHECK(crew.asked == 1);
  CHECK(World::serve(*lane) == Served::some);
  lane->post({[](void*) {}, nullptr, {}, false});
  CHECK(crew.asked == 2);
  lane->close();
}

TEST_CASE("items do not wait for a crew thread that is inside a kernel", "[lane]") {
  const bool blocking = GENERATE(true, false);
  Gate gate;
  const Body held = gate.body();
  std::atomic<bool> in_function{false};
  std::atomic<bool> go_on{false};
  std::atomic<bool> ran{false};
  const std::function<void()> first = [&] {
    in_function = true;
    eventually([&] { return go_on.load(); });
  };
  const std::function<void()> second = [&] { ran = true; };
  Crew crew;
  const auto lane = sim::make_ref<sim::HostLane>(crew);
  crew.start(*lane);
  {
    sim::System system(small_machine());
    const auto s = make_stream(system.driver());
    const auto t = make_stream(system.driver());
    s->submit(make_call(*lane, first, true));
    SECTION("they came while its function ran") {
      s->submit(make_body_kernel(held));
      REQUIRE(eventually([&] { return in_function.load(); }));
      t->submit(make_call(*lane, second, blocking));
      REQUIRE(eventually([&] { return lane->queued() == 1; }));
      go_on = true;
    }
    SECTION("they came when it was in the kernel") {
      s->submit(make_body_kernel(held));
      go_on = true;
      REQUIRE(eventually([&] { return gate.arrived() == 1; }));
      t->submit(make_call(*lane, second, blocking));
    }
    SECTION("its own stream sent one on the way") {
      s->submit(make_call(*lane, second, false));
      s->submit(make_body_kernel(held));
      go_on = true;
    }
    CHECK(eventually([&] { return ran.load(); }));
    CHECK(gate.passed() == 0);
    gate.open();
    for (const auto& stream : {s, t}) CHECK(eventually([&] { return stream->drained(); }));
    crew.stop();
  }
}

TEST_CASE("a stream with one function behind the other does not overtake those that wait",
          "[lane]") {
  std::atomic<bool> in_function{false};
  std::atomic<bool> go_on{false};
  std::string order;  // guarded by the lane
  const std::function<void()> first = [&] {
    in_function = true;
    eventually([&] { return go_on.load(); });
  };
  const std::function<void()> next = [&] { order += 'n'; };
  const std::function<void()> other = [&] { order += 'o'; };
  Crew crew;
  const auto lane = sim::make_ref<sim::HostLane>(crew);
  crew.start(*lane);
  crew.add_thread();  // so that the thread that runs the first may continue with its stream
  {
    sim::System system(small_machine());
    const auto s = make_stream(system.driver());
    const auto t = make_stream(system.driver());
    s->submit(make_call(*lane, first, true));
    for (int i = 0; i < 3; ++i) s->submit(make_call(*lane, next, true));
    REQUIRE(eventually([&] { return in_function.load(); }));
    t->submit(make_call(*lane, other, true));
    REQUIRE(eventually([&] { return lane->queued() == 1; }));
    go_on = true;
    for (const auto& stream : {s, t}) CHECK(eventually([&] { return stream->drained(); }));
    crew.stop();
  }
  CHECK(order == "onnn");
}

TEST_CASE("a crew that gets no second thread keeps the one that it has out of kernels", "[lane]") {
  Gate gate;
  const Body held = gate.body();
  std::atomic<int> ran{0};
  const std::function<void()> function = [&] { ++ran; };
  Crew crew;
  const auto lane = sim::make_ref<sim::HostLane>(crew);
  crew.start(*lane);
  crew.refuses = true;
  {
    sim::System system(small_machine());
    const auto s = make_stream(system.driver());
    const auto t = make_stream(system.driver());
    s->submit(make_call(*lane, function, true));
    s->submit(make_body_kernel(held));
    REQUIRE(eventually([&] { return gate.arrived() == 1; }));
    t->submit(make_call(*lane, function, true));
    CHECK(eventually([&] { return ran == 2; }));
    CHECK(gate.passed() == 0);
    gate.open();
    for (const auto& stream : {s, t}) CHECK(eventually([&] { return stream->drained(); }));
    crew.stop();
  }
}

TEST_CASE("a crew without a thread fails the functions that come", "[lane]") {
  const std::function<void()> function = [] {};
  const sim::Failure no_thread{sim::Error::no_thread, 0};
  Crew crew;
  crew.refuses = true;
  const auto lane = sim::make_ref<sim::HostLane>(crew);
  const bool at_once = GENERATE(true, false);
  if (at_once) {
    crew.start(*lane);
    CHECK(lane->refusal() == no_thread);
  } else {
    crew.start_later(*lane);  // the first function asks for the thread
  }
  sim::System system(small_machine());
  const auto s = make_stream(system.driver());
  for (const bool blocking : {true, false}) {
    s->submit(make_call(*lane, function, blocking));
    CHECK(eventually([&] { return s->drained(); }));
    CHECK(s->take_failure() == no_thread);
  }
}

TEST_CASE("functions that wait fail when the last thread of a crew ends without a successor",
          "[lane]") {
  std::atomic<bool> entered{false};
  std::atomic<bool> go_on{false};
  std::atomic<bool> ran{false};
  const std::function<void()> leaves = [&] {
    entered = true;
    eventually([&] { return go_on.load(); });
    pthread_exit(nullptr);
  };
  const std::function<void()> other = [&] { ran = true; };
  Crew crew;
  const auto lane = sim::make_ref<sim::HostLane>(crew);
  crew.start(*lane);
  {
    sim::System system(small_machine());
    const auto s = make_stream(system.driver());
    const auto t = make_stream(system.driver());
    s->submit(make_call(*lane, leaves, true));
    REQUIRE(eventually([&] { return entered.load(); }));
    t->submit(make_call(*lane, other, true));
    REQUIRE(eventually([&] { return lane->queued() == 1; }));
    crew.refuses = true;
    go_on = true;
    for (const auto& stream : {s, t}) CHECK(eventually([&] { return stream->drained(); }));
    CHECK(s->take_failure().error == sim::Error::host_call_failed);
    CHECK(t->take_failure().error == sim::Error::no_thread);
    crew.stop();
  }
  CHECK_FALSE(ran);
}

TEST_CASE("a crew is asked outside the lane's lock, and never again after its lane was closed",
          "[lane]") {
  struct Asking final : sim::HostLane::Crew {
    sim::HostLane* lane = nullptr;
    std::atomic<int> inside{0};
    std::size_t queued = 0;
    std::atomic<bool> go_on{false};
    bool add_thread() override {
      queued = lane->queued();  // takes the lane's lock
      ++inside;
      eventually([&] { return go_on.load(); });
      --inside;
      return true;
    }
  } crew;
  const auto lane = sim::make_ref<sim::HostLane>(crew);
  crew.lane = lane.get();
  std::thread poster([&] { lane->post({[](void*) {}, nullptr, {}, false}); });
  REQUIRE(eventually([&] { return crew.inside == 1; }));
  CHECK(crew.queued == 1);
  std::atomic<bool> closing{false};
  int inside = -1;
  std::thread closer([&] {
    closing = true;
    lane->close();
    inside = crew.inside;
  });
  REQUIRE(eventually([&] { return closing.load(); }));
  crew.go_on = true;
  closer.join();
  poster.join();
  CHECK(inside == 0);
}

TEST_CASE("a crewed lane runs one function at a time, in order", "[lane]") {
  std::atomic<int> inside{0};
  std::atomic<int> overlaps{0};
  int count = 0;  // guarded by the lane
  const std::function<void()> function = [&] {
    if (++inside != 1) ++overlaps;
    ++count;
    --inside;
  };
  std::atomic<int> kernels{0};
  const Body kernel = [&] { return ++kernels, 0; };
  Crew crew;
  const auto lane = sim::make_ref<sim::HostLane>(crew);
  crew.start(*lane);
  {
    sim::System system(small_machine());
    std::vector<Ref<Stream>> streams;
    for (int i = 0; i < 4; ++i) streams.push_back(make_stream(system.driver(), i % 2));
    for (int i = 0; i < 500; ++i) {
      for (const auto& s : streams) {
        s->submit(make_call(*lane, function, i % 3 != 0));
        s->submit(make_body_kernel(kernel));
      }
    }
    for (const auto& s : streams) CHECK(eventually([&] { return s->drained(); }));
    CHECK(eventually([&] { return lane->queued() == 0; }));
    crew.stop();
  }
  CHECK(count == 2000);
  CHECK(kernels == 2000);
  CHECK(overlaps == 0);
}

TEST_CASE("a lane is served on although one of its threads has ended inside a function", "[lane]") {
  const auto lane = sim::make_ref<sim::HostLane>();
  const auto serve = [](void* argument) -> void* {
    auto& mine = *static_cast<sim::HostLane*>(argument);
    while (mine.serve(sim::Deadline::never()) != Served::closed) {
    }
    return nullptr;
  };
  pthread_t servers[2] = {};
  for (pthread_t& server : servers) {
    REQUIRE(pthread_create(&server, nullptr, serve, lane.get()) == 0);
  }
  std::atomic<int> runs{0};
  lane->post({[](void*) { pthread_exit(nullptr); }, nullptr, {}, false});
  for (int i = 1; i <= 50; ++i) {
    lane->post({[](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &runs, {}, false});
    CHECK(eventually([&] { return runs == i; }));
  }
  lane->close();
  for (const pthread_t server : servers) pthread_join(server, nullptr);
}
