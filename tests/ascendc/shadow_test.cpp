// SPDX-License-Identifier: Apache-2.0
// The history of bytes, and which accesses nothing orders.
#include "runtime/ascendc/core/shadow.h"

#include <array>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/share.h"

using ascendc::Conflict;
using ascendc::Mark;
using ascendc::Pipe;
using ascendc::PipeClocks;
using ascendc::Shadow;

namespace {

struct Machine {
  PipeClocks clocks;
  Shadow shadow;
  std::vector<Conflict> conflicts;
  void write(Pipe pipe, std::uint64_t begin, std::uint64_t end, std::uint32_t what = 0) {
    const std::uint32_t tick = clocks.step(pipe);
    shadow.write(begin, end, pipe, Mark{tick, what}, clocks, conflicts);
  }
  void read(Pipe pipe, std::uint64_t begin, std::uint64_t end, std::uint32_t what = 0) {
    const std::uint32_t tick = clocks.step(pipe);
    shadow.read(begin, end, pipe, Mark{tick, what}, clocks, conflicts);
  }
  void flag(Pipe from, Pipe to) { clocks.wait(to, clocks.of(from)); }
};

}  // namespace

TEST_CASE("a read on another pipe conflicts with the write that no flag orders", "[shadow]") {
  Machine m;
  m.write(Pipe::mte2, 0, 64, 7);
  m.read(Pipe::v, 32, 96);
  REQUIRE(m.conflicts.size() == 1);
  CHECK(m.conflicts[0].pipe == Pipe::mte2);
  CHECK(m.conflicts[0].earlier.what == 7);
  CHECK(m.conflicts[0].earlier_wrote);
  CHECK(m.conflicts[0].begin == 32);
  CHECK(m.conflicts[0].end == 64);
}

TEST_CASE("a flag orders what came before it, and nothing later", "[shadow]") {
  Machine m;
  m.write(Pipe::mte2, 0, 64);
  m.flag(Pipe::mte2, Pipe::v);
  m.read(Pipe::v, 0, 64);
  CHECK(m.conflicts.empty());
  m.write(Pipe::mte2, 0, 64);  // not ordered after the read by V
  REQUIRE(m.conflicts.size() == 1);
  CHECK(!m.conflicts[0].earlier_wrote);
}

TEST_CASE("what the scalar unit waited for orders what it dispatches, not what it wrote",
          "[shadow]") {
  Machine m;
  m.write(Pipe::v, 0, 32);
  m.write(Pipe::s, 64, 96);
  m.flag(Pipe::v, Pipe::s);
  m.read(Pipe::mte3, 0, 32);
  CHECK(m.conflicts.empty());
  m.read(Pipe::mte3, 64, 96);
  CHECK(m.conflicts.size() == 1);
}

TEST_CASE("a barrier over all pipes orders everything", "[shadow]") {
  Machine m;
  m.write(Pipe::v, 0, 32);
  m.read(Pipe::mte3, 64, 96);
  m.clocks.barrier();
  m.read(Pipe::mte3, 0, 32);
  m.write(Pipe::mte2, 64, 96);
  CHECK(m.conflicts.empty());
}

TEST_CASE("bytes have no value before they are written, and none after they are forgotten",
          "[shadow]") {
  Machine m;
  CHECK(m.shadow.unwritten(0, 64) == 0);
  m.write(Pipe::v, 0, 40);
  CHECK(m.shadow.unwritten(0, 40) == 40);
  CHECK(m.shadow.unwritten(8, 64) == 40);
  m.shadow.forget_values(16, 24);
  CHECK(m.shadow.unwritten(0, 40) == 16);
  CHECK(m.shadow.unwritten(24, 40) == 40);
}

TEST_CASE("cells tell of each byte what a table with one entry per byte tells", "[shadow]") {
  constexpr std::size_t kBytes = 96;
  INFO("seed " << support::first_seed());
  std::mt19937_64 random(support::first_seed());
  for (int round = 0; round < 200; ++round) {
    Machine m;
    struct Byte {
      Pipe writer = Pipe::s;
      std::uint32_t write = 0;
      std::array<std::uint32_t, ascendc::kPipes> reads{};
    };
    std::array<Byte, kBytes> bytes{};
    for (int step = 0; step < 40; ++step) {
      const auto pipe = static_cast<Pipe>(random() % ascendc::kPipes);
      const std::uint64_t begin = random() % kBytes;
      const std::uint64_t end = begin + 1 + random() % (kBytes - begin);
      const unsigned choice = random() % 6;
      if (choice == 0) {
        m.flag(pipe, static_cast<Pipe>(random() % ascendc::kPipes));
        continue;
      }
      m.conflicts.clear();
      if (choice < 4)
        m.read(pipe, begin, end);
      else
        m.write(pipe, begin, end);
      std::uint64_t expected = 0;
      const std::uint32_t tick = m.clocks.of(pipe)[static_cast<std::size_t>(pipe)];
      for (std::uint64_t i = begin; i < end; ++i) {
        Byte& byte = bytes[i];
        expected += byte.write != 0 && !m.clocks.ordered(byte.writer, byte.write, pipe);
        if (choice < 4) {
          byte.reads[static_cast<std::size_t>(pipe)] = tick;
          continue;
        }
        for (std::size_t p = 0; p < ascendc::kPipes; ++p) {
          expected +=
              byte.reads[p] != 0 && !m.clocks.ordered(static_cast<Pipe>(p), byte.reads[p], pipe);
        }
        byte = Byte{pipe, tick, {}};
      }
      std::uint64_t told = 0;
      for (const Conflict& conflict : m.conflicts) told += conflict.end - conflict.begin;
      REQUIRE(told == expected);
    }
  }
}

namespace {

/// The scalar unit writes or reads words as GetValue and SetValue do.
void scalar(Machine& m, std::uint64_t begin, bool write, std::uint32_t what) {
  const Mark mark{m.clocks.step_of_scalar(), what};
  if (write) {
    m.shadow.write(begin, begin + 4, Pipe::s, mark, m.clocks, m.conflicts);
  } else {
    m.shadow.read(begin, begin + 4, Pipe::s, mark, m.clocks, m.conflicts);
  }
}

}  // namespace

TEST_CASE("a loop of scalar accesses has one cell for each of its statements", "[shadow]") {
  Machine m;
  m.write(Pipe::s, 0, 4096, 1);
  for (std::uint64_t at = 0; at < 4096; at += 4) scalar(m, at, false, 2);
  CHECK(m.shadow.cells().size() == 1);
  for (std::uint64_t at = 0; at < 4096; at += 4) scalar(m, 8192 + at, true, 3);
  CHECK(m.shadow.cells().size() == 2);
  for (std::uint64_t at = 0; at < 64; at += 4) scalar(m, 8192 + at, true, 4);
  CHECK(m.shadow.cells().size() == 3);
}

TEST_CASE("a scalar access after a flag of the scalar unit is not ordered by that flag",
          "[shadow]") {
  for (const bool write : {false, true}) {
    CAPTURE(write);
    Machine m;
    m.write(Pipe::s, 0, 64, 1);
    m.flag(Pipe::s, Pipe::v);
    scalar(m, 0, write, 2);
    m.flag(Pipe::s, Pipe::v);
    scalar(m, 4, write, 2);
    scalar(m, 8, write, 2);
    m.write(Pipe::v, 0, 4);
    CHECK(m.conflicts.empty());
    m.write(Pipe::v, 8, 12);
    REQUIRE(m.conflicts.size() == 1);
    CHECK(m.conflicts[0].earlier.what == 2);
  }
}

TEST_CASE("bytes that are forgotten have a value again after a write of the same step",
          "[shadow]") {
  Machine m;
  scalar(m, 0, true, 1);
  m.shadow.forget_values(0, 4);
  CHECK(m.shadow.unwritten(0, 4) == 0);
  scalar(m, 0, true, 1);
  CHECK(m.shadow.unwritten(0, 4) == 4);
}
