/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings of an operator for one chip, in a file of their own:
 * REGISTER_OP_AICORE_CONFIG(AddCustom, ascend910b, []() { ops::OpAICoreConfig config; ...; return
 * config; });  A setting that the operator's own AddConfig has for this chip takes precedence.
 * C++11.
 */
#ifndef REGISTER_OP_CONFIG_REGISTRY_H_
#define REGISTER_OP_CONFIG_REGISTRY_H_

#include <map>
#include <string>
#include <utility>

#include "register/op_def_registry.h"

namespace ops {

typedef OpAICoreConfig (*OpAICoreConfigFunc)();

/* By operator and chip. */
__attribute__((
    visibility("hidden"))) inline std::map<std::pair<std::string, std::string>, OpAICoreConfigFunc>&
aclsim_core_configs() {
  static std::map<std::pair<std::string, std::string>, OpAICoreConfigFunc> all;
  return all;
}

}  // namespace ops

#define REGISTER_OP_AICORE_CONFIG(opType, soc, ...)                          \
  static const bool aclsim_config_##opType##_##soc __attribute__((unused)) = \
      ::ops::aclsim_core_configs().emplace(std::make_pair(#opType, #soc), __VA_ARGS__).second

#endif /* REGISTER_OP_CONFIG_REGISTRY_H_ */
