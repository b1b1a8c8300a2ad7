// SPDX-License-Identifier: Apache-2.0
// Instructions that are more than one loop over lanes: the declared reads decide the result, the
// declared writes are the bytes that change, and the values match an independent computation.
#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <vector>

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/rows.h"
#include "runtime/ascendc/vector/unit.h"
#include "tests/ascendc/vector_reference.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

namespace {

using namespace vectortest;
namespace unit = ascendc::vector;
using Random = std::mt19937_64;
using Bytes = std::set<std::uint64_t>;

constexpr std::uint64_t kRegion = 8192;  // of an operand

std::uint64_t up_to(Random& random, std::uint64_t most) { return random() % (most + 1); }

/// An instruction with a memory region for each operand.
struct Case {
  aclsimInstruction it{};
  unit::State state;
  std::vector<std::uint8_t> memory;
  std::uint8_t* base = nullptr;
  aclsimAnswer answer{};
  aclsimBlockLists lists{};

  Case() : memory(7 * kRegion + 32) {
    state.control = 1ULL << 48;  // infinities and NaN stay what they are
    base = memory.data() + (32 - reinterpret_cast<std::uintptr_t>(memory.data()) % 32) % 32;
    it.size = sizeof(it);
  }
  std::uint8_t* region(unsigned i) { return base + i * kRegion; }
  void operand(std::uint8_t element, unsigned block = 1, unsigned repeat = 8) {
    aclsimOperand& to = it.operand[it.operands];
    to.address = region(it.operands++);
    to.bytes = kRegion - 64;  // the bytes after it must not change
    to.element = element;
    to.block_stride = static_cast<std::uint16_t>(block);
    to.repeat_stride = static_cast<std::uint16_t>(repeat);
  }
  Value at(unsigned i, std::uint64_t element) {
    const Type& type = type_of(it.operand[i].element);
    std::uint64_t bits = 0;
    std::memcpy(&bits, region(i) + element * type.bytes(), type.bytes());
    return decode(bits, type);
  }
  std::uint32_t word(unsigned i, std::uint64_t element) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, region(i) + element * 4, 4);
    return bits;
  }
  bool bit(unsigned i, std::uint64_t k) { return (region(i)[k / 8] >> k % 8 & 1U) != 0; }
};

void fill_numbers(Case& test, unsigned i, Random& random) {
  const Type& type = type_of(test.it.operand[i].element);
  for (std::uint64_t at = 0; at + type.bytes() <= kRegion; at += type.bytes()) {
    Value value;
    value.whole = static_cast<Wide>(up_to(random, 100)) - (type.is_signed ? 50 : 0);
    value.real = rounded((static_cast<double>(up_to(random, 16000)) - 8000) / 8, type);
    const std::uint64_t bits = encode(value, type);
    std::memcpy(test.region(i) + at, &bits, type.bytes());
  }
}

void fill_offsets(Case& test, unsigned i, std::uint64_t unit_bytes, Random& random) {
  std::vector<std::uint32_t> places((kRegion - 256) / unit_bytes);
  for (std::size_t k = 0; k < places.size(); ++k) {
    places[k] = static_cast<std::uint32_t>(k * unit_bytes);
  }
  std::shuffle(places.begin(), places.end(), random);  // none twice
  for (std::uint64_t k = 0; k < kRegion / 4; ++k) {
    std::memcpy(test.region(i) + k * 4, &places[k % places.size()], 4);
  }
}

void lanes(Case& test, Random& random, unsigned per_repeat) {
  test.it.form = static_cast<std::uint8_t>(ACLSIM_COUNT + up_to(random, 3));
  test.it.count = static_cast<std::int64_t>(up_to(random, 4 * per_repeat));
  test.it.repeat = static_cast<std::uint16_t>(up_to(random, 4));
  test.it.mask[0] = random() | random();
  test.it.mask[1] = random();
  if (test.it.form == ACLSIM_MASK_N) test.it.mask[0] = up_to(random, per_repeat);
  test.state.mask[0] = random();
  test.state.mask[1] = random();
  test.state.counter = test.it.form == ACLSIM_MASK_KEPT && up_to(random, 1) != 0;
  if (test.state.counter) test.state.mask[0] = up_to(random, 4 * per_repeat);
}

using Make = std::function<void(Case&, Random&)>;
struct Named {
  const char* name;
  Make make;
};

void reduction(Case& test, Random& random, std::uint16_t opcode, std::int32_t mode) {
  const std::uint8_t element = up_to(random, 1) != 0 ? ACLSIM_HALF : ACLSIM_FLOAT;
  test.it.opcode = opcode;
  test.it.mode = mode;
  test.operand(element, 1, 1 + static_cast<unsigned>(up_to(random, 2)));
  test.operand(element, static_cast<unsigned>(up_to(random, 2)),
               static_cast<unsigned>(up_to(random, 9)));
  if (opcode >= ACLSIM_OP_ReduceSum) {
    test.operand(element);
    test.it.operand[1].block_stride = 1;
  }
  lanes(test, random, element == ACLSIM_HALF ? 128 : 64);
  fill_numbers(test, 1, random);
}

void comparison(Case& test, Random& random, bool scalar) {
  const std::uint8_t element = up_to(random, 1) != 0 ? ACLSIM_HALF : ACLSIM_FLOAT;
  test.it.opcode = scalar ? ACLSIM_OP_Compares : ACLSIM_OP_Compare;
  test.it.mode = static_cast<std::int32_t>(up_to(random, 5));
  test.operand(ACLSIM_UINT8);
  test.operand(element, 1, static_cast<unsigned>(up_to(random, 9)));
  if (!scalar) test.operand(element, static_cast<unsigned>(up_to(random, 2)), 8);
  lanes(test, random, element == ACLSIM_HALF ? 128 : 64);
  test.it.count -= test.it.count % 128;
  for (unsigned i = 1; i < test.it.operands; ++i) fill_numbers(test, i, random);
}

void selection(Case& test, Random& random, bool scalar) {
  const std::uint8_t element = up_to(random, 1) != 0 ? ACLSIM_HALF : ACLSIM_FLOAT;
  test.it.opcode = scalar ? ACLSIM_OP_SelectScalar : ACLSIM_OP_Select;
  test.it.mode = scalar ? 1 : static_cast<std::int32_t>(up_to(random, 1)) * 2;
  test.operand(element, 1, 8 + static_cast<unsigned>(up_to(random, 1)));
  test.operand(ACLSIM_UINT8);
  test.operand(element, static_cast<unsigned>(up_to(random, 1)), 8);
  if (!scalar) test.operand(element, 1, static_cast<unsigned>(up_to(random, 8)));
  lanes(test, random, element == ACLSIM_HALF ? 128 : 64);
}

void gather(Case& test, Random& random, std::uint16_t opcode) {
  const std::uint8_t element = up_to(random, 1) != 0 ? ACLSIM_UINT16 : ACLSIM_FLOAT;
  const unsigned bytes = type_of(element).bytes();
  test.it.opcode = opcode;
  test.operand(element, 1, opcode == ACLSIM_OP_Scatter ? 8 : 9);
  test.operand(element);
  test.operand(ACLSIM_UINT32);
  test.it.scalar[0] = 2 * bytes;
  lanes(test, random, 256 / bytes);
  fill_offsets(test, 2, bytes, random);
}

const std::vector<Named> kCases = {
    {"Compare", [](Case& t, Random& r) { comparison(t, r, false); }},
    {"Compares", [](Case& t, Random& r) { comparison(t, r, true); }},
    {"Select", [](Case& t, Random& r) { selection(t, r, false); }},
    {"SelectScalar", [](Case& t, Random& r) { selection(t, r, true); }},
    {"ReduceDataBlock",
     [](Case& t, Random& r) {
       reduction(t, r, ACLSIM_OP_ReduceDataBlock, static_cast<std::int32_t>(up_to(r, 2)));
     }},
    {"ReducePairElem", [](Case& t, Random& r) { reduction(t, r, ACLSIM_OP_ReducePairElem, 0); }},
    {"ReduceRepeat",
     [](Case& t, Random& r) {
       reduction(t, r, ACLSIM_OP_ReduceRepeat,
                 static_cast<std::int32_t>(up_to(r, 2) | up_to(r, 3) << 8));
     }},
    {"ReduceSum", [](Case& t, Random& r) { reduction(t, r, ACLSIM_OP_ReduceSum, 0); }},
    {"ReduceMax",
     [](Case& t, Random& r) {
       reduction(t, r, ACLSIM_OP_ReduceMax, static_cast<std::int32_t>(up_to(r, 1)));
     }},
    {"ReduceMin",
     [](Case& t, Random& r) {
       reduction(t, r, ACLSIM_OP_ReduceMin, static_cast<std::int32_t>(up_to(r, 1)));
     }},
    {"Gather", [](Case& t, Random& r) { gather(t, r, ACLSIM_OP_Gather); }},
    {"Scatter", [](Case& t, Random& r) { gather(t, r, ACLSIM_OP_Scatter); }},
    {"Gatherb",
     [](Case& t, Random& r) {
       t.it.opcode = ACLSIM_OP_Gatherb;
       t.operand(ACLSIM_UINT16, static_cast<unsigned>(up_to(r, 2)), 16);
       t.operand(ACLSIM_UINT16);
       t.operand(ACLSIM_UINT32);
       t.it.repeat = static_cast<std::uint16_t>(up_to(r, 4));
       fill_offsets(t, 2, 32, r);
     }},
    {"GatherMask",
     [](Case& t, Random& r) {
       t.it.opcode = ACLSIM_OP_GatherMask;
       t.operand(ACLSIM_UINT32);
       t.operand(ACLSIM_UINT32, 1, static_cast<unsigned>(up_to(r, 9)));
       if (up_to(r, 1) != 0) t.operand(ACLSIM_UINT32, 1, static_cast<unsigned>(up_to(r, 1)));
       t.it.mode = static_cast<std::int32_t>(up_to(r, 1));
       t.it.scalar[0] = up_to(r, 70);
       t.it.scalar[1] = 1 + up_to(r, 6);
       t.it.repeat = static_cast<std::uint16_t>(up_to(r, 4));
       t.it.more = &t.answer;
     }},
    {"Sort32",
     [](Case& t, Random& r) {
       t.it.opcode = ACLSIM_OP_Sort32;
       const std::uint8_t element = up_to(r, 1) != 0 ? ACLSIM_HALF : ACLSIM_FLOAT;
       t.operand(element);
       t.operand(element);
       t.operand(ACLSIM_UINT32);
       t.it.repeat = static_cast<std::uint16_t>(up_to(r, 6));
       fill_numbers(t, 1, r);
     }},
    {"Extract",
     [](Case& t, Random& r) {
       t.it.opcode = ACLSIM_OP_Extract;
       t.operand(ACLSIM_HALF);
       t.operand(ACLSIM_UINT32);
       t.operand(ACLSIM_HALF);
       t.it.repeat = static_cast<std::uint16_t>(up_to(r, 6));
     }},
    {"Brcb",
     [](Case& t, Random& r) {
       t.it.opcode = ACLSIM_OP_Brcb;
       const unsigned block = 1 + static_cast<unsigned>(up_to(r, 1));
       t.operand(ACLSIM_HALF, block, 8 * block + static_cast<unsigned>(up_to(r, 1)));
       t.operand(ACLSIM_HALF);
       t.it.repeat = static_cast<std::uint16_t>(up_to(r, 4));
     }},
    {"CastDequant",
     [](Case& t, Random& r) {
       t.it.opcode = ACLSIM_OP_CastDequant;
       t.it.mode = static_cast<std::int32_t>(up_to(r, 1));
       t.operand(up_to(r, 1) != 0 ? ACLSIM_INT8 : ACLSIM_UINT8, 1, 8);
       t.operand(ACLSIM_INT16);
       lanes(t, r, 128);
     }},
    {"TransDataTo5HD",
     [](Case& t, Random& r) {
       t.it.opcode = ACLSIM_OP_TransDataTo5HD;
       const std::uint8_t elements[] = {ACLSIM_INT8, ACLSIM_HALF, ACLSIM_FLOAT};
       const std::uint8_t element = elements[up_to(r, 2)];
       t.operand(element, 1, 16);
       t.operand(element, 1, static_cast<unsigned>(up_to(r, 1)));
       for (unsigned i = 0; i < 16; ++i) {
         t.lists.dst[i] = t.it.operand[0];
         t.lists.src[i] = t.it.operand[1];
         t.lists.dst[i].address = t.region(0) + i * 32;
         t.lists.src[i].address = t.region(1) + i * 64;
         t.lists.dst[i].bytes = t.lists.src[i].bytes = kRegion - 1024;
       }
       t.it.mode = static_cast<std::int32_t>(up_to(r, 3));
       t.it.repeat = static_cast<std::uint16_t>(up_to(r, 3));
       t.it.more = &t.lists;
     }},
};

Bytes touched(const Case& test, std::uint8_t access) {
  std::vector<unit::Touch> touches;
  unit::touched(test.it, test.state, touches, true);
  Bytes found;
  for (const unit::Touch& touch : touches) {
    if (touch.access != access) continue;
    for (std::uint64_t i = 0; i < touch.times * touch.bytes; ++i) {
      found.insert(touch.address + i / touch.bytes * touch.stride + i % touch.bytes -
                   reinterpret_cast<std::uintptr_t>(test.base));
    }
  }
  return found;
}

/// The written bytes that are scratch memory: sharedTmpBuffer.
bool scratch(const Case& test, std::uint64_t at) {
  const bool reduces =
      test.it.opcode >= ACLSIM_OP_ReduceSum && test.it.opcode <= ACLSIM_OP_ReduceMin;
  return reduces && at >= 2 * kRegion && at < 3 * kRegion;
}

TEST_CASE("bytes that are read decide those that are written, and no others change",
          "[vector][kinds]") {
  const std::uint64_t seed = support::first_seed();
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    for (unsigned round = 0; round < 10; ++round) {
      INFO("ACLSIM_TEST_SEED=" << seed << " " << kCases[i].name << " round " << round);
      Random random(seed * 7919 + i * 211 + round);
      Case test;
      for (std::uint8_t& byte : test.memory) byte = static_cast<std::uint8_t>(random());
      kCases[i].make(test, random);
      const auto violation = unit::check(test.it, test.state);
      INFO((violation ? violation->sentence : std::string()) << " form " << int(test.it.form));
      REQUIRE_FALSE(violation);
      REQUIRE_FALSE(unit::check_addresses(test.it, test.state));
      const Bytes reads = touched(test, ACLSIM_READS);
      const Bytes writes = touched(test, ACLSIM_WRITES);
      std::vector<std::uint8_t> results[2];
      const std::vector<std::uint8_t> before = test.memory;
      for (unsigned turn = 0; turn < 2; ++turn) {
        // All that is not read has other content in the second turn.
        for (std::uint64_t at = 0; at < 7 * kRegion; ++at) {
          const auto skip = static_cast<std::size_t>(test.base - test.memory.data());
          test.base[at] = before[at + skip];
          if (turn == 1 && reads.count(at) == 0) test.base[at] ^= 0x5a;
        }
        const std::vector<std::uint8_t> given(test.base, test.base + 7 * kRegion);
        unit::State state = test.state;
        unit::execute(test.it, state);
        for (std::uint64_t at = 0; at < given.size(); ++at) {
          if (writes.count(at) == 0 && test.base[at] != given[at])
            FAIL("byte " << at << " changed");
          if (writes.count(at) != 0 && !scratch(test, at)) results[turn].push_back(test.base[at]);
        }
      }
      if (results[0] != results[1]) FAIL("what was not read decides the result");
    }
  }
}

// ---- values
// --------------------------------------------------------------------------------------

struct Lane {
  unsigned repeat;
  unsigned lane;
};
std::vector<Lane> active(const Case& test, unsigned per_repeat) {
  std::vector<Lane> all;
  const bool counts = test.it.form == ACLSIM_COUNT || test.state.counter;
  const std::uint64_t total =
      test.it.form == ACLSIM_COUNT ? static_cast<std::uint64_t>(test.it.count) : test.state.mask[0];
  for (unsigned i = 0; counts && i < total; ++i) all.push_back({i / per_repeat, i % per_repeat});
  const std::uint64_t* mask = test.it.form == ACLSIM_MASK_KEPT ? test.state.mask : test.it.mask;
  for (unsigned repeat = 0; !counts && repeat < test.it.repeat; ++repeat) {
    for (unsigned lane = 0; lane < per_repeat; ++lane) {
      const bool on = test.it.form == ACLSIM_MASK_N ? lane < test.it.mask[0]
                                                    : (mask[lane / 64] >> lane % 64 & 1U) != 0;
      if (on) all.push_back({repeat, lane});
    }
  }
  return all;
}
std::uint64_t element_of(const Case& test, unsigned i, Lane lane, unsigned per_repeat) {
  const aclsimOperand& operand = test.it.operand[i];
  if (test.it.form == ACLSIM_COUNT) return lane.repeat * per_repeat + lane.lane;
  const unsigned per_block = 32 / type_of(operand.element).bytes();
  return (lane.repeat * operand.repeat_stride + lane.lane / per_block * operand.block_stride) *
             per_block +
         lane.lane % per_block;
}

template <typename Check>
void each_round(const char* name, Check check) {
  const std::uint64_t seed = support::first_seed();
  const auto found = std::find_if(kCases.begin(), kCases.end(), [name](const Named& named) {
    return std::string(named.name) == name;
  });
  for (unsigned round = 0; round < 20; ++round) {
    INFO("ACLSIM_TEST_SEED=" << seed << " " << name << " round " << round);
    Random random(seed * 104729 + round);
    Case test;
    for (std::uint8_t& byte : test.memory) byte = static_cast<std::uint8_t>(random());
    found->make(test, random);
    REQUIRE_FALSE(unit::check(test.it, test.state));
    check(test);
  }
}

double tree(const std::vector<double>& values, std::size_t from, std::size_t number,
            const Type& type) {
  if (number == 1) return values[from];
  return rounded(
      tree(values, from, number / 2, type) + tree(values, from + number / 2, number / 2, type),
      type);
}

TEST_CASE("comparisons set the bits of the lanes that hold", "[vector][kinds]") {
  each_round("Compare", [](Case& test) {
    const unsigned n = 256 / type_of(test.it.operand[1].element).bytes();
    unit::execute(test.it, test.state);
    const bool counts = test.it.form == ACLSIM_COUNT || test.state.counter;
    const auto span = counts ? active(test, n).size() : std::size_t{test.it.repeat} * n;
    for (unsigned i = 0; i < span; ++i) {
      const Lane lane = {i / n, i % n};
      const double a = test.at(1, element_of(test, 1, lane, n)).real;
      const double b = test.at(2, element_of(test, 2, lane, n)).real;
      const bool holds[] = {a<b, a> b, a == b, a <= b, a >= b, a != b};
      if (test.bit(0, i) != holds[test.it.mode]) FAIL("lane " << i);
    }
  });
}

TEST_CASE("a selection takes the second source where the bit is not set", "[vector][kinds]") {
  each_round("Select", [](Case& test) {
    const unsigned n = 256 / type_of(test.it.operand[0].element).bytes();
    const std::vector<Lane> all = active(test, n);
    const bool counts = test.it.form == ACLSIM_COUNT || test.state.counter;
    std::size_t bits_read = counts ? all.size() : std::size_t{test.it.repeat} * n;
    if (test.it.mode == 0) bits_read = std::min<std::size_t>(bits_read, n);
    const Bytes reads = touched(test, ACLSIM_READS);
    CHECK(std::distance(reads.lower_bound(kRegion), reads.lower_bound(2 * kRegion)) ==
          static_cast<std::ptrdiff_t>(all.empty() ? 0 : (bits_read + 7) / 8));
    unit::execute(test.it, test.state);
    for (const Lane lane : all) {
      const unsigned bit = test.it.mode == 0 ? lane.lane : lane.repeat * n + lane.lane;
      const unsigned from = test.bit(1, bit) ? 2 : 3;
      const auto bits = [&](unsigned i) {
        return encode(test.at(i, element_of(test, i, lane, n)),
                      type_of(test.it.operand[0].element));
      };
      if (bits(0) != bits(from)) FAIL("repeat " << lane.repeat << " lane " << lane.lane);
    }
  });
}

TEST_CASE("sums of repeats are trees of neighbours", "[vector][kinds]") {
  each_round("ReduceRepeat", [](Case& test) {
    const Type& type = type_of(test.it.operand[1].element);
    const unsigned n = 256 / type.bytes();
    const std::int32_t kind = test.it.mode & 0xff;
    test.it.mode = kind | 2 << 8;  // values only
    const std::vector<Lane> all = active(test, n);
    std::vector<std::vector<double>> repeats;
    std::vector<std::vector<double>> present;
    for (const Lane lane : all) {
      while (repeats.size() <= lane.repeat) {
        repeats.emplace_back(n, 0.0);
        present.emplace_back();
      }
      repeats[lane.repeat][lane.lane] = test.at(1, element_of(test, 1, lane, n)).real;
      present[lane.repeat].push_back(repeats[lane.repeat][lane.lane]);
    }
    unit::execute(test.it, test.state);
    for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
      if (present[repeat].empty()) continue;
      const double wanted = kind == 0 ? tree(repeats[repeat], 0, n, type)
                            : kind == 1
                                ? *std::max_element(present[repeat].begin(), present[repeat].end())
                                : *std::min_element(present[repeat].begin(), present[repeat].end());
      CHECK(test.at(0, repeat * test.it.operand[0].repeat_stride).real == wanted);
    }
  });
}

TEST_CASE("the sum of a count adds the repeats in order", "[vector][kinds]") {
  each_round("ReduceSum", [](Case& test) {
    const Type& type = type_of(test.it.operand[1].element);
    const unsigned n = 256 / type.bytes();
    test.it.form = ACLSIM_COUNT;
    const auto count = static_cast<std::uint64_t>(test.it.count);
    if (count == 0) return;
    std::vector<double> values((count + n - 1) / n * n, 0.0);
    for (std::uint64_t i = 0; i < count; ++i) values[i] = test.at(1, i).real;
    double wanted = tree(values, 0, n, type);
    for (std::size_t at = n; at < values.size(); at += n) {
      wanted = rounded(wanted + tree(values, at, n, type), type);
    }
    unit::execute(test.it, test.state);
    CHECK(test.at(0, 0).real == wanted);
  });
}

TEST_CASE("the greatest of all comes with the first place that has it", "[vector][kinds]") {
  each_round("ReduceMax", [](Case& test) {
    const Type& type = type_of(test.it.operand[1].element);
    const unsigned n = 256 / type.bytes();
    test.it.mode = 1;
    const std::vector<Lane> all = active(test, n);
    if (all.empty()) return;
    double wanted = -INFINITY;
    std::uint64_t where = 0;
    for (const Lane lane : all) {
      const double value = test.at(1, element_of(test, 1, lane, n)).real;
      if (value > wanted) {
        wanted = value;
        where = lane.repeat * n + lane.lane;
      }
    }
    unit::execute(test.it, test.state);
    CHECK(test.at(0, 0).real == wanted);
    std::uint64_t index = 0;
    std::memcpy(&index, test.region(0) + type.bytes(), type.bytes());
    CHECK(index == where);
  });
}

TEST_CASE("groups of 32 are sorted by descending score, equal ones in their order",
          "[vector][kinds]") {
  each_round("Sort32", [](Case& test) {
    const Type& type = type_of(test.it.operand[1].element);
    unit::execute(test.it, test.state);
    for (unsigned group = 0; group < test.it.repeat; ++group) {
      std::vector<unsigned> order(32);
      for (unsigned i = 0; i < 32; ++i) order[i] = group * 32 + i;
      std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
        const double left = test.at(1, a).real;
        const double right = test.at(1, b).real;
        return left != right ? left > right : a < b;
      });
      for (unsigned i = 0; i < 32; ++i) {
        const std::uint64_t record = group * 32 + i;
        CHECK(test.at(0, record * 8 / type.bytes()).real == test.at(1, order[i]).real);
        CHECK(test.word(0, record * 2 + 1) == test.word(2, order[i]));
      }
    }
  });
}

TEST_CASE("sixteen blocks are transposed", "[vector][kinds]") {
  each_round("TransDataTo5HD", [](Case& test) {
    const unsigned bytes = type_of(test.it.operand[0].element).bytes();
    if (bytes != 2 || test.it.repeat == 0) return;
    unit::execute(test.it, test.state);
    const unsigned last = test.it.repeat == 1 ? 1U : test.it.repeat - 1U;
    for (unsigned row = 0; row < 16; ++row) {
      for (unsigned column = 0; column < 16; ++column) {
        const std::uint8_t* from =
            test.region(1) + row * 64 + last * test.it.operand[1].repeat_stride * 32 + column * 2;
        const std::uint8_t* to = test.region(0) + column * 32 + last * 16 * 32 + row * 2;
        if (std::memcmp(from, to, 2) != 0) FAIL(row << " " << column);
      }
    }
  });
}

}  // namespace
