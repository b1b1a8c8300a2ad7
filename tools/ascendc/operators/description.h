// SPDX-License-Identifier: Apache-2.0
// The descriptions of operators that register/impl/describe.h prints.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace op_build {

/// An input or output. Combination i has types[i] and formats[i].
struct Param {
  std::string name;
  std::string kind;  // required, optional or dynamic
  std::vector<int> types;
  std::vector<int> formats;
  std::vector<std::string> first_values;  // numbers as text; empty: none
  std::vector<std::string> flags;
  bool depends_on_values = false;

  bool has(const std::string& flag) const;
};

struct Attr {
  std::string name;
  std::string kind;  // bool, int, float, string, "list of int", ...
  bool required = false;
  std::string text;
  std::vector<double> numbers;
};

/// The operands on one chip, all with the same number of combinations.
struct Operands {
  std::vector<Param> inputs;
  std::vector<Param> outputs;

  std::size_t combinations() const { return inputs.empty() ? 1 : inputs[0].types.size(); }
};

/// A template parameter of the kernel: what its declaration, or a selected combination, lists.
struct TemplateParam {
  std::string name;
  std::uint32_t kind = 0;  // ASCENDC_TPL_DTYPE and so on
  std::uint32_t bits = 0;  // in the key
  std::vector<std::uint64_t> values;
};

struct Operator {
  std::string type;
  Operands common;                        // without the settings of a chip
  std::map<std::string, Operands> units;  // by chip; empty: all chips alike
  std::vector<Attr> attrs;
  std::vector<TemplateParam> declared;
  std::vector<std::vector<TemplateParam>> selected;

  const Operands& on(const std::string& unit) const;
  bool runs_on(const std::string& unit) const { return units.empty() || units.contains(unit); }
};

struct Structure {
  std::string name;  // of the operator, or of another structure that contains it
  std::string text;
};

struct Description {
  std::vector<Operator> operators;
  std::vector<Structure> structures;  // tilings; in an order in which they can be declared
};

/// Throws std::runtime_error with a text that names the operator and the parameter.
Description read_description(const std::string& path);

}  // namespace op_build
