/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tilings that a graph computes on a device. Operators that are called one by one compute theirs on
 * the host, so the function is only kept: DEVICE_IMPL_OP_OPTILING(AddCustom).Tiling(function);
 * C++11.
 */
#ifndef REGISTER_DEVICE_OP_IMPL_REGISTRY_H_
#define REGISTER_DEVICE_OP_IMPL_REGISTRY_H_

#include <map>
#include <string>

#include "register/op_def_registry.h"

namespace optiling {

__attribute__((
    visibility("hidden"))) inline std::map<std::string, gert::OpImplRegisterV2::TilingKernelFunc>&
aclsim_device_tilings() {
  static std::map<std::string, gert::OpImplRegisterV2::TilingKernelFunc> all;
  return all;
}

class DeviceOpImplRegister {
 public:
  explicit DeviceOpImplRegister(const char* type) : type_(type) {}
  DeviceOpImplRegister& Tiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
    aclsim_device_tilings()[type_] = function;
    return *this;
  }

 private:
  std::string type_;
};

}  // namespace optiling

#define DEVICE_IMPL_OP_OPTILING(optype)                                                           \
  static ::optiling::DeviceOpImplRegister aclsim_device_tiling_##optype __attribute__((unused)) = \
      ::optiling::DeviceOpImplRegister(#optype)

#endif /* REGISTER_DEVICE_OP_IMPL_REGISTRY_H_ */
