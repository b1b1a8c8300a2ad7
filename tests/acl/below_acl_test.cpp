// SPDX-License-Identifier: Apache-2.0
// Functions of the runtime below ACL, and of the compiler at run time.
#include "runtime/kernel.h"
#include "runtime/rt_ffts.h"
#include "tests/acl/world.h"

using namespace world;

TEST_CASE("the memory of flags between cores has an address that is not 0") {
  std::uint64_t address = 0;
  std::uint32_t length = 0;
  REQUIRE(rtGetC2cCtrlAddr(&address, &length) == RT_ERROR_NONE);
  CHECK(address != 0);
  CHECK(length != 0);
  CHECK_CODE(rtGetC2cCtrlAddr(nullptr, &length), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(rtGetC2cCtrlAddr(&address, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("the address of the flags between cores is known and not null") {
  void* address = nullptr;
  REQUIRE(aclrtGetHardwareSyncAddr(&address) == ACL_SUCCESS);
  CHECK(address != nullptr);
  CHECK_CODE(aclrtGetHardwareSyncAddr(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("kernels that are registered below ACL are refused") {
  int function = 0;
  void* handle = nullptr;
  rtDevBinary_t binary{RT_DEV_BINARY_MAGIC_ELF, 0, &function, sizeof function};
  rtArgsEx_t args{};
  rtTaskCfgInfo_t configuration{};
  const auto refused = [](rtError_t code, const char* name) {
    CHECK(code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    const char* const text = aclGetRecentErrMsg();
    REQUIRE(text);
    CHECK(std::string(text).find(name) != std::string::npos);
  };
#define REFUSED_CALL(name, ...) refused(name(__VA_ARGS__), #name)
  REFUSED_CALL(rtDevBinaryRegister, &binary, &handle);
  REFUSED_CALL(rtDevBinaryUnRegister, handle);
  REFUSED_CALL(rtRegisterAllKernel, &binary, &handle);
  REFUSED_CALL(rtFunctionRegister, handle, &function, "f", "f", 0);
  REFUSED_CALL(rtGetFunctionByName, "f", &handle);
  REFUSED_CALL(rtQueryFunctionRegistered, "f");
  REFUSED_CALL(rtKernelLaunch, &function, 1, &function, 4, nullptr, nullptr);
  REFUSED_CALL(rtKernelLaunchWithFlag, &function, 1, &args, nullptr, nullptr, 0);
  REFUSED_CALL(rtKernelLaunchWithFlagV2, &function, 1, &args, nullptr, nullptr, 0, &configuration);
  REFUSED_CALL(rtKernelLaunchWithHandleV2, handle, 0, 1, &args, nullptr, nullptr, &configuration);
}
