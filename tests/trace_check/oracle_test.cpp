// SPDX-License-Identifier: Apache-2.0
// Random traces against a brute-force oracle: who reaches whom over all edges.
#include <fmt/format.h>

#include <array>
#include <random>
#include <vector>

#include "tests/support/catch.h"
#include "tests/trace_check/traces.h"

namespace {

constexpr int kStreams = 4;

/// How an op accesses a block.
enum How { read, write, sum, max, set_word, kHows };

constexpr bool kClash[kHows][kHows] = {{false, true, true, true, false},   // read
                                       {true, true, true, true, true},     // write
                                       {true, true, false, true, true},    // sum
                                       {true, true, true, false, true},    // max
                                       {false, true, true, true, false}};  // set a word

/// A program of one thread, as lines of a trace and as a graph of its ops.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    last_.fill(-1);
    for (int i = below(32); i < 40; ++i) step();  // short ones are seldom racy
  }
  const std::string& text() const { return text_; }

  bool races() const {
    for (std::size_t a = 0; a < touches_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (touches_[a].block != touches_[b].block) continue;
        if (!kClash[touches_[a].how][touches_[b].how]) continue;
        if (!reaches_[touches_[b].op][touches_[a].op]) return true;  // b was called first
      }
    }
    return false;
  }
  using Met = std::array<std::array<bool, kHows>, kHows>;
  /// Which kinds of access meet in a block, with order or without.
  void note_met(Met& ordered, Met& unordered) const {
    for (std::size_t a = 0; a < touches_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (touches_[a].block != touches_[b].block) continue;
        Met& met = reaches_[touches_[b].op][touches_[a].op] ? ordered : unordered;
        met[touches_[b].how][touches_[a].how] = true;
      }
    }
  }

 private:
  struct Touch {
    std::size_t op;
    int block;
    How how;
  };

  std::string line_of(How how, int stream, int block) {
    const std::string at = fmt::format(R"("st":{},"h":1)", stream);
    const std::string bytes = fmt::format("[7,{},8]", block * 8);
    switch (how) {
      case read:
        return fmt::format(R"({{"op":"kernel",{},"rd":[{}]}})", at, bytes);
      case write:
        return fmt::format(R"({{"op":"kernel",{},"wr":[{}]}})", at, bytes);
      case set_word:
        return fmt::format(R"({{"op":"vwrite",{},"addr":{},"val":1,"wr":[{}]}})", at, block, bytes);
      default:
        return fmt::format(R"({{"op":"reduce",{0},"kind":"{1}","rd":[{2},[9,0,8]],"wr":[{2}]}})",
                           at, how == sum ? "sum" : "max", bytes);
    }
  }

  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  std::size_t add(int stream, const std::vector<int>& behind) {
    const std::size_t op = reaches_.size();
    for (auto& row : reaches_) row.push_back(false);
    reaches_.emplace_back(op + 1, false);
    const auto follow = [&](int from) {
      if (from < 0) return;
      for (std::size_t other = 0; other < op; ++other) {
        const auto before = static_cast<std::size_t>(from);
        if (other == before || reaches_[other][before]) reaches_[other][op] = true;
      }
    };
    follow(synchronized_);
    for (const int from : behind) follow(from);
    if (stream >= 0) {
      follow(last_[static_cast<std::size_t>(stream)]);
      last_[static_cast<std::size_t>(stream)] = static_cast<int>(op);
    }
    return op;
  }

  void step() {
    const int stream = below(kStreams);
    const int dice = below(20);
    if (dice < 6) {
      const How how = static_cast<How>(below(2) == 0 ? below(2) : below(kHows));
      const int block = below(4);
      touches_.push_back({add(stream, {}), block, how});
      text_ += line_of(how, stream, block);
    } else if (dice < 11) {
      const int event = stream;  // each stream has its own
      recorded_[static_cast<std::size_t>(event)] = static_cast<int>(add(stream, {}));
      text_ += fmt::format(R"({{"op":"record","st":{},"h":1,"ev":{}}})", stream, event);
    } else if (dice < 18) {
      const int event = below(kStreams);
      add(stream, {recorded_[static_cast<std::size_t>(event)]});
      text_ += fmt::format(R"({{"op":"wait","st":{},"h":1,"ev":{}}})", stream, event);
    } else {
      const auto op = add(-1, {last_[static_cast<std::size_t>(stream)]});
      synchronized_ = static_cast<int>(op);
      text_ += fmt::format(R"({{"op":"hsync","h":1,"what":"stream","id":{}}})", stream);
    }
    text_ += '\n';
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::vector<bool>> reaches_;
  std::vector<Touch> touches_;
  std::array<int, kStreams> last_{};
  std::array<int, kStreams> recorded_{-1, -1, -1, -1};
  int synchronized_ = -1;
};

}  // namespace

TEST_CASE("a random trace has a race for the checker exactly when two accesses are not ordered") {
  int racy = 0;
  Program::Met ordered{}, unordered{};
  for (unsigned seed = 1; seed <= 400; ++seed) {
    const Program program(seed);
    const order::Report report = tracetest::report_of(program.text());
    CAPTURE(seed, program.text());
    REQUIRE((tracetest::find(report, "ACL007") != nullptr) == program.races());
    REQUIRE_FALSE(tracetest::find(report, "ACL003"));
    racy += program.races();
    program.note_met(ordered, unordered);
  }
  for (std::size_t pair = 0; pair < kHows * kHows; ++pair) {  // docs/development.md has this number
    CAPTURE(pair / kHows, pair % kHows);
    CHECK(ordered[pair / kHows][pair % kHows]);
    CHECK(unordered[pair / kHows][pair % kHows]);
  }
  CHECK(racy > 20);
  CHECK(racy < 380);
}
