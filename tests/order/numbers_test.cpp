// SPDX-License-Identifier: Apache-2.0
// Waits for numbers: the changes that satisfy them, pending changes, words of memory, reductions.
#include "tests/order/world.h"
#include "tests/support/catch.h"

using namespace ordertest;

namespace {

struct Numbers : World {
  Actor a = stream(), b = stream(), c = stream();
  std::shared_ptr<Variable> number = std::make_shared<Variable>();
  Numbers() { number->closed = true; }

  CompletionId add(Actor stream, std::uint64_t count) {
    return engine.change(
        stream, host, op_info("add", stream), number,
        [count](std::uint64_t value) { return value + count; }, true);
  }
  void happen(CompletionId note) { engine.happened(note, false); }
};

/// A word of memory in 'w'.
struct Words : Numbers {
  std::uint64_t memory = 0;
  Access as_word(bool write) {
    Access access = bytes('w', write);
    access.size = 8;
    access.kind = order::AccessKind::atomic;
    return access;
  }
  Words() {
    number = engine.word(bytes('w', true).begin);
    number->closed = true;
    number->first = 0;
    number->read = [this] { return memory; };
  }
  CompletionId set_word(Actor stream, std::uint64_t value) {
    const Access access[] = {as_word(true)};
    return engine.change(
        stream, host, op_info("set", stream), number, [value](std::uint64_t) { return value; },
        false, access);
  }
  CompletionId wait_word(Actor stream, std::uint64_t least) {
    const Access access[] = {as_word(false)};
    return engine.wait_for(
        stream, host, op_info("wait_for", stream), number,
        [least](std::uint64_t value) { return value >= least; }, false, access);
  }
};

}  // namespace

TEST_CASE("who waits for either of two records is ordered after neither alone", "[order][number]") {
  Numbers w;
  w.write(w.a, "x by a", "x");
  const auto first = w.set(w.a, w.number, 1);
  w.happen(first);
  w.happen(w.set(w.c, w.number, 1));
  w.happen(w.wait_until(w.b, w.number, 1, true));
  w.read(w.b, "use", "x");
  CHECK(w.findings() == "ACL007 x by a use");
}

TEST_CASE("what comes before both of two records is before who waits for either",
          "[order][number]") {
  Numbers w;
  w.write(w.a, "x by a", "x");
  const auto event = w.record(w.a);
  w.wait(w.c, event);
  w.happen(w.set(w.a, w.number, 1));
  w.happen(w.set(w.c, w.number, 1));
  w.happen(w.wait_until(w.b, w.number, 1, true));
  w.read(w.b, "use", "x");
  CHECK(w.findings().empty());
}

TEST_CASE("who waits for a count is ordered after all that it takes, and after no single one else",
          "[order][number]") {
  Numbers w;
  w.write(w.a, "x by a", "x");
  w.write(w.c, "y by c", "y");
  w.happen(w.add(w.a, 1));
  w.happen(w.add(w.c, 1));
  SECTION("both") {
    w.happen(w.wait_until(w.b, w.number, 2));
    w.read(w.b, "use", "xy");
    CHECK(w.findings().empty());
  }
  SECTION("one of them") {
    w.happen(w.wait_until(w.b, w.number, 1));
    w.read(w.b, "use", "x");
    CHECK(w.findings() == "ACL007 x by a use");
  }
}

TEST_CASE("a wait that the first value satisfies is ordered after nobody", "[order][number]") {
  Numbers w;
  w.write(w.a, "x by a", "x");
  w.happen(w.set(w.a, w.number, 5));
  w.happen(w.wait_until(w.b, w.number, 0));
  w.read(w.b, "use", "x");
  CHECK(w.findings() == "ACL007 x by a use");
}

TEST_CASE("one record does not end two waits", "[order][number][stuck]") {
  Numbers w;
  const auto record = w.set(w.a, w.number, 1);
  const auto first = w.wait_until(w.b, w.number, 1, true);
  const auto second = w.wait_until(w.b, w.number, 1, true);
  SECTION("and a thread that waits for both is told before anything runs") {
    const auto stuck = w.engine.deadlocks().stuck(w.b);
    REQUIRE(stuck.waits.size() == 1);
    CHECK_FALSE(stuck.cycle);
  }
  SECTION("nor when the first is over") {
    w.happen(record);
    w.happen(first);
    CHECK(w.engine.deadlocks().stuck(w.b).waits.size() == 1);
  }
  SECTION("but two do") {
    const auto again = w.set(w.c, w.number, 1);
    CHECK(w.engine.deadlocks().stuck(w.b).waits.empty());
    for (const CompletionId note : {record, first, again, second}) w.happen(note);
    CHECK(w.engine.deadlocks().stuck(w.b).waits.empty());
  }
}

TEST_CASE("rounds of a counter that each wait takes back are no deadlock",
          "[order][number][stuck]") {
  Numbers w;
  for (int round = 0; round < 3; ++round) {
    w.add(w.a, 1);
    w.wait_until(w.b, w.number, 1, true);
    w.wait(w.a, w.record(w.b));
  }
  CHECK(w.engine.deadlocks().stuck(w.a).waits.empty());
  CHECK(w.engine.deadlocks().stuck(w.b).waits.empty());
}

TEST_CASE("a count that all changes together do not reach is told", "[order][number][stuck]") {
  Numbers w;
  w.add(w.a, 1);
  w.add(w.c, 1);
  w.wait_until(w.b, w.number, 3);
  CHECK(w.engine.deadlocks().stuck(w.b).waits.size() == 1);
  w.add(w.c, 1);
  CHECK(w.engine.deadlocks().stuck(w.b).waits.empty());
}

TEST_CASE("a word of memory is waited for and written without a race", "[order][word]") {
  Words w;
  w.write(w.a, "x by a", "x");
  w.happen(w.set_word(w.a, 1));
  w.happen(w.wait_word(w.b, 1));
  w.read(w.b, "use", "x");
  w.read(w.c, "poll", "w");
  CHECK(w.findings().empty());
  w.write(w.c, "init", "w");
  CHECK(w.findings() == "ACL007 set init");
}

TEST_CASE("a copy lets pass who waits for the word that it writes", "[order][word]") {
  Words w;
  w.write(w.a, "x by a", "x");
  w.write(w.a, "copy", "w");
  w.happen(w.wait_word(w.b, 1));
  w.read(w.b, "use", "x");
  CHECK(w.findings().empty());
}

TEST_CASE("a word that is cleared between rounds orders each round", "[order][word]") {
  Words w;
  for (int round = 0; round < 3; ++round) {
    w.write(w.a, "x by a", "x");
    w.happen(w.set_word(w.a, 1));
    w.happen(w.wait_word(w.b, 1));
    w.read(w.b, "use", "x");
    w.synchronize(w.a);
    w.synchronize(w.b);
    w.host_write("clear", "w");
  }
  CHECK(w.findings().empty());
}

TEST_CASE("a word that is freed under a wait is told", "[order][word]") {
  Words w;
  w.wait_word(w.b, 1);
  w.free('w');
  CHECK(w.findings() == "ACL006 wait_for free");
}

TEST_CASE("a word that is freed after a fill, under a wait that nobody waited for, is told",
          "[order][word]") {
  Words w;
  w.memory = 1;
  w.happen(w.wait_word(w.b, 1));
  w.write(w.a, "fill", "w");
  w.synchronize(w.a);
  w.free('w');
  CHECK(w.findings() == "ACL006 wait_for free");
}

TEST_CASE("words that each of two streams waits for are a cycle", "[order][word][stuck]") {
  Words w;
  const auto other = w.engine.word(bytes('v', true).begin);
  other->closed = true;
  other->first = 0;
  other->read = [] { return std::uint64_t{0}; };
  w.wait_until(w.a, other, 1);
  w.set_word(w.a, 1);
  w.wait_word(w.b, 1);
  w.set(w.b, other, 1);
  const auto stuck = w.engine.deadlocks().stuck(w.a);
  CHECK(stuck.cycle);
  CHECK(stuck.waits.size() == 2);
}

TEST_CASE("a copy on its way to the word may end the wait", "[order][word][stuck]") {
  Words w;
  w.write(w.a, "copy", "w");
  w.wait_word(w.b, 1);
  CHECK(w.engine.deadlocks().stuck(w.b).waits.empty());
  w.synchronize(w.a);
  CHECK(w.engine.deadlocks().stuck(w.b).waits.size() ==
        1);  // it is over, and the word is not as wanted
}

TEST_CASE("merges onto the same bytes may run at the same time", "[order][merge]") {
  World w;
  const auto a = w.stream(), b = w.stream(), c = w.stream();
  const auto merge = [&](Actor stream, const char* what) {
    Access access = bytes('x', true);
    access.kind = order::AccessKind::reduction;
    access.reduction = 1;
    w.engine.op(stream, w.host, w.op_info(what, stream), {&access, 1});
  };
  merge(a, "by a");
  merge(b, "by b");
  CHECK(w.findings().empty());
  SECTION("who reads has to be ordered after each of them") {
    w.wait(c, w.record(b));
    w.read(c, "use", "x");
    CHECK(w.findings() == "ACL007 by a use");
  }
  SECTION("and may read after both") {
    w.wait(c, w.record(a));
    w.wait(c, w.record(b));
    w.read(c, "use", "x");
    CHECK(w.findings().empty());
  }
  SECTION("a write between them races") {
    w.write(c, "clear", "x");
    CHECK(w.findings().starts_with("ACL007"));
  }
}

TEST_CASE("merges of two kinds race, of one kind or of an unknown one they do not",
          "[order][merge]") {
  World w;
  const auto a = w.stream(), b = w.stream();
  const auto merge = [&](Actor stream, const char* what, std::uint16_t kind) {
    Access access = bytes('x', true);
    access.kind = order::AccessKind::reduction;
    access.reduction = kind;
    w.engine.op(stream, w.host, w.op_info(what, stream), {&access, 1});
  };
  merge(a, "sum", 1);
  merge(b, "sum", 1);
  merge(b, "any", 0);
  CHECK(w.findings().empty());
  merge(b, "max", 2);
  REQUIRE(w.found.size() == 1);
  CHECK(w.found[0].text ==
        "{it} reduces {bytes} in another way than {other} does; no event orders them");
  CHECK(w.findings() == "ACL007 sum max");
}

TEST_CASE("a write under another stream's merge is told to a merge", "[order][merge]") {
  World w;
  const auto a = w.stream(), b = w.stream();
  const auto merge = [&](Actor stream, const char* what) {
    Access access = bytes('x', true);
    access.kind = order::AccessKind::reduction;
    access.reduction = 1;
    w.engine.op(stream, w.host, w.op_info(what, stream), {&access, 1});
  };
  w.write(a, "clear", "x");
  const auto cleared = w.record(a);
  merge(a, "by a");
  SECTION("without order") {
    merge(b, "by b");
    CHECK(w.findings() == "ACL007 clear by b");
  }
  SECTION("that is ordered after the write only") {
    w.wait(b, cleared);
    merge(b, "by b");
    CHECK(w.findings().empty());
  }
}

TEST_CASE("who waits for a merged word is ordered after all merges, and a write under them",
          "[order][word]") {
  Words w;
  w.write(w.a, "x by a", "x");
  w.write(w.a, "clear", "w");
  w.wait(w.c, w.record(w.a));
  const auto merge = [&](Actor stream, const char* what) {
    Access access = w.as_word(true);
    access.kind = order::AccessKind::reduction;
    access.reduction = 1;
    w.engine.op(stream, w.host, w.op_info(what, stream), {&access, 1});
  };
  w.write(w.c, "y by c", "y");
  merge(w.a, "by a");
  merge(w.c, "by c");
  w.happen(w.wait_word(w.b, 2));
  w.read(w.b, "use", "xy");
  CHECK(w.findings().empty());
}

TEST_CASE(
    "a wait for a value that a set word does not have may be stuck, whatever was filled before",
    "[order][word][stuck]") {
  Words w;
  w.write(w.a, "fill", "w");
  w.memory = 1;
  w.happen(w.set_word(w.a, 1));
  w.wait_word(w.b, 2);
  CHECK(w.engine.deadlocks().stuck(w.b).waits.size() == 1);
}

TEST_CASE("an op that is queued before a free of its memory is told, whichever comes first",
          "[order]") {
  World w;
  const auto a = w.stream(), b = w.stream();
  const auto gate = w.callback(b, true);
  const auto freed = [&] {
    Access all = bytes('x', true);
    all.frees = true;
    w.engine.op(a, w.host, w.op_info("free", a), {&all, 1});
    return w.record(a);
  };
  SECTION("it comes after the free") {
    const auto event = freed();
    w.wait(b, event);
    w.write(b, "use", "x");
    w.engine.happened(gate, false);
    REQUIRE(w.found.size() == 1);
    CHECK(w.found[0].title == "use after free");
    CHECK(w.findings() == "ACL020 free use");
  }
  SECTION("it comes beside the free") {
    w.write(b, "use", "x");
    freed();
    w.engine.happened(gate, false);
    CHECK(w.findings() == "ACL006 free use");
  }
}

TEST_CASE("what a graph touches may not be freed once it is launched", "[order][graph]") {
  World w;
  const auto s = w.stream();
  const auto gate = w.callback(s, true);
  const Access touched[] = {bytes('x', true)};
  const auto launch = w.engine.launch(s, w.host, w.op_info("launch", s), touched);
  SECTION("before it runs") {
    w.free('x');
    CHECK(w.findings() == "ACL006 launch free");
  }
  SECTION("but when it is over") {
    w.engine.happened(gate, false);
    w.engine.happened(launch, false);
    w.synchronize(s);
    w.free('x');
    CHECK(w.findings().empty());
  }
}
