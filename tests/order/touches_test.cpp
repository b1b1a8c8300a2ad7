// SPDX-License-Identifier: Apache-2.0
// Accesses of host code that the protection of pages shows, in functions of streams and outside.
#include <string>

#include "tests/order/world.h"
#include "tests/support/catch.h"

using namespace ordertest;

namespace {

struct Touches : World {
  Actor a = stream(), b = stream();
  Actor app = host;
  Actor server = engine.add_host();  // runs callbacks
  Actor crew = engine.add_crew();    // runs host functions

  /// The current thread touches the first byte of the buffer.
  void touch(char letter, bool write) {
    Access byte = bytes(letter, write);
    byte.size = 1;
    engine.host_touch(host, op_info("touch", OpInfo::kNoStream), byte);
  }
  void touch_in(CompletionId function, Actor thread, char letter, bool write, bool blocks = true) {
    engine.call_begins(function, thread);
    host = thread;
    touch(letter, write);
    engine.call_ends(function, thread);
    if (blocks) engine.happened(function, false);
    host = app;
  }
  /// With the level of each.
  std::string levels() {
    std::string text;
    for (const order::Finding& finding : found) {
      if (finding.rule != Rule::redundant_wait) text += std::string(name(finding.level)) + " ";
    }
    return text + findings();
  }
};

}  // namespace

TEST_CASE("host code that touches what a stream uses conflicts until it waits", "[order][touch]") {
  Touches w;
  SECTION("a read of what is written") {
    w.write(w.a, "copy", "A");
    w.touch('A', false);
    CHECK(w.levels() == "error ACL008 copy touch");
  }
  SECTION("a write of what is read") {
    w.read(w.a, "copy", "A");
    w.touch('A', true);
    CHECK(w.levels() == "error ACL008 copy touch");
  }
  SECTION("of device memory") {
    w.write(w.a, "fill", "a");
    w.touch('a', false);
    CHECK(w.levels() == "error ACL007 fill touch");
  }
  SECTION("a read of what is read") {
    w.read(w.a, "copy", "A");
    w.touch('A', false);
    CHECK(w.levels().empty());
  }
  SECTION("other bytes") {
    w.write(w.a, "copy", "A");
    w.touch('B', false);
    CHECK(w.levels().empty());
  }
  SECTION("after a synchronise") {
    w.write(w.a, "copy", "A");
    w.synchronize(w.a);
    w.touch('A', true);
    CHECK(w.levels().empty());
  }
  SECTION("after another thread has synchronised") {
    w.write(w.a, "copy", "A");
    w.synchronize(w.a);
    w.host = w.engine.add_host();
    w.touch('A', true);
    CHECK(w.levels().empty());
  }
}

TEST_CASE("host threads that touch the same bytes are not compared with each other",
          "[order][touch]") {
  Touches w;
  w.touch('A', true);
  w.host_write("call", "B");
  w.host = w.server;
  w.touch('A', true);
  w.touch('B', true);
  w.host_write("call", "A");
  CHECK(w.levels().empty());
}

TEST_CASE("a function may touch what its stream uses before and after it", "[order][touch]") {
  Touches w;
  const bool on_crew = GENERATE(false, true);
  const Actor thread = on_crew ? w.crew : w.server;
  w.write(w.a, "copy", "A");
  const auto function = w.callback(w.a, true);
  SECTION("of the same stream") { w.write(w.a, "next", "A"); }
  SECTION("of a stream that waits for it") {
    w.wait(w.b, w.record(w.a));
    w.write(w.b, "next", "A");
  }
  w.touch_in(function, thread, 'A', true);
  CHECK(w.levels().empty());
}

TEST_CASE("a callback that its stream does not wait for conflicts with what comes next",
          "[order][touch]") {
  Touches w;
  w.write(w.a, "copy", "A");
  const auto function = w.callback(w.a, false);
  w.write(w.a, "next", "A");
  w.touch_in(function, w.server, 'A', false, false);
  REQUIRE(w.found.size() == 1);
  CHECK(w.found[0].repair.find("ACL_CALLBACK_BLOCK") != std::string_view::npos);
  CHECK(w.found[0].text.find("nothing orders the function and stream") != std::string::npos);
  CHECK(w.levels() == "error ACL008 next touch");
}

TEST_CASE("a function that touches what another stream uses conflicts with it", "[order][touch]") {
  Touches w;
  const bool on_crew = GENERATE(false, true);
  const Actor thread = on_crew ? w.crew : w.server;
  const auto function = w.callback(w.a, true);
  SECTION("with a copy that is not ordered") {
    w.read(w.b, "copy", "A");
    w.touch_in(function, thread, 'A', true);
    CHECK(w.found.at(0).repair.find("wait for an event") != std::string_view::npos);
    CHECK(w.levels() == "error ACL008 copy touch");
  }
  SECTION("with a copy on a stream that is blocked") {
    const auto gate = w.stream();
    const auto opens = w.callback(gate, true);
    w.wait(w.b, w.record(gate));
    w.read(w.b, "copy", "A");
    w.touch_in(function, thread, 'A', true);
    CHECK(w.levels().empty());
    w.engine.happened(opens, false);
    CHECK(w.levels() == "error ACL008 copy touch");
  }
  SECTION("not with a copy that waits for it") {
    w.wait(w.b, w.record(w.a));
    w.read(w.b, "copy", "A");
    w.touch_in(function, thread, 'A', true);
    CHECK(w.levels().empty());
  }
  SECTION("not with a copy before it") {
    w.read(w.b, "copy", "A");
    const auto gate = w.record(w.b);
    w.wait(w.a, gate);
    w.engine.happened(function, false);
    w.touch_in(w.callback(w.a, true), thread, 'A', true);
    CHECK(w.levels().empty());
  }
}

// The function may have informed the thread that issues the copy.
TEST_CASE("a copy that is issued after a function has touched its buffer is a note",
          "[order][touch]") {
  Touches w;
  const bool on_crew = GENERATE(false, true);
  const bool blocked = GENERATE(false, true);
  const auto gate = w.stream();
  const auto opens = w.callback(gate, true);
  if (blocked) w.wait(w.b, w.record(gate));
  w.touch_in(w.callback(w.a, true), on_crew ? w.crew : w.server, 'A', true);
  w.read(w.b, "copy", "A");
  w.engine.happened(opens, false);
  CHECK(w.levels() == "note ACL019 touch copy");
}

TEST_CASE("a buffer that is filled before the value of its copy is set is right",
          "[order][touch]") {
  Touches w;
  const auto value = std::make_shared<Variable>();
  const auto wait = w.wait_until(w.b, value, 1);
  w.read(w.b, "copy", "A");
  const bool too_late = GENERATE(false, true);
  if (!too_late) w.touch('A', true);
  const auto set = w.set(w.a, value, 1);
  if (too_late) w.touch('A', true);
  w.engine.happened(set, false);
  w.engine.happened(wait, false);
  CHECK(w.levels() == (too_late ? "error ACL008 copy touch" : ""));
}

TEST_CASE("words that streams set and wait for are no data", "[order][touch]") {
  Touches w;
  Access word = bytes('A', true);
  word.size = 8;
  word.kind = order::AccessKind::atomic;
  w.engine.op(w.a, w.host, w.op_info("set", w.a), {&word, 1});
  w.touch('A', true);
  w.engine.op(w.a, w.host, w.op_info("set", w.a), {&word, 1});
  CHECK(w.levels().empty());
}

TEST_CASE("touches of memory that has ended are forgotten", "[order][touch]") {
  Touches w;
  w.host = w.server;
  w.touch('A', true);
  w.host = w.app;
  w.free('A');
  w.read(w.a, "copy", "A");
  CHECK(w.levels().empty());
}

TEST_CASE("a function of a graph may touch what the graph uses in order", "[order][touch]") {
  Touches w;
  const auto branch = w.stream();
  const auto other = w.stream();
  const auto launch = w.engine.launch(w.a, w.host, w.op_info("launch", w.a));
  w.engine.graph_runs().begins(launch, branch);
  w.engine.graph_runs().begins(launch, other);
  const Access written = bytes('A', true);
  w.engine.graph_runs().op(branch, w.op_info("before", branch), {&written, 1});
  w.engine.graph_runs().call_begins(branch, w.server, true);
  w.host = w.server;
  w.touch('A', true);
  w.engine.graph_runs().call_ends(branch, w.server, true);
  w.host = w.app;
  w.engine.graph_runs().op(branch, w.op_info("after", branch), {&written, 1});
  CHECK(w.levels().empty());
  w.engine.graph_runs().op(other, w.op_info("beside", other), {&written, 1});
  CHECK(w.levels().find("ACL008") != std::string::npos);
}

TEST_CASE("an item is behind a function if its stream has to pass it first", "[order][touch]") {
  Touches w;
  const auto numbered = [&](const char* what, Actor stream) {
    OpInfo made = w.op_info(what, stream);
    made.number = w.engine.last(stream) + 1;
    return made;
  };
  w.write(w.a, "before", "A");
  w.write(w.b, "before", "B");
  w.engine.call(w.a, w.host, numbered("callback", w.a), true);
  const order::Epoch call{w.a, w.engine.last(w.a)};
  const auto node = std::make_shared<Node>();
  w.engine.record(w.a, w.host, numbered("record", w.a), *node, node);
  const auto c = w.stream();
  w.engine.wait(w.b, w.host, numbered("wait", w.b), *node, node);
  w.engine.op(w.b, w.host, numbered("after", w.b), {});
  w.engine.op(c, w.host, numbered("beside", c), {});
  CHECK(w.engine.queues().is_behind({w.a, call.count + 1}, call));
  CHECK_FALSE(w.engine.queues().is_behind({w.a, call.count - 1}, call));
  CHECK(w.engine.queues().is_behind({w.b, w.engine.last(w.b)}, call));
  CHECK_FALSE(w.engine.queues().is_behind({w.b, 1}, call));
  CHECK_FALSE(w.engine.queues().is_behind({c, w.engine.last(c)}, call));
}
