// SPDX-License-Identifier: Apache-2.0
// Streams, events, host threads and memory that ends.
#include "tests/order/world.h"
#include "tests/support/catch.h"

using ordertest::World;

namespace {

/// The thread knows what its stream did before ("a"), not what that did meanwhile ("b"), nor what
/// another did for which the stream then waited ("c").
void check_that_it_knows_only_before(World& w) {
  w.host_read("good", "a");
  CHECK(w.findings().empty());
  w.host_read("own stream", "b");
  CHECK(w.findings() == "ACL007 meanwhile own stream");
  w.host_read("through a wait", "c");
  CHECK(w.findings() == "ACL007 elsewhere through a wait");
}

}  // namespace

TEST_CASE("ops of one stream are in order", "[order]") {
  World w;
  const auto s = w.stream();
  w.write(s, "one", "a");
  w.op(s, "two", "a", "b");
  w.write(s, "three", "a");
  CHECK(w.findings().empty());
}

TEST_CASE("nothing orders two streams by itself, the first one too", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "fill", "a");
  w.read(t, "use", "a");
  CHECK(w.findings() == "ACL007 fill use");
  w.write(s, "again", "a");
  CHECK(w.findings() == "ACL007 use again");
  w.write(t, "third", "a");
  CHECK(w.findings() == "ACL007 again third");
}

TEST_CASE("a finding names both ops, the bytes and what is wrong", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "fill", "ab");
  w.read(t, "use", "b");
  REQUIRE(w.found.size() == 1);
  const order::Finding& finding = w.found[0];
  CHECK(finding.level == order::Level::error);
  CHECK(finding.op_info.what == std::string("use"));
  CHECK(finding.op_info.stream == t);
  REQUIRE(finding.other);
  CHECK(finding.other->what == std::string("fill"));
  CHECK(finding.other->stream == s);
  CHECK(finding.where.begin == ordertest::bytes('b', false).begin);
  CHECK(finding.where.size == 0x100);
  CHECK(finding.text == "{it} reads {bytes} that {other} writes; no event orders them");
}

TEST_CASE("a wait orders what follows it after what stands before the record", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "fill", "a");
  const auto event = w.record(s);
  w.write(s, "late", "b");
  w.wait(t, event);
  w.read(t, "use", "a");
  CHECK(w.findings().empty());
  w.read(t, "early", "b");
  CHECK(w.findings() == "ACL007 late early");
}

TEST_CASE("what stands before a wait is not ordered by it", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "fill", "a");
  const auto event = w.record(s);
  w.read(t, "use", "a");
  w.wait(t, event);
  CHECK(w.findings() == "ACL007 fill use");
}

TEST_CASE("a wait is bound to the record of its call, not to a later one", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "first", "a");
  const auto event = w.record(s);
  w.wait(t, event);
  w.write(s, "second", "b");
  w.record(s);  // the same event of ACL, a node of its own
  w.op(t, "use", "ab", "");
  CHECK(w.findings() == "ACL007 second use");
}

TEST_CASE("order is passed on from stream to stream", "[order]") {
  World w;
  const auto first = w.stream();
  auto last = first;
  w.write(first, "fill", "a");
  for (int i = 0; i < 40; ++i) {
    const auto event = w.record(last);
    last = w.stream();
    w.wait(last, event);
  }
  w.read(last, "use", "a");
  CHECK(w.findings().empty());
  w.write(first, "again", "a");
  CHECK(w.findings() == "ACL007 use again");
}

TEST_CASE("a wait that orders nothing new is told, and only such a one", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto event = w.record(s);
  w.wait(t, event);
  CHECK(w.found.empty());
  w.wait(t, event);
  REQUIRE(w.found.size() == 1);
  CHECK(w.found[0].rule == order::Rule::redundant_wait);
  CHECK(w.found[0].level == order::Level::note);
  w.wait(s, event);
  CHECK(w.found.size() == 2);
}

TEST_CASE("a stream learns what its host thread knew when it issued", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "fill", "a");
  w.read(t, "early", "b");
  CHECK(w.synchronize(s));
  CHECK_FALSE(w.synchronize(s));  // nothing new
  w.read(t, "use", "a");
  CHECK(w.findings().empty());
  w.host_write("host", "B");
  w.read(t, "send", "B");
  CHECK(w.findings().empty());
  w.host_write("change", "B");
  CHECK(w.findings() == "ACL008 send change");
}

TEST_CASE("a synchronise of another stream orders nothing here", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "receive", "A");
  w.read(t, "other", "b");
  w.synchronize(t);
  w.host_read("look", "A");
  CHECK(w.findings() == "ACL008 receive look");
}

TEST_CASE("an event can be synchronised with", "[order]") {
  World w;
  const auto s = w.stream();
  w.write(s, "receive", "A");
  const auto event = w.record(s);
  w.write(s, "more", "B");
  CHECK(w.engine.synchronized(w.host, *event));
  w.host_read("look", "A");
  CHECK(w.findings().empty());
  w.host_read("early", "B");
  CHECK(w.findings() == "ACL008 more early");
}

TEST_CASE("a host thread's own access collides as a race on the device", "[order]") {
  World w;
  const auto s = w.stream();
  w.write(s, "fill", "a");
  w.host_read("aclrtMemcpy", "a");
  CHECK(w.findings() == "ACL007 fill aclrtMemcpy");
}

TEST_CASE("a synchronise knows nothing of what was issued meanwhile", "[order][threads]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "before", "a");
  const auto issued = w.engine.issued(s);
  const auto waiting = std::exchange(w.host, w.engine.add_host());
  w.write(s, "meanwhile", "b");
  w.write(t, "elsewhere", "c");
  const auto event = w.record(t);
  w.wait(s, event);
  CHECK(w.engine.synchronized(waiting, s, issued));
  w.host = waiting;
  check_that_it_knows_only_before(w);
}

TEST_CASE("two synchronises that overlap each know what stood before their call",
          "[order][threads]") {
  World w;
  const auto s = w.stream();
  const auto first = w.host;
  const auto second = w.engine.add_host();
  w.write(s, "one", "a");
  const auto early = w.engine.issued(s);
  w.write(s, "two", "b");
  const auto late = w.engine.issued(s);
  w.write(s, "three", "c");
  w.engine.synchronized(second, s, late);
  w.engine.synchronized(first, s, early);
  w.host = second;
  w.host_read("second", "ab");
  CHECK(w.findings().empty());
  w.host_read("second", "c");
  CHECK(w.findings() == "ACL007 three second");
  w.host = first;
  w.host_read("first", "a");
  CHECK(w.findings().empty());
  CHECK_FALSE(w.engine.covers_all_of(first, s));
}

TEST_CASE("two synchronises of the same place each know what stood there, whoever returns first",
          "[order][threads]") {
  const bool goes_on_first = GENERATE(true, false);
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto first = w.host;
  const auto second = w.engine.add_host();
  w.write(s, "before", "a");
  const auto place = w.engine.issued(s);
  REQUIRE(w.engine.issued(s) == place);
  const auto goes_on = [&] {
    w.write(t, "elsewhere", "c");
    w.wait(s, w.record(t));
    w.write(s, "meanwhile", "b");
  };
  if (goes_on_first) goes_on();
  w.engine.synchronized(first, s, place);
  if (!goes_on_first) goes_on();
  w.engine.synchronized(second, s, place);
  w.host = second;
  check_that_it_knows_only_before(w);
}

TEST_CASE("what only host threads can have ordered is a note", "[order][threads]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto first = w.host;
  const auto second = w.engine.add_host();
  w.write(s, "fill", "a");
  w.synchronize(s);
  w.host = second;
  w.read(t, "use", "a");
  REQUIRE(w.found.size() == 1);
  CHECK(w.found[0].level == order::Level::note);
  CHECK(w.findings() == "ACL019 fill use");

  w.host = first;
  w.host_write("mine", "B");
  w.host = second;
  w.host_write("yours", "B");
  CHECK(w.findings() == "ACL019 mine yours");
}

TEST_CASE("what a host thread did and knew counts as before when it has ended",
          "[order][threads]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "fill", "a");
  w.synchronize(s);
  w.write(s, "later", "c");
  w.host_write("mine", "D");
  w.engine.end_host(std::exchange(w.host, w.engine.add_host()));
  w.read(t, "use", "a");
  CHECK(w.findings() == "ACL019 fill use");
  w.read(t, "race", "c");
  CHECK(w.findings() == "ACL007 later race");
  w.host_write("yours", "D");
  CHECK(w.findings() == "ACL019 mine yours");
  w.engine.end_host(std::exchange(w.host, w.engine.add_host()));
  w.read(s, "in order", "ac");
  CHECK(w.findings().empty());
}

TEST_CASE("what no host thread has waited for is a race, whoever issued it", "[order][threads]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "fill", "a");
  w.host = w.engine.add_host();
  w.read(t, "use", "a");
  CHECK(w.findings() == "ACL007 fill use");
}

TEST_CASE("host threads can tell each other outside of ACL", "[order][threads]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto first = w.host;
  const auto second = w.engine.add_host();
  order::VectorClock lock;
  w.write(s, "fill", "a");
  w.synchronize(s);
  w.engine.release(first, lock);
  w.host_write("later", "B");
  w.engine.acquire(second, lock);
  w.host = second;
  w.read(t, "use", "a");
  CHECK(w.findings().empty());
  w.host_write("too late", "B");
  CHECK(w.findings() == "ACL019 later too late");
}

TEST_CASE("a synchronise that comes after the issue does not make the race a note",
          "[order][threads]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto gate = w.stream();
  w.engine.add_host();
  const auto opens = w.callback(gate, true);
  const auto open = w.record(gate);
  w.wait(t, open);
  w.write(s, "fill", "a");
  w.read(t, "use", "a");  // stands after the gate
  w.synchronize(s);
  CHECK(w.findings().empty());
  w.engine.happened(opens, false);
  CHECK(w.findings() == "ACL007 fill use");
}

TEST_CASE("a host thread that comes after the issue does not make the race a note",
          "[order][threads]") {
  World w;
  const auto s = w.stream();
  const auto gate = w.callback(s, true);
  w.read(s, "stands", "a");
  w.host_write("write", "a");
  w.engine.add_host();
  w.engine.happened(gate, false);
  CHECK(w.findings() == "ACL007 write stands");
}

TEST_CASE("memory that is freed while an op may use it is told", "[order][free]") {
  World w;
  const auto s = w.stream();
  w.read(s, "use", "a");
  w.free('a');
  CHECK(w.findings() == "ACL006 use free");
  w.write(s, "use host", "A");
  w.free('A');
  CHECK(w.findings() == "ACL008 use host free");
}

TEST_CASE("memory that everybody is done with may go", "[order][free]") {
  World w;
  const auto s = w.stream();
  w.write(s, "use", "a");
  w.synchronize(s);
  w.free('a');
  CHECK(w.findings().empty());
}

TEST_CASE("who gets freed memory next has nothing to do with the one before", "[order][free]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "old", "a");
  w.free('a');
  CHECK(w.findings() == "ACL006 old free");
  CHECK_FALSE(w.engine.shadow().written(ordertest::bytes('a', false).begin, 1));
  w.write(t, "new", "a");
  CHECK(w.findings().empty());
}

TEST_CASE("items that still stand in a stream use what they name", "[order][free]") {
  World w;
  const auto s = w.stream();
  const auto gate = w.callback(s, true);
  w.read(s, "stands", "ab");
  w.free('a');
  CHECK(w.findings() == "ACL006 stands free");
  w.write(w.stream(), "new", "a");
  w.engine.happened(gate, false);
  CHECK(w.findings().empty());  // the old op is not held against who has the bytes now
  w.write(w.stream(), "other", "b");
  CHECK(w.findings() == "ACL007 stands other");
}

TEST_CASE("a guess about what a kernel touches weighs less", "[order][levels]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto guess = [&](order::Actor stream) {
    ordertest::OpInfo op_info = w.op_info("kernel", stream);
    op_info.declared = false;
    const auto access = ordertest::bytes('a', true);
    w.engine.op(stream, w.host, op_info, {&access, 1});
  };
  w.write(s, "copy", "a");
  guess(t);
  REQUIRE(w.found.size() == 1);
  CHECK(w.found[0].level == order::Level::warning);
  guess(s);
  REQUIRE(w.found.size() == 2);
  CHECK(w.found[1].level == order::Level::note);
  w.write(t, "copy", "a");
  REQUIRE(w.found.size() == 3);
  CHECK(w.found[2].level == order::Level::warning);
}

TEST_CASE("a stream with the number of one that ended starts afresh", "[order][reuse]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "old", "a");
  w.synchronize(s);
  w.engine.end_stream(s);
  CHECK(w.stream() == s);
  CHECK(w.engine.covers_all_of(w.host, s));
  w.read(t, "use", "a");  // after the old one
  CHECK(w.findings().empty());
  w.write(s, "new", "b");
  w.read(t, "other", "b");
  CHECK(w.findings() == "ACL007 new other");
}

TEST_CASE("a stream does not know what the one before it had waited for", "[order][reuse]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  w.write(s, "fill", "a");
  const auto event = w.record(s);
  w.wait(t, event);
  w.engine.end_stream(t);  // dropped: no thread has waited for it
  REQUIRE(w.stream() == t);
  w.read(t, "use", "a");
  CHECK(w.findings() == "ACL007 fill use");
}

TEST_CASE("what a dropped stream stood at does not move the one after it", "[order][reuse]") {
  World w;
  const auto s = w.stream();
  const auto u = w.stream();
  const auto old = w.callback(s, true);
  w.write(s, "dropped", "a");
  w.engine.end_stream(s);
  REQUIRE(w.stream() == s);
  const auto gate = w.callback(s, true);
  w.write(s, "behind the gate", "b");
  w.engine.happened(old, true);
  w.read(u, "use", "ab");
  CHECK(w.findings().empty());  // the gate is shut, and the dropped items count as never issued
  w.engine.happened(gate, false);
  CHECK(w.findings() == "ACL007 use behind the gate");
}

TEST_CASE("a dropped wait is not woken by its record", "[order][reuse]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto first = w.callback(s, true);
  const auto event = w.record(s);
  w.wait(t, event);
  w.engine.end_stream(t);
  REQUIRE(w.stream() == t);
  const auto second = w.callback(t, true);
  w.write(t, "behind the gate", "a");
  w.engine.happened(first, false);
  w.read(w.stream(), "use", "a");
  CHECK(w.findings().empty());
  w.engine.happened(second, false);
  CHECK(w.findings() == "ACL007 use behind the gate");
}

TEST_CASE("waits for a record that was dropped go on without order", "[order][reuse]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto gate = w.callback(s, true);
  w.write(s, "dropped", "a");
  const auto event = w.record(s);
  w.wait(t, event);
  w.write(t, "use", "b");
  w.engine.end_stream(s);
  CHECK(w.found.empty());
  w.read(w.stream(), "other", "b");
  CHECK(w.findings().find("ACL007") == 0);
  w.engine.happened(gate, true);
}

TEST_CASE("a wait may still stand as long as the thread does not know its end", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto event = w.record(s);
  const auto again = w.record(s);
  CHECK_FALSE(w.engine.may_be_waited_for(*event, *again));
  w.wait(t, event);
  CHECK(w.engine.may_be_waited_for(*event, *again));
  w.synchronize(s);
  CHECK(w.engine.may_be_waited_for(*event, *again));
  w.synchronize(t);
  CHECK_FALSE(w.engine.may_be_waited_for(*event, *again));
}

TEST_CASE("a record after the wait for the one before does not take it away", "[order]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto u = w.stream();
  const auto first = w.record(s);
  w.wait(t, first);
  const auto second = w.record(t);
  CHECK_FALSE(w.engine.may_be_waited_for(*first, *second));
  w.wait(u, second);
  CHECK_FALSE(w.engine.may_be_waited_for(*first, *w.record(u)));
  CHECK(w.engine.may_be_waited_for(*first, *w.record(s)));
}
