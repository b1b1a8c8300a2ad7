// SPDX-License-Identifier: Apache-2.0
// Accesses of host threads inside functions of streams: the level of a finding does not depend on
// which thread was quicker.
#include "tests/order/world.h"
#include "tests/support/catch.h"

using namespace ordertest;

namespace {

/// A host function on stream `a` that writes the host buffer 'A', served by a thread of its own.
struct Functions : World {
  Actor a = stream(), b = stream();
  Actor app = host;
  Actor server = engine.add_host();
  CompletionId function = 0;

  void launch(bool blocking = true) { function = callback(a, blocking); }
  void run(bool blocking = true) {
    engine.call_begins(function, server);
    host = server;
    host_write("function", "A");
    engine.call_ends(function, server);
    if (blocking) engine.happened(function, false);
    host = app;
  }
  /// Each finding with its level.
  std::string levels() {
    std::string text;
    for (const order::Finding& finding : found) {
      if (finding.rule != Rule::redundant_wait) text += std::string(name(finding.level)) + " ";
    }
    return text + findings();
  }
};

}  // namespace

TEST_CASE("a function that has run before a copy is asked for races with it", "[order][function]") {
  Functions w;
  const bool blocking = GENERATE(true, false);
  w.launch(blocking);
  w.run(blocking);
  w.read(w.b, "copy", "A");
  CHECK(w.levels() == "error ACL008 function copy");
}

TEST_CASE("a function that runs when the copy is asked for races with it", "[order][function]") {
  Functions w;
  const bool blocking = GENERATE(true, false);
  w.launch(blocking);
  w.read(w.b, "copy", "A");
  w.run(blocking);
  CHECK(w.levels() == "error ACL008 copy function");
}

TEST_CASE("a function that runs when the copy is known to be over races with it all the same",
          "[order][function]") {
  Functions w;
  w.launch();
  w.read(w.b, "copy", "A");
  w.synchronize(w.b);
  w.run();
  CHECK(w.levels() == "error ACL008 copy function");
}

TEST_CASE("a copy on a stream that is blocked races with the function as any other",
          "[order][function]") {
  Functions w;
  const auto gate = w.stream();
  const auto opens = w.callback(gate, true);
  w.wait(w.b, w.record(gate));
  w.launch();
  SECTION("the function runs first") {
    w.run();
    w.read(w.b, "copy", "A");
    w.engine.happened(opens, false);
    CHECK(w.levels() == "error ACL008 function copy");
  }
  SECTION("the function runs between") {
    w.read(w.b, "copy", "A");
    w.run();
    w.engine.happened(opens, false);
    CHECK(w.levels() == "error ACL008 function copy");
  }
  SECTION("the copy runs first") {
    w.read(w.b, "copy", "A");
    w.engine.happened(opens, false);
    w.run();
    CHECK(w.levels() == "error ACL008 copy function");
  }
}

TEST_CASE("a copy that a host thread knew to be over at the launch is a note",
          "[order][function]") {
  Functions w;
  w.read(w.b, "copy", "A");
  w.synchronize(w.b);
  w.host = w.engine.add_host();  // launches; the first one may have synchronised with it
  w.app = w.host;
  w.launch();
  w.run();
  CHECK(w.levels() == "note ACL019 copy function");
}

TEST_CASE("a function that a host thread has waited for is a note for another thread",
          "[order][function]") {
  Functions w;
  w.launch();
  w.run();
  w.synchronize(w.a);
  w.host = w.engine.add_host();
  w.read(w.b, "copy", "A");
  CHECK(w.levels() == "note ACL019 function copy");
}

TEST_CASE("what happens before a function does not race with it", "[order][function]") {
  Functions w;
  SECTION("a copy that its launching thread waited for") {
    w.read(w.b, "copy", "A");
    w.synchronize(w.b);
    w.launch();
    w.run();
  }
  SECTION("a copy whose event its stream waited for") {
    w.read(w.b, "copy", "A");
    w.wait(w.a, w.record(w.b));
    w.launch();
    w.run();
  }
  SECTION("a function whose event the copy's stream waits for") {
    w.launch();
    w.run();
    w.wait(w.b, w.record(w.a));
    w.read(w.b, "copy", "A");
  }
  SECTION("a function whose thread announces what it did") {
    order::VectorClock flag;
    w.launch();
    w.engine.call_begins(w.function, w.server);
    w.host = w.server;
    w.host_write("function", "A");
    w.engine.release(w.server, flag);
    w.engine.call_ends(w.function, w.server);
    w.engine.acquire(w.app, flag);
    w.host = w.app;
    w.read(w.b, "copy", "A");
  }
  CHECK(w.levels().empty());
}

TEST_CASE("a thread that goes on outside of the function may have told what it did there",
          "[order][function]") {
  Functions w;
  w.launch();
  w.run();
  w.host = w.server;
  w.host_write("outside", "B");
  w.host = w.app;
  w.read(w.b, "first copy", "A");
  w.read(w.b, "second copy", "B");
  CHECK(w.levels() == "note note ACL019 function first copy, ACL019 outside second copy");
}

TEST_CASE("a function that frees memory is checked as one that writes", "[order][function]") {
  Functions w;
  w.launch();
  w.write(w.b, "fill", "a");
  w.synchronize(w.b);
  w.engine.call_begins(w.function, w.server);
  w.host = w.server;
  w.free('a');
  w.engine.call_ends(w.function, w.server);
  CHECK(w.levels() == "error ACL006 fill free");
}

TEST_CASE("a function of a graph is checked against what was known at the graph's launch",
          "[order][function]") {
  Functions w;
  const auto branch = w.stream();
  const auto run = [&] {
    w.engine.graph_runs().call_begins(branch, w.server, true);
    w.host = w.server;
    w.host_write("function", "A");
    w.engine.graph_runs().call_ends(branch, w.server, true);
    w.host = w.app;
  };
  const auto launch = w.engine.launch(w.a, w.host, w.op_info("launch", w.a));
  w.engine.graph_runs().begins(launch, branch);
  SECTION("it runs first") {
    run();
    w.read(w.b, "copy", "A");
    CHECK(w.levels() == "error ACL008 function copy");
  }
  SECTION("the copy is over when it runs") {
    w.read(w.b, "copy", "A");
    w.synchronize(w.b);
    run();
    CHECK(w.levels() == "error ACL008 copy function");
  }
}

namespace {

/// Host functions of several streams that one thread of the machine runs.
struct Crew : World {
  Actor a = stream(), b = stream();
  Actor app = host;
  Actor server = engine.add_crew();

  void run(CompletionId function, const char* writes) {
    engine.call_begins(function, server);
    host = server;
    if (*writes) host_write("function", writes);
    engine.call_ends(function, server);
    engine.happened(function, false);
    host = app;
  }
  void run_quietly(CompletionId function) {
    const order::Engine::Call call{function, server};
    engine.called({&call, 1});
  }
  std::string levels() {
    std::string text;
    for (const order::Finding& finding : found) text += std::string(name(finding.level)) + " ";
    return text + findings();
  }
};

}  // namespace

TEST_CASE("functions of two streams race although the same thread of the crew runs them",
          "[order][function]") {
  Crew w;
  const auto first = w.callback(w.a, true);
  const auto second = w.callback(w.b, true);
  w.run(first, "A");
  w.run(second, "A");
  CHECK(w.levels() == "error ACL008 function function");
}

TEST_CASE("functions of two streams that an event orders do not race", "[order][function]") {
  Crew w;
  const auto first = w.callback(w.a, true);
  w.wait(w.b, w.record(w.a));
  const auto second = w.callback(w.b, true);
  w.run(first, "A");
  w.run(second, "A");
  CHECK(w.levels().empty());
}

TEST_CASE("functions of one stream do not race", "[order][function]") {
  Crew w;
  const auto first = w.callback(w.a, true);
  const auto second = w.callback(w.a, true);
  w.run(first, "A");
  w.run(second, "A");
  CHECK(w.levels().empty());
}

TEST_CASE("the crew carries no order from one stream to another", "[order][function]") {
  Crew w;
  const bool quiet = GENERATE(true, false);
  w.write(w.a, "fill", "a");
  const auto first = w.callback(w.a, true);
  const auto second = w.callback(w.b, true);
  if (quiet) {
    w.run_quietly(first);
    w.run_quietly(second);
  } else {
    w.run(first, "B");
    w.run(second, "C");
  }
  w.read(w.b, "copy", "a");
  // The first function may have synchronised with the thread that enqueued the copy.
  CHECK(w.levels() == "note ACL019 fill copy");
}

TEST_CASE("what a function of the crew writes happens before what follows on its stream",
          "[order][function]") {
  Crew w;
  const auto function = w.callback(w.a, true);
  w.run(function, "A");
  SECTION("on the stream") { w.read(w.a, "copy", "A"); }
  SECTION("on a stream that waits for it") {
    w.wait(w.b, w.record(w.a));
    w.read(w.b, "copy", "A");
  }
  SECTION("for a thread that synchronises") {
    w.synchronize(w.a);
    w.host_write("program", "A");
  }
  CHECK(w.levels().empty());
}

TEST_CASE("a copy does not know of a function of the crew unless it is ordered after it",
          "[order][function]") {
  Crew w;
  const auto function = w.callback(w.a, true);
  SECTION("the function runs first") {
    w.run(function, "A");
    w.read(w.b, "copy", "A");
    CHECK(w.levels() == "error ACL008 function copy");
  }
  SECTION("the copy runs first") {
    w.read(w.b, "copy", "A");
    w.run(function, "A");
    CHECK(w.levels() == "error ACL008 copy function");
  }
  SECTION("the thread has run another function since") {
    const auto other = w.callback(w.stream(), true);
    w.run(function, "A");
    w.run(other, "B");
    w.read(w.b, "copy", "A");
    CHECK(w.levels() == "error ACL008 function copy");
  }
}

TEST_CASE("what a function of the crew announces is known to whoever acquires it",
          "[order][function]") {
  Crew w;
  order::VectorClock flag;
  const auto function = w.callback(w.a, true);
  w.engine.call_begins(function, w.server);
  w.host = w.server;
  w.host_write("function", "A");
  w.engine.release(w.server, flag);
  w.host_write("later", "B");
  w.engine.call_ends(function, w.server);
  w.host = w.app;
  w.engine.acquire(w.app, flag);
  w.read(w.b, "copy", "AB");
  CHECK(w.levels() == "error ACL008 later copy");
}

TEST_CASE("a function that has begun and is not reported may have told others",
          "[order][function]") {
  Functions w;
  w.write(w.a, "fill", "x");
  w.launch();
  std::vector<order::Engine::Begun> begun;
  w.engine.set_begun_calls([&] { return begun; });
  SECTION("begun") {
    begun.push_back({w.function, 0});
    w.free('x');
    CHECK(w.findings() == "ACL019 fill free");
  }
  SECTION("not begun") {
    w.free('x');
    CHECK(w.findings() == "ACL006 fill free");
  }
}
