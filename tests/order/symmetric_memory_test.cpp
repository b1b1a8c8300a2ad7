// SPDX-License-Identifier: Apache-2.0
// Accesses to symmetric memory, and the words by which processes order them.
#include <utility>

#include "runtime/order/processes/process_group.h"
#include "runtime/order/processes/word_choice.h"
#include "tests/support/catch.h"

namespace {

using order::PlacedFinding;
using order::ProcessLog;
using order::Rule;
using order::SharedNode;
using order::SharedObject;
using order::VectorClock;
using order::WordChange;
using Ends = order::WordChange::Ends;

constexpr std::uint64_t kFile = 7;
constexpr std::uint64_t kData = 0, kWord = 4096;  // offsets

/// The log of a process with one thread, which waits for each of its operations.
class PeLog {
 public:
  explicit PeLog(std::string name) { log_.name = std::move(name); }

  PeLog& touches(std::uint64_t offset, bool write, std::uint64_t time, std::uint32_t line = 1) {
    SharedNode& node = add(SharedNode::Kind::access, time);
    node.object = {SharedObject::Kind::symmetric, kFile, offset};
    node.bytes = {0x1000 + offset, 4, write};
    node.op_info.site = line;
    log_.places[line].file = "pe.cpp";
    log_.places[line].line = line;
    return *this;
  }
  /// Changes the word. In all logs the change is called `key`.
  PeLog& changes(std::uint64_t key, std::uint64_t time = 0) {
    SharedNode& node = add(SharedNode::Kind::record, time);
    node.object = {SharedObject::Kind::key, key, 0};
    node.generation = 1;
    return *this;
  }
  PeLog& waits(std::vector<WordChange> changes, std::uint64_t time = 0) {
    SharedNode& node = add(SharedNode::Kind::chosen, time);
    node.object = {SharedObject::Kind::symmetric, kFile, kWord};
    node.generation = 4;
    node.changes = std::move(changes);
    return *this;
  }
  PeLog& knows(std::uint64_t time) {
    add(SharedNode::Kind::known, time);
    return *this;
  }
  PeLog& loses_order() {
    add(SharedNode::Kind::lost_order, 0);
    return *this;
  }
  ProcessLog log() const {
    ProcessLog result = log_;
    result.ended = true;
    return result;
  }

 private:
  SharedNode& add(SharedNode::Kind kind, std::uint64_t time) {
    clock_.advance(0);
    SharedNode& node = log_.nodes.emplace_back();
    node.kind = kind;
    node.when = {0, clock_.of(0)};
    node.time = time;
    node.known = clock_;
    node.op_info.stream = 1;
    node.op_info.what = "op";
    return node;
  }
  ProcessLog log_;
  VectorClock clock_;
};

order::AcrossProcesses check(const PeLog& a, const PeLog& b) {
  const ProcessLog logs[] = {a.log(), b.log()};
  return order::check_across_processes(logs);
}

constexpr WordChange yes(std::uint64_t key, bool merges = false) {
  return {key, Ends::yes, merges};
}
constexpr WordChange no(std::uint64_t key, bool merges = false) { return {key, Ends::no, merges}; }
constexpr WordChange unknown(std::uint64_t key) { return {key, Ends::unknown, true}; }

std::vector<std::size_t> choose(const std::vector<WordChange>& changes,
                                const std::vector<bool>& before = {}, bool rewritten = false) {
  return order::chosen_changes(changes,
                               {[&](std::size_t i) { return i < before.size() && before[i]; },
                                [&](std::size_t) { return rewritten; }});
}

using Chosen = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a wait for a word comes after the first change that ends it", "[symmetric]") {
  CHECK(choose({yes(1), yes(2), yes(3)}) == Chosen{0});
  CHECK(choose({no(1), yes(2), no(3)}) == Chosen{1});
  CHECK(choose({no(1, true), no(2, true), yes(3, true)}) == Chosen{2, 1, 0});
  CHECK(choose({no(1), no(2, true), yes(3, true), yes(4, true)}) == Chosen{2, 1, 0});
}

TEST_CASE("changes that are before the wait anyway have ended it, or an earlier one",
          "[symmetric]") {
  CHECK(choose({yes(1), yes(2)}, {true}).empty());
  CHECK(choose({yes(1), no(2), yes(3)}, {true, true}) == Chosen{2});
  CHECK(choose({no(1), yes(2)}, {true}) == Chosen{1});
  CHECK(choose({no(1, true), no(2, true), yes(3, true)}, {false, true}) == Chosen{2, 0});
}

TEST_CASE("a word that was written otherwise since then is waited for again", "[symmetric]") {
  CHECK(choose({yes(1), yes(2)}, {true}, true) == Chosen{1});
  CHECK(choose({yes(1), no(2)}, {true}, true) == Chosen{1});
}

TEST_CASE("a wait comes after all changes that it has seen if their values are not known",
          "[symmetric]") {
  CHECK(choose({unknown(1), yes(2), no(3)}) == Chosen{0, 1, 2});
  CHECK(choose({no(1), no(2)}) == Chosen{0, 1});
  CHECK(choose({yes(1), unknown(2)}) == Chosen{0});
  CHECK(choose({}).empty());
}

TEST_CASE("a transfer that was complete before the other began is still a race", "[symmetric]") {
  PeLog a("1"), b("2");
  a.touches(kData, true, 1).knows(2);
  b.touches(kData, false, 3);
  const auto found = check(a, b).findings;
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == Rule::race);
}

TEST_CASE("the times of the accesses change nothing in the finding", "[symmetric]") {
  const auto found = [](std::uint64_t of_a, std::uint64_t of_b) {
    PeLog a("1"), b("2");
    a.touches(kData, true, of_a, 10).touches(kData, true, of_a + 1, 20);
    b.touches(kData, false, of_b, 30);
    return check(a, b).findings;
  };
  const auto first = found(1, 5), second = found(5, 1);
  REQUIRE(first.size() == second.size());
  REQUIRE_FALSE(first.empty());
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].op_info.place.line == second[i].op_info.place.line);
    CHECK(first[i].other->place.line == second[i].other->place.line);
  }
}

TEST_CASE("the next transfer into a slot races with the reader unless it returns a credit",
          "[symmetric]") {
  // a: put, set the word to 1, put again, set it to 2; b waits for 1 and has seen both changes.
  PeLog a("1"), b("2");
  const bool credit = GENERATE(false, true);
  a.touches(kData, true, 1).changes(11, 2);
  if (credit) a.waits({yes(21)}, 8);
  a.touches(kData, true, 9).changes(12, 10);
  b.waits({yes(11), yes(12)}, 5).touches(kData, false, 6);
  if (credit) b.changes(21, 7);
  const auto found = check(a, b).findings;
  CHECK(found.size() == (credit ? 0 : 1));
}

TEST_CASE("a word that its reader clears by a copy is not ended by the change before",
          "[symmetric]") {
  PeLog a("1"), b("2");
  const bool clears = GENERATE(false, true);
  a.touches(kData, true, 1).changes(11, 2);
  a.waits({yes(21)}, 8);
  a.touches(kData, true, 9).changes(12, 10);
  b.waits({yes(11)}, 3).touches(kData, false, 4);
  if (clears) b.touches(kWord, true, 5);
  b.changes(21, 6).waits({yes(11), yes(12)}, 11).touches(kData, false, 12);
  CHECK(check(a, b).findings.size() == (clears ? 0 : 1));
}

TEST_CASE("what may come after unseen synchronisation is not judged, at whatever time it comes",
          "[symmetric]") {
  for (const std::uint64_t time : {1, 9}) {
    PeLog a("1"), b("2");
    a.touches(kData, true, time);
    b.loses_order().touches(kData, false, 5);
    const auto result = check(a, b);
    CHECK(result.findings.empty());
    CHECK(result.withheld == 1);
  }
}

TEST_CASE("doubts about an order go on to the processes that wait for it", "[symmetric]") {
  PeLog a("1"), b("2"), c("3");
  a.touches(kData, true, 1);
  b.loses_order().changes(11);
  c.waits({yes(11)}).touches(kData, false, 3);
  const ProcessLog logs[] = {a.log(), b.log(), c.log()};
  const auto result = order::check_across_processes(logs);
  CHECK(result.findings.empty());
  CHECK(result.withheld == 1);
}

TEST_CASE("waits for words are read from a log as they were written", "[symmetric]") {
  PeLog a("1");
  a.waits({yes(1), no(18446744073709551615ULL, true), unknown(3)}).waits({});
  std::string text = order::first_line("1");
  for (const SharedNode& node : a.log().nodes) text += line_of(node);
  const ProcessLog read = order::read_log(text);
  REQUIRE(read.nodes.size() == 2);
  CHECK(read.nodes[0].changes == a.log().nodes[0].changes);
  CHECK(read.nodes[0].object.offset == kWord);
  CHECK(read.nodes[1].changes.empty());
  CHECK(order::read_log(order::first_line("1") + "C 0 1 1 - s 7 0 4 5:x 0 0 0 0 0 0 0 0 op\t\n")
            .nodes.empty());
}
