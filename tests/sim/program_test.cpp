// SPDX-License-Identifier: Apache-2.0
// Programs: rows of ops that streams run through again and again, with branches, loops and jumps.
#include "device_sim/streams/program.h"

#include "tests/sim/thread_machine.h"
#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Control;
using sim::Flow;
using sim::Op;

namespace {

/// A control op that does what a function says.
class Decide final : public Control {
 public:
  using Function = std::function<Flow(Stream&, bool)>;
  explicit Decide(Function decide) : decide_(std::move(decide)) {}
  const char* name() const noexcept override { return "DECIDE"; }
  Flow decide(Stream& stream, bool returned) override { return decide_(stream, returned); }
  void dropped(Stream&, Failure) override { ++drops; }
  int drops = 0;

 private:
  Function decide_;
};

Ref<Decide> decide(Decide::Function function) { return sim::make_ref<Decide>(std::move(function)); }

void control(Stream& s, const Ref<Decide>& how) { s.submit(sim::make_control(how)); }

/// Enters a program once.
Decide::Function once(Ref<sim::Program> program) {
  return [program = std::move(program)](Stream&, bool returned) {
    return returned ? Flow::next() : Flow::enter(program);
  };
}

/// Ops of kernels that write their names into a log.
class Script {
 public:
  Op kernel(char name, std::int32_t result = 0) {
    bodies_.push_back([this, name, result] {
      log += name;
      return result;
    });
    return make_body_kernel(bodies_.back());
  }
  template <class... Ops>
  Ref<sim::Program> program(Ops... ops) {
    std::vector<sim::OwnedOp> owned;
    (owned.emplace_back(ops), ...);
    return sim::make_ref<sim::Program>(std::move(owned));
  }
  std::string log;

 private:
  std::deque<Body> bodies_;
};

}  // namespace

TEST_CASE("a program's ops run in the place of the control op, as often as it is entered",
          "[program]") {
  World w;
  Script script;
  Stream& s = w.stream();
  const auto program = script.program(script.kernel('a'), script.kernel('b'));
  for (int i = 0; i < 3; ++i) control(s, decide(once(program)));
  w.run_all();
  CHECK(script.log == "ababab");
  CHECK(s.retired() == 3);
  CHECK(program->unique());
  CHECK(w.all_given_back());
}

TEST_CASE("an empty program is passed through", "[program]") {
  World w;
  Script script;
  Stream& s = w.stream();
  control(s, decide(once(script.program())));
  w.kernel(s, "k");
  w.run_all();
  CHECK(w.log == "k");
}

TEST_CASE("programs nest, and a loop asks again after every pass", "[program]") {
  World w;
  Script script;
  Stream& s = w.stream();
  const auto body = script.program(script.kernel('x'));
  int passes = 0;
  const auto loop =
      decide([&](Stream&, bool) { return ++passes <= 3 ? Flow::enter(body) : Flow::next(); });
  const auto outer =
      script.program(script.kernel('['), sim::make_control(loop), script.kernel(']'));
  control(s, decide(once(outer)));
  w.run_all();
  CHECK(script.log == "[xxx]");
}

TEST_CASE("a jump goes on at another op of the same program", "[program]") {
  World w;
  Script script;
  Stream& s = w.stream();
  const auto jump = decide([](Stream&, bool) { return Flow::jump(3); });
  control(s, decide(once(script.program(script.kernel('a'), sim::make_control(jump),
                                        script.kernel('b'), script.kernel('c')))));
  w.run_all();
  CHECK(script.log == "ac");
}

TEST_CASE("a jump behind the last op ends the program, and so does an entry there", "[program]") {
  World w;
  Script script;
  Stream& s = w.stream();
  const std::size_t index = GENERATE(std::size_t{3}, std::size_t{4}, SIZE_MAX);
  const auto jump = decide([=](Stream&, bool) { return Flow::jump(index); });
  const auto program =
      script.program(script.kernel('a'), sim::make_control(jump), script.kernel('b'));
  control(s, decide(once(program)));
  control(s, decide([&](Stream&, bool returned) {
            return returned ? Flow::next() : Flow::enter(program, index);
          }));
  w.kernel(s, "c");
  w.run_all();
  CHECK(script.log == "a");
  CHECK(w.log == "c");
}

TEST_CASE("a program can be entered behind its beginning", "[program]") {
  World w;
  Script script;
  Stream& s = w.stream();
  const auto program = script.program(script.kernel('a'), script.kernel('b'));
  control(s, decide([&](Stream&, bool returned) {
            return returned ? Flow::next() : Flow::enter(program, 1);
          }));
  w.run_all();
  CHECK(script.log == "b");
}

TEST_CASE("records and waits inside programs order streams with each other", "[program]") {
  World w;
  Script script;
  Stream& a = w.stream();
  Stream& b = w.stream();
  const auto signal = w.signal();
  const auto first = script.program(script.kernel('a'), sim::make_record(*signal, false));
  const auto second = script.program(sim::make_wait(*signal, nullptr, 0), script.kernel('b'));
  for (int run = 0; run < 2; ++run) {
    signal->clear();
    control(b, decide(once(second)));
    w.run_all();
    control(a, decide(once(first)));
    w.run_all();
  }
  CHECK(script.log == "abab");
}

TEST_CASE("a control op that waits is asked again when its signal is done", "[program]") {
  World w;
  Script script;
  Stream& s = w.stream();
  const auto go = w.signal();
  const auto program = script.program(script.kernel('p'));
  control(s, decide([&](Stream&, bool returned) {
            if (returned) return Flow::next();
            return go->done() ? Flow::enter(program) : Flow::wait(go);
          }));
  w.run_all();
  CHECK(s.state() == State::parked);
  go->complete({}, 0);
  w.run_all();
  CHECK(script.log == "p");
}

TEST_CASE("a failing op of a program is the stream's failure, and the program goes on",
          "[program]") {
  World w;
  Script script;
  Stream& s = w.stream();
  control(s, decide(once(script.program(script.kernel('a', 7), script.kernel('b')))));
  w.run_all();
  CHECK(script.log == "ab");
  CHECK(s.take_failure() == Failure{sim::Error::kernel_failed, 7});
}

TEST_CASE("a stream that stops on failure drops the rest of its programs and tells them",
          "[program]") {
  World w;
  Script script;
  Stream& s = w.stream(0, sim::make_ref<sim::FailureDomain>());
  s.stop_on_failure();
  const auto signal = w.signal();
  const auto inner = decide([](Stream&, bool) { return Flow::next(); });
  const auto outer =
      decide(once(script.program(script.kernel('a', 7), script.kernel('b'),
                                 sim::make_control(inner), sim::make_record(*signal, false))));
  control(s, outer);
  w.run_all();
  CHECK(script.log == "a");
  CHECK(inner->drops == 1);
  CHECK(outer->drops == 1);
  CHECK(signal->failure().error == sim::Error::aborted);
  CHECK(s.drained());
}

TEST_CASE("an endless loop ends when its stream is abandoned", "[program][threads]") {
  sim::System system(small_machine());
  const auto s = make_stream(system.driver());
  std::atomic<int> passes{0};
  const auto empty = sim::make_ref<sim::Program>(std::vector<sim::OwnedOp>{});
  s->submit(sim::make_control(decide([&](Stream&, bool) {
    ++passes;
    return Flow::enter(empty);
  })));
  CHECK(eventually([&] { return passes > 100; }));
  s->abandon();
  CHECK(eventually([&] { return s->drained(); }));
}

namespace {

/// Many kernels of one function, in programs that streams with threads run again and again.
struct Rows {
  static constexpr int kOps = 200, kRounds = 50;
  ThreadMachine m{2};
  Stream& s = m.stream();
  int runs = 0;
  int fails_at = 0;
  std::vector<int> marks;  // the runs before each marking kernel
  const Body counts = [this] { return ++runs == fails_at ? 7 : 0; };
  const Body mark = [this] { return marks.push_back(runs), 0; };
  Ref<sim::Program> row = [this] {
    std::vector<sim::OwnedOp> owned;
    for (int i = 0; i < kOps; ++i) owned.emplace_back(make_body_kernel(counts));
    owned.emplace_back(make_body_kernel(mark));
    return sim::make_ref<sim::Program>(std::move(owned));
  }();

  void run() {
    for (int round = 0; round < kRounds; ++round) {
      control(s, decide(once(row)));
      REQUIRE(m.wait_untimed(s) == WaitResult::reached);
    }
  }
};

}  // namespace

TEST_CASE("quick kernels of a program run in rows, each once and in order", "[program][threads]") {
  Rows rows;
  rows.run();
  CHECK(rows.runs == Rows::kOps * Rows::kRounds);
  REQUIRE(rows.marks.size() == Rows::kRounds);
  for (int i = 0; i < Rows::kRounds; ++i) {
    CHECK(rows.marks[static_cast<std::size_t>(i)] == (i + 1) * Rows::kOps);
  }
}

TEST_CASE("a kernel that fails within a row of a program is one failure, and the row goes on",
          "[program][threads]") {
  Rows rows;
  rows.fails_at = Rows::kOps * 20 + 77;
  rows.run();
  CHECK(rows.runs == Rows::kOps * Rows::kRounds);
  CHECK(rows.s.take_failure() == Failure{sim::Error::kernel_failed, 7});
}

TEST_CASE("an observer sees the ops of a program between start and end of the control op",
          "[program]") {
  struct Notes final : sim::Observer {
    std::string text;
    void started(const Stream&, const Op& op, sim::Nanoseconds) override {
      text += op.kind == sim::OpKind::control ? '(' : 'k';
    }
    void finished(const Stream&, const Op& op, Failure, sim::Nanoseconds,
                  sim::Nanoseconds) override {
      text += op.kind == sim::OpKind::control ? ')' : '.';
    }
  } notes;
  World w;
  Script script;
  w.driver.set_observer(&notes);
  control(w.stream(), decide(once(script.program(script.kernel('a'), script.kernel('b')))));
  w.run_all();
  w.driver.set_observer(nullptr);
  CHECK(notes.text == "(k.k.)");
}

TEST_CASE("an observer knows the label of the innermost program that has one", "[program]") {
  struct Notes final : sim::Observer {
    std::vector<std::uint32_t> labels;
    void finished(const Stream& stream, const Op& op, Failure, sim::Nanoseconds,
                  sim::Nanoseconds) override {
      if (op.kind == sim::OpKind::kernel) labels.push_back(stream.program_label());
    }
  } notes;
  World w;
  Script script;
  const auto with_label = [](std::uint32_t label, const std::vector<Op>& ops) {
    std::vector<sim::OwnedOp> owned(ops.begin(), ops.end());
    return sim::make_ref<sim::Program>(std::move(owned), label);
  };
  const auto unnamed = with_label(0, {script.kernel('a')});
  const auto inner = with_label(8, {script.kernel('b')});
  const auto outer = with_label(7, {sim::make_control(decide(once(unnamed))),
                                    sim::make_control(decide(once(inner))), script.kernel('c')});
  w.driver.set_observer(&notes);
  Stream& s = w.stream();
  control(s, decide(once(outer)));
  s.submit(script.kernel('d'));
  w.run_all();
  w.driver.set_observer(nullptr);
  CHECK(script.log == "abcd");
  CHECK(notes.labels == std::vector<std::uint32_t>{7, 8, 7, 0});
}

TEST_CASE("a pass that defers reports adds its ops there, and reports those that fail",
          "[program]") {
  World w;
  Script script;
  std::string reported;
  sim::DriverHooks hooks;
  hooks.self = &reported;
  hooks.completed = [](void* self, Stream&, const Op& op, Failure failure) {
    *static_cast<std::string*>(self) += std::to_string(op.completion_id) + (failure ? "!" : "");
  };
  w.driver.set_hooks(hooks);
  const auto number = [](Op op, std::uint32_t id, bool defers) {
    op.completion_id = id;
    op.defers_report = defers;
    return op;
  };
  const std::int32_t failed = GENERATE(0, 5);
  const auto deferred = sim::make_ref<sim::DeferredReports>();
  sim::DeferredReports::Range seen;
  const auto look = decide([&](Stream&, bool) {
    seen = deferred->range();
    deferred->clear();
    return Flow::next();
  });
  const auto program = script.program(
      number(script.kernel('a'), 1, false), number(script.kernel('b'), 2, true),
      number(script.kernel('c', failed), 3, true), number(sim::make_control(look), 4, false),
      number(script.kernel('d'), 5, true), number(script.kernel('e'), 6, false));
  Stream& s = w.stream();
  control(s, decide([&](Stream&, bool returned) {
            return returned ? Flow::next() : Flow::enter(program, 0, deferred);
          }));
  w.run_all();
  CHECK(script.log == "abcde");
  CHECK(reported == (failed ? "13!46" : "146"));
  CHECK(seen.begin == 1);
  CHECK(seen.end == (failed ? 2 : 3));
  CHECK(deferred->range().begin == 4);
  CHECK(deferred->range().end == 5);
  reported.clear();
  control(s, decide(once(program)));  // this pass defers nothing
  w.run_all();
  CHECK(reported == (failed ? "123!456" : "123456"));
}
