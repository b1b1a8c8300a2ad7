// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/operators/description.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace op_build {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& text) { throw std::runtime_error(text); }

/// A parameter before the combinations of all parameters are known.
struct GivenParam {
  Param param;
  std::vector<int> types, free_types, formats, free_formats;
  std::vector<std::string> first_values;  // one, or one for each of `types` or `free_types`
  std::string follows;
  unsigned followed_part = 0;  // ops::FollowType
  std::size_t place = 0;       // in its list of types, of the combination that is being made

  bool follows_types() const { return !follows.empty() && followed_part <= 1; }
  bool follows_formats() const {
    return !follows.empty() && (followed_part == 0 || followed_part == 2);
  }
};

GivenParam given_param(const json& from) {
  GivenParam given;
  given.param.name = from.at("name");
  given.param.kind = from.at("kind");
  given.param.flags = from.at("flags").get<std::vector<std::string>>();
  given.param.depends_on_values = from.at("depends_on_values");
  given.types = from.at("types").get<std::vector<int>>();
  given.free_types = from.at("free_types").get<std::vector<int>>();
  given.formats = from.at("formats").get<std::vector<int>>();
  given.free_formats = from.at("free_formats").get<std::vector<int>>();
  for (const json& each : from.at("first_values")) given.first_values.push_back(each.dump());
  given.follows = from.at("follows");
  given.followed_part = from.at("followed_part");
  return given;
}

/// Lists of a fixed position multiply with the lists that combine with everything.
class Combinations {
 public:
  Combinations(const std::string& op, std::vector<GivenParam> params)
      : op_(op), params_(std::move(params)) {
    for (const GivenParam& each : params_) {
      for (const auto* list : {&each.types, &each.formats}) {
        if (list->empty()) continue;
        if (rows_ != 0 && rows_ != list->size()) {
          fail(op_ + ": " + each.param.name + " has " + std::to_string(list->size()) +
               " types or formats; expected " + std::to_string(rows_) +
               ", as the other parameters have");
        }
        rows_ = list->size();
      }
    }
    rows_ = std::max<std::size_t>(rows_, 1);
    total_ = rows_;
    for (const GivenParam& each : params_) {
      total_ *= std::max<std::size_t>(each.free_types.size(), 1);
      total_ *= std::max<std::size_t>(each.free_formats.size(), 1);
    }
  }

  std::vector<Param> take() {
    for (std::size_t number = 0; number < total_; ++number) add(number);
    std::vector<Param> made;
    for (GivenParam& each : params_) made.push_back(std::move(each.param));
    return made;
  }

 private:
  void add(std::size_t number) {
    std::size_t rest = number / rows_;
    const std::size_t row = number % rows_;
    const auto next_place = [&](const std::vector<int>& free) {
      if (free.empty()) return row;
      const std::size_t place = rest % free.size();
      rest /= free.size();
      return place;
    };
    for (GivenParam& each : params_) {
      const GivenParam* const leader = leader_of(each);
      if (each.follows_types()) {
        each.place = leader->place;
        each.param.types.push_back(leader->param.types.back());
      } else {
        each.place = next_place(each.free_types);
        each.param.types.push_back(element(each.types, each.free_types, each.place, -1));
      }
      if (each.param.types.back() < 0) fail(op_ + ": " + each.param.name + " has no DataType");
      if (each.follows_formats()) {
        each.param.formats.push_back(leader->param.formats.back());
      } else {
        const std::size_t place = next_place(each.free_formats);
        each.param.formats.push_back(element(each.formats, each.free_formats, place, kNd));
      }
      add_first_value(each);
    }
  }
  static int element(const std::vector<int>& fixed, const std::vector<int>& free, std::size_t place,
                     int other) {
    const std::vector<int>& list = free.empty() ? fixed : free;
    return list.empty() ? other : list[place];
  }
  void add_first_value(GivenParam& to) const {
    const auto& values = to.first_values;
    if (values.empty()) return;
    if (values.size() != 1 && to.place >= values.size()) {
      fail(op_ + ": " + to.param.name + " has " + std::to_string(values.size()) +
           " values in InitValue; expected one for each of its types");
    }
    to.param.first_values.push_back(values.size() == 1 ? values[0] : values[to.place]);
  }
  const GivenParam* leader_of(const GivenParam& follower) const {
    if (follower.follows.empty()) return nullptr;
    for (const GivenParam& each : params_) {
      if (&each == &follower) break;
      if (each.param.name == follower.follows) return &each;
    }
    fail(op_ + ": " + follower.param.name + " follows '" + follower.follows +
         "', which is no parameter before it");
  }

  static constexpr int kNd = 2;
  const std::string& op_;
  std::vector<GivenParam> params_;
  std::size_t rows_ = 0;
  std::size_t total_ = 0;
};

Operands operands_of(const std::string& op, const json& from) {
  std::vector<GivenParam> all;
  for (const json& each : from.at("inputs")) all.push_back(given_param(each));
  const std::size_t inputs = all.size();
  for (const json& each : from.at("outputs")) all.push_back(given_param(each));
  std::vector<Param> params = Combinations(op, std::move(all)).take();
  const auto end = params.begin() + static_cast<std::ptrdiff_t>(inputs);
  Operands made;
  made.inputs.assign(std::make_move_iterator(params.begin()), std::make_move_iterator(end));
  made.outputs.assign(std::make_move_iterator(end), std::make_move_iterator(params.end()));
  return made;
}

std::vector<TemplateParam> template_params(const json& from) {
  std::vector<TemplateParam> params;
  for (const json& each : from) {
    params.push_back({each.at("name"), each.at("kind"), each.at("bits"),
                      each.at("values").get<std::vector<std::uint64_t>>()});
  }
  return params;
}

Operator operator_of(const json& from) {
  Operator op;
  op.type = from.at("type");
  if (!from.at("has_tiling")) fail(op.type + ": AICore() has no SetTiling");
  op.common = operands_of(op.type, from);
  for (const auto& [unit, settings] : from.at("units").items())
    op.units.emplace(unit, operands_of(op.type, settings));
  for (const json& each : from.at("attrs")) {
    Attr attr{each.at("name"), each.at("kind"), each.at("required"), each.at("text"),
              each.at("numbers").get<std::vector<double>>()};
    if (attr.kind.empty()) fail(op.type + ": the attribute " + attr.name + " has no type");
    if (attr.kind == "list of lists of int")
      fail(op.type + ": the attribute " + attr.name + " is a list of lists, which no call passes");
    op.attrs.push_back(std::move(attr));
  }
  if (from.contains("declared")) {
    op.declared = template_params(from.at("declared"));
    for (const json& each : from.at("selected")) op.selected.push_back(template_params(each));
  }
  return op;
}

}  // namespace

bool Param::has(const std::string& flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

const Operands& Operator::on(const std::string& unit) const {
  const auto found = units.find(unit);
  return found == units.end() ? common : found->second;
}

Description read_description(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail("'" + path + "' cannot be read");
  const json read = json::parse(file);
  Description description;
  for (const json& each : read.at("operators")) description.operators.push_back(operator_of(each));
  for (const json& each : read.at("structures"))
    description.structures.push_back({each.at(0), each.at(1)});
  for (const std::string name : read.at("template_operators")) {
    const auto same = [&](const Operator& op) { return op.type == name; };
    if (std::none_of(description.operators.begin(), description.operators.end(), same)) {
      fail("ASCENDC_TPL_ARGS_DECL(" + name +
           ", ...) names no operator; expected the name that OP_ADD has");
    }
  }
  return description;
}

}  // namespace op_build
