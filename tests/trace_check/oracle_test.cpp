// SPDX-License-Identifier: Apache-2.0
// Random traces against a brute-force judge: who reaches whom over all edges.
#include <fmt/format.h>

#include <array>
#include <random>
#include <vector>

#include "tests/support/catch.h"
#include "tests/trace_check/traces.h"

namespace {

constexpr int kStreams = 4;

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
        if (!touches_[a].write && !touches_[b].write) continue;
        if (!reaches_[touches_[b].op][touches_[a].op]) return true;  // b was called first
      }
    }
    return false;
  }

 private:
  struct Touch {
    std::size_t op;
    int block;
    bool write;
  };

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
      const bool write = below(2) == 0;
      const int block = below(4);
      touches_.push_back({add(stream, {}), block, write});
      text_ += fmt::format(R"({{"op":"kernel","st":{},"h":1,"{}":[[7,{},64]]}})", stream,
                           write ? "wr" : "rd", block * 64);
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
  for (unsigned seed = 1; seed <= 400; ++seed) {
    const Program program(seed);
    const order::Report report = tracetest::judge(program.text());
    CAPTURE(seed, program.text());
    REQUIRE((tracetest::find(report, "ACL007") != nullptr) == program.races());
    REQUIRE_FALSE(tracetest::find(report, "ACL003"));
    racy += program.races();
  }
  CHECK(racy > 20);
  CHECK(racy < 380);
}
