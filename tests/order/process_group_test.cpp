// SPDX-License-Identifier: Apache-2.0
// Conflicts between processes, found from their logs.
#include "runtime/order/processes/process_group.h"

#include <algorithm>
#include <utility>

#include "tests/support/catch.h"

namespace {

using order::Epoch;
using order::Level;
using order::PlacedFinding;
using order::ProcessLog;
using order::Rule;
using order::SharedNode;
using order::SharedObject;
using order::VectorClock;

constexpr SharedObject kMemory{SharedObject::Kind::memory, 7, 0};
constexpr SharedObject kEvent{SharedObject::Kind::event, 8, 4096};
constexpr SharedObject kNotify{SharedObject::Kind::notify, 8, 8192};

/// Writes the log of a process whose stream is actor 1; its host thread is actor 0.
class Process {
 public:
  Process(std::string name, std::uint64_t& time) : time_(time) { log_.name = std::move(name); }

  Process& touches(bool write) {
    SharedNode& node = add(SharedNode::Kind::access, kMemory, 1);
    node.bytes = {log_.name == "1" ? 0x1000U : 0x2000U, 64, write};
    node.op_info.what = "copy";
    return *this;
  }
  /// The same at a line of the program, which all processes run.
  Process& touches_at(std::uint32_t line, bool write) {
    touches(write);
    log_.nodes.back().op_info.site = line;
    order::Place& place = log_.places[line];
    place.file = "program.cpp";
    place.line = line;
    return *this;
  }
  Process& frees() {
    SharedNode& node = add(SharedNode::Kind::access, kMemory, 0);
    node.bytes = {0x1000, 64, true, false, true};
    node.op_info.what = "aclrtFree";
    node.op_info.stream = order::OpInfo::kNoStream;
    return *this;
  }
  Process& records(const SharedObject& object, std::uint64_t generation = 1) {
    add(SharedNode::Kind::record, object, 1).generation = generation;
    return *this;
  }
  /// A failure drops a wait (0) or a record (1).
  Process& drops(const SharedObject& object, std::uint64_t record) {
    add(SharedNode::Kind::dropped, object, 1).generation = record;
    return *this;
  }
  Process& waits(const SharedObject& object, std::uint64_t generation = 1) {
    add(SharedNode::Kind::wait, object, 1).generation = generation;
    return *this;
  }
  /// The host waits for the stream.
  Process& synchronizes() {
    host_.join(stream_);
    add(SharedNode::Kind::known, {}, 0);
    return *this;
  }
  Process& loses_order() {
    add(SharedNode::Kind::lost_order, {}, 0);
    return *this;
  }
  ProcessLog log(bool ended = true) const {
    ProcessLog result = log_;
    result.ended = ended;
    return result;
  }

 private:
  SharedNode& add(SharedNode::Kind kind, const SharedObject& object, order::Actor actor) {
    VectorClock& clock = actor == 0 ? host_ : stream_;
    clock.set(actor, clock.of(actor) + 1);
    if (actor == 1) stream_.join(host_);
    SharedNode& node = log_.nodes.emplace_back();
    node.kind = kind;
    node.when = {actor, clock.of(actor)};
    node.time = ++time_;
    node.known = clock;
    node.object = object;
    node.op_info.stream = 1;
    node.op_info.what = "op";
    return node;
  }
  std::uint64_t& time_;
  ProcessLog log_;
  VectorClock host_, stream_;
};

/// Two processes whose steps are written down in the order in which they happen.
struct GroupPair {
  std::uint64_t time = 0;
  Process a{"1", time};
  Process b{"2", time};

  std::vector<PlacedFinding> findings() const {
    const ProcessLog logs[] = {a.log(), b.log()};
    return order::check_across_processes(logs).findings;
  }
  std::size_t withheld() const {
    const ProcessLog logs[] = {a.log(), b.log()};
    return order::check_across_processes(logs).withheld;
  }
};

}  // namespace

TEST_CASE("accesses of two processes without order are a race", "[process-group]") {
  GroupPair pair;
  pair.a.touches(true);
  pair.b.touches(false);
  const auto found = pair.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == Rule::race);
  CHECK(found[0].level == Level::error);
  CHECK(found[0].op_info.process == "2");
  CHECK(found[0].other->process == "1");
  CHECK(found[0].where.begin == 0x2000);
}

TEST_CASE("a race between two lines is one finding, whichever comes first and in whichever process",
          "[process-group]") {
  GroupPair pair;
  pair.a.touches_at(10, true);
  pair.b.touches_at(20, true);
  pair.a.touches_at(10, true);
  pair.b.touches_at(10, true).touches_at(20, true);
  pair.a.touches_at(20, true);
  const auto found = pair.findings();
  std::size_t of_both = 0;
  for (const PlacedFinding& finding : found) {
    REQUIRE(finding.other);
    if (finding.op_info.place.line != finding.other->place.line) ++of_both;
  }
  CHECK(of_both == 1);
  CHECK(found.size() <= 3);  // and each line with itself
}

TEST_CASE("once an order is not told, what follows is no race between processes",
          "[process-group]") {
  GroupPair pair;
  pair.a.touches(true);
  SECTION("of the process that lost it") {
    pair.b.loses_order().touches(false);
    CHECK(pair.findings().empty());
    CHECK(pair.withheld() == 1);
  }
  SECTION("of any other") {
    pair.a.loses_order();
    pair.b.touches(false);
    CHECK(pair.findings().empty());
    CHECK(pair.withheld() == 1);
  }
  SECTION("what came before still is") {
    pair.b.touches(false).synchronizes().loses_order();
    CHECK(pair.findings().size() == 1);
    CHECK(pair.withheld() == 0);
  }
}

TEST_CASE("two processes may read the same bytes", "[process-group]") {
  GroupPair pair;
  pair.a.touches(false);
  pair.b.touches(false);
  CHECK(pair.findings().empty());
}

TEST_CASE("a wait is ordered after the record of its generation only", "[process-group]") {
  GroupPair pair;
  pair.a.records(kEvent, 1).touches(true).records(kEvent, 2);
  SECTION("the record after the access orders") {
    pair.b.waits(kEvent, 2).touches(false);
    CHECK(pair.findings().empty());
  }
  SECTION("an earlier one does not") {
    pair.b.waits(kEvent, 1).touches(false);
    CHECK(pair.findings().size() == 1);
  }
  SECTION("one that nobody made does not") {
    pair.b.waits(kEvent, 3).touches(false);
    CHECK(pair.findings().size() == 1);
  }
}

TEST_CASE("a wait orders nothing that its stream did before it, however early it is in the log",
          "[process-group]") {
  GroupPair pair;
  pair.a.records(kEvent, 1).touches(false).records(kEvent, 2);
  pair.b.waits(kEvent, 1).touches(true).waits(kEvent, 2);
  ProcessLog late = pair.b.log();
  std::rotate(late.nodes.begin(), late.nodes.begin() + 2, late.nodes.end());
  const ProcessLog logs[] = {pair.a.log(), std::move(late)};
  CHECK(order::check_across_processes(logs).findings.size() == 1);
}

TEST_CASE("order goes through a third process", "[process-group]") {
  std::uint64_t time = 0;
  Process a("1", time), b("2", time), c("3", time);
  a.touches(true).records(kEvent, 1);
  b.waits(kEvent, 1).records(kEvent, 2);
  c.waits(kEvent, 2).touches(true);
  const ProcessLog logs[] = {a.log(), b.log(), c.log()};
  CHECK(order::check_across_processes(logs).findings.empty());
}

TEST_CASE("what a host knew to be over when the other began is a note", "[process-group]") {
  GroupPair pair;
  pair.a.touches(true).synchronizes();
  pair.b.touches(false);
  const auto found = pair.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == Rule::host_threads_only);
}

TEST_CASE("a host that learns it later says nothing of the order", "[process-group]") {
  GroupPair pair;
  pair.a.touches(true);
  pair.b.touches(false);
  pair.a.synchronizes();
  const auto found = pair.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == Rule::race);
}

TEST_CASE("memory that ends under another process is told, from both sides", "[process-group]") {
  GroupPair pair;
  SECTION("it was in use") {
    pair.b.touches(false);
    pair.a.frees();
    const auto found = pair.findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == Rule::freed_in_use);
    CHECK(found[0].op_info.what == "aclrtFree");
  }
  SECTION("it is used afterwards, whoever knows") {
    pair.a.frees();
    pair.b.touches(false);
    const auto found = pair.findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == Rule::freed_in_use);
    CHECK(found[0].level == Level::error);
  }
}

TEST_CASE("records and waits of a notify that do not pair up are told", "[process-group]") {
  GroupPair pair;
  pair.a.records(kNotify, 1).records(kNotify, 2);
  pair.b.waits(kNotify, 1);
  const auto found = pair.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == Rule::notify_unpaired);
  CHECK(found[0].text == "all processes together made 2 records and 1 waits");
  const ProcessLog killed[] = {pair.a.log(), pair.b.log(false)};
  CHECK(order::check_across_processes(killed).findings.empty());
}

TEST_CASE("records and waits of a notify that a failure dropped are not missed",
          "[process-group]") {
  GroupPair pair;
  SECTION("a wait") {
    pair.a.records(kNotify, 1).records(kNotify, 2);
    pair.b.waits(kNotify, 1).drops(kNotify, 0);
  }
  SECTION("a record") {
    pair.a.records(kNotify, 1).drops(kNotify, 1);
    pair.b.waits(kNotify, 1).waits(kNotify, 2);
  }
  CHECK(pair.findings().empty());
}

namespace {

std::string text_of(const ProcessLog& log) {
  std::string text = order::first_line(log.name);
  for (const auto& [site, place] : log.places) text += line_of(site, place);
  for (const SharedNode& node : log.nodes) text += line_of(node);
  return text + order::last_line();
}

}  // namespace

TEST_CASE("a log is read as it was written", "[process-group]") {
  GroupPair pair;
  pair.a.touches(true)
      .records(kEvent, 3)
      .waits(kNotify)
      .drops(kNotify, 1)
      .synchronizes()
      .loses_order()
      .frees();
  ProcessLog log = pair.a.log();
  log.places[5] = {"a b.cpp", 12, "f(int, char)", "/lib/x.so", 77, 0, {}, {}};
  const std::string text = text_of(log);
  const ProcessLog read = order::read_log(text);
  CHECK(read.name == "1");
  CHECK(read.ended);
  CHECK(read.places.at(5).function == "f(int, char)");
  CHECK(read.nodes.back().op_info.stream == order::OpInfo::kNoStream);
  CHECK(text_of(read) == text);
}

TEST_CASE("a log that is cut off is read as far as it goes", "[process-group]") {
  GroupPair pair;
  pair.a.touches(true).records(kEvent).touches(false);
  const std::string text = text_of(pair.a.log());
  for (std::size_t size = 0; size < text.size(); ++size) {
    const ProcessLog read = order::read_log(text.substr(0, size));
    CHECK_FALSE(read.ended);
    CHECK(read.nodes.size() <= 3);
  }
  CHECK(order::read_log(text + "A 1 nonsense\n").nodes.size() == 3);
  CHECK(order::read_log(order::first_line("1") + "A 1 99999999999999 1\n").nodes.empty());
  CHECK(order::read_log("something else\n").nodes.empty());
}
