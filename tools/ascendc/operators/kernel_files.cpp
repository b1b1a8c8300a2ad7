// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/ascendc/operators/generate.h"
#include "tools/ascendc/operators/names.h"

namespace op_build {
namespace {

using nlohmann::json;

// Kinds of template parameters and numbers of operands, as in template_argument.h.
enum : std::uint32_t { kDtype = 0, kFormat = 1, kUint = 2, kKernelType = 4, kDeterministic = 5 };
constexpr std::uint64_t kOperands = 1000;

/// Part of the key that a value is; a parameter of operands has any value.
std::uint64_t code_of(const TemplateParam& declared, std::uint64_t value) {
  if (declared.kind != kUint) return value;
  const auto at = std::find(declared.values.begin(), declared.values.end(), value);
  return static_cast<std::uint64_t>(at - declared.values.begin());
}

const TypeName& kernel_type(const Operator& op, const std::string& of, int number) {
  const TypeName* const name = type_name(number);
  if (name) return *name;
  throw std::runtime_error(op.type + ": " + of + " has the type " + std::to_string(number) +
                           ", which kernels do not have");
}

/// The operand that ASCENDC_TPL_INPUT or ASCENDC_TPL_OUTPUT names; null for another value.
const Param* operand_of(const Operands& operands, std::uint64_t value) {
  if (value < kOperands) return nullptr;
  const auto& list = value < 2 * kOperands ? operands.inputs : operands.outputs;
  const std::uint64_t index = value % kOperands;
  return index < list.size() ? &list[index] : nullptr;
}

/// The values of a declared parameter in a combination; all declared ones if it does not name it.
const std::vector<std::uint64_t>& values_in(const std::vector<TemplateParam>& combination,
                                            const TemplateParam& declared) {
  for (const TemplateParam& each : combination) {
    if (each.name == declared.name && each.kind == declared.kind) return each.values;
  }
  return declared.values;
}

void add_instances(const Operator& op, const std::vector<TemplateParam>& combination,
                   std::vector<Instance>& to) {
  std::vector<Instance> found(1);
  for (const TemplateParam& declared : op.declared) {
    std::vector<Instance> longer;
    for (const Instance& begun : found) {
      for (const std::uint64_t value : values_in(combination, declared)) {
        longer.push_back(begun);
        longer.back().values.push_back(value);
      }
    }
    found = std::move(longer);
  }
  for (Instance& each : found) {
    for (const TemplateParam& setting : combination) {
      if (setting.kind == kKernelType && !setting.values.empty())
        each.kernel_type = static_cast<int>(setting.values[0]);
    }
    to.push_back(std::move(each));
  }
}

/// The values of an instance where the operands have the types of combination `number`. Its key.
std::uint64_t resolve(const Operator& op, const Operands& operands, std::size_t number,
                      Instance& instance) {
  std::uint64_t key = 0;
  unsigned shift = 0;
  for (std::size_t i = 0; i < op.declared.size(); ++i) {
    const TemplateParam& declared = op.declared[i];
    std::uint64_t& value = instance.values[i];
    if (const Param* const operand = operand_of(operands, value)) {
      const auto& list = declared.kind == kFormat ? operand->formats : operand->types;
      value = static_cast<std::uint64_t>(list[number]);
    }
    key |= code_of(declared, value) << shift;
    shift += declared.bits;
  }
  return key;
}

std::string arguments_of(const Operator& op, const Instance& instance) {
  std::string text;
  for (std::size_t i = 0; i < op.declared.size(); ++i) {
    if (i != 0) text += ", ";
    const int value = static_cast<int>(instance.values[i]);
    text += op.declared[i].kind == kDtype ? kernel_type(op, op.declared[i].name, value).kernel
                                          : std::to_string(instance.values[i]);
  }
  return text;
}

std::vector<Instance> instances_for(const Operator& op, const Operands& operands,
                                    std::size_t number) {
  std::vector<Instance> all = instances_of(op);
  for (Instance& each : all) each.key = resolve(op, operands, number, each);
  const auto less = [](const Instance& a, const Instance& b) { return a.key < b.key; };
  const auto same = [](const Instance& a, const Instance& b) { return a.key == b.key; };
  std::stable_sort(all.begin(), all.end(), less);
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

std::string kernel_name(const Operator& op, std::size_t number) {
  return op.type + "_" + std::to_string(number);
}

std::string definitions(const Operator& op, const Operands& operands, std::size_t number) {
  std::string text;
  for (const TypeName& each : type_names())
    text += "#define " + std::string(each.define) + " " + std::to_string(each.number) + "\n";
  for (const FormatName& each : format_names())
    text += "#define FORMAT_" + std::string(each.name) + " " + std::to_string(each.number) + "\n";
  const auto define = [&](const Param& param, const std::string& name) {
    const TypeName& type = kernel_type(op, param.name, param.types[number]);
    text += "#define DTYPE_" + name + " " + type.kernel + "\n#define ORIG_DTYPE_" + name + " " +
            type.define + "\n";
    if (const char* const format = format_name(param.formats[number]))
      text += "#define FORMAT_" + name + " FORMAT_" + format + "\n";
  };
  for (const Param& param : operands.inputs) define(param, upper_case(param.name));
  for (const Param& param : operands.outputs) {
    const auto same = [&](const Param& input) { return input.name == param.name; };
    const bool in_place = std::any_of(operands.inputs.begin(), operands.inputs.end(), same);
    define(param, upper_case(param.name) + (in_place ? "_REF" : ""));
  }
  return text;
}

/// Calls of the template's instances, as kernels with the key in their names.
std::string instance_kernels(const Operator& op, const Operands& operands, std::size_t number) {
  std::string parameters, arguments;
  const std::size_t count = operands.inputs.size() + operands.outputs.size() + 2;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "argument" + std::to_string(i);
    parameters += (i == 0 ? "" : ", ") + std::string("GM_ADDR ") + name;
    arguments += (i == 0 ? "" : ", ") + name;
  }
  static const char* const kKernelTypes[] = {"KERNEL_TYPE_AIV_ONLY",    "KERNEL_TYPE_AIC_ONLY",
                                             "KERNEL_TYPE_MIX_AIV_1_0", "KERNEL_TYPE_MIX_AIC_1_0",
                                             "KERNEL_TYPE_MIX_AIC_1_1", "KERNEL_TYPE_MIX_AIC_1_2"};
  std::string text;
  for (const Instance& instance : instances_for(op, operands, number)) {
    text += "\nextern \"C\" __global__ __aicore__ void " + kernel_name(op, number) + "_" +
            std::to_string(instance.key) + "(" + parameters + ") {\n";
    if (instance.kernel_type >= 0 && instance.kernel_type < 6) {
      text +=
          std::string("  KERNEL_TASK_TYPE_DEFAULT(") + kKernelTypes[instance.kernel_type] + ");\n";
    }
    text += "  " + snake_case(op.type) + "<" + arguments_of(op, instance) + ">(" + arguments +
            ");\n}\n";
  }
  return text;
}

/// REGISTER_TILING_DATA_CLASS(AddCustom_1, ...): GET_TILING_DATA reads another structure for key 1.
bool is_of_one_key(const Operator& op, const Structure& structure) {
  const std::string prefix = op.type + "_";
  return structure.name.starts_with(prefix) && structure.name.size() > prefix.size() &&
         structure.name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

json described(const std::vector<Param>& params) {
  json list = json::array();
  for (const Param& param : params)
    list.push_back({{"name", param.name}, {"paramType", param.kind}});
  return list;
}

json types_of(const std::vector<Param>& params, std::size_t number) {
  json list = json::array();
  for (const Param& param : params) {
    const TypeName* const type = type_name(param.types[number]);
    list.push_back({{"type", param.types[number]},
                    {"format", param.formats[number]},
                    {"dtype", type ? type->json : "undefined"}});
    if (!param.first_values.empty())
      list.back()["firstValue"] = json::parse(param.first_values[number]);
  }
  return list;
}

}  // namespace

std::vector<Instance> instances_of(const Operator& op) {
  std::vector<Instance> all;
  if (op.declared.empty()) return all;
  for (const auto& combination : op.selected) add_instances(op, combination, all);
  if (op.selected.empty()) add_instances(op, {}, all);
  return all;
}

std::vector<KernelSource> kernel_sources(const Operator& op, const std::string& unit,
                                         const std::vector<Structure>& structures) {
  std::string tilings;
  std::string own;
  bool by_key = false;
  for (const Structure& each : structures) {
    tilings += each.text;
    by_key |= is_of_one_key(op, each);
    if (each.name != op.type) continue;
    const std::size_t begin = std::string("struct ").size();
    own = each.text.substr(begin, each.text.find(' ', begin) - begin);
  }
  if (by_key) {  // an incomplete type: GET_TILING_DATA does not compile
    own = "aclsim_structures_differ_by_tiling_key";
    tilings += "struct " + own + ";\n";
  }
  if (!own.empty()) tilings += "using aclsim_default_tiling = " + own + ";\n";
  const Operands& operands = op.on(unit);
  std::vector<KernelSource> sources;
  for (std::size_t i = 0; i < operands.combinations(); ++i) {
    sources.push_back(
        {kernel_name(op, i),
         "// Generated by op_build.\n#include <cstdint>\n\n#include \"graph/types.h\"\n"
         "#include \"kernel_tiling/kernel_tiling.h\"\n" +
             definitions(op, operands, i) + tilings + "#include ACLSIM_KERNEL_FILE\n" +
             instance_kernels(op, operands, i)});
  }
  return sources;
}

std::string kernel_index(const Operator& op, const std::string& unit) {
  const Operands& operands = op.on(unit);
  json index{{"opType", op.type},
             {"opFile", snake_case(op.type)},
             {"inputs", described(operands.inputs)},
             {"outputs", described(operands.outputs)},
             {"attrs", json::array()},
             {"binList", json::array()}};
  for (const Attr& attr : op.attrs) {
    json made{{"name", attr.name}, {"type", attr.kind}, {"required", attr.required}};
    if (!attr.required) {
      made["text"] = attr.text;
      made["numbers"] = attr.numbers;
    }
    index["attrs"].push_back(std::move(made));
  }
  for (std::size_t i = 0; i < operands.combinations(); ++i) {
    json kernels = json::object();  // by key; "" for all keys
    for (const Instance& instance : instances_for(op, operands, i)) {
      kernels[std::to_string(instance.key)] =
          kernel_name(op, i) + "_" + std::to_string(instance.key);
    }
    if (kernels.empty()) kernels[""] = snake_case(op.type);
    index["binList"].push_back(
        {{"inputs", types_of(operands.inputs, i)},
         {"outputs", types_of(operands.outputs, i)},
         {"file", "kernel/" + unit + "/" + snake_case(op.type) + "/" + kernel_name(op, i) + ".o"},
         {"kernels", std::move(kernels)}});
  }
  return index.dump(1) + "\n";
}

}  // namespace op_build
