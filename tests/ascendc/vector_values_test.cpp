// SPDX-License-Identifier: Apache-2.0
// Values worked out by hand, one line per instruction at least (vector_values.tsv).
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/rows.h"
#include "runtime/ascendc/vector/unit.h"
#include "tests/ascendc/vector_reference.h"
#include "tests/support/catch.h"

namespace {

using namespace vectortest;
namespace unit = ascendc::vector;

std::vector<std::string> parts(const std::string& text, char by) {
  std::vector<std::string> found;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) found.push_back(part);
  return found;
}

const Type& type_named(const std::string& name) {
  for (std::uint8_t element = 1; element < 17; ++element) {
    if (name == type_of(element).name) return type_of(element);
  }
  FAIL("no type " << name);
  return type_of(0);
}

std::uint64_t bits_of(const std::string& word, const Type& type) {
  if (word.rfind("0x", 0) == 0) return std::stoull(word, nullptr, 16);
  Value value;
  if (type.real()) {
    value.real = rounded(std::stod(word), type);
  } else {
    value.whole =
        word[0] == '-' ? static_cast<Wide>(std::stoll(word)) : static_cast<Wide>(std::stoull(word));
  }
  return encode(value, type);
}

/// "1 2*3" is 1, 2, 2, 2; "..4" counts up to 4.
std::vector<std::uint64_t> numbers(const std::string& text, const Type& type) {
  std::vector<std::uint64_t> all;
  for (const std::string& word : parts(text, ' ')) {
    if (word.empty()) continue;
    const std::size_t times = word.find('*');
    const std::size_t dots = word.find("..");
    if (dots != std::string::npos) {
      for (int i = std::stoi(word.substr(0, dots)); i <= std::stoi(word.substr(dots + 2)); ++i) {
        all.push_back(bits_of(std::to_string(i), type));
      }
    } else if (times != std::string::npos) {
      all.insert(all.end(), std::stoul(word.substr(times + 1)),
                 bits_of(word.substr(0, times), type));
    } else {
      all.push_back(bits_of(word, type));
    }
  }
  return all;
}

struct Place {
  Type type;
  std::vector<std::uint64_t> wanted;
  bool written;
  alignas(32) std::uint8_t bytes[4096];
};

/// "dst float = 1 2", "io float 1 2 = 3 4", "src@1,8 half 1 2".
void add_operand(aclsimInstruction& it, Place& place, const std::string& text) {
  const std::vector<std::string> sides = parts(text, '=');
  const std::vector<std::string> words = parts(sides[0], ' ');
  const std::vector<std::string> role = parts(words[0], '@');
  place.type = type_named(words[1]);
  place.written = sides.size() > 1;
  std::fill(std::begin(place.bytes), std::end(place.bytes), std::uint8_t{0});
  const std::size_t skip = words[0].size() + 1 + words[1].size();
  const std::vector<std::uint64_t> given = numbers(sides[0].substr(skip), place.type);
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::memcpy(place.bytes + i * place.type.bytes(), &given[i], place.type.bytes());
  }
  if (place.written) place.wanted = numbers(sides[1], place.type);
  aclsimOperand& operand = it.operand[it.operands++];
  operand.address = role[0] == "same" ? it.operand[0].address : place.bytes;
  operand.bytes = sizeof(place.bytes);
  operand.element = place.type.element;
  operand.block_stride = 1;
  operand.repeat_stride = 8;
  if (role.size() > 1) {
    operand.block_stride = static_cast<std::uint16_t>(std::stoi(parts(role[1], ',')[0]));
    operand.repeat_stride = static_cast<std::uint16_t>(std::stoi(parts(role[1], ',')[1]));
  }
}

void set_lanes(aclsimInstruction& it, const std::string& text) {
  const std::vector<std::string> words = parts(text, ' ');
  const auto number = [&words](std::size_t i) { return std::stoull(words.at(i), nullptr, 0); };
  if (words[0] == "count") {
    it.form = ACLSIM_COUNT;
    it.count = static_cast<std::int64_t>(number(1));
  } else if (words[0] == "mask") {
    it.form = ACLSIM_MASK_N;
    it.mask[0] = number(1);
    it.repeat = static_cast<std::uint16_t>(number(2));
  } else if (words[0] == "bits") {
    it.form = ACLSIM_MASK_BITS;
    it.mask[0] = number(1);
    it.mask[1] = number(2);
    it.repeat = static_cast<std::uint16_t>(number(3));
  } else if (words[0] == "repeat") {
    it.repeat = static_cast<std::uint16_t>(number(1));
  }
}

std::uint16_t opcode_named(const std::string& name) {
  for (const unit::InstructionRow& row : unit::all_rows()) {
    if (name == row.name) return row.opcode;
  }
  FAIL("no row " << name);
  return 0;
}

void run_line(const std::string& line, unit::State& state) {
  const std::vector<std::string> fields = parts(line, '\t');
  aclsimInstruction it{};
  it.size = sizeof(it);
  it.opcode = opcode_named(fields.at(0));
  set_lanes(it, fields.at(1));
  it.mode = std::stoi(fields.at(2), nullptr, 0);
  if (it.opcode == ACLSIM_OP_SetVectorMask) {
    it.mask[0] = std::stoull(fields.at(3), nullptr, 0);
  } else {
    for (const std::string& word : parts(fields.at(3), ' ')) {
      if (word == "-") continue;
      const std::vector<std::string> typed = parts(word, ':');
      it.scalar[it.scalars++] = typed.size() > 1 ? bits_of(typed[1], type_named(typed[0]))
                                                 : std::stoull(word, nullptr, 0);
    }
  }
  static Place places[6];
  aclsimAnswer answer{};
  std::vector<std::uint64_t> told;
  for (std::size_t i = 4; i < fields.size(); ++i) {
    if (fields[i].rfind("answer", 0) == 0) {
      it.more = &answer;
      told = numbers(fields[i].substr(7), type_of(ACLSIM_UINT64));
    } else {
      add_operand(it, places[it.operands], fields[i]);
    }
  }
  const auto violation = unit::check(it, state);
  INFO((violation ? violation->sentence : std::string()));
  REQUIRE_FALSE(violation);
  REQUIRE_FALSE(unit::check_addresses(it, state));
  unit::execute(it, state);
  for (unsigned i = 0; i < it.operands; ++i) {
    const Place& place = places[i];
    for (std::size_t k = 0; place.written && k < place.wanted.size(); ++k) {
      std::uint64_t got = 0;
      std::memcpy(&got, place.bytes + k * place.type.bytes(), place.type.bytes());
      if (is_nan(got, place.type) && is_nan(place.wanted[k], place.type)) continue;
      INFO("operand " << i << ", element " << k);
      CHECK(got == place.wanted[k]);
    }
  }
  for (std::size_t i = 0; i < told.size(); ++i) CHECK(answer.value[i] == told[i]);
}

TEST_CASE("each instruction gives the values that were worked out by hand", "[vector][values]") {
  std::ifstream in(std::string(ACLSIM_SOURCE_DIR) + "/tests/ascendc/vector_values.tsv");
  REQUIRE(in);
  std::set<std::string> seen;
  unit::State state;
  state.control = 1ULL << 48;  // infinities and NaN stay what they are
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    INFO(line);
    seen.insert(parts(line, '\t')[0]);
    run_line(line, state);
  }
  for (const unit::InstructionRow& row : unit::all_rows()) {
    const bool by_code = row.opcode == ACLSIM_OP_TransDataTo5HD;  // lists: a test of its own
    if (!by_code && seen.count(row.name) == 0) FAIL("no values for " << row.name);
  }
}

}  // namespace
