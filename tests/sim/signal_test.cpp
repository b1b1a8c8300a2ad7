// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/parker.h"

#include <thread>

#include "device_sim/drivers/ready_list.h"
#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;

TEST_CASE("a signal carries its failure and its time", "[signal]") {
  Signal signal(nullptr, 42);
  CHECK_FALSE(signal.done());
  CHECK(signal.id() == 42);
  signal.complete({sim::Error::kernel_failed, 3}, 1234);
  CHECK(signal.done());
  CHECK(signal.failure() == Failure{sim::Error::kernel_failed, 3});
  CHECK(signal.time_ns() == 1234);
  signal.clear();
  CHECK_FALSE(signal.done());
  signal.complete({}, 5);
  CHECK_FALSE(signal.failure());
  CHECK(signal.time_ns() == 5);
}

TEST_CASE("a timed record knows when it happened", "[signal]") {
  World w;
  Stream& s = w.stream();
  w.clock.advance_to(700);
  const auto timed = w.record(s, true);
  const auto untimed = w.record(s, false);
  w.run_all();
  CHECK(timed->time_ns() == 700);
  CHECK(untimed->time_ns() == 0);
}

TEST_CASE("a done signal parks nobody", "[signal]") {
  World w;
  Stream& s = w.stream();
  Signal signal;
  signal.complete({}, 0);
  CHECK_FALSE(signal.park(s));
  CHECK(s.unique());
}

TEST_CASE("an unparked stream is no longer set free, the others are", "[signal]") {
  World w;
  Stream* streams[3] = {&w.stream(), &w.stream(), &w.stream()};
  const auto signal = w.signal();
  for (Stream* s : streams) w.wait(*s, signal);
  w.run_all();
  const int out = GENERATE(0, 1, 2);
  CHECK(signal->unpark(*streams[out], 0));
  CHECK_FALSE(signal->unpark(*streams[out], 0));
  // The list is whole: one more can come behind the others.
  Stream& late = w.stream();
  w.wait(late, signal);
  w.run(late);
  CHECK(late.state() == State::parked);
  signal->complete({}, 0);
  for (int i = 0; i < 3; ++i) {
    CHECK((streams[i]->state() == State::ready) == (i != out));
  }
  CHECK(late.state() == State::ready);
  streams[out]->fail_wait({});
  streams[out]->let_go();
  CHECK(w.all_given_back());
}

TEST_CASE("a park is known by its serial", "[signal]") {
  World w;
  Stream& s = w.stream();
  const auto signal = w.signal();
  w.wait(s, signal);
  w.wait(s, signal);
  w.run(s);
  CHECK(signal->holds(s, 1));
  CHECK_FALSE(signal->holds(s, 2));
  signal->complete({}, 0);
  signal->clear();
  CHECK_FALSE(signal->holds(s, 1));
  w.run(s);
  CHECK_FALSE(signal->unpark(s, 1));  // that park is over
  CHECK(signal->holds(s, 2));
}

TEST_CASE("a signal holds its producer until it is done", "[signal]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  {
    const auto signal = w.signal(&s);
    CHECK_FALSE(s.unique());
    CHECK(signal->producer().get() == &s);
    signal->set_producer(t);
    CHECK(s.unique());
    CHECK(signal->producer().get() == &t);
    signal->set_producer(t);
    signal->complete({}, 0);
    CHECK(t.unique());
    CHECK_FALSE(signal->producer());
    signal->set_producer(s);
  }
  CHECK(s.unique());
}

TEST_CASE("a host waiter is released when its op has left the stream", "[signal]") {
  World w;
  Stream& s = w.stream();
  sim::Parker& parker = sim::Parker::mine();
  w.kernel(s, "a");
  w.kernel(s, "b");
  w.kernel(s, "c");
  sim::HostWaiter first;
  first.parker = &parker;
  first.target = 1;
  sim::HostWaiter last;
  last.parker = &parker;
  last.target = 3;
  REQUIRE(s.add_waiter(last));
  REQUIRE(s.add_waiter(first));
  CHECK_FALSE(s.wake_helper());
  w.step(s);
  CHECK(first.released);
  CHECK_FALSE(last.released);
  CHECK(parker.park(soon()));
  CHECK_FALSE(s.add_waiter(first));
  s.remove_waiter(last);
  w.run(s);
  CHECK_FALSE(last.released);
}

TEST_CASE("a ready stream wakes a host thread that may help", "[signal]") {
  World w;
  Stream& s = w.stream();
  sim::Parker& parker = sim::Parker::mine();
  sim::HostWaiter waiter;
  waiter.parker = &parker;
  waiter.target = 1;
  waiter.may_help = true;
  w.kernel(s, "a");
  REQUIRE(s.add_waiter(waiter));
  CHECK(s.wake_helper());
  CHECK(parker.park(soon()));
  s.remove_waiter(waiter);
  CHECK_FALSE(s.wake_helper());
}

TEST_CASE("the most urgent stream comes first, then the one that came first", "[signal]") {
  World w;
  std::vector<Ref<Stream>> streams;
  for (const int priority : {7, 3, 0, 3, 0}) {
    streams.push_back(make_stream(w.driver, 0, priority));
  }
  sim::ReadyList list;
  CHECK(list.empty());
  for (const auto& s : streams) list.push(*s);
  list.push(*streams[1]);  // is in the list already
  list.remove(*streams[3]);
  list.remove(*streams[3]);
  CHECK(streams[3]->unique());
  for (const std::size_t expected : {2u, 4u, 1u, 0u}) CHECK(list.pop() == streams[expected]);
  CHECK_FALSE(list.pop());
  CHECK(list.empty());
  for (const auto& s : streams) CHECK(s->unique());
}

TEST_CASE("a stream is settled when no op of it came or ended since progress was noted",
          "[signal]") {
  World w;
  Stream& s = w.stream();
  std::uint8_t look = 1;
  w.record(s, false);
  s.note_progress(look);
  CHECK(s.is_settled(++look, 3));  // noted when it was put into the list
  w.record(s, false);
  s.note_progress(look);  // noted already at this look
  CHECK_FALSE(s.is_settled(++look, 3));
  CHECK(s.is_settled(++look, 3));
}

TEST_CASE("a stream that gets ops is settled at the last look, one whose ops end never",
          "[signal]") {
  World w;
  Stream& s = w.stream();
  std::uint8_t look = 1;
  s.note_progress(look);
  for (const bool expected : {false, false, true, false, false, true}) {
    w.record(s, false);
    CHECK(s.is_settled(++look, 3) == expected);
  }
  for (int i = 0; i < 10; ++i) {
    w.record(s, false);
    w.run(s);
    CHECK_FALSE(s.is_settled(++look, 3));
  }
}

TEST_CASE("a stream stands in one ready list at most", "[signal]") {
  World w;
  const auto s = make_stream(w.driver);
  const auto t = make_stream(w.driver);
  sim::ReadyList prompt;
  sim::ReadyList fresh;
  fresh.push_unlisted(*s);
  fresh.push_unlisted(*t);
  fresh.push_unlisted(*s);
  CHECK(fresh.size() == 2);
  prompt.push(*s);  // moves
  prompt.push(*s);
  fresh.push_unlisted(*s);  // stays
  CHECK(fresh.size() == 1);
  CHECK(prompt.size() == 1);
  fresh.remove(*s);  // not its list
  CHECK(prompt.size() == 1);
  CHECK(fresh.pop() == t);
  CHECK(prompt.pop() == s);
  fresh.push_unlisted(*s);
  prompt.push(*t);
  for (const auto& each : {s, t, s}) sim::ReadyList::remove_anywhere(*each);
  CHECK(fresh.empty());
  CHECK(prompt.empty());
  CHECK(s->unique());
  CHECK(t->unique());
}

TEST_CASE("two ready lists may take a stream from each other at any moment", "[signal]") {
  World w;
  const auto s = make_stream(w.driver);
  sim::ReadyList prompt;
  sim::ReadyList fresh;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 5000; ++round) {
        switch ((i + round) % 5) {
          case 0:
            prompt.push(*s);
            break;
          case 1:
            fresh.push_unlisted(*s);
            break;
          case 2:
            fresh.pop();
            break;
          case 3:
            prompt.pop();
            break;
          default:
            sim::ReadyList::remove_anywhere(*s);
            break;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  prompt.push(*s);
  CHECK(prompt.size() == 1);
  CHECK(fresh.empty());
  CHECK(prompt.pop() == s);
  CHECK(s->unique());
}

TEST_CASE("a ready list gives its streams back when it goes", "[signal]") {
  World w;
  const auto s = make_stream(w.driver);
  {
    sim::ReadyList list;
    list.push(*s);
    CHECK_FALSE(s->unique());
  }
  CHECK(s->unique());
}
