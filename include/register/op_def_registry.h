/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators as host code describes them. npu_op_code_gen reads the descriptions, a package of
 * operators computes its tilings with them, and a test may look one up and call its functions.
 * C++11.
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

namespace gert {
struct OpImplRegisterV2 {
  typedef ge::graphStatus (*TilingKernelFunc)(TilingContext* context);
  typedef ge::graphStatus (*InferShapeKernelFunc)(InferShapeContext* context);
  typedef ge::graphStatus (*InferDataTypeFunc)(InferDataTypeContext* context);
};
}  // namespace gert

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class DependScope : uint32_t { ALL, TILING, INVALID_SCOPE };
enum class FollowType : uint32_t { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE = 4 };
enum class FormatCheckOption : uint32_t { DEFAULT, STRICT, MAX };

enum class ScalarType : uint32_t {
  UINT64 = 0,
  INT64 = 1,
  UINT32 = 2,
  INT32 = 3,
  UINT16 = 4,
  INT16 = 5,
  UINT8 = 6,
  INT8 = 7,
  FLOAT32 = 8,
  FLOAT16 = 9,
  INVALID_DTYPE = static_cast<uint32_t>(-1)
};
union ScalarNum {
  uint64_t value_u64;
  int64_t value_i64;
  float value_f32;
  ScalarNum() : value_u64(0) {}
  explicit ScalarNum(uint64_t value) : value_u64(value) {}
  explicit ScalarNum(int64_t value) : value_i64(value) {}
  explicit ScalarNum(float value) : value_f32(value) {}
};
/* A number and its type. */
struct ScalarVar {
  ScalarType scalar_type = ScalarType::INVALID_DTYPE;
  ScalarNum scalar_num{};
  ScalarVar() {}
  ScalarVar(ScalarType type, uint64_t num) : ScalarVar(type, static_cast<int64_t>(num)) {}
  ScalarVar(ScalarType type, int64_t num) : scalar_type(type) {
    if (aclsim_is_float()) {
      scalar_num.value_f32 = static_cast<float>(num);
    } else {
      scalar_num.value_i64 = num;
    }
  }
  ScalarVar(ScalarType type, int num) : ScalarVar(type, static_cast<int64_t>(num)) {}
  ScalarVar(ScalarType type, unsigned int num) : ScalarVar(type, static_cast<int64_t>(num)) {}
  ScalarVar(ScalarType type, float num) : scalar_type(type) {
    if (aclsim_is_float()) {
      scalar_num.value_f32 = num;
    } else {
      scalar_num.value_i64 = static_cast<int64_t>(num);
    }
  }
  ScalarVar(ScalarType type, double num) : ScalarVar(type, static_cast<float>(num)) {}
  bool operator==(const ScalarVar& other) const {
    return scalar_type == other.scalar_type && scalar_num.value_u64 == other.scalar_num.value_u64;
  }
  bool aclsim_is_float() const {
    return scalar_type == ScalarType::FLOAT32 || scalar_type == ScalarType::FLOAT16;
  }
};

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
  OpParamDef& Comment(const char*) { return *this; }
  /* The value of each element of an output before the kernel runs, if the tiling function calls
     SetNeedAtomic(true): zero, one value, or one for each entry of the list of types. */
  OpParamDef& InitValue(uint64_t value) { return InitValue(ScalarVar(ScalarType::UINT64, value)); }
  OpParamDef& InitValue(const ScalarVar& value) {
    first_values_.assign(1, value);
    return *this;
  }
  OpParamDef& InitValue(const std::vector<ScalarVar>& values) {
    first_values_ = values;
    return *this;
  }
  const std::vector<ScalarVar>& aclsim_InitValue() const { return first_values_; }
  /* Takes types and formats, or a part of that, from an input that was described before. */
  OpParamDef& Follow(const char* name, FollowType part = FollowType::ALL) {
    follows_ = name;
    followed_part_ = part;
    return *this;
  }
  const std::string& aclsim_Follow() const { return follows_; }
  FollowType aclsim_followed_part() const { return followed_part_; }
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

 private:
  OpParamDef& flag(const char* name) {
    flags_[name] = true;
    return *this;
  }
  std::string name_;
  Option depends_ = IGNORE;
  std::vector<ScalarVar> first_values_;
  std::string follows_;
  FollowType followed_part_ = FollowType::ALL;
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
  OpAttrDef& Comment(const char*) { return *this; }

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
  OpAICoreConfig() {}
  explicit OpAICoreConfig(const char* /*soc*/) {}
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
  const NamedDefs<OpParamDef>& aclsim_inputs() const { return *inputs_; }
  const NamedDefs<OpParamDef>& aclsim_outputs() const { return *outputs_; }
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
  OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
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
  template <typename Function>
  OpAICoreDef& SetOpSpecInfo(Function) {
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetOpSupportInfo(Function) {
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetParamGeneralize(Function) {
    return *this;
  }
  gert::OpImplRegisterV2::TilingKernelFunc aclsim_tiling() const { return tiling_; }
  const std::map<std::string, OpAICoreConfig>& aclsim_configs() const { return configs_; }

 private:
  gert::OpImplRegisterV2::TilingKernelFunc tiling_ = nullptr;
  std::map<std::string, OpAICoreConfig> configs_;
};

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}
  virtual ~OpDef() {}
  OpParamDef& Input(const char* name) { return inputs_.of(name); }
  OpParamDef& Output(const char* name) { return outputs_.of(name); }
  OpAttrDef& Attr(const char* name) { return attrs_.of(name); }
  OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function) {
    infer_shape_ = function;
    return *this;
  }
  OpDef& SetInferDataType(gert::OpImplRegisterV2::InferDataTypeFunc function) {
    infer_type_ = function;
    return *this;
  }
  template <typename Function>
  OpDef& SetInferShapeRange(Function) {
    return *this;
  }
  OpDef& Comment(const char* /*section*/, const char* /*text*/) { return *this; }
  OpAICoreDef& AICore() { return core_; }
  const OpAICoreDef& aclsim_core() const { return core_; }
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
  gert::OpImplRegisterV2::InferShapeKernelFunc aclsim_infer_shape() const { return infer_shape_; }
  gert::OpImplRegisterV2::InferDataTypeFunc aclsim_infer_type() const { return infer_type_; }

 private:
  std::string type_;
  NamedDefs<OpParamDef> inputs_;
  NamedDefs<OpParamDef> outputs_;
  NamedDefs<OpAttrDef> attrs_;
  OpAICoreDef core_;
  gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape_ = nullptr;
  gert::OpImplRegisterV2::InferDataTypeFunc infer_type_ = nullptr;
};
#undef ACLSIM_KEEPS

/* The operators of this library or program, by type; each library has its own. */
__attribute__((visibility("hidden"))) inline std::map<std::string, std::unique_ptr<OpDef>>&
aclsim_operators() {
  static std::map<std::string, std::unique_ptr<OpDef>> all;
  return all;
}
template <typename T>
__attribute__((visibility("hidden"))) int aclsim_add_operator(const char* type) {
  aclsim_operators()[type].reset(new T(type));
  return 0;
}

}  // namespace ops

#define OP_ADD(opType, ...)                                           \
  static const int aclsim_operator_##opType __attribute__((unused)) = \
      ::ops::aclsim_add_operator<opType>(#opType)

#endif /* REGISTER_OP_DEF_REGISTRY_H_ */
