// SPDX-License-Identifier: Apache-2.0
// Ops of graphs that are taken in together give the same findings as ops that are taken in one by
// one.
#include <random>

#include "tests/order/world.h"
#include "tests/support/catch.h"

using namespace ordertest;
using order::GraphOp;

namespace {

/// Two branches of a graph, a stream beside them, and the stream that launches.
struct Run {
  World w;
  Actor launcher = w.stream();
  Actor beside = w.stream();
  Actor branches[2] = {w.stream(), w.stream()};
  CompletionId launch = 0;
  std::uint32_t called = 0;

  void begin() {
    OpInfo by = w.op_info("launch", launcher);
    by.called = ++called;
    launch = w.engine.launch(launcher, w.host, by);
    for (const Actor branch : branches) w.engine.graph_runs().begins(launch, branch);
  }
  void end() {
    for (const Actor branch : branches) w.engine.graph_runs().ends(launch, branch);
    w.engine.happened(launch, false);
  }
  void take(Actor branch, std::vector<GraphOp> ops, bool together) {
    if (together) return w.engine.graph_runs().ops(branch, ops);
    for (const GraphOp& op : ops) {
      OpInfo op_info = op.op_info;
      op_info.called = op_info.captured;
      w.engine.graph_runs().op(branch, op_info, op.all_accesses());
    }
  }
  GraphOp transfer(Actor branch, const char* what, char to, char from = 0) const {
    GraphOp op;
    op.op_info = w.op_info(what, branch);
    op.op_info.in_graph = true;
    op.op_info.captured = 1;
    op.accesses[0] = bytes(from != 0 ? from : to, from == 0);
    op.count = 1;
    if (from != 0) op.accesses[op.count++] = bytes(to, true);
    return op;
  }
};

constexpr const char* kNames[] = {"op0", "op1", "op2", "op3", "op4", "op5", "op6", "op7"};

/// The findings of a random sequence of runs of a graph, operations beside them, and waits.
std::string findings_of(std::uint32_t seed, bool together) {
  std::mt19937 random(seed);
  const auto draw = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  Run run;
  std::string text;
  Node nodes[2];
  const auto notify = std::make_shared<Variable>();
  for (int round = 0; round < 4; ++round) {
    run.begin();
    for (int step = 0; step < 6; ++step) {
      const Actor branch = run.branches[draw(2)];
      std::vector<GraphOp> ops;
      for (unsigned left = draw(5); left != 0; --left) {
        const char to = static_cast<char>('a' + draw(6));
        const char from = static_cast<char>(draw(2) == 0 ? 0 : 'a' + draw(6));
        ops.push_back(run.transfer(branch, kNames[draw(8)], to, from == to ? '\0' : from));
      }
      run.take(branch, std::move(ops), together);
      switch (draw(6)) {
        case 0:
          run.w.engine.graph_runs().record(branch, run.w.op_info("record", branch), nodes[draw(2)]);
          break;
        case 1:
          run.w.engine.graph_runs().wait(branch, nodes[draw(2)]);
          break;
        case 2:
          run.w.write(run.beside, "beside", std::string(1, static_cast<char>('a' + draw(6))));
          break;
        case 3:
          run.w.read(run.launcher, "behind", std::string(1, static_cast<char>('a' + draw(6))));
          break;
        case 4:
          run.w.host_read("host", std::string(1, static_cast<char>('a' + draw(6))));
          break;
        default:
          break;
      }
    }
    run.end();
    if (draw(2) == 0) run.w.synchronize(run.launcher);
    text += run.w.findings() + "; ";
  }
  return text;
}

}  // namespace

TEST_CASE("ops of a graph that are taken in together give the same findings as one by one",
          "[order][graph]") {
  int with_findings = 0;
  for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
    const std::string one_by_one = findings_of(seed, false);
    INFO("seed " << seed);
    REQUIRE(findings_of(seed, true) == one_by_one);
    if (one_by_one.find("ACL") != std::string::npos) ++with_findings;
  }
  CHECK(with_findings > 1000);
}

TEST_CASE("each of the ops has its own moment", "[order][graph]") {
  Run run;
  const auto [left, right] = run.branches;
  run.begin();
  run.take(left, {run.transfer(left, "a", 'a'), run.transfer(left, "b", 'b')}, true);
  Node node;
  run.w.engine.graph_runs().record(left, run.w.op_info("record", left), node);
  run.take(left, {run.transfer(left, "c", 'c'), run.transfer(left, "d", 'd')}, true);
  run.w.engine.graph_runs().wait(right, node);
  run.take(right, {run.transfer(right, "A", 'a'), run.transfer(right, "B", 'b')}, true);
  CHECK(run.w.findings().empty());
  run.take(right, {run.transfer(right, "C", 'c')}, true);
  CHECK(run.w.findings() == "ACL007 c C");
}
