/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the descriptions of the operators that a program registers, as JSON. npu_op_code_gen
 * compiles it with the operators' host sources, and with ACLSIM_DESCRIBES_OPERATORS defined; the
 * tool op_build reads the result. C++11.
 */
#ifndef REGISTER_IMPL_DESCRIBE_H_
#define REGISTER_IMPL_DESCRIBE_H_

#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "ascendc/host_api/tiling/template_argument.h"
#include "register/op_config_registry.h"
#include "register/op_def_registry.h"

namespace aclsim_describe {

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  void text(const std::string& value) {
    out_ << '"';
    for (size_t i = 0; i < value.size(); ++i) {
      const char c = value[i];
      if (c == '"' || c == '\\') out_ << '\\';
      if (c == '\n') {
        out_ << "\\n";
      } else {
        out_ << c;
      }
    }
    out_ << '"';
  }
  void key(const char* name) {
    text(name);
    out_ << ':';
  }
  template <typename List, typename Each>
  void list(const List& values, Each each) {
    out_ << '[';
    for (size_t i = 0; i < values.size(); ++i) {
      if (i != 0) out_ << ',';
      each(values[i]);
    }
    out_ << ']';
  }
  template <typename T>
  void numbers(const std::vector<T>& values) {
    list(values, [this](const T& value) { out_ << static_cast<int64_t>(value); });
  }
  std::ostream& out() { return out_; }

 private:
  std::ostream& out_;
};

inline const char* name_of(ops::Option option) {
  switch (option) {
    case ops::REQUIRED:
      return "required";
    case ops::DYNAMIC:
      return "dynamic";
    default:
      return "optional";
  }
}

inline void describe(Writer& to, const ops::OpParamDef& param) {
  to.out() << '{';
  to.key("name");
  to.text(param.aclsim_name());
  to.out() << ',';
  to.key("kind");
  to.text(name_of(param.aclsim_ParamType()));
  to.out() << ',';
  to.key("types");
  to.numbers(param.aclsim_DataType());
  to.out() << ',';
  to.key("free_types");
  to.numbers(param.aclsim_DataTypeList());
  to.out() << ',';
  to.key("formats");
  to.numbers(param.aclsim_Format());
  to.out() << ',';
  to.key("free_formats");
  to.numbers(param.aclsim_FormatList());
  to.out() << ',';
  to.key("follows");
  to.text(param.aclsim_Follow());
  to.out() << ',';
  to.key("followed_part");
  to.out() << static_cast<unsigned>(param.aclsim_followed_part()) << ',';
  to.key("first_values");
  to.list(param.aclsim_InitValue(), [&to](const ops::ScalarVar& value) {
    if (value.aclsim_is_float()) {
      to.out() << static_cast<double>(value.scalar_num.value_f32);
    } else {
      to.out() << value.scalar_num.value_i64;
    }
  });
  to.out() << ',';
  to.key("depends_on_values");
  to.out() << (param.aclsim_ValueDepend() != ops::IGNORE ? "true" : "false") << ',';
  to.key("flags");
  std::vector<std::string> flags;
  for (const char* flag : {"scalar", "scalar list", "ignore contiguous", "auto contiguous",
                           "output shape depends on compute"}) {
    if (param.aclsim_has(flag)) flags.push_back(flag);
  }
  to.list(flags, [&to](const std::string& flag) { to.text(flag); });
  to.out() << '}';
}

/* Parameters of `own` take precedence over parameters of the same name. */
inline void describe(Writer& to, const char* key, const ops::NamedDefs<ops::OpParamDef>& common,
                     const ops::NamedDefs<ops::OpParamDef>* own) {
  std::vector<const ops::OpParamDef*> params;
  for (size_t i = 0; i < common.size(); ++i) {
    params.push_back(&common[i]);
    for (size_t j = 0; own != nullptr && j < own->size(); ++j) {
      if ((*own)[j].aclsim_name() == common[i].aclsim_name()) params.back() = &(*own)[j];
    }
  }
  to.key(key);
  to.list(params, [&to](const ops::OpParamDef* param) { describe(to, *param); });
}

inline void describe(Writer& to, const ops::OpAttrDef& attr) {
  to.out() << '{';
  to.key("name");
  to.text(attr.aclsim_name());
  to.out() << ',';
  to.key("kind");
  to.text(attr.aclsim_kind());
  to.out() << ',';
  to.key("required");
  to.out() << (attr.aclsim_AttrType() == ops::REQUIRED ? "true" : "false") << ',';
  to.key("text");
  to.text(attr.aclsim_text());
  to.out() << ',';
  to.key("numbers");
  to.list(attr.aclsim_numbers(), [&to](double value) { to.out() << value; });
  to.out() << '}';
}

inline void describe(Writer& to, const std::vector<ParamStruct>& params) {
  to.list(params, [&to](const ParamStruct& param) {
    to.out() << '{';
    to.key("name");
    to.text(param.name);
    to.out() << ',';
    to.key("kind");
    to.out() << param.paramType << ',';
    to.key("bits");
    to.out() << static_cast<unsigned>(param.bitWidth) << ',';
    to.key("values");
    to.numbers(aclsim_tpl::values_of(param));
    to.out() << '}';
  });
}

inline void describe(Writer& to, const ops::OpDef& op) {
  to.out() << '{';
  to.key("type");
  to.text(op.aclsim_type());
  to.out() << ',';
  describe(to, "inputs", op.aclsim_inputs(), nullptr);
  to.out() << ',';
  describe(to, "outputs", op.aclsim_outputs(), nullptr);
  to.out() << ',';
  to.key("attrs");
  to.list(op.aclsim_attrs(), [&to](const ops::OpAttrDef& attr) { describe(to, attr); });
  to.out() << ',';

  std::map<std::string, ops::OpAICoreConfig> configs;
  for (const auto& each : ops::aclsim_core_configs()) {
    if (each.first.first == op.aclsim_type()) configs[each.first.second] = each.second();
  }
  for (const auto& each : op.aclsim_core().aclsim_configs()) configs[each.first] = each.second;
  to.key("units");
  to.out() << '{';
  const char* between = "";
  for (const auto& each : configs) {
    to.out() << between;
    between = ",";
    to.key(each.first.c_str());
    to.out() << '{';
    describe(to, "inputs", op.aclsim_inputs(), &each.second.aclsim_inputs());
    to.out() << ',';
    describe(to, "outputs", op.aclsim_outputs(), &each.second.aclsim_outputs());
    for (const auto& setting : each.second.aclsim_more()) {
      to.out() << ',';
      to.key(setting.first.c_str());
      to.text(setting.second);
    }
    to.out() << '}';
  }
  to.out() << "},";

  const auto parameters = aclsim_tpl::all().find(op.aclsim_type());
  if (parameters != aclsim_tpl::all().end()) {
    to.key("declared");
    describe(to, parameters->second.first);
    to.out() << ',';
    to.key("selected");
    to.list(parameters->second.second,
            [&to](const std::vector<ParamStruct>& combination) { describe(to, combination); });
    to.out() << ',';
  }
  to.key("has_tiling");
  to.out() << (op.aclsim_core().aclsim_tiling() != nullptr ? "true" : "false") << '}';
}

inline void describe(Writer& to) {
  std::vector<const ops::OpDef*> operators;
  for (const auto& each : ops::aclsim_operators()) operators.push_back(each.second.get());
  to.out() << '{';
  to.key("operators");
  to.list(operators, [&to](const ops::OpDef* op) { describe(to, *op); });
  to.out() << ",\n";
  to.key("structures");
  to.list(optiling::aclsim_tiling_structures(),
          [&to](const std::pair<std::string, std::string>& structure) {
            to.out() << '[';
            to.text(structure.first);
            to.out() << ',';
            to.text(structure.second);
            to.out() << ']';
          });
  to.out() << ",\n";
  to.key("template_operators");
  std::vector<std::string> templates;
  for (const auto& each : aclsim_tpl::all()) templates.push_back(each.first);
  to.list(templates, [&to](const std::string& name) { to.text(name); });
  to.out() << "}\n";
}

/* 0 if the file was written. */
inline int to_file(const char* path) {
  std::ofstream file(path);
  Writer writer(file);
  describe(writer);
  return file.flush() ? 0 : 1;
}

}  // namespace aclsim_describe

#endif /* REGISTER_IMPL_DESCRIBE_H_ */
