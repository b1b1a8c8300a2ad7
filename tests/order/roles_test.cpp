// SPDX-License-Identifier: Apache-2.0
// The two operations of a race are named in the order of the calls, and of several accesses of a
// stream the last one before.
#include "tests/order/world.h"
#include "tests/support/catch.h"

using namespace ordertest;

namespace {

/// Numbers the calls, as a listener of a program does.
struct Calls : World {
  Actor a = stream(), b = stream(), c = stream();
  std::shared_ptr<Variable> go = std::make_shared<Variable>();
  std::uint32_t calls = 0;
  Calls() { go->closed = true; }

  void call(Actor on, const char* what, const std::string& reads, const std::string& writes) {
    OpInfo made = op_info(what, on);
    made.called = ++calls;
    std::vector<Access> all;
    for (const char letter : reads) all.push_back(bytes(letter, false));
    for (const char letter : writes) all.push_back(bytes(letter, true));
    engine.op(on, host, made, all);
  }
  CompletionId hold(Actor on) { return wait_until(on, go, 1); }
  void release(CompletionId wait) {
    engine.happened(set(c, go, 1), false);
    engine.happened(wait, false);
  }
};

}  // namespace

TEST_CASE("an operation that waits for a number is the earlier one if it is called first",
          "[order][roles]") {
  Calls w;
  const CompletionId wait = w.hold(w.a);
  w.call(w.a, "first", "", "x");
  w.call(w.b, "second", "x", "");
  w.release(wait);
  REQUIRE(w.found.size() == 1);
  CHECK(w.found[0].where.write == false);
  CHECK(w.found[0].text == "{it} reads {bytes} that {other} writes; no event orders them");
  CHECK(w.findings() == "ACL007 first second");
}

TEST_CASE("an operation that waits for a number is the later one if it is called last",
          "[order][roles]") {
  Calls w;
  const CompletionId wait = w.hold(w.a);
  w.call(w.b, "first", "x", "");
  w.call(w.a, "second", "", "x");
  w.release(wait);
  CHECK(w.findings() == "ACL007 first second");
}

TEST_CASE("of the accesses of a stream that conflict, the last one is named", "[order][roles]") {
  Calls w;
  w.call(w.a, "fill", "", "x");
  w.call(w.a, "copy", "x", "y");
  w.call(w.b, "use", "", "x");
  CHECK(w.findings() == "ACL007 copy use");
}

TEST_CASE("accesses to other bytes count among those of which the last one is named",
          "[order][roles]") {
  Calls w;
  w.call(w.a, "first", "", "x");
  w.call(w.a, "second", "", "y");
  w.call(w.b, "use", "xy", "");
  CHECK(w.findings() == "ACL007 second use");
}

TEST_CASE("a weaker finding about a later guess does not hide the sure one", "[order][roles]") {
  Calls w;
  w.call(w.a, "sure", "", "x");
  OpInfo guess = w.op_info("guess", w.a);
  guess.declared = false;
  guess.called = ++w.calls;
  const Access all[] = {bytes('x', true), bytes('y', true)};
  w.engine.op(w.a, w.host, guess, std::span(all).last(1));
  w.call(w.b, "use", "xy", "");
  CHECK(w.findings() == "ACL007 sure use, ACL007 guess use");
}

TEST_CASE("of the operations behind a wait, the last one that was called before is named",
          "[order][roles]") {
  Calls w;
  const CompletionId wait = w.hold(w.a);
  w.call(w.a, "one", "", "x");
  w.call(w.a, "two", "x", "");
  w.call(w.a, "elsewhere", "", "y");
  w.call(w.b, "use", "", "x");
  w.call(w.a, "after the use", "z", "");
  w.release(wait);
  CHECK(w.findings() == "ACL007 two use");
}

TEST_CASE("an operation behind a wait may conflict in other bytes than the first one",
          "[order][roles]") {
  Calls w;
  const CompletionId wait = w.hold(w.a);
  w.call(w.a, "one", "", "x");
  w.call(w.a, "two", "", "y");
  w.call(w.b, "use", "xy", "");
  w.release(wait);
  REQUIRE(w.found.size() == 2);
  CHECK(w.found[0].where.begin == bytes('y', true).begin);
  CHECK(w.findings() == "ACL007 two use, ACL007 two use");
}

TEST_CASE("of the accesses that overtake a waiting operation, the first one is named",
          "[order][roles]") {
  Calls w;
  w.call(w.b, "before", "", "x");
  const CompletionId wait = w.hold(w.a);
  w.call(w.b, "sum's source", "", "y");
  w.call(w.a, "sum", "y", "y");
  w.call(w.b, "elsewhere", "", "z");
  w.call(w.b, "update", "y", "");
  w.call(w.b, "next", "", "y");
  w.call(w.stream(), "another", "y", "");
  w.release(wait);
  CHECK(w.findings() ==
        "ACL007 next another, ACL007 sum another, ACL007 sum's source sum, ACL007 sum update");
}

TEST_CASE("an access that the waiting operation is ordered after is not named", "[order][roles]") {
  Calls w;
  const CompletionId wait = w.hold(w.a);
  w.call(w.a, "sum", "", "x");
  w.call(w.b, "ordered", "x", "");
  w.wait(w.c, w.record(w.b));
  w.call(w.b, "next", "", "x");
  w.release(wait);
  CHECK(w.findings() == "ACL007 sum next");
}

TEST_CASE("an operation behind a second wait may be ordered, and is not named", "[order][roles]") {
  Calls w;
  const CompletionId wait = w.hold(w.a);
  w.call(w.a, "one", "", "x");
  const auto later = std::make_shared<Variable>();
  later->closed = true;
  const CompletionId second = w.wait_until(w.a, later, 1);
  w.call(w.a, "two", "", "x");
  w.call(w.b, "use", "", "x");
  w.release(wait);
  CHECK(w.findings() == "ACL007 one use");
  w.engine.happened(w.set(w.b, later, 1), false);
  w.engine.happened(second, false);
}

TEST_CASE("a free names the last operation of each stream", "[order][roles]") {
  Calls w;
  w.call(w.a, "fill", "", "x");
  w.call(w.a, "copy", "x", "");
  const CompletionId wait = w.hold(w.b);
  w.call(w.b, "held", "", "x");
  w.call(w.b, "held too", "x", "");
  w.free('x');
  CHECK(w.findings() == "ACL006 copy free, ACL006 held too free");
  w.release(wait);
}

TEST_CASE("no synchronise before a free is proposed while only a later call can end the wait",
          "[order][roles]") {
  Calls w;
  const auto repair_of = [&] {
    w.free('x');
    REQUIRE(w.found.size() == 1);
    const std::string repair = w.found[0].repair;
    w.found.clear();
    return repair;
  };
  const std::string first = "first enqueue what the stream waits for";
  SECTION("a value that nothing sets") {
    w.hold(w.a);
    w.call(w.a, "fill", "", "x");
    CHECK(repair_of().find(first) == 0);
  }
  SECTION("a value that an operation sets") {
    w.hold(w.a);
    w.set(w.c, w.go, 1);
    w.call(w.a, "fill", "", "x");
    CHECK(repair_of().empty());
  }
  SECTION("an event of a stream that waits") {
    w.hold(w.b);
    w.wait(w.a, w.record(w.b));
    w.call(w.a, "fill", "", "x");
    CHECK(repair_of().find(first) == 0);
  }
  SECTION("nothing") {
    w.call(w.a, "fill", "", "x");
    CHECK(repair_of().empty());
  }
}

TEST_CASE("a free in a stream that is called first is the earlier one", "[order][roles]") {
  Calls w;
  const CompletionId wait = w.hold(w.a);
  OpInfo free = w.op_info("free", w.a);
  free.called = ++w.calls;
  Access all = bytes('x', true);
  all.frees = true;
  w.engine.op(w.a, w.host, free, {&all, 1});
  w.call(w.b, "use", "", "x");
  w.release(wait);
  REQUIRE(w.found.size() == 1);
  CHECK(w.found[0].text.starts_with("{it} writes {bytes} that {other} may have released before"));
  CHECK(w.findings() == "ACL006 free use");
}

TEST_CASE("numbers of calls may wrap", "[order][roles]") {
  OpInfo a, b;
  a.called = ~std::uint32_t{0};
  b.called = 2;
  CHECK(is_called_before(a, b));
  CHECK_FALSE(is_called_before(b, a));
  CHECK_FALSE(is_called_before(a, OpInfo{}));
}
