// SPDX-License-Identifier: Apache-2.0
// Checks of instructions before they run, and registers.
#include <random>
#include <vector>

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/loops.h"
#include "runtime/ascendc/vector/rows.h"
#include "runtime/ascendc/vector/unit.h"
#include "tests/ascendc/vector_reference.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

namespace {

using namespace vectortest;
namespace unit = ascendc::vector;
using unit::Fault;

alignas(256) std::uint8_t memory[4][4096];

struct Made {
  aclsimInstruction it{};
  explicit Made(std::uint16_t opcode) {
    it.size = sizeof(it);
    it.opcode = opcode;
    it.form = ACLSIM_COUNT;
  }
  Made& operand(std::uint8_t element, std::uint64_t bytes = 4096, std::uint64_t from = 0,
                int region = -1) {
    aclsimOperand& to = it.operand[it.operands];
    to.address = memory[region < 0 ? it.operands : region] + from;
    to.bytes = bytes;
    to.element = element;
    to.block_stride = 1;
    to.repeat_stride = 8;
    ++it.operands;
    return *this;
  }
  Made& count(std::int64_t number) {
    it.count = number;
    return *this;
  }
  Made& masked(std::uint64_t lanes, std::uint16_t repeat) {
    it.form = ACLSIM_MASK_N;
    it.mask[0] = lanes;
    it.repeat = repeat;
    return *this;
  }
};

void expect(const Made& made, Fault fault, const char* text) {
  const auto found = unit::check(made.it, unit::State());
  REQUIRE(found);
  CHECK(found->fault == fault);
  CHECK_THAT(found->sentence, catch_compat::ContainsSubstring(text));
}
bool fine(const Made& made) { return !unit::check(made.it, unit::State()); }

TEST_CASE("an instruction that passes says what it touches, a new one each time",
          "[vector][check]") {
  std::vector<unit::Touch> touches;
  const auto pieces = [&](const Made& made) {
    REQUIRE_FALSE(unit::check(made.it, unit::State(), touches));
    std::vector<unit::Touch> alone;
    unit::touched(made.it, unit::State(), alone);
    REQUIRE(touches.size() == alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      CHECK(touches[i].operand == alone[i].operand);
      CHECK(touches[i].access == alone[i].access);
      CHECK(touches[i].address == alone[i].address);
      CHECK(touches[i].bytes == alone[i].bytes);
    }
    return touches.size();
  };
  const auto add = [] {
    return Made(ACLSIM_OP_Add).operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT);
  };
  CHECK(pieces(add().count(65)) == 3);
  CHECK(touches[2].bytes == 260);
  CHECK(pieces(add().masked(32, 2)) == 3);
  CHECK(pieces(add().count(0)) == 0);
}

TEST_CASE("a tensor that is too small is named with both sizes", "[vector][check]") {
  expect(Made(ACLSIM_OP_Add)
             .operand(ACLSIM_FLOAT, 256)
             .operand(ACLSIM_FLOAT)
             .operand(ACLSIM_FLOAT)
             .count(128),
         Fault::kSize, "Add: tensor dst: 512 bytes needed, 256 there");
  expect(Made(ACLSIM_OP_Cast).operand(ACLSIM_FLOAT).operand(ACLSIM_HALF, 100).masked(64, 1),
         Fault::kSize, "Cast: tensor src: 128 bytes needed, 100 there");
  CHECK(fine(Made(ACLSIM_OP_Cast).operand(ACLSIM_FLOAT).operand(ACLSIM_HALF, 128).masked(64, 1)));
  expect(Made(ACLSIM_OP_ReduceMax)
             .operand(ACLSIM_FLOAT)
             .operand(ACLSIM_FLOAT)
             .operand(ACLSIM_FLOAT, 16)
             .count(200),
         Fault::kSize, "tensor sharedTmpBuffer: 32 bytes needed, 16 there");
}

TEST_CASE("addresses of tensors are multiples of 32 bytes, of single values of their size",
          "[vector][check]") {
  expect(Made(ACLSIM_OP_Exp).operand(ACLSIM_FLOAT, 4096, 4).operand(ACLSIM_FLOAT).count(8),
         Fault::kAlignment, "Exp: tensor dst: address 0x");
  CHECK(fine(Made(ACLSIM_OP_ReduceSum)
                 .operand(ACLSIM_FLOAT, 64, 4)
                 .operand(ACLSIM_FLOAT)
                 .operand(ACLSIM_FLOAT)
                 .count(8)));
}

TEST_CASE("repeats, modes and strides out of range are refused", "[vector][check]") {
  Made add(ACLSIM_OP_Add);
  add.operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT).masked(64, 256);
  expect(add, Fault::kRange, "Add: repeatTime 256, expected 0 to 255");
  add.masked(64, 2).it.operand[0].block_stride = 0;
  expect(add, Fault::kRange, "tensor dst: block stride 0");
  Made cast(ACLSIM_OP_Cast);
  cast.operand(ACLSIM_FLOAT).operand(ACLSIM_HALF).count(8).it.mode = 1;
  expect(cast, Fault::kRange, "Cast: RoundMode 1 from half to float");
  Made shift(ACLSIM_OP_ShiftLeft);
  shift.operand(ACLSIM_INT16).operand(ACLSIM_INT16).count(8).it.scalar[0] = 17;
  expect(shift, Fault::kRange, "a shift by 17, expected 0 to 16");
  expect(Made(ACLSIM_OP_Compare)
             .operand(ACLSIM_UINT8)
             .operand(ACLSIM_FLOAT)
             .operand(ACLSIM_FLOAT)
             .count(65),
         Fault::kRange, "count 65 (260 bytes), expected a multiple of 256 bytes");
}

TEST_CASE("types that an instruction does not have are named", "[vector][check]") {
  expect(Made(ACLSIM_OP_Exp).operand(ACLSIM_INT32).operand(ACLSIM_INT32).count(8), Fault::kUnknown,
         "Exp: no instruction for int32_t");
  expect(Made(ACLSIM_OP_Cast).operand(ACLSIM_INT64).operand(ACLSIM_UINT8).count(8), Fault::kUnknown,
         "Cast: no conversion from uint8_t to int64_t");
  expect(Made(999), Fault::kUnknown, "vector instruction 999 is not known");
}

TEST_CASE("tensors are the same or apart", "[vector][check]") {
  const auto add = [](std::uint64_t from, std::int64_t count) {
    return Made(ACLSIM_OP_Add)
        .operand(ACLSIM_FLOAT)
        .operand(ACLSIM_FLOAT, 2048, from, 0)
        .operand(ACLSIM_FLOAT)
        .count(count);
  };
  CHECK(fine(add(0, 64)));
  CHECK(fine(add(256, 64)));
  expect(add(32, 64), Fault::kOverlap, "Add: tensor dst: it overlaps tensor src0 in part");
  CHECK(fine(add(256, 65)));  // the second repeat writes what the first one has read
  // Between each other's blocks is apart.
  Made woven = add(32, 0).masked(64, 1);
  woven.it.operand[0].block_stride = woven.it.operand[1].block_stride = 2;
  CHECK(fine(woven));
}

TEST_CASE("a repeat stride of 0 accumulates where the instruction may", "[vector][check]") {
  const auto made = [](std::uint16_t opcode) {
    Made it(opcode);
    it.operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT, 4096, 0, 0).masked(64, 3);
    it.it.operand[0].repeat_stride = it.it.operand[2].repeat_stride = 0;
    return it;
  };
  CHECK(fine(made(ACLSIM_OP_Add)));
  expect(made(ACLSIM_OP_Div), Fault::kOverlap, "a later repeat reads what an earlier one wrote");
}

TEST_CASE("offsets that leave the tensor are found before the gather", "[vector][check]") {
  const std::uint32_t offsets[] = {0, 4, 6, 4096};
  std::memcpy(memory[2], offsets, sizeof(offsets));
  Made it(ACLSIM_OP_Gather);
  it.operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT, 1024).operand(ACLSIM_UINT32).count(2);
  REQUIRE(fine(it));
  CHECK_FALSE(unit::check_addresses(it.it, unit::State()));
  const auto odd = unit::check_addresses(it.count(3).it, unit::State());
  REQUIRE(odd);
  CHECK(odd->sentence == "Gather: tensor src: offset 6 of lane 2 is not a multiple of 4");
  memory[2][8] = 8;
  const auto far = unit::check_addresses(it.count(4).it, unit::State());
  REQUIRE(far);
  CHECK(
      far->sentence ==
      "Gather: tensor src: offset 4096 of lane 3 leaves the tensor: 4100 bytes needed, 1024 there");
}

TEST_CASE("a gather may write beside what it gathers from one tensor, and not onto it",
          "[vector][check]") {
  const auto gather = [](std::uint32_t first) {
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint32_t offset = first + 4 * (63 - i);
      std::memcpy(memory[2] + 4 * i, &offset, 4);
    }
    Made it(ACLSIM_OP_Gather);  // dst lies 256 bytes into src
    it.operand(ACLSIM_FLOAT, 256, 256, 1)
        .operand(ACLSIM_FLOAT, 1024)
        .operand(ACLSIM_UINT32)
        .count(64);
    return it;
  };
  REQUIRE(fine(gather(0)));
  CHECK_FALSE(unit::check_addresses(gather(0).it, unit::State()));
  CHECK_FALSE(unit::check_addresses(gather(512).it, unit::State()));
  const auto onto = unit::check_addresses(gather(4).it, unit::State());
  REQUIRE(onto);
  CHECK(onto->sentence ==
        "Gather: tensor dst: it overlaps tensor src in part; they may be the same or apart");
}

TEST_CASE("pieces that are touched are joined, and many of them with what lies between",
          "[vector][check]") {
  const auto joined = [](std::size_t pieces, std::uint64_t stride) {
    std::vector<unit::Touch> touches;
    for (std::size_t i = pieces; i-- > 0;) {
      unit::Touch touch{};
      touch.address = 4096 + i * stride;
      touch.bytes = 4;
      touch.times = 1;
      touch.access = ACLSIM_READS;
      touches.push_back(touch);
    }
    unit::join(touches);
    return touches;
  };
  CHECK(joined(10, 4).size() == 1);
  CHECK(joined(10, 8).size() == 10);
  CHECK(joined(1000, 4).size() == 1);
  const auto many = joined(1000, 8);
  REQUIRE(many.size() == 1);
  CHECK(many[0].address == 4096);
  CHECK(many[0].bytes == 999 * 8 + 4);
}

TEST_CASE("nothing is asked of an instruction without lanes", "[vector][check]") {
  Made it(ACLSIM_OP_Add);
  it.operand(ACLSIM_FLOAT, 1, 4).operand(ACLSIM_FLOAT, 1).operand(ACLSIM_FLOAT, 1);
  CHECK(fine(it.count(0)));
  CHECK(fine(it.count(-5)));
  CHECK(fine(it.masked(0, 7)));
  CHECK(fine(it.masked(64, 0)));
}

TEST_CASE("forms leave the mask register as the machine does", "[vector]") {
  unit::State state;
  Made it(ACLSIM_OP_Add);
  it.operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT).operand(ACLSIM_FLOAT);
  unit::note(it.masked(5, 1).it, state);
  CHECK(state.mask[0] == 31);
  CHECK(state.mask[1] == 0);
  state.counter = true;
  unit::note(it.masked(100, 1).it, state);
  CHECK(state.mask[0] == 100);
  it.it.form = ACLSIM_COUNT;
  unit::note(it.it, state);
  CHECK(state.mask[1] == ~0ULL);
  CHECK_FALSE(state.counter);
}

TEST_CASE("both builds of the loops give the same bits", "[vector]") {
  std::mt19937_64 random(support::first_seed());
  std::vector<std::uint64_t> source[4];
  constexpr std::size_t kLanes = 301;
  for (auto& words : source) {
    for (std::size_t i = 0; i < kLanes; ++i) words.push_back(random());
  }
  const auto run = [&](unit::Loop loop, std::vector<std::uint64_t>& dst, bool two) {
    dst = source[0];
    std::vector<std::uint64_t> second = source[1];
    unit::Setting setting;
    setting.scalar = source[3][0] & 0xf;
    std::uint8_t* const at[] = {
        reinterpret_cast<std::uint8_t*>(dst.data()),
        reinterpret_cast<std::uint8_t*>(two ? second.data() : source[1].data()),
        reinterpret_cast<std::uint8_t*>(source[2].data()),
        reinterpret_cast<std::uint8_t*>(source[3].data())};
    loop(at, kLanes, setting);
    if (two) dst.insert(dst.end(), second.begin(), second.end());
  };
  for (const unit::InstructionRow& row : unit::all_rows()) {
    for (std::uint8_t element = 0; element < 32; ++element) {
      if (((row.old_types | row.new_types) >> element & 1U) == 0) continue;
      const unit::Loop chosen = unit::find_loop(row.opcode, element, element);
      const unit::Loop plain = unit::plain::find(row.opcode, element, element);
      REQUIRE((chosen == nullptr) == (plain == nullptr));
      if (chosen == nullptr) continue;
      INFO("ACLSIM_TEST_SEED=" << support::first_seed() << " " << row.name << " "
                               << unit::element_name(element));
      std::vector<std::uint64_t> results[2];
      const bool two = (row.flags & ACLSIM_TWO_DST) != 0;
      run(chosen, results[0], two);
      run(plain, results[1], two);
      const Type& type = type_of(element);
      const auto* a = reinterpret_cast<const std::uint8_t*>(results[0].data());
      const auto* b = reinterpret_cast<const std::uint8_t*>(results[1].data());
      for (std::size_t i = 0; i < kLanes; ++i) {
        std::uint64_t bits[2] = {};
        std::memcpy(&bits[0], a + i * type.bytes(), type.bytes());
        std::memcpy(&bits[1], b + i * type.bytes(), type.bytes());
        if (bits[0] != bits[1] && !(is_nan(bits[0], type) && is_nan(bits[1], type))) {
          FAIL("lane " << i << ": " << std::hex << bits[0] << " and " << bits[1]);
        }
      }
    }
  }
}

}  // namespace
