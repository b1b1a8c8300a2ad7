// SPDX-License-Identifier: Apache-2.0
// Words that streams change and wait for: notifies, counters, values in memory.
#include "device_sim/streams/word.h"

#include <thread>

#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Word;
using sim::WordChange;
using sim::WordTest;
using Is = sim::WordTest::Is;

namespace {

constexpr WordTest kNotify{Is::greater, true, 0};

Ref<Word> word() { return sim::make_ref<Word>(); }
void wait(Stream& s, Word& word, const WordTest& test, sim::Nanoseconds timeout_ns = 0) {
  s.submit(sim::make_word_wait(word, test, timeout_ns, "WAIT"));
}
void change(Stream& s, Word& word, WordChange how, std::uint64_t value) {
  s.submit(sim::make_word_change(word, how, value, "CHANGE"));
}
void notify(Stream& s, Word& word) { change(s, word, WordChange::set, 1); }

}  // namespace

TEST_CASE("each test of a word holds exactly where it says", "[word]") {
  struct Row {
    Is is;
    std::uint64_t value, yes, no;
  };
  const std::uint64_t top = ~std::uint64_t{0};
  for (const Row& row : {Row{Is::less, 5, 4, 5}, Row{Is::equal, 5, 5, 4}, Row{Is::greater, 5, 6, 5},
                         Row{Is::greater_equal, 5, 5, 4}, Row{Is::not_before, 1, 2, top},
                         Row{Is::not_before, top, 1, top - 1}, Row{Is::has_all_bits, 6, 7, 5},
                         Row{Is::has_a_bit, 6, 2, 9}, Row{Is::lacks_a_bit, 1, 0, top}}) {
    CAPTURE(static_cast<int>(row.is));
    CHECK(WordTest{row.is, false, row.value}.holds(row.yes));
    CHECK_FALSE(WordTest{row.is, false, row.value}.holds(row.no));
  }
}

TEST_CASE("a word names a stream that has still to change it, as long as there is one", "[word]") {
  World w;
  Stream& a = w.stream();
  Stream& b = w.stream();
  const auto never = word();
  wait(a, *never, kNotify);  // holds the ops after it
  const auto n = word();
  CHECK_FALSE(n->changer());
  notify(a, *n);
  wait(b, *n, kNotify);
  w.run_all();
  CHECK(n->changer().get() == &a);
  change(w.stream(), *never, WordChange::set, 1);
  w.run_all();
  CHECK_FALSE(n->changer());
  CHECK_FALSE(never->changer());

  n->watch_from_now();  // others may change it as well, so its changer is unknown
  wait(a, *never, kNotify);
  notify(a, *n);
  w.run_all();
  CHECK_FALSE(n->changer());
  change(w.stream(), *never, WordChange::set, 1);
  w.run_all();
}

TEST_CASE("a stream that waits for a notify starts after the notify was recorded", "[word]") {
  World w;
  Stream& a = w.stream();
  Stream& b = w.stream();
  const auto n = word();
  wait(b, *n, kNotify);
  w.kernel(b, "b");
  w.run_all();
  CHECK(b.state() == State::parked);
  w.kernel(a, "a");
  notify(a, *n);
  w.run_all();
  CHECK(w.log == "ab");
  CHECK(n->value() == 0);
  CHECK(w.all_given_back());
}

TEST_CASE("a notify that was recorded before the wait is remembered once", "[word]") {
  World w;
  Stream& a = w.stream();
  Stream& b = w.stream();
  const auto n = word();
  notify(a, *n);
  notify(a, *n);
  w.run_all();
  wait(b, *n, kNotify);
  w.kernel(b, "1");
  wait(b, *n, kNotify);
  w.kernel(b, "2");
  w.run_all();
  CHECK(w.log == "1");
  notify(a, *n);
  w.run_all();
  CHECK(w.log == "12");
}

TEST_CASE("one notify sets one stream free, the one that came first", "[word]") {
  World w;
  Stream& a = w.stream();
  const auto n = word();
  for (const char* name : {"x", "y", "z"}) {
    Stream& s = w.stream();
    wait(s, *n, kNotify);
    w.kernel(s, name);
    w.run_all();
  }
  notify(a, *n);
  w.run_all();
  CHECK(w.log == "x");
  notify(a, *n);
  notify(a, *n);
  w.run_all();
  CHECK(w.log == "xyz");
}

TEST_CASE("a counter sets free everybody whose test it passes, and only them", "[word]") {
  World w;
  Stream& a = w.stream();
  Stream& b = w.stream();
  Stream& c = w.stream();
  const auto counter = word();
  wait(b, *counter, {Is::greater_equal, false, 2});
  w.kernel(b, "b");
  wait(c, *counter, {Is::equal, true, 3});
  w.kernel(c, "c");
  w.run_all();
  change(a, *counter, WordChange::add_32, 2);
  w.run_all();
  CHECK(w.log == "b");
  change(a, *counter, WordChange::set_bits, 1);
  w.run_all();
  CHECK(w.log == "bc");
  CHECK(counter->value() == 0);
}

TEST_CASE("a wait for a word fails when its time is up, and the stream goes on", "[word]") {
  World w;
  Stream& s = w.stream();
  const auto n = word();
  wait(s, *n, kNotify, 1000);
  w.kernel(s, "on");
  w.run_all();
  CHECK(w.log.empty());
  w.driver.pass_limits();
  w.run_all();
  CHECK(w.log == "on");
  CHECK(s.take_failure().error == sim::Error::wait_timeout);
  CHECK(w.all_given_back());
}

TEST_CASE("an abandoned stream leaves the word that it waits for", "[word]") {
  World w;
  Stream& a = w.stream();
  Stream& b = w.stream();
  const auto n = word();
  wait(b, *n, kNotify);
  w.run_all();
  b.abandon();
  notify(a, *n);
  w.run_all();
  CHECK(n->value() == 1);
  CHECK(n->unique());
  CHECK(w.all_given_back());
}

TEST_CASE("a word that others write is watched while a stream waits for it", "[word]") {
  World w;
  Stream& s = w.stream();
  std::atomic<std::uint64_t> place{0};
  const auto value = sim::make_ref<Word>(&place);
  wait(s, *value, {Is::not_before, false, 7});
  w.kernel(s, "7");
  w.run_all();
  REQUIRE(w.driver.watching());
  CHECK(w.driver.look_at_words());
  place = 7;
  CHECK_FALSE(w.driver.look_at_words());
  CHECK_FALSE(w.driver.watching());
  w.run_all();
  CHECK(w.log == "7");
  CHECK(value->unique());
}

TEST_CASE("an op that writes a watched word sets its streams free by itself", "[word]") {
  World w;
  Stream& a = w.stream();
  Stream& b = w.stream();
  std::atomic<std::uint64_t> place{0};
  const auto value = sim::make_ref<Word>(&place);
  wait(b, *value, {Is::equal, false, 3});
  w.kernel(b, "b");
  w.run_all();
  w.kernel(a, "a", [&] {
    place = 3;
    return 0;
  });
  w.run_all();
  CHECK(w.log == "ab");
}

TEST_CASE("with real threads a word that the host writes releases its stream", "[word][threads]") {
  for (const auto schedule : {sim::Schedule::threads, sim::Schedule::seeded}) {
    sim::SystemConfig config = small_machine();
    config.schedule = schedule;
    sim::System system(config);
    const auto s = make_stream(system.driver());
    std::atomic<std::uint64_t> place{0};
    const auto value = sim::make_ref<Word>(&place);
    s->submit(sim::make_word_wait(*value, {Is::equal, false, 1}, 0, "WAIT"));
    std::thread writer([&] {
      eventually([&] { return s->state() == State::parked; });
      place = 1;
    });
    CHECK(system.driver().wait(*s, 1, soon(), true) == sim::Driver::WaitResult::reached);
    writer.join();
    // No thread makes a call: the machine checks the word by itself.
    place = 0;
    s->submit(sim::make_word_wait(*value, {Is::equal, false, 1}, 0, "WAIT"));
    CHECK(eventually([&] { return s->state() == State::parked; }));
    place = 1;
    CHECK(eventually([&] { return s->drained(); }));
  }
}

TEST_CASE("many streams take notifies in turn and none is lost", "[word][threads]") {
  sim::SystemConfig config = small_machine();
  config.pool_threads = GENERATE(1, 4);
  sim::System system(config);
  const auto forth = word();
  const auto back = word();
  const auto a = make_stream(system.driver());
  const auto b = make_stream(system.driver(), 1);
  for (int i = 0; i < 2000; ++i) {
    notify(*a, *forth);
    wait(*a, *back, kNotify);
    wait(*b, *forth, kNotify);
    notify(*b, *back);
  }
  CHECK(system.driver().wait(*a, a->submitted(), soon(), true) == sim::Driver::WaitResult::reached);
  CHECK(system.driver().wait(*b, b->submitted(), soon(), true) == sim::Driver::WaitResult::reached);
}
