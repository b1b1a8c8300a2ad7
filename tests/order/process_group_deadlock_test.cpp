// SPDX-License-Identifier: Apache-2.0
// Host threads of several processes whose wait never ends, from the logs.
#include <string>
#include <utility>
#include <vector>

#include "runtime/order/processes/process_group.h"
#include "tests/support/catch.h"

namespace {

using order::Level;
using order::ProcessLog;
using order::SharedNode;
using order::SharedObject;
using Kind = SharedNode::Kind;

constexpr SharedObject kWaited{SharedObject::Kind::notify, 8, 0};
constexpr SharedObject kRecorded{SharedObject::Kind::notify, 8, 64};
constexpr SharedObject kSharedEvent{SharedObject::Kind::event, 8, 128};

/// Actor 0 is the host thread; items of streams have numbers.
struct BlockedWait {
  ProcessLog log;

  explicit BlockedWait(std::string name) { log.name = std::move(name); }
  SharedNode& add(Kind kind, order::Actor actor, std::uint32_t number, SharedObject object = {},
                  std::uint64_t generation = 0) {
    SharedNode& node = log.nodes.emplace_back();
    node.kind = kind;
    node.when = {actor, number};
    node.object = object;
    node.generation = generation;
    node.op_info.what = kind == Kind::host_waits ? "aclrtSynchronizeStream" : "wait";
    node.op_info.stream = kind == Kind::host_waits ? order::OpInfo::kNoStream : actor;
    return node;
  }
  BlockedWait& blocked(order::Actor stream, std::uint32_t number, SharedObject object,
                       std::uint64_t generation = 0) {
    add(Kind::blocked, stream, number, object, generation);
    return *this;
  }
  /// Blocked at a wait for an operation of another stream of the process.
  BlockedWait& stands_for(order::Actor stream, std::uint32_t number, order::Epoch item) {
    add(Kind::blocked, stream, number).known.raise(item);
    return *this;
  }
  BlockedWait& asks(order::Actor stream, std::uint32_t number, SharedObject object,
                    std::uint64_t generation = 0) {
    add(Kind::asked, stream, number, object, generation);
    return *this;
  }
  BlockedWait& records(order::Actor stream, std::uint32_t number, SharedObject object,
                       std::uint64_t generation = 1) {
    add(Kind::record, stream, number, object, generation);
    return *this;
  }
  BlockedWait& host_waits(order::Epoch item, std::uint64_t threads = 1) {
    add(Kind::host_waits, 0, 1, {}, threads).known.raise(item);
    return *this;
  }
};

std::vector<order::PlacedFinding> stuck(const std::vector<BlockedWait>& processes) {
  std::vector<ProcessLog> logs;
  for (const BlockedWait& process : processes) logs.push_back(process.log);
  return order::deadlocks_across_processes(logs);
}

/// Each process waits for one notify and records the other after that.
std::vector<BlockedWait> cycle() {
  BlockedWait a("1"), b("2");
  a.asks(1, 6, kRecorded).blocked(1, 5, kWaited).host_waits({1, 6});
  b.asks(1, 3, kWaited).blocked(1, 2, kRecorded).host_waits({1, 3});
  return {a, b};
}

}  // namespace

TEST_CASE("streams of two processes that are blocked before what the other waits for are a cycle",
          "[process-group][stuck]") {
  const auto found = stuck(cycle());
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == Level::error);
  CHECK(found[0].op_info.what == "aclrtSynchronizeStream");
  CHECK(found[0].op_info.process == "1");
  CHECK(found[0].other->process == "1");
  REQUIRE(found[0].behind.size() == 1);
  CHECK(found[0].behind[0].process == "2");
}

TEST_CASE("a record in front of the wait is no cycle", "[process-group][stuck]") {
  std::vector<BlockedWait> processes = cycle();
  processes[1].log.nodes[0].when.count = 1;  // it will happen
  CHECK(stuck(processes).empty());
}

TEST_CASE("a record that another stream or process still has ends the cycle",
          "[process-group][stuck]") {
  std::vector<BlockedWait> processes = cycle();
  processes[0].asks(2, 9, kWaited);
  CHECK(stuck(processes).empty());
  processes = cycle();
  processes.emplace_back("3").asks(1, 1, kWaited);
  CHECK(stuck(processes).empty());
}

TEST_CASE("a record that has happened is there for the wait", "[process-group][stuck]") {
  std::vector<BlockedWait> processes = cycle();
  processes.emplace_back("3").records(1, 1, kWaited);
  processes.back().log.ended = true;
  CHECK(stuck(processes).empty());
  processes.back().add(Kind::wait, 1, 2, kWaited, 1);  // and was taken
  CHECK(stuck(processes).size() == 1);
}

TEST_CASE("who went on is blocked no more", "[process-group][stuck]") {
  for (const order::Actor actor : {0u, 1u}) {
    std::vector<BlockedWait> processes = cycle();
    for (BlockedWait& process : processes) process.add(Kind::goes_on, actor, 0);
    CHECK(stuck(processes).empty());
  }
  std::vector<BlockedWait> processes = cycle();
  processes[0].add(Kind::wait, 1, 5, kWaited, 1);
  CHECK(stuck(processes).empty());
}

TEST_CASE("a cycle is none while a thread of any process may still record what ends it",
          "[process-group][stuck]") {
  std::vector<BlockedWait> processes = cycle();
  SECTION("a third process") {
    processes.emplace_back("3");
    CHECK(stuck(processes).empty());
    processes.back().log.ended = true;
    CHECK(stuck(processes).size() == 1);
  }
  SECTION("another thread of one of the two") {
    processes[0].log.nodes.back().generation = 2;
    CHECK(stuck(processes).empty());
  }
}

TEST_CASE("a cycle goes through streams inside of a process", "[process-group][stuck]") {
  BlockedWait a("1"), b("2");
  // Stream 1 waits for an item of stream 2, which is blocked at the notify.
  a.asks(1, 6, kRecorded).blocked(2, 3, kWaited).stands_for(1, 5, {2, 4}).host_waits({1, 6});
  b.asks(1, 3, kWaited).blocked(1, 2, kRecorded).host_waits({1, 3});
  const auto found = stuck({a, b});
  REQUIRE(found.size() == 1);
  CHECK(found[0].behind.size() == 2);
  a.log.nodes[2].known.clear();
  a.log.nodes[2].known.raise({2, 2});  // in front of where it stands: it has happened
  CHECK(stuck({a, b}).empty());
}

TEST_CASE("the generation of an event counts", "[process-group][stuck]") {
  BlockedWait a("1"), b("2");
  a.asks(1, 6, kSharedEvent, 4).blocked(1, 5, kWaited).host_waits({1, 6});
  b.asks(1, 3, kWaited).blocked(1, 2, kSharedEvent, 4).host_waits({1, 3});
  CHECK(stuck({a, b}).size() == 1);
  BlockedWait earlier("3");
  earlier.log.ended = true;
  earlier.records(1, 1, kSharedEvent, 3);
  CHECK(stuck({a, b, earlier}).size() == 1);
  BlockedWait later("3");
  later.records(1, 1, kSharedEvent, 4);
  CHECK(stuck({a, b, later}).empty());
}

TEST_CASE("what nobody enqueued is told when every thread of every process waits",
          "[process-group][stuck]") {
  BlockedWait a("1"), b("2"), c("3");
  a.blocked(1, 5, kWaited).host_waits({1, 5});
  b.blocked(1, 2, kRecorded).host_waits({1, 2});
  const auto found = stuck({a, b});
  REQUIRE(found.size() == 2);
  CHECK(found[0].level == Level::warning);
  CHECK(found[1].op_info.process == "2");

  CHECK(stuck({a, b, c}).empty());  // the third may record it
  c.log.ended = true;
  CHECK(stuck({a, b, c}).size() == 2);

  constexpr SharedObject kKey{SharedObject::Kind::key, 77, 0};
  a.records(0, 2, kKey);  // no process has imported it: one has yet to start
  CHECK(stuck({a, b}).empty());
  b.add(Kind::wait, 0, 3, kKey, 1);
  CHECK(stuck({a, b}).size() == 2);

  b.log.nodes[1].generation = 2;  // it has another thread
  CHECK(stuck({a, b}).empty());
}

TEST_CASE("a host that waits for a stream which goes on may record later",
          "[process-group][stuck]") {
  BlockedWait a("1"), b("2");
  a.blocked(1, 5, kWaited).host_waits({1, 5});
  b.blocked(2, 2, kRecorded).host_waits({1, 2});  // another stream stands
  CHECK(stuck({a, b}).empty());
}

TEST_CASE("who is blocked is in the log as it was written", "[process-group][stuck]") {
  for (const BlockedWait& process : cycle()) {
    std::string text = order::first_line(process.log.name);
    for (const SharedNode& node : process.log.nodes) text += line_of(node);
    std::string again = order::first_line(process.log.name);
    for (const SharedNode& node : order::read_log(text).nodes) again += line_of(node);
    CHECK(again == text);
  }
}
