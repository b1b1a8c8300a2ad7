// SPDX-License-Identifier: Apache-2.0
// Instructions that compute lane by lane, in random geometry, against the slow reference.
#include <cstdio>
#include <random>
#include <set>
#include <string>
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

std::uint64_t up_to(Random& random, std::uint64_t most) { return random() % (most + 1); }
template <typename T>
T one_of(Random& random, std::initializer_list<T> values) {
  return values.begin()[up_to(random, values.size() - 1)];
}

// ---- what is computed
// ----------------------------------------------------------------------------

double relu(double x) { return x <= 0 ? 0 : x; }
double most(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : a > b ? a : b; }
double least(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : a < b ? a : b; }

/// The result of one step of `type`; d: the old value of dst.
double real_result(std::uint16_t opcode, double d, double a, double b, const Type& type) {
  const auto step = [&type](double x) { return rounded(x, type); };
  switch (opcode) {
    case ACLSIM_OP_Add:
    case ACLSIM_OP_Adds:
      return step(a + b);
    case ACLSIM_OP_Sub:
    case ACLSIM_OP_Subs:
      return step(a - b);
    case ACLSIM_OP_Mul:
    case ACLSIM_OP_Muls:
      return step(a * b);
    case ACLSIM_OP_Div:
    case ACLSIM_OP_Divs:
      return step(a / b);
    case ACLSIM_OP_Max:
    case ACLSIM_OP_Maxs:
      return most(a, b);
    case ACLSIM_OP_Min:
    case ACLSIM_OP_Mins:
      return least(a, b);
    case ACLSIM_OP_AddRelu:
      return relu(step(a + b));
    case ACLSIM_OP_SubRelu:
      return relu(step(a - b));
    case ACLSIM_OP_FusedMulAdd:
      return step(step(a * d) + b);
    case ACLSIM_OP_MulAddRelu:
      return relu(step(step(a * d) + b));
    case ACLSIM_OP_MulAddDst:
    case ACLSIM_OP_Axpy:
      return step(step(a * b) + d);
    case ACLSIM_OP_Prelu:
    case ACLSIM_OP_LeakyRelu:
      return a >= 0 ? a : step(a * b);
    case ACLSIM_OP_AbsSub:
      return std::fabs(step(a - b));
    case ACLSIM_OP_ExpSub:
      return step(std::exp(step(a - b)));
    case ACLSIM_OP_Relu:
      return relu(a);
    case ACLSIM_OP_Abs:
      return std::fabs(a);
    case ACLSIM_OP_Neg:
      return -a;
    case ACLSIM_OP_Exp:
      return step(std::exp(a));
    case ACLSIM_OP_Ln:
      return step(std::log(a));
    case ACLSIM_OP_Reciprocal:
      return step(1 / a);
    case ACLSIM_OP_Rsqrt:
      return step(1 / std::sqrt(a));
    case ACLSIM_OP_Sqrt:
      return step(std::sqrt(a));
    default:
      FAIL("no reference for real numbers: " << unit::name(opcode));
  }
  return 0;
}

Wide quotient(Wide a, Wide b, const Type& type) {
  return b == 0 ? wrapped(-1, type) : wrapped(a / b, type);
}
Wide shifted(Wide a, Wide by, const Type& type, bool left) {
  if (by < 0 || by >= type.bits) return !left && a < 0 ? -1 : 0;
  const Wide power = static_cast<Wide>(1) << by;
  if (left)
    return wrapped(
        static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(power)), type);
  return a >= 0 ? a / power : -((-a + power - 1) / power);
}

Wide whole_result(std::uint16_t opcode, Wide d, Wide a, Wide b, const Type& type) {
  const auto keep = [&type](Wide x) { return wrapped(x, type); };
  const auto times = [&](Wide x, Wide y) {
    return keep(static_cast<Wide>(static_cast<UnsignedWide>(x) * static_cast<UnsignedWide>(y)));
  };
  switch (opcode) {
    case ACLSIM_OP_Add:
    case ACLSIM_OP_Adds:
      return keep(a + b);
    case ACLSIM_OP_Sub:
    case ACLSIM_OP_Subs:
      return keep(a - b);
    case ACLSIM_OP_Mul:
    case ACLSIM_OP_Muls:
      return times(a, b);
    case ACLSIM_OP_Div:
    case ACLSIM_OP_Divs:
      return quotient(a, b, type);
    case ACLSIM_OP_Reciprocal:
      return quotient(1, a, type);
    case ACLSIM_OP_Max:
    case ACLSIM_OP_Maxs:
      return a > b ? a : b;
    case ACLSIM_OP_Min:
    case ACLSIM_OP_Mins:
      return a < b ? a : b;
    case ACLSIM_OP_And:
    case ACLSIM_OP_Ands:
      return a & b;
    case ACLSIM_OP_Or:
    case ACLSIM_OP_Ors:
      return a | b;
    case ACLSIM_OP_Not:
      return keep(~a);
    case ACLSIM_OP_AddRelu:
      return keep(a + b) > 0 ? keep(a + b) : 0;
    case ACLSIM_OP_SubRelu:
      return keep(a - b) > 0 ? keep(a - b) : 0;
    case ACLSIM_OP_FusedMulAdd:
      return keep(times(a, d) + b);
    case ACLSIM_OP_MulAddRelu:
      return keep(times(a, d) + b) > 0 ? keep(times(a, d) + b) : 0;
    case ACLSIM_OP_Relu:
      return a > 0 ? a : 0;
    case ACLSIM_OP_Abs:
      return keep(a < 0 ? -a : a);
    case ACLSIM_OP_Neg:
      return keep(-a);
    case ACLSIM_OP_ShiftLeft:
    case ACLSIM_OP_ShiftLeftTensor:
      return shifted(a, b, type, true);
    case ACLSIM_OP_ShiftRight:
    case ACLSIM_OP_ShiftRightTensor:
      return shifted(a, b, type, false);
    default:
      FAIL("no reference for integers: " << unit::name(opcode));
  }
  return 0;
}

/// How far off the result may be, in numbers of the type.
std::uint64_t tolerance(std::uint16_t opcode, const Type& type) {
  const bool computed = opcode == ACLSIM_OP_Exp || opcode == ACLSIM_OP_Ln ||
                        opcode == ACLSIM_OP_Rsqrt || opcode == ACLSIM_OP_ExpSub;
  if (!computed) return 0;
  return type.element == ACLSIM_FLOAT ? 2 : 1;
}

// ---- one random instruction
// ----------------------------------------------------------------------

struct Shape {
  std::uint16_t opcode;
  std::uint8_t dst;
  std::uint8_t src;
  unsigned sources;  // tensors
  bool scalar;
};

/// All that is computed lane by lane with one result.
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  const auto lanewise = [](std::uint16_t opcode) {
    return (opcode <= ACLSIM_OP_Neg || (opcode >= ACLSIM_OP_Adds && opcode <= ACLSIM_OP_Axpy)) &&
           opcode != ACLSIM_OP_Mull && opcode != ACLSIM_OP_AddDeqRelu &&
           opcode != ACLSIM_OP_MulCast && opcode != ACLSIM_OP_AddReluCast &&
           opcode != ACLSIM_OP_SubReluCast;
  };
  for (const unit::InstructionRow& row : unit::all_rows()) {
    if (!lanewise(row.opcode)) continue;
    const bool scalar = row.opcode >= ACLSIM_OP_Adds;
    const unsigned sources = scalar || row.opcode >= ACLSIM_OP_Relu ? 1 : 2;
    if ((row.flags & ACLSIM_PAIRS) != 0) {
      for (const unit::Pair& pair : unit::all_pairs()) {
        if (pair.opcode == row.opcode)
          all.push_back({row.opcode, pair.dst, pair.src, sources, scalar});
      }
      continue;
    }
    for (std::uint8_t element = 0; element < 32; ++element) {
      if (((row.old_types | row.new_types) >> element & 1U) == 0) continue;
      if (row.opcode == ACLSIM_OP_Not && type_of(element).real()) continue;  // of bits: elsewhere
      all.push_back({row.opcode, element, element, sources, scalar});
    }
  }
  return all;
}

/// Random bits: ordinary numbers, edges and anything.
std::uint64_t random_bits(Random& random, const Type& type) {
  const std::uint64_t keep = type.bits == 64 ? ~0ULL : (1ULL << type.bits) - 1;
  switch (up_to(random, 3)) {
    case 0:
      return random() & keep;
    case 1:
      return one_of<std::uint64_t>(random, {0, 1, 2, keep, keep - 1, keep >> 1, (keep >> 1) + 1});
    default: {
      Value value;
      value.whole = static_cast<Wide>(up_to(random, 40)) - (type.is_signed ? 20 : 0);
      value.real = rounded(static_cast<double>(static_cast<long long>(value.whole)) / 4, type);
      return encode(value, type) & keep;
    }
  }
}

struct Operand {
  std::uint64_t at;  // in the arena
  std::uint64_t size;
  unsigned block;
  unsigned repeat;
  Type type;
};

struct Trial {
  Trial() { state.control = 1ULL << 48; }  // infinities and NaN stay what they are

  aclsimInstruction instruction{};
  unit::State state;
  std::vector<Operand> operands;
  unsigned per_repeat = 0;
  std::vector<std::vector<unsigned>> active;  // lanes of each repeat
  std::vector<std::uint8_t> arena;
  std::uint8_t* base = nullptr;

  std::uint64_t offset(const Operand& operand, unsigned repeat, unsigned lane) const {
    const unsigned per_block = 32 / operand.type.bytes();
    if (instruction.form == ACLSIM_COUNT) {
      return operand.at + (std::uint64_t{repeat} * per_repeat + lane) * operand.type.bytes();
    }
    return operand.at +
           (std::uint64_t{repeat} * operand.repeat + lane / per_block * operand.block) * 32 +
           lane % per_block * operand.type.bytes();
  }
};

/// The lanes, by the words of the documentation.
void choose_lanes(Trial& trial, Random& random) {
  aclsimInstruction& it = trial.instruction;
  const unsigned n = trial.per_repeat;
  it.form = one_of<std::uint8_t>(
      random, {ACLSIM_COUNT, ACLSIM_COUNT, ACLSIM_MASK_N, ACLSIM_MASK_BITS, ACLSIM_MASK_KEPT});
  std::uint64_t total = 0;
  bool counts = false;
  if (it.form == ACLSIM_COUNT) {
    it.count = static_cast<std::int64_t>(up_to(random, 5 * n)) - 1;
    total = it.count < 0 ? 0 : static_cast<std::uint64_t>(it.count);
    counts = true;
    trial.state.counter = up_to(random, 1) != 0;  // does not matter
  } else {
    it.repeat = static_cast<std::uint16_t>(up_to(random, 4));
    trial.state.counter = up_to(random, 4) == 0;
    std::uint64_t bits[2] = {random(), random()};
    if (up_to(random, 2) == 0) bits[0] = bits[1] = ~0ULL;
    if (trial.state.counter) bits[0] = up_to(random, 4 * n);
    counts = trial.state.counter;
    total = bits[0];
    if (it.form == ACLSIM_MASK_N) {
      it.mask[0] = counts ? total : up_to(random, n + 10);
      bits[0] = it.mask[0];
    } else if (it.form == ACLSIM_MASK_BITS) {
      std::copy(bits, bits + 2, it.mask);
    } else {
      std::copy(bits, bits + 2, trial.state.mask);
    }
    for (unsigned repeat = 0; repeat < it.repeat && !counts; ++repeat) {
      trial.active.emplace_back();
      for (unsigned lane = 0; lane < n; ++lane) {
        const bool all = (bits[0] & bits[1]) == ~0ULL;
        const bool on = it.form == ACLSIM_MASK_N ? lane < it.mask[0]
                        : lane >= 128            ? all
                                                 : (bits[lane / 64] >> lane % 64 & 1U) != 0;
        if (on) trial.active.back().push_back(lane);
      }
    }
  }
  for (std::uint64_t done = 0; counts && done < total; done += n) {
    trial.active.emplace_back();
    for (unsigned lane = 0; lane < n && done + lane < total; ++lane) {
      trial.active.back().push_back(lane);
    }
  }
}

void place(Trial& trial, Random& random, const Shape& shape) {
  std::uint64_t end = 64;
  const bool in_place = shape.dst == shape.src && up_to(random, 3) == 0;
  for (unsigned i = 0; i < shape.sources + 1; ++i) {
    Operand operand{};
    operand.type = type_of(i == 0 ? shape.dst : shape.src);
    const unsigned natural = trial.per_repeat * operand.type.bytes() / 32;
    operand.block = one_of<unsigned>(random, {1, 1, 1, i == 0 ? 2U : 0U, 3});
    operand.repeat = one_of<unsigned>(
        random, {natural, natural, natural * operand.block + 1, i == 0 ? 32U : 0U});
    if (i == 0) operand.repeat = std::max(operand.repeat, natural * operand.block);
    operand.at = end;
    if (i == 1 && in_place) operand = trial.operands[0];
    std::uint64_t last = operand.at;
    for (unsigned repeat = 0; repeat < trial.active.size(); ++repeat) {
      for (const unsigned lane : trial.active[repeat]) {
        last = std::max(last, trial.offset(operand, repeat, lane) + operand.type.bytes());
      }
    }
    operand.size = last - operand.at;
    end = std::max(end, (last + 31) / 32 * 32 + 64);
    trial.operands.push_back(operand);
  }
  trial.arena.resize(end + 64 + 32);
}

void fill(Trial& trial, Random& random) {
  for (std::uint8_t& byte : trial.arena) byte = static_cast<std::uint8_t>(random());
  const auto address = reinterpret_cast<std::uintptr_t>(trial.arena.data());
  trial.base = trial.arena.data() + (32 - address % 32) % 32;
  for (const Operand& operand : trial.operands) {
    for (std::uint64_t at = 0; at + operand.type.bytes() <= operand.size;
         at += operand.type.bytes()) {
      const std::uint64_t bits = random_bits(random, operand.type);
      std::memcpy(trial.base + operand.at + at, &bits, operand.type.bytes());
    }
  }
}

Trial make(Random& random, const Shape& shape) {
  Trial trial;
  aclsimInstruction& it = trial.instruction;
  it.size = sizeof(it);
  it.opcode = shape.opcode;
  trial.per_repeat = 256 / std::max(type_of(shape.dst).bytes(), type_of(shape.src).bytes());
  choose_lanes(trial, random);
  place(trial, random, shape);
  fill(trial, random);
  for (const Operand& operand : trial.operands) {
    aclsimOperand& to = it.operand[it.operands++];
    to.address = trial.base + operand.at;
    to.bytes = operand.size == 0 ? 1 : operand.size;
    to.block_stride = static_cast<std::uint16_t>(operand.block);
    to.repeat_stride = static_cast<std::uint16_t>(operand.repeat);
    to.element = operand.type.element;
  }
  if (shape.scalar) {
    it.scalars = 1;
    it.scalar[0] = random_bits(random, type_of(shape.src));
    if (shape.opcode == ACLSIM_OP_ShiftLeft || shape.opcode == ACLSIM_OP_ShiftRight) {
      it.scalar[0] = up_to(random, type_of(shape.src).bits);
    }
  }
  return trial;
}

using Bytes = std::set<std::uint64_t>;

std::uint64_t load(const std::uint8_t* from, const Type& type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, type.bytes());
  return bits;
}

/// Runs the instruction on a copy, lane by lane; returns the bytes that it read and wrote.
std::vector<std::uint8_t> expected(const Trial& trial, const Shape& shape, Bytes& reads,
                                   Bytes& writes) {
  std::vector<std::uint8_t> copy = trial.arena;
  std::uint8_t* base = copy.data() + (trial.base - trial.arena.data());
  const Type& type = trial.operands[0].type;
  for (unsigned repeat = 0; repeat < trial.active.size(); ++repeat) {
    for (const unsigned lane : trial.active[repeat]) {
      Value values[3];
      for (unsigned i = 0; i < trial.operands.size(); ++i) {
        const Operand& operand = trial.operands[i];
        const std::uint64_t at = trial.offset(operand, repeat, lane);
        values[i] = decode(load(base + at, operand.type), operand.type);
        for (unsigned k = 0; k < operand.type.bytes(); ++k)
          (i == 0 ? writes : reads).insert(at + k);
      }
      if (shape.scalar) values[2] = decode(trial.instruction.scalar[0], type_of(shape.src));
      Value result;
      result.real = type.real() ? real_result(shape.opcode, values[0].real, values[1].real,
                                              values[2].real, type)
                                : 0;
      result.whole = type.real() ? 0
                                 : whole_result(shape.opcode, values[0].whole, values[1].whole,
                                                values[2].whole, type);
      const std::uint64_t bits = encode(result, type);
      std::memcpy(base + trial.offset(trial.operands[0], repeat, lane), &bits, type.bytes());
    }
  }
  if ((unit::row_of(shape.opcode)->flags & ACLSIM_READS_DST) != 0) {
    reads.insert(writes.begin(), writes.end());
  }
  return copy;
}

void require_same(const Trial& trial, const Shape& shape, const std::vector<std::uint8_t>& want,
                  const Bytes& writes) {
  const auto skip = static_cast<std::uint64_t>(trial.base - trial.arena.data());
  const Type& type = trial.operands[0].type;
  for (std::uint64_t i = 0; i < want.size(); ++i) {
    if (writes.count(i - skip) == 0 && trial.arena[i] != want[i]) {
      FAIL("byte " << i - skip << " was no lane's, and has changed");
    }
  }
  for (unsigned repeat = 0; repeat < trial.active.size(); ++repeat) {
    for (const unsigned lane : trial.active[repeat]) {
      const std::uint64_t at = skip + trial.offset(trial.operands[0], repeat, lane);
      const std::uint64_t got = load(trial.arena.data() + at, type);
      const std::uint64_t wanted = load(want.data() + at, type);
      if (got == wanted || (is_nan(got, type) && is_nan(wanted, type))) continue;
      const bool zeros =
          type.real() && decode(got, type).real == 0 && decode(wanted, type).real == 0;
      if (zeros && shape.opcode <= ACLSIM_OP_Mins && shape.opcode != ACLSIM_OP_Add) continue;
      if (steps_between(got, wanted) <= tolerance(shape.opcode, type)) continue;
      FAIL("repeat " << repeat << ", lane " << lane << ": " << std::hex << got << ", expected "
                     << wanted);
    }
  }
}

void require_touched(const Trial& trial, const Bytes& reads, const Bytes& writes) {
  std::vector<unit::Touch> touches;
  unit::touched(trial.instruction, trial.state, touches);
  Bytes found[2];
  for (const unit::Touch& touch : touches) {
    for (std::uint64_t i = 0; i < touch.times; ++i) {
      for (std::uint64_t k = 0; k < touch.bytes; ++k) {
        const std::uint64_t at =
            touch.address + i * touch.stride + k - reinterpret_cast<std::uintptr_t>(trial.base);
        found[touch.access == ACLSIM_WRITES ? 1 : 0].insert(at);
      }
    }
  }
  REQUIRE(found[0] == reads);
  REQUIRE(found[1] == writes);
}

/// A tensor one byte short is found, and nothing else is.
void require_checked(const Trial& trial) {
  const auto found = unit::check(trial.instruction, trial.state);
  INFO((found ? found->sentence : std::string()));
  REQUIRE_FALSE(found);
  for (unsigned i = 0; i < trial.operands.size(); ++i) {
    if (trial.operands[i].size < 2) continue;
    aclsimInstruction less = trial.instruction;
    less.operand[i].bytes -= 1;
    const auto violation = unit::check(less, trial.state);
    REQUIRE(violation);
    CHECK(violation->fault == unit::Fault::kSize);
    CHECK(violation->operand == static_cast<int>(i));
  }
}

TEST_CASE("each lane is computed as written, and no other byte changes", "[vector]") {
  const std::vector<Shape> all = shapes();
  const std::uint64_t seed = support::first_seed();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!support::in_share(i, 4)) continue;
    const Shape& shape = all[i];
    for (unsigned round = 0; round < 12; ++round) {
      Random random(seed * 1000003 + i * 101 + round);
      Trial trial = make(random, shape);
      INFO("ACLSIM_TEST_SEED=" << seed << " " << unit::name(shape.opcode) << " of "
                               << type_of(shape.dst).name << " from " << type_of(shape.src).name
                               << ", round " << round << ", form " << int(trial.instruction.form));
      Bytes reads;
      Bytes writes;
      require_checked(trial);
      const std::vector<std::uint8_t> want = expected(trial, shape, reads, writes);
      require_touched(trial, reads, writes);
      unit::execute(trial.instruction, trial.state);
      require_same(trial, shape, want, writes);
    }
  }
}

}  // namespace
