// SPDX-License-Identifier: Apache-2.0
// Ops that touch nothing: they only count.
#include "tests/order/world.h"
#include "tests/support/catch.h"

using ordertest::World;

namespace {

/// One op that touches nothing; true: it was only counted.
bool go_on(World& w, order::Actor stream) {
  if (w.engine.goes_on(stream, w.host)) return true;
  w.op(stream, "nothing", "", "");
  return false;
}

}  // namespace

TEST_CASE("ops that touch nothing are as many as were issued", "[order][counted]") {
  World w;
  const auto s = w.stream();
  CHECK(go_on(w, s));
  w.engine.went_on(s, 4);
  CHECK(w.engine.last(s) == 5);
  CHECK(w.engine.now(s).count == 5);
  CHECK(w.synchronize(s));
  CHECK_FALSE(w.synchronize(s));
}

TEST_CASE("ops that touch nothing count after what their stream stands at", "[order][counted]") {
  World w;
  const auto s = w.stream();
  const auto gate = w.callback(s, true);
  CHECK(go_on(w, s));
  CHECK(go_on(w, s));
  w.write(s, "fill", "a");
  CHECK(go_on(w, s));
  CHECK(w.engine.last(s) == 5);
  CHECK(w.engine.now(s).count == 1);
  w.engine.happened(gate, false);
  CHECK(w.engine.now(s).count == 5);
}

TEST_CASE("an op that touches nothing tells what its thread knew", "[order][counted]") {
  const bool stands = GENERATE(false, true);
  World w;
  const auto s = w.stream();
  const auto other = w.engine.add_host();
  const auto gate = stands ? w.callback(s, true) : 0;
  CHECK(go_on(w, s));
  w.host_write("fill", "A");
  CHECK(go_on(w, s) != stands);
  w.host = other;
  if (stands) w.engine.happened(gate, false);
  CHECK(w.synchronize(s));
  w.host_read("use", "A");
  CHECK(w.findings().empty());
}

TEST_CASE("a synchronise is ordered after the ops before it only", "[order][counted]") {
  const bool row = GENERATE(false, true);
  World w;
  const auto s = w.stream();
  const auto app = w.host;
  const auto other = w.engine.add_host();
  const auto server = w.engine.add_host();
  const auto before = w.callback(s, true);
  const auto first = w.callback(s, true);
  CHECK(go_on(w, s));
  const std::uint32_t issued = w.engine.issued(s);
  CHECK(issued == 3);
  CHECK(go_on(w, s));
  const auto second = w.callback(s, true);
  CHECK(go_on(w, s));
  const std::vector<order::Engine::Call> calls{{before, server}, {first, server}, {second, server}};
  if (row) {
    w.engine.called(calls);
  } else {
    for (const auto& call : calls) w.engine.called({&call, 1});
  }
  CHECK(w.engine.now(s).count == 6);
  CHECK(w.engine.synchronized(other, s, issued));
  CHECK(w.engine.covers(other, {s, 3}));
  CHECK_FALSE(w.engine.covers(other, {s, 4}));
  w.host = app;
  CHECK(w.synchronize(s));
  CHECK(w.engine.covers(app, {s, 6}));
}
