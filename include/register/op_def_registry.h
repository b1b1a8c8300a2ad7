/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators as host code describes them to frameworks. There is no framework here: descriptions are
 * kept as data, and a test may look one up and call its functions. C++11.
 */
#ifndef REGISTER_OP_DEF_REGISTRY_H_
#define REGISTER_OP_DEF_REGISTRY_H_

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "register/impl/contexts.h"
#include "register/tilingdata_base.h"

namespace optiling {
typedef ge::graphStatus (*TilingFunc)(gert::TilingContext* context);
}

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class DependScope : uint32_t { ALL, TILING, INVALID_SCOPE };
enum class FormatCheckOption : uint32_t { DEFAULT, STRICT, MAX };

/* A function NAME(value) that keeps the value as name##_. */
#define ACLSIM_KEEPS(Class, Type, NAME, member)        \
 public:                                               \
  Class& NAME(const Type& value) {                     \
    member = value;                                    \
    return *this;                                      \
  }                                                    \
  const Type& aclsim_##NAME() const { return member; } \
                                                       \
 private:                                              \
  Type member{};

/* One input or output. The lists have an entry for each combination of types. */
class OpParamDef {
 public:
  explicit OpParamDef(const char* name) : name_(name) {}
  const std::string& aclsim_name() const { return name_; }
  OpParamDef& Scalar() { return flag("scalar"); }
  OpParamDef& ScalarList() { return flag("scalar list"); }
  OpParamDef& IgnoreContiguous() { return flag("ignore contiguous"); }
  OpParamDef& AutoContiguous() { return flag("auto contiguous"); }
  OpParamDef& OutputShapeDependOnCompute() { return flag("output shape depends on compute"); }
  OpParamDef& ValueDepend(Option value) {
    depends_ = value;
    return *this;
  }
  OpParamDef& ValueDepend(Option value, DependScope) { return ValueDepend(value); }
  Option aclsim_ValueDepend() const { return depends_; }
  OpParamDef& Version(uint32_t) { return *this; }
  bool aclsim_has(const std::string& flag) const { return flags_.count(flag) != 0; }

  ACLSIM_KEEPS(OpParamDef, Option, ParamType, type_)
  ACLSIM_KEEPS(OpParamDef, std::vector<ge::DataType>, DataType, types_)
  ACLSIM_KEEPS(OpParamDef, std::vector<ge::DataType>, DataTypeList, type_list_)
  ACLSIM_KEEPS(OpParamDef, std::vector<ge::DataType>, DataTypeForBinQuery, binary_types_)
  ACLSIM_KEEPS(OpParamDef, std::vector<ge::Format>, Format, formats_)
  ACLSIM_KEEPS(OpParamDef, std::vector<ge::Format>, FormatList, format_list_)
  ACLSIM_KEEPS(OpParamDef, std::vector<ge::Format>, FormatForBinQuery, binary_formats_)
  ACLSIM_KEEPS(OpParamDef, std::vector<ge::Format>, UnknownShapeFormat, unknown_formats_)
  ACLSIM_KEEPS(OpParamDef, ge::DataType, To, to_)
  ACLSIM_KEEPS(OpParamDef, std::string, Follow, follows_)
  ACLSIM_KEEPS(OpParamDef, uint64_t, InitValue, first_value_)

 private:
  OpParamDef& flag(const char* name) {
    flags_[name] = true;
    return *this;
  }
  std::string name_;
  Option depends_ = IGNORE;
  std::map<std::string, bool> flags_;
};

/* One attribute: its kind and its default value. */
class OpAttrDef {
 public:
  explicit OpAttrDef(const char* name) : name_(name) {}
  const std::string& aclsim_name() const { return name_; }
  const std::string& aclsim_kind() const { return kind_; }
  const std::vector<double>& aclsim_numbers() const { return numbers_; }
  const std::string& aclsim_text() const { return text_; }

  OpAttrDef& Bool(bool value = false) { return of("bool", {value ? 1.0 : 0.0}); }
  OpAttrDef& Float(float value = 0) { return of("float", {value}); }
  OpAttrDef& Int(int64_t value = 0) { return of("int", {static_cast<double>(value)}); }
  OpAttrDef& String(const char* value = "") {
    text_ = value;
    return of("string", {});
  }
  OpAttrDef& ListBool(const std::vector<bool>& values = {}) { return list("list of bool", values); }
  OpAttrDef& ListFloat(const std::vector<float>& values = {}) {
    return list("list of float", values);
  }
  OpAttrDef& ListInt(const std::vector<int64_t>& values = {}) {
    return list("list of int", values);
  }
  OpAttrDef& ListListInt(const std::vector<std::vector<int64_t>>& = {}) {
    return of("list of lists of int", {});
  }
  OpAttrDef& Version(uint32_t) { return *this; }

  ACLSIM_KEEPS(OpAttrDef, Option, AttrType, type_)

 private:
  OpAttrDef& of(const char* kind, std::initializer_list<double> numbers) {
    kind_ = kind;
    numbers_.assign(numbers);
    return *this;
  }
  template <typename T>
  OpAttrDef& list(const char* kind, const std::vector<T>& values) {
    kind_ = kind;
    numbers_.assign(values.begin(), values.end());
    return *this;
  }
  std::string name_;
  std::string kind_;
  std::string text_;
  std::vector<double> numbers_;
};

/* Things with a name, in the order of their first mention. */
template <typename T>
class NamedDefs {
 public:
  T& of(const char* name) {
    for (std::unique_ptr<T>& each : all_) {
      if (each->aclsim_name() == name) return *each;
    }
    all_.emplace_back(new T(name));
    return *all_.back();
  }
  size_t size() const { return all_.size(); }
  const T& operator[](size_t index) const { return *all_[index]; }

 private:
  std::vector<std::unique_ptr<T>> all_;
};

/* Settings for one chip. */
class OpAICoreConfig {
 public:
  OpParamDef& Input(const char* name) { return inputs_->of(name); }
  OpParamDef& Output(const char* name) { return outputs_->of(name); }
  OpAICoreConfig& DynamicCompileStaticFlag(bool flag) {
    return set("dynamicCompileStatic.flag", flag);
  }
  OpAICoreConfig& DynamicFormatFlag(bool flag) { return set("dynamicFormat.flag", flag); }
  OpAICoreConfig& DynamicRankSupportFlag(bool flag) { return set("dynamicRankSupport.flag", flag); }
  OpAICoreConfig& DynamicShapeSupportFlag(bool flag) {
    return set("dynamicShapeSupport.flag", flag);
  }
  OpAICoreConfig& NeedCheckSupportFlag(bool flag) { return set("needCheckSupport.flag", flag); }
  OpAICoreConfig& PrecisionReduceFlag(bool flag) { return set("precision_reduce.flag", flag); }
  OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
    more_[key] = value;
    return *this;
  }
  const std::map<std::string, std::string>& aclsim_more() const { return more_; }

 private:
  OpAICoreConfig& set(const char* key, bool flag) {
    return ExtendCfgInfo(key, flag ? "true" : "false");
  }
  std::shared_ptr<NamedDefs<OpParamDef>> inputs_{new NamedDefs<OpParamDef>};
  std::shared_ptr<NamedDefs<OpParamDef>> outputs_{new NamedDefs<OpParamDef>};
  std::map<std::string, std::string> more_;
};

class OpAICoreDef {
 public:
  OpAICoreDef& SetTiling(optiling::TilingFunc function) {
    tiling_ = function;
    return *this;
  }
  OpAICoreDef& AddConfig(const char* soc) { return AddConfig(soc, OpAICoreConfig()); }
  OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config) {
    configs_[soc] = config;
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetCheckSupport(Function) {
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetOpSelectFormat(Function) {
    return *this;
  }
  optiling::TilingFunc aclsim_tiling() const { return tiling_; }
  const std::map<std::string, OpAICoreConfig>& aclsim_configs() const { return configs_; }

 private:
  optiling::TilingFunc tiling_ = nullptr;
  std::map<std::string, OpAICoreConfig> configs_;
};

typedef ge::graphStatus (*InferShapeFunc)(gert::InferShapeContext* context);
typedef ge::graphStatus (*InferDataTypeFunc)(gert::InferDataTypeContext* context);

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}
  virtual ~OpDef() {}
  OpParamDef& Input(const char* name) { return inputs_.of(name); }
  OpParamDef& Output(const char* name) { return outputs_.of(name); }
  OpAttrDef& Attr(const char* name) { return attrs_.of(name); }
  OpDef& SetInferShape(InferShapeFunc function) {
    infer_shape_ = function;
    return *this;
  }
  OpDef& SetInferDataType(InferDataTypeFunc function) {
    infer_type_ = function;
    return *this;
  }
  OpAICoreDef& AICore() { return core_; }
  OpDef& EnableFallBack() { return *this; }
  OpDef& FormatMatchMode(FormatCheckOption) { return *this; }
  template <typename Depend = void>
  OpDef& MC2() {
    static_assert(sizeof(Depend*) == 0,
                  "ops::OpDef::MC2 is not emulated: operators are not called through a framework");
    return *this;
  }

  const std::string& aclsim_type() const { return type_; }
  const NamedDefs<OpParamDef>& aclsim_inputs() const { return inputs_; }
  const NamedDefs<OpParamDef>& aclsim_outputs() const { return outputs_; }
  const NamedDefs<OpAttrDef>& aclsim_attrs() const { return attrs_; }
  InferShapeFunc aclsim_infer_shape() const { return infer_shape_; }
  InferDataTypeFunc aclsim_infer_type() const { return infer_type_; }

 private:
  std::string type_;
  NamedDefs<OpParamDef> inputs_;
  NamedDefs<OpParamDef> outputs_;
  NamedDefs<OpAttrDef> attrs_;
  OpAICoreDef core_;
  InferShapeFunc infer_shape_ = nullptr;
  InferDataTypeFunc infer_type_ = nullptr;
};
#undef ACLSIM_KEEPS

/* The operators of the program, by type. */
inline std::map<std::string, std::unique_ptr<OpDef>>& aclsim_operators() {
  static std::map<std::string, std::unique_ptr<OpDef>> all;
  return all;
}
template <typename T>
int aclsim_add_operator(const char* type) {
  aclsim_operators()[type].reset(new T(type));
  return 0;
}

}  // namespace ops

#define OP_ADD(opType, ...)                                           \
  static const int aclsim_operator_##opType __attribute__((unused)) = \
      ::ops::aclsim_add_operator<opType>(#opType)

#endif /* REGISTER_OP_DEF_REGISTRY_H_ */
