// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "tools/ascendc/operators/generate.h"
#include "tools/ascendc/operators/names.h"

namespace op_build {
namespace {

/// How a parameter of the operator is passed.
struct Passed {
  std::string type;     // in C
  std::string name;     // in C
  std::string operand;  // in the description
  std::string kind;     // ACLSIM_PACKAGED_...
  std::string flags;
  bool output = false;
  bool repeated = false;  // an input of the same name is the parameter
};

bool all_of(const Param& param, std::initializer_list<int> types) {
  for (const int type : param.types) {
    bool found = false;
    for (const int each : types) found |= each == type;
    if (!found) return false;
  }
  return true;
}

std::pair<const char*, const char*> array_of_values(const Operator& op, const Param& param) {
  if (all_of(param, {0})) return {"const aclFloatArray *", "FLOAT_ARRAY"};
  if (all_of(param, {12})) return {"const aclBoolArray *", "BOOL_ARRAY"};
  if (all_of(param, {2, 3, 4, 6, 7, 8, 9, 10})) return {"const aclIntArray *", "INT_ARRAY"};
  throw std::runtime_error(
      op.type + ": " + param.name +
      " has ValueDepend; expected only DT_FLOAT, only DT_BOOL or only integers");
}

std::pair<const char*, const char*> kind_of(const Operator& op, const Param& param, bool output) {
  if (param.kind == "dynamic") return {"const aclTensorList *", "TENSOR_LIST"};
  if (output) return {"const aclTensor *", "TENSOR"};
  if (param.has("scalar")) return {"const aclScalar *", "SCALAR"};
  if (param.has("scalar list")) return {"const aclScalarList *", "SCALAR_LIST"};
  if (param.depends_on_values) return array_of_values(op, param);
  return {"const aclTensor *", "TENSOR"};
}

bool same_input(const Operator& op, const Param& output) {
  for (const Param& input : op.common.inputs) {
    if (input.name == output.name) return true;
  }
  return false;
}

bool changed_in_place(const Operator& op, const Param& input) {
  for (const Param& output : op.common.outputs) {
    if (input.name == output.name) return true;
  }
  return false;
}

std::vector<Passed> operands_of(const Operator& op) {
  std::vector<Passed> all;
  bool makes_contiguous = false;
  for (const Param& input : op.common.inputs) makes_contiguous |= input.has("auto contiguous");
  const auto add = [&](const Param& param, bool output, std::string name) {
    const auto [type, kind] = kind_of(op, param, output);
    std::string flags = output ? "ACLSIM_PACKAGED_OUTPUT" : "0";
    const bool optional = param.kind == "optional";
    if (optional) flags += " | ACLSIM_PACKAGED_OPTIONAL";
    if (param.has("ignore contiguous")) {
      flags += " | ACLSIM_PACKAGED_STRIDED";
    } else if (makes_contiguous && !output) {
      flags += " | ACLSIM_PACKAGED_CONTIGUOUS";
    }
    if (optional) name += "Optional";
    all.push_back({type, name, param.name, std::string("ACLSIM_PACKAGED_") + kind, flags, output,
                   output && same_input(op, param)});
  };
  for (const Param& input : op.common.inputs)
    add(input, false, camel_case(input.name) + (changed_in_place(op, input) ? "Ref" : ""));
  for (const Param& output : op.common.outputs) {
    const bool only = op.common.outputs.size() == 1;
    std::string name = only ? "out" : camel_case(output.name) + "Out";
    if (same_input(op, output)) name = camel_case(output.name) + "Ref";
    add(output, true, name);
  }
  return all;
}

struct PassedAttr {
  std::string type, name, value;  // `value`: an initializer of an aclsimAttribute
};

PassedAttr passed(const Attr& attr) {
  const std::string name = camel_case(attr.name);
  const auto value = [](const char* kind, const std::string& members) {
    return std::string("{ACLSIM_ATTRIBUTE_") + kind + ", 0, " + members + "}";
  };
  if (attr.kind == "bool") return {"bool ", name, value("BOOL", name + ", 0, nullptr, nullptr, 0")};
  if (attr.kind == "int")
    return {"int64_t ", name, value("INT", name + ", 0, nullptr, nullptr, 0")};
  if (attr.kind == "float")
    return {"double ", name, value("FLOAT", "0, " + name + ", nullptr, nullptr, 0")};
  if (attr.kind == "string")
    return {"const char *", name, value("STRING", "0, 0, " + name + ", nullptr, 0")};
  const std::string list = "0, 0, nullptr, " + name + ", 0";
  if (attr.kind == "list of bool") return {"const aclBoolArray *", name, value("LIST_BOOL", list)};
  if (attr.kind == "list of int") return {"const aclIntArray *", name, value("LIST_INT", list)};
  return {"const aclFloatArray *", name, value("LIST_FLOAT", list)};
}

std::string first_phase(const Operator& op, const std::vector<Passed>& operands) {
  std::string text = "aclnnStatus aclnn" + op.type + "GetWorkspaceSize(";
  std::string inputs, outputs, attrs;
  for (const Passed& each : operands) {
    if (each.repeated) continue;
    (each.output ? outputs : inputs) += each.type + each.name + ", ";
  }
  for (const Attr& attr : op.attrs) {
    const PassedAttr as = passed(attr);
    attrs += as.type + as.name + ", ";
  }
  return text + inputs + attrs + outputs + "uint64_t *workspaceSize, aclOpExecutor **executor)";
}

std::string second_phase(const Operator& op) {
  return "aclnnStatus aclnn" + op.type +
         "(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)";
}

std::string header(const Operator& op, const std::vector<Passed>& operands) {
  const std::string guard = "ACLNN_" + upper_case(snake_case(op.type)) + "_H_";
  const std::string shown = "__attribute__((visibility(\"default\"))) ";
  return "/* Generated by op_build. */\n#ifndef " + guard + "\n#define " + guard +
         "\n\n#include \"aclnn/aclnn_base.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" +
         "/* The first phase of " + op.type +
         ": the bytes of the workspace, and an executor for one call of the second phase. */\n" +
         shown + first_phase(op, operands) + ";\n\n/* The second phase: enqueues the kernel. */\n" +
         shown + second_phase(op) + ";\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " + guard +
         " */\n";
}

std::string source(const Operator& op, const std::vector<Passed>& operands,
                   const std::string& package) {
  const std::string place = "aclsimPackage_" + package;
  std::string text = "// Generated by op_build.\n#include \"aclnn_" + snake_case(op.type) +
                     ".h\"\n#include \"aclnn/aclsim_operator_package.h\"\n\n" +
                     "extern \"C\" const aclsimOperatorPackage " + place + ";\n\n" +
                     first_phase(op, operands) + " {\n" +
                     "  const aclsimPackagedOperand operands[] = {\n";
  for (const Passed& each : operands) {
    text += "      {\"" + each.operand + "\", " + each.name + ", " + each.kind + ", " + each.flags +
            "},\n";
  }
  text += "  };\n";
  if (!op.attrs.empty()) {
    text += "  const aclsimPackagedAttribute attributes[] = {\n";
    for (const Attr& attr : op.attrs)
      text += "      {\"" + attr.name + "\", " + passed(attr).value + "},\n";
    text += "  };\n";
  }
  text += "  const aclsimPackagedCall call = {sizeof call, \"aclnn" + op.type + "\", \"" + op.type +
          "\", &" + place + ", operands, " + (op.attrs.empty() ? "nullptr" : "attributes") + ", " +
          std::to_string(operands.size()) + ", " + std::to_string(op.attrs.size()) + "};\n" +
          "  return aclsimPlanPackaged(&call, workspaceSize, executor);\n}\n\n" + second_phase(op) +
          " {\n  return aclsimRunPackaged(workspace, workspaceSize, executor, stream);\n}\n";
  return text;
}

}  // namespace

std::vector<File> aclnn_files(const Operator& op, const std::string& package) {
  const std::vector<Passed> operands = operands_of(op);
  const std::string name = "aclnn_" + snake_case(op.type);
  return {{name + ".h", header(op, operands)}, {name + ".cpp", source(op, operands, package)}};
}

std::vector<File> prototype_files(const Description& description) {
  std::string text =
      "/* Generated by op_build: the operators of this package, for readers. Graphs are not "
      "emulated. */\n#ifndef OP_PROTO_H_\n#define OP_PROTO_H_\n\n";
  const auto list = [&](const std::vector<Param>& params, const char* what) {
    for (const Param& param : params) {
      std::string types;
      for (const int type : param.types) {
        const TypeName* const name = type_name(type);
        types += (types.empty() ? "" : ", ") + std::string(name ? name->define : "?");
      }
      text +=
          " *   " + std::string(what) + " " + param.name + " (" + param.kind + "): " + types + "\n";
    }
  };
  for (const Operator& op : description.operators) {
    text += "/* " + op.type + "\n";
    list(op.common.inputs, "input");
    list(op.common.outputs, "output");
    for (const Attr& attr : op.attrs)
      text += " *   attribute " + attr.name + ": " + attr.kind + "\n";
    text += " */\n";
  }
  text += "\n#endif /* OP_PROTO_H_ */\n";
  return {{"op_proto.h", text}, {"op_proto.cc", "#include \"op_proto.h\"\n"}};
}

}  // namespace op_build
