// SPDX-License-Identifier: Apache-2.0
// Random calls of each function of the library, with operands of random sizes between pages without
// access. A plan refuses a call or describes all bytes that the computation reads and writes.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "runtime/ascendc/library/plan.h"
#include "runtime/ascendc/vector/rows.h"
#include "tests/ascendc_library/bench.h"

namespace library_test {
namespace {

using ascendc::library::Plan;
using ascendc::vector::Touch;
using LibraryCall = ascendc::library::Call;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kSlot = 5 * kPage;        // four pages, and one without access
constexpr std::size_t kMost = 4 * kPage - 256;  // bytes of an operand; what is before it must stay
constexpr bool kNew = __NPU_ARCH__ == 3510;

struct Signature {
  std::uint16_t number;
  std::string name;
  std::vector<std::string> operands;
  std::vector<bool> optional;
  std::vector<std::uint8_t> types;
};

std::vector<Signature> signatures() {
  std::vector<Signature> all;
#define SIGNATURE(number, name, shape, operands, old_types, new_types, ...) \
  all.push_back({number, #name, {}, {}, {}});                               \
  fill(all.back(), operands, kNew ? ACLSIM_SET_OF(new_types) : ACLSIM_SET_OF(old_types));
  const auto fill = [](Signature& to, std::string_view text, std::uint32_t types) {
    for (std::uint8_t i = 0; i < 32; ++i) {
      if ((types >> i & 1U) != 0 && i != ACLSIM_NO_ELEMENT) to.types.push_back(i);
    }
    while (!text.empty()) {
      std::string one(text.substr(0, text.find(',')));
      text.remove_prefix(std::min(text.size(), one.size() + 1));
      to.optional.push_back(one.back() == '?');
      if (one.back() == '?') one.pop_back();
      to.operands.push_back(one);
    }
  };
  ACLSIM_LIBRARY_ROWS(SIGNATURE)
#undef SIGNATURE
  return all;
}

class Slots {
 public:
  Slots()
      : memory_(static_cast<std::uint8_t*>(mmap(nullptr, kSlot * ACLSIM_LIBRARY_OPERANDS,
                                                PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                                                -1, 0))) {
    for (unsigned i = 0; i < ACLSIM_LIBRARY_OPERANDS; ++i) {
      mprotect(end(i), kPage, PROT_NONE);
    }
  }
  ~Slots() { munmap(memory_, kSlot * ACLSIM_LIBRARY_OPERANDS); }
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;
  std::uint8_t* end(unsigned i) const { return memory_ + i * kSlot + 4 * kPage; }

 private:
  std::uint8_t* memory_;
};

class Caller {
 public:
  explicit Caller(unsigned seed) : random_(seed), noise_(4 * kSlot) {
    for (auto& byte : noise_) byte = static_cast<std::uint8_t>(random_());
  }

  /// Makes a call and computes it unless its plan refuses it; whether it was computed.
  bool try_one(const Signature& of);

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  template <typename T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
  }
  std::uint8_t type_of(const Signature& of, const std::string& operand, std::uint8_t type);
  std::int64_t any_number();
  void choose(const Signature& of);
  void choose_operands(const Signature& of);
  void choose_shape(const Signature& of);
  void choose_quantisation();
  void choose_blocks();
  void set(unsigned first, std::initializer_list<std::int64_t> values) {
    std::copy(values.begin(), values.end(), call_.number + first);
  }
  bool has(unsigned i) const { return call_.operand[i].element != ACLSIM_NO_ELEMENT; }
  void compute(const LibraryCall& call, const Plan& plan);

  std::mt19937 random_;
  std::vector<std::uint8_t> noise_;
  Slots slots_;
  bool huge_ = false;  // products of the numbers exceed 64 bits
  aclsimInstruction instruction_{};
  aclsimLibraryCall call_{};
};

std::int64_t Caller::any_number() {
  if (below(huge_ ? 2 : 24) == 0) {
    return one_of<std::int64_t>({-1, INT32_MAX, std::int64_t{1} << 31, std::int64_t{1} << 31,
                                 UINT32_MAX, std::int64_t{1} << 30, std::int64_t{1} << 20,
                                 std::int64_t{1} << 20, 65535, 65536});
  }
  return one_of<std::int64_t>({0,  1,  1,  1,  2,  3,  4,   5,   7,   8,   16,  16, 17,
                               31, 32, 32, 33, 64, 64, 100, 128, 255, 256, 512, 600});
}

/// The types that the kernel-side templates accept.
std::uint8_t Caller::type_of(const Signature& of, const std::string& operand, std::uint8_t type) {
  const auto starts = [&](const char* text) { return of.name.rfind(text, 0) == 0; };
  if (operand == "tmp" || (operand == "mask" && of.name == "DropOut")) return ACLSIM_UINT8;
  if (operand == "condition" || operand == "finish") return ACLSIM_BOOL;
  if (operand == "mask") return one_of<std::uint8_t>({ACLSIM_UINT8, ACLSIM_INT16, ACLSIM_UINT32});
  if (operand.find("Index") != std::string::npos) {
    return of.name == "TopK" ? ACLSIM_INT32 : ACLSIM_UINT32;
  }
  if (operand == "dst" && (starts("Logical") || starts("Is"))) return ACLSIM_BOOL;
  if (of.number >= 100 && of.number < 110 && operand != "dst" && operand != "src" &&
      operand != "grad" && operand != "softMaxRes" && type == ACLSIM_HALF) {
    return one_of<std::uint8_t>({ACLSIM_HALF, ACLSIM_FLOAT});
  }
  if (of.number >= 200 && of.number < 300 && operand != "inputX" && operand != "output" &&
      of.name != "RmsNorm" && of.name != "DeepNorm") {
    return one_of<std::uint8_t>({type, ACLSIM_FLOAT});
  }
  if (of.number >= 800) {
    if (operand == "dst") {
      if (of.name == "AscendQuant" || of.name == "Quantize") return ACLSIM_INT8;
      return one_of<std::uint8_t>({ACLSIM_HALF, ACLSIM_FLOAT, ACLSIM_BFLOAT16});
    }
    if (operand != "src") {
      const bool words = operand == "scale" && of.name == "AscendDequant";
      return one_of<std::uint8_t>(
          {ACLSIM_HALF, ACLSIM_FLOAT, words ? std::uint8_t{ACLSIM_UINT64} : std::uint8_t{type}});
    }
  }
  return type;
}

void Caller::choose_operands(const Signature& of) {
  const std::uint8_t type = of.types[below(static_cast<std::uint32_t>(of.types.size()))];
  const std::uint32_t room = one_of<std::uint32_t>({2, 16, 64, 64, 128, kMost / 32});
  for (unsigned i = 0; i < of.operands.size(); ++i) {
    aclsimOperand& operand = call_.operand[i];
    operand = aclsimOperand();
    if (of.optional[i] && below(3) == 0) continue;
    operand.element = type_of(of, of.operands[i], type);
    const bool result = i == 0 || of.operands[i].rfind("out", 0) == 0 || of.operands[i] == "tmp";
    operand.access = result ? ACLSIM_WRITES : ACLSIM_READS;
    operand.bytes = 32 * (room - below(room > 128 ? 2 : room));
    operand.address = slots_.end(i) - operand.bytes;
  }
  if (of.name == "Select") {  // one of the two sources
    const unsigned absent = 1 + below(2);
    for (const unsigned i : {1U, 2U}) {
      if (!has(i)) call_.operand[i] = call_.operand[3];
      call_.operand[i].element = call_.operand[0].element;
      call_.operand[i].address = slots_.end(i) - call_.operand[i].bytes;
      if (i == absent) call_.operand[i] = aclsimOperand();
    }
  }
}

/// n, c, d, h, w and the extents of the blocked layout that belong to them.
void Caller::choose_blocks() {
  std::array<std::int64_t, 5> of{};
  for (auto& extent : of) {
    extent = one_of<std::int64_t>({1, 1, 2, 3, 4, 16, huge_ ? std::int64_t{1} << 20 : 17});
  }
  const auto blocks = [](std::int64_t extent) { return (extent + 15) / 16; };
  set(2, {of[0], of[1], of[2], of[3], of[4]});
  if (call_.number[0] != 0) {
    set(7, {of[2], blocks(of[1]), of[3], of[4], blocks(of[0]), 16, 16});
  } else {
    set(7, {of[0], of[2], blocks(of[1]), of[3], of[4], 16, 0});
  }
}

void Caller::choose_quantisation() {
  set(ACLSIM_QUANT_FORM, {below(4), below(4), below(2)});
  call_.number[ACLSIM_QUANT_WORK] = below(2000);
  call_.number[ACLSIM_QUANT_ROUND] = below(6);
  if (!has(2)) call_.operand[3] = aclsimOperand();
  if (call_.number[0] == ACLSIM_QUANT_FLAT && !has(2)) call_.number[ACLSIM_QUANT_N] = 0;
  if (call_.number[0] == ACLSIM_QUANT_POLICY) {
    if (!has(2)) call_.number[ACLSIM_QUANT_BY] = ACLSIM_PER_TENSOR;
    if (call_.number[ACLSIM_QUANT_BY] == ACLSIM_PER_TENSOR) {
      call_.operand[2] = call_.operand[3] = aclsimOperand();
    }
  }
  if (call_.number[0] == ACLSIM_QUANT_ROWS && !has(2)) call_.number[0] = ACLSIM_QUANT_FLAT;
  if (below(2) != 0) call_.number[ACLSIM_QUANT_GROUP] = call_.number[ACLSIM_QUANT_N];
}

/// Numbers that occur together, for functions that would refuse most others.
void Caller::choose_shape(const Signature& of) {
  if (of.number >= 800) return choose_quantisation();
  if (of.name == "LogicalAnds" || of.name == "LogicalOrs") {
    call_.number[1] = !has(1) || !has(2) ? -1 : one_of<std::int64_t>({0, 1});
  }
  if (of.name == "DropOut") {
    call_.number[0] = below(5);
    call_.number[4] = one_of<std::int64_t>({0x3f000000, 0x3f800000, 0});
  }
  if (of.name == "Transpose") {
    const std::int64_t scene = 1 + below(17);
    const std::uint32_t bits = ascendc::vector::element_bits(call_.operand[1].element);
    set(0, {scene, __NPU_ARCH__, scene, bits / 8, scene <= 6 ? 4 : 2 + below(2)});
    const std::uint32_t most = huge_ ? 17 : 3;
    for (unsigned i = 5; i < 9; ++i) call_.number[i] = (i < 7 ? 1 : 16) << below(most);
  }
  if (of.name == "Pad" && below(2) != 0) {
    const std::int64_t width = one_of<std::int64_t>({5, 10, 17, 32, 64});
    const std::int64_t kept = width % 16 == 0 ? width - 1 - below(7) : width;
    set(0, {32, width, kept, width % 16 == 0 ? 0 : below(3), below(4)});
  }
  if (of.name == "PhiloxRandom") call_.number[0] = one_of<std::int64_t>({7, 10});
  if (of.name == "TransData") {
    set(0, {below(2), below(2)});
    if (below(4) != 0) choose_blocks();
  }
  if (of.name == "Broadcast") {
    const std::int64_t rank = 1 + below(kNew ? 9 : 2);
    set(0, {rank, std::int64_t{below(static_cast<std::uint32_t>(rank) + 1)} - 1});
    for (std::int64_t i = 0; i < rank; ++i) {
      std::int64_t& from = call_.number[2 + rank + i];
      if (rank > 2) from = one_of<std::int64_t>({1, 2, 3});
      const bool grows = call_.number[1] < 0 || call_.number[1] == i;
      if (grows && below(2) == 0) from = 1;
      call_.number[2 + i] = grows && from == 1 ? 1 + below(5) : from;
    }
  }
  if (of.name == "Normalize" && below(2) != 0) call_.number[5] = -1;
  if (of.name == "GroupNorm") {
    const std::int64_t channel = 1 + below(8), depth = 1 + below(3);
    set(1, {channel * depth});
    set(5, {channel, depth * 2, depth * 2});
  }
  if (of.name == "TopK" && below(4) != 0) {
    set(1, {32 * (1 + below(3)), 1 + below(32), 1 + below(4)});
  }
  if (of.number >= 100 && of.number < 110) {  // an update has all operands
    call_.number[4] = below(4);
    const bool updates = of.operands.size() > 6 && has(4) && has(5) && has(6);
    if (updates && (of.name != "SoftmaxFlashV3" || has(9))) call_.number[4] += below(2) * 4;
  }
  if (of.name == "SoftmaxFlashV3" && below(4) != 0) {
    set(0, {8, 512, 8, 512});
    set(5, {1 + below(3), 8});
  }
}

void Caller::choose(const Signature& of) {
  instruction_.opcode = static_cast<std::uint16_t>(ACLSIM_LIBRARY_FIRST + of.number);
  instruction_.more = &call_;
  call_.size = sizeof call_;
  call_.operands = static_cast<std::uint16_t>(of.operands.size());
  call_.numbers = ACLSIM_LIBRARY_NUMBERS;
  call_.flags = below(4) == 0 ? ACLSIM_REUSES_SOURCE : 0;
  huge_ = below(4) == 0;
  for (auto& number : call_.number) number = any_number();
  choose_operands(of);
  choose_shape(of);
}

/// The bytes of all operands, each with 256 bytes before it.
using Snapshot = std::vector<std::vector<std::uint8_t>>;

/// The bytes [begin, end) of an operand, counted in its image.
std::pair<std::size_t, std::size_t> place_of(const Touch& touch, const aclsimOperand& operand) {
  const auto address = reinterpret_cast<std::uintptr_t>(operand.address);
  const std::size_t begin = touch.address - address + 256;
  return {begin, begin + touch.bytes};
}

void Caller::compute(const LibraryCall& call, const Plan& plan) {
  const unsigned operands = call_.operands;
  const auto begin = [&](unsigned i) { return slots_.end(i) - call_.operand[i].bytes - 256; };
  const auto put = [&](const Snapshot& image) {
    for (unsigned i = 0; i < operands; ++i) {
      if (has(i)) std::copy(image[i].begin(), image[i].end(), begin(i));
    }
  };
  const auto get = [&] {
    Snapshot image(operands);
    for (unsigned i = 0; i < operands; ++i) {
      if (has(i)) image[i].assign(begin(i), slots_.end(i));
    }
    return image;
  };
  Snapshot first(operands), read(operands), written(operands);
  for (unsigned i = 0; i < operands; ++i) {
    const std::size_t bytes = has(i) ? call_.operand[i].bytes + 256 : 0;
    const std::uint8_t* const from = noise_.data() + below(3 * kSlot);
    first[i].assign(from, from + bytes);
    read[i].resize(bytes);
    written[i].resize(bytes);
  }
  for (const Touch& touch : plan.touches()) {
    auto& marks = touch.access == ACLSIM_READS ? read : written;
    for (std::uint64_t k = 0; k < touch.times; ++k) {
      Touch piece = touch;
      piece.address += k * touch.stride;
      const auto [from, to] = place_of(piece, call_.operand[touch.operand]);
      std::fill(marks[touch.operand].begin() + static_cast<std::ptrdiff_t>(from),
                marks[touch.operand].begin() + static_cast<std::ptrdiff_t>(to), std::uint8_t{1});
    }
  }
  // The bytes that the plan does not read have other values in the second image.
  Snapshot second = first;
  for (unsigned i = 0; i < operands; ++i) {
    for (std::size_t k = 0; k < second[i].size(); ++k) {
      if (read[i][k] == 0) second[i][k] ^= 0x5a;
    }
  }
  put(first);
  ascendc::library::compute(call);
  const Snapshot one = get();
  put(second);
  ascendc::library::compute(call);
  const Snapshot two = get();
  for (unsigned i = 0; i < operands; ++i) {
    std::size_t outside = 0, dependent = 0;
    for (std::size_t k = 0; k < one[i].size(); ++k) {
      const bool changed = one[i][k] != first[i][k] || two[i][k] != second[i][k];
      outside += changed && written[i][k] == 0;
      dependent += changed && one[i][k] != two[i][k];
    }
    INFO(call.row().name << ", operand " << i);
    CHECK(outside == 0);
    CHECK(dependent == 0);
  }
}

bool Caller::try_one(const Signature& of) {
  choose(of);
  const LibraryCall call(instruction_, below(2) == 0);
  Plan plan(call);
  ascendc::library::plan(call, plan);
  if (plan.violation()) return false;
  (void)plan.overlap();
  compute(call, plan);
  return true;
}

TEST_CASE("A random call of a library function is refused or stays in the bytes of its plan") {
  Caller caller(20261129);
  for (const Signature& signature : signatures()) {
    if (signature.types.empty()) continue;
    unsigned computed = 0;
    for (unsigned i = 0; i < 500 && computed < 24; ++i) {
      computed += caller.try_one(signature) ? 1 : 0;
    }
    INFO(signature.name);
    CHECK(computed != 0);
  }
}

}  // namespace
}  // namespace library_test
