// SPDX-License-Identifier: Apache-2.0
// Order that depends on the machine: callbacks, notifies, values, graphs.
#include "tests/order/world.h"
#include "tests/support/catch.h"

using ordertest::Node;
using ordertest::Variable;
using ordertest::World;

TEST_CASE("a stream stands at a wait until the record's stream comes there", "[order][deferred]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto gate = w.callback(s, true);
  w.write(s, "fill", "a");
  const auto event = w.record(s);
  w.wait(t, event);
  w.read(t, "use", "a");
  w.write(t, "more", "b");
  CHECK(w.engine.shadow().size() == 0);
  w.engine.happened(gate, false);
  CHECK(w.engine.shadow().size() == 2);
  CHECK(w.findings().empty());
  w.read(s, "late", "b");
  CHECK(w.findings() == "ACL007 more late");
}

TEST_CASE("waits that stand on each other are let go along the whole chain", "[order][deferred]") {
  World w;
  std::vector<order::Actor> streams;
  const auto first = w.stream();
  const auto gate = w.callback(first, true);
  w.write(first, "fill", "a");
  auto event = w.record(first);
  for (int i = 0; i < 20; ++i) {
    streams.push_back(w.stream());
    w.wait(streams.back(), event);
    event = w.record(streams.back());
  }
  w.read(streams.back(), "use", "a");
  CHECK(w.engine.shadow().size() == 0);
  w.engine.happened(gate, false);
  CHECK(w.engine.shadow().size() == 1);
  CHECK(w.findings().empty());
}

TEST_CASE("an op that stands knows only what its thread knew at its issue", "[order][deferred]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto gate = w.callback(t, true);
  w.write(s, "fill", "a");
  w.read(t, "before", "a");
  w.synchronize(s);
  w.read(t, "after", "a");
  w.engine.happened(gate, false);
  CHECK(w.findings() == "ACL007 fill before");
}

TEST_CASE("a blocking callback stands between what is before and after it", "[order][callback]") {
  World w;
  const auto s = w.stream();
  const auto app = w.host;
  const auto server = w.engine.add_host();
  w.write(s, "receive", "A");
  const auto note = w.callback(s, true);
  w.read(s, "send", "B");
  w.engine.call_begins(note, server);
  w.host = server;
  w.host_read("look", "A");
  w.host_write("answer", "B");
  w.engine.call_ends(note, server);
  w.engine.happened(note, false);
  CHECK(w.findings().empty());
  w.host_write("too late", "B");
  CHECK(w.findings() == "ACL008 send too late");
  w.host = app;
  w.synchronize(s);
  w.host_read("done", "A");
  CHECK(w.findings().empty());
}

TEST_CASE("a callback that does not block knows what is before it, and nothing waits for it",
          "[order][callback]") {
  World w;
  const auto s = w.stream();
  const auto server = w.engine.add_host();
  w.write(s, "receive", "A");
  const auto note = w.callback(s, false);
  w.read(s, "send", "B");
  w.engine.call_begins(note, server);
  w.host = server;
  w.host_read("look", "A");
  CHECK(w.findings().empty());
  w.host_write("answer", "B");
  CHECK(w.findings() == "ACL008 send answer");
  w.engine.call_ends(note, server);
}

TEST_CASE("a callback that did nothing and is told by its end alone lets its stream go on",
          "[order][callback]") {
  World w;
  const auto s = w.stream();
  const auto server = w.engine.add_host();
  w.write(s, "receive", "A");
  const auto note = w.callback(s, true);
  w.write(s, "send", "A");
  const auto app = std::exchange(w.host, server);
  w.host_write("before", "B");
  const order::Engine::Call twice[] = {{note, server}, {note, server}};
  w.engine.called(twice);  // reported twice: no effect
  CHECK_FALSE(w.engine.is_blocked(s));
  w.host_read("too early", "A");  // the server is ordered after the items before its callback
  CHECK(w.findings() == "ACL008 send too early");
  w.host = app;
  w.synchronize(s);  // it is ordered after the server's accesses before the callback
  w.host_read("look", "B");
  CHECK(w.findings().empty());
}

TEST_CASE("a row of callbacks that are told together says what each alone would have said",
          "[order][callback]") {
  World w;
  const auto app = w.host;
  const auto server = w.engine.add_host();
  const auto s = w.stream();
  const auto first = w.callback(s, true);
  const auto until_first = w.engine.issued(s);
  const auto second = w.callback(s, true);
  const auto same_row = w.callback(s, true);
  w.write(s, "between", "A");
  const auto third = w.callback(s, true);
  w.write(s, "behind", "B");
  w.host = server;
  w.host_write("before", "C");
  w.host_write("before", "D");
  const order::Engine::Call row[] = {
      {first, server}, {second, server}, {same_row, server}, {third, server}};
  w.engine.called(row);
  CHECK_FALSE(w.engine.is_blocked(s));
  CHECK(w.engine.now(s).count == w.engine.last(s));
  w.host_read("served", "A");  // after the third, which is ordered after "between"
  CHECK(w.findings().empty());
  w.host_read("too early", "B");
  CHECK(w.findings() == "ACL008 behind too early");
  w.host = app;
  w.engine.synchronized(app, s, until_first);  // the first call is over
  w.host_read("look", "C");
  CHECK(w.findings().empty());
  w.host_read("too early", "A");
  CHECK(w.findings() == "ACL019 between too early");  // only the server is ordered after it
  w.synchronize(s);
  w.host_read("look", "AB");
  CHECK(w.findings().empty());
}

TEST_CASE("a callback that failed lets its stream go on", "[order][callback]") {
  World w;
  const auto s = w.stream();
  const auto note = w.callback(s, true);
  w.write(s, "fill", "a");
  w.engine.happened(note, true);
  CHECK(w.engine.shadow().size() == 1);
  w.engine.happened(note, true);  // reported twice: no effect
}

TEST_CASE("a notify orders its wait after its record", "[order][notify]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto notify = std::make_shared<Variable>();
  w.write(s, "fill", "a");
  const auto record = w.set(s, notify, 1);
  w.write(s, "late", "b");
  const auto wait = w.wait_until(t, notify, 1, true);
  w.op(t, "use", "a", "");
  CHECK(w.engine.shadow().size() == 2);
  w.engine.happened(record, false);
  CHECK(w.engine.shadow().size() == 2);
  w.engine.happened(wait, false);
  CHECK(w.findings().empty());
  CHECK(notify->value() == 0);
  CHECK(notify->counts.records == 1);
  CHECK(notify->counts.waits == 1);
  w.read(t, "early", "b");
  CHECK(w.findings() == "ACL007 late early");
}

TEST_CASE("a notify can be recorded before its wait is issued, and used again", "[order][notify]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto notify = std::make_shared<Variable>();
  const auto there = std::make_shared<Variable>();
  for (int round = 0; round < 3; ++round) {
    w.write(s, "fill", "a");
    w.engine.happened(w.set(s, notify, 1), false);
    const auto wait = w.wait_until(t, notify, 1, true);
    w.engine.happened(wait, false);
    w.read(t, "use", "a");
    w.engine.happened(w.set(t, there, 1), false);
    const auto back = w.wait_until(s, there, 1, true);
    w.engine.happened(back, false);
  }
  CHECK(w.findings().empty());
  w.write(t, "last", "a");
  w.write(s, "both", "a");
  CHECK(w.findings() == "ACL007 last both");
}

TEST_CASE("a wait that has failed orders nothing", "[order][notify]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto notify = std::make_shared<Variable>();
  w.write(s, "fill", "a");
  const auto wait = w.wait_until(t, notify, 1);
  w.read(t, "use", "a");
  w.engine.happened(wait, true);
  CHECK(w.findings() == "ACL007 fill use");
}

TEST_CASE("a change that has failed lets nobody pass", "[order][notify]") {
  World w;
  const auto s = w.stream();
  const auto notify = std::make_shared<Variable>();
  w.engine.happened(w.set(s, notify, 1), true);
  CHECK(notify->value() == 0);
}

TEST_CASE("a wait for a value is ordered after the change that let it pass, not after later ones",
          "[order][value]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto word = std::make_shared<Variable>();
  w.write(s, "one", "a");
  w.engine.happened(w.set(s, word, 1), false);
  w.write(s, "two", "b");
  w.engine.happened(w.set(s, word, 2), false);
  w.write(s, "three", "c");
  w.engine.happened(w.set(s, word, 3), false);
  w.engine.happened(w.wait_until(t, word, 2), false);
  w.op(t, "use", "ab", "");
  CHECK(w.findings().empty());
  w.op(t, "early", "c", "");
  CHECK(w.findings() == "ACL007 three early");
}

TEST_CASE("a counter orders after everybody who has added", "[order][value]") {
  World w;
  const auto s = w.stream();
  const auto t = w.stream();
  const auto u = w.stream();
  const auto counter = std::make_shared<Variable>();
  const auto add = [&](order::Actor stream) {
    const auto note = w.engine.change(
        stream, w.host, w.op_info("add", stream), counter,
        [](std::uint64_t value) { return value + 1; }, true);
    w.engine.happened(note, false);
  };
  w.write(s, "one", "a");
  add(s);
  w.write(t, "two", "b");
  add(t);
  w.engine.happened(w.wait_until(u, counter, 2), false);
  w.op(u, "use", "ab", "");
  CHECK(w.findings().empty());
  CHECK(counter->value() == 2);
}

TEST_CASE("a run of a graph stands between what is before and after its launch", "[order][graph]") {
  World w;
  const auto s = w.stream();
  const auto left = w.stream();
  const auto right = w.stream();
  const auto in_graph = [&](order::Actor stream, const char* what, char reads, char writes) {
    const order::Access both[] = {ordertest::bytes(reads, false), ordertest::bytes(writes, true)};
    w.engine.graph_runs().op(stream, w.op_info(what, stream), both);
  };
  for (int run = 0; run < 3; ++run) {
    w.write(s, "before", "a");
    const auto launch = w.engine.launch(s, w.host, w.op_info("launch", s));
    w.read(s, "behind", "cd");
    Node fork;
    Node join;
    w.engine.graph_runs().begins(launch, left);
    w.engine.graph_runs().begins(launch, right);
    in_graph(left, "first", 'a', 'b');
    w.engine.graph_runs().record(left, w.op_info("fork", left), fork);
    w.engine.graph_runs().wait(right, fork);
    in_graph(left, "left", 'b', 'c');
    in_graph(right, "right", 'b', 'd');
    w.engine.graph_runs().record(right, w.op_info("join", right), join);
    w.engine.graph_runs().wait(left, join);
    w.engine.graph_runs().ends(launch, left);
    w.engine.graph_runs().ends(launch, right);
    w.engine.happened(launch, false);
    CHECK(w.findings().empty());
  }
  in_graph(right, "stray", 'e', 'c');
  CHECK(w.findings() == "ACL007 left stray, ACL007 behind stray");
}

TEST_CASE("branches of a graph without an edge race as streams do", "[order][graph]") {
  World w;
  const auto s = w.stream();
  const auto left = w.stream();
  const auto right = w.stream();
  const auto launch = w.engine.launch(s, w.host, w.op_info("launch", s));
  w.engine.graph_runs().begins(launch, left);
  w.engine.graph_runs().begins(launch, right);
  const auto access = ordertest::bytes('a', true);
  w.engine.graph_runs().op(left, w.op_info("left", left), {&access, 1});
  w.engine.graph_runs().op(right, w.op_info("right", right), {&access, 1});
  CHECK(w.findings() == "ACL007 left right");
}

TEST_CASE("of two branches without an edge the later one knows nothing of the one that is over",
          "[order][graph]") {
  World w;
  const auto s = w.stream();
  const auto left = w.stream();
  const auto right = w.stream();
  const auto launch = w.engine.launch(s, w.host, w.op_info("launch", s));
  w.read(s, "behind", "a");
  const auto access = ordertest::bytes('a', true);
  w.engine.graph_runs().begins(launch, left);
  w.engine.graph_runs().op(left, w.op_info("left", left), {&access, 1});
  w.engine.graph_runs().ends(launch, left);
  w.engine.graph_runs().begins(launch, right);
  w.engine.graph_runs().op(right, w.op_info("right", right), {&access, 1});
  w.engine.graph_runs().ends(launch, right);
  CHECK(w.findings() == "ACL007 left right");
  w.engine.happened(launch, false);
  CHECK(w.findings().empty());  // what is ordered after the launch is ordered after both
}

TEST_CASE("a run inside of another one stands between the tasks around the task that starts it",
          "[order][graph]") {
  World w;
  const auto s = w.stream();
  const auto outer = w.stream(), left = w.stream(), right = w.stream();
  const auto write = [&](order::Actor stream, const char* what, char letter) {
    const auto access = ordertest::bytes(letter, true);
    w.engine.graph_runs().op(stream, w.op_info(what, stream), {&access, 1});
  };
  w.write(s, "before", "a");
  const auto launch = w.engine.launch(s, w.host, w.op_info("launch", s));
  w.write(s, "behind", "ab");
  w.engine.graph_runs().begins(launch, outer);
  write(outer, "outer", 'a');
  for (int round = 0; round < 2; ++round) {
    const order::VectorClock began = w.engine.clock(outer);
    w.engine.graph_runs().inner_begins(outer, began, left);
    write(left, "left", 'a');
    w.engine.graph_runs().inner_ends(outer, left);
    w.engine.graph_runs().inner_begins(outer, began,
                                       right);  // later, and without an edge from the other
    write(right, "right", 'b');
    w.engine.graph_runs().inner_ends(outer, right);
  }
  CHECK(w.findings().empty());
  const order::VectorClock began = w.engine.clock(outer);
  w.engine.graph_runs().inner_begins(outer, began, left);
  write(left, "left", 'c');
  w.engine.graph_runs().inner_ends(outer, left);
  w.engine.graph_runs().inner_begins(outer, began, right);
  write(right, "right", 'c');
  w.engine.graph_runs().inner_ends(outer, right);
  CHECK(w.findings() == "ACL007 left right");
  write(outer, "outer again", 'c');
  w.engine.graph_runs().ends(launch, outer);
  w.engine.happened(launch, false);
  CHECK(w.findings().empty());
}

TEST_CASE("of a deadlock the shortest cycle is told, without what only waits for it", "[order]") {
  World w;
  const auto a = w.stream(), b = w.stream(), c = w.stream(), behind = w.stream();
  std::vector<std::shared_ptr<Variable>> flags;
  for (int i = 0; i < 4; ++i) {
    flags.push_back(std::make_shared<Variable>());
    flags.back()->closed = true;
  }
  const auto waits = [&](order::Actor stream) {
    std::vector<std::uint32_t> streams;
    for (const order::OpInfo& op_info : w.engine.deadlocks().stuck(stream).waits)
      streams.push_back(op_info.stream);
    return streams;
  };
  using Streams = std::vector<std::uint32_t>;
  w.wait_until(a, flags[0], 1);
  w.set(a, flags[1], 1);
  w.wait_until(b, flags[1], 1);
  w.set(b, flags[2], 1);
  w.wait_until(c, flags[2], 1);
  w.set(c, flags[0], 1);
  CHECK(waits(b) == Streams{b, a, c});
  const auto event = w.record(a);
  w.wait(behind, event);
  CHECK(w.engine.deadlocks().stuck(behind).cycle);
  CHECK(waits(behind) == Streams{a, c, b});
  w.set(b, flags[0], 1);  // a waits for b as well, and b for a
  CHECK(waits(c) == Streams{b, a});
}
