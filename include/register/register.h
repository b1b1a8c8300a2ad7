/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plugins of model parsers: REGISTER_CUSTOM_OP("AddCustom").FrameworkType(ONNX)... names the
 * operators of a framework that become an operator of a package. Models are not parsed here, so the
 * registrations are only kept; a test may look one up and call its functions. C++11.
 */
#ifndef REGISTER_REGISTER_H_
#define REGISTER_REGISTER_H_

#include <stdint.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/operator.h"

namespace domi {

typedef uint32_t Status;
const Status SUCCESS = 0;
const Status FAILED = 0xFFFFFFFFU;

enum FrameworkType { CAFFE = 0, MINDSPORE = 1, TENSORFLOW = 3, ANDROID_NN = 4, ONNX = 5 };
enum class ImplyType : uint32_t {
  BUILDIN = 0,
  TVM,
  CUSTOM,
  AI_CPU,
  CCE,
  GELOCAL,
  HCCL,
  INVALID = 0xFFFFFFFF
};

typedef std::function<Status(const ge::Operator& op_src, ge::Operator& op_dest)> ParseParamByOpFunc;

/* Copies nothing: attributes of the same name are the framework's to map. */
inline Status AutoMappingByOpFn(const ge::Operator&, ge::Operator&) { return SUCCESS; }

class OpRegistrationData {
 public:
  explicit OpRegistrationData(const char* type) : type_(type) {}
  OpRegistrationData& FrameworkType(domi::FrameworkType framework) {
    framework_ = framework;
    return *this;
  }
  OpRegistrationData& OriginOpType(const char* type) {
    origins_.push_back(type);
    return *this;
  }
  OpRegistrationData& OriginOpType(const std::vector<ge::AscendString>& types) {
    for (const ge::AscendString& type : types) origins_.push_back(type.GetString());
    return *this;
  }
  OpRegistrationData& ParseParamsByOperatorFn(const ParseParamByOpFunc& function) {
    parse_ = function;
    return *this;
  }
  OpRegistrationData& ImplyType(const domi::ImplyType& type) {
    imply_ = type;
    return *this;
  }
  const std::string& aclsim_type() const { return type_; }
  domi::FrameworkType aclsim_framework() const { return framework_; }
  const std::vector<std::string>& aclsim_origins() const { return origins_; }
  const ParseParamByOpFunc& aclsim_parse() const { return parse_; }

 private:
  std::string type_;
  domi::FrameworkType framework_ = TENSORFLOW;
  domi::ImplyType imply_ = domi::ImplyType::BUILDIN;
  std::vector<std::string> origins_;
  ParseParamByOpFunc parse_;
};

__attribute__((visibility("hidden"))) inline std::vector<OpRegistrationData>&
aclsim_registrations() {
  static std::vector<OpRegistrationData> all;
  return all;
}

/* Keeps the registration that the chain of calls has made. */
class OpReceiver {
 public:
  OpReceiver(const OpRegistrationData& made) { aclsim_registrations().push_back(made); }
};

}  // namespace domi

#define ACLSIM_REGISTER_OP_NAME(count) aclsim_registered_op_##count
#define ACLSIM_REGISTER_OP(count, type)                                                    \
  static const ::domi::OpReceiver ACLSIM_REGISTER_OP_NAME(count) __attribute__((unused)) = \
      ::domi::OpRegistrationData(type)
#define ACLSIM_REGISTER_OP_EXPANDED(count, type) ACLSIM_REGISTER_OP(count, type)
#define REGISTER_CUSTOM_OP(type) ACLSIM_REGISTER_OP_EXPANDED(__COUNTER__, type)

#endif /* REGISTER_REGISTER_H_ */
