// SPDX-License-Identifier: Apache-2.0
// Kernels for NPU cores that were loaded as a binary, through every form of a launch.
#include "tests/acl/kernel_launch.h"

using namespace launchtest;
using catch_compat::ContainsSubstring;

namespace {

std::string npu_path() { return ACLSIM_GUEST_DIR "/npu_kernels.so"; }

/// The arguments of `fill`, packed as in a C structure and with each argument in a slot of 8 bytes.
struct FillArgs {
  std::int32_t* to;
  std::int16_t a;
  std::int32_t b;
  std::int64_t c;
};
struct FillSlots {
  std::int32_t* to;
  alignas(8) std::int16_t a;
  alignas(8) std::int32_t b;
  std::int64_t c;
};

const std::vector<std::uint32_t> kFilled{10203, 1010203, 2010203};

void check_filled(const DeviceMemory& memory) {
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(get(memory, 3) == kFilled);
  put(memory, {0, 0, 0});
}

}  // namespace

TEST_CASE("a kernel for NPU cores is found by its name in the source") {
  const Device device;
  const Binary binary(npu_path());
  CHECK(binary.function("fill") != binary.function("sum"));
  for (const char* name : {"npu::scaled", "scaled", "_ZN3npu6scaledEPi"}) {
    aclrtFuncHandle function = nullptr;
    REQUIRE_ACL(aclrtBinaryGetFunction(binary, name, &function));
  }
  // Other exported symbols are not kernels.
  aclrtFuncHandle none = nullptr;
  for (const char* name : {"helper", "aclsimKernelCode_fill", "other::scaled", "fil"}) {
    CHECK(aclrtBinaryGetFunction(binary, name, &none) == ACL_ERROR_RT_PARAM_INVALID);
  }
}

TEST_CASE("arguments in host memory and in device memory reach a kernel for NPU cores") {
  const Device device;
  const DeviceMemory memory(64);
  const Binary binary(npu_path());
  const aclrtFuncHandle fill = binary.function("fill");
  auto* const to = static_cast<std::int32_t*>(static_cast<void*>(memory));
  FillArgs args{to, 1, 2, 3};
  FillSlots slots{to, 1, 2, 3};
  REQUIRE_ACL(
      aclrtLaunchKernelWithHostArgs(fill, 3, nullptr, nullptr, &args, sizeof args, nullptr, 0));
  check_filled(memory);
  REQUIRE_ACL(
      aclrtLaunchKernelWithHostArgs(fill, 3, nullptr, nullptr, &slots, sizeof slots, nullptr, 0));
  check_filled(memory);
  const DeviceMemory there(sizeof args);
  REQUIRE_ACL(aclrtMemcpy(there, sizeof args, &args, sizeof args, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(aclrtLaunchKernel(fill, 3, there, sizeof args, nullptr));
  check_filled(memory);
  REQUIRE_ACL(aclrtLaunchKernelV2(fill, 3, there, sizeof args, nullptr, nullptr));
  check_filled(memory);
}

TEST_CASE("arguments from a list and from an array reach a kernel for NPU cores") {
  const Device device;
  const DeviceMemory memory(64);
  const Binary binary(npu_path());
  const aclrtFuncHandle fill = binary.function("fill");
  auto* to = static_cast<std::int32_t*>(static_cast<void*>(memory));
  FillArgs args{to, 1, 2, 3};
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  REQUIRE_ACL(aclrtKernelArgsInit(fill, &list));
  REQUIRE_ACL(aclrtKernelArgsAppend(list, &args.to, sizeof args.to, &parameter));
  REQUIRE_ACL(aclrtKernelArgsAppend(list, &args.a, sizeof args.a, &parameter));
  REQUIRE_ACL(aclrtKernelArgsAppend(list, &args.b, sizeof args.b, &parameter));
  REQUIRE_ACL(aclrtKernelArgsAppend(list, &args.c, sizeof args.c, &parameter));
  REQUIRE_ACL(aclrtKernelArgsFinalize(list));
  REQUIRE_ACL(aclrtLaunchKernelWithConfig(fill, 3, nullptr, nullptr, list, nullptr));
  check_filled(memory);
  void* array[] = {&args.to, &args.a, &args.b, &args.c};
  REQUIRE_ACL(aclrtLaunchKernelWithArgsArray(fill, 3, nullptr, nullptr, array));
  check_filled(memory);
}

TEST_CASE("a placeholder points a kernel for NPU cores at a table beside its arguments") {
  const Device device;
  const DeviceMemory memory(64);
  const Binary binary(npu_path());
  struct {
    void* to;
    const std::int32_t* table;
    std::uint32_t count;
    std::int32_t values[3];
  } args{static_cast<void*>(memory), nullptr, 3, {5, 6, 7}};
  aclrtPlaceHolderInfo placeholder{};
  placeholder.addrOffset = 8;
  placeholder.dataOffset = offsetof(decltype(args), values);
  REQUIRE_ACL(aclrtLaunchKernelWithHostArgs(binary.function("sum"), 1, nullptr, nullptr, &args,
                                            sizeof args, &placeholder, 1));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(get(memory, 1)[0] == 18);
}

TEST_CASE("arguments that are too few for a kernel for NPU cores are refused") {
  const Device device;
  const DeviceMemory memory(64);
  const Binary binary(npu_path());
  FillArgs args{nullptr, 1, 2, 3};
  CHECK(aclrtLaunchKernelWithHostArgs(binary.function("fill"), 3, nullptr, nullptr, &args, 16,
                                      nullptr, 0) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK_THAT(std::string(aclGetRecentErrMsg()),
             ContainsSubstring("the arguments have 16 bytes, but the 4 parameters of the kernel "
                               "'fill' take 24"));
}

TEST_CASE("a kernel for NPU cores says which cores it runs on") {
  const Device device;
  const Binary binary(npu_path());
  const auto type_of = [](aclrtFuncHandle function) {
    std::int64_t type = -1;
    REQUIRE_ACL(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, &type));
    return type;
  };
  CHECK(type_of(binary.function("fill")) == ACL_KERNEL_TYPE_VECTOR);
  CHECK(type_of(binary.function("scaled")) == ACL_KERNEL_TYPE_CUBE);
}

TEST_CASE("a binary of kernels for NPU cores may go while a launch of it is under way") {
  const Device device;
  const DeviceMemory memory(64);
  {
    const Binary binary = Binary::from_memory(read_file(npu_path()));
    FillArgs args{static_cast<std::int32_t*>(static_cast<void*>(memory)), 1, 2, 3};
    REQUIRE_ACL(aclrtLaunchKernelWithHostArgs(binary.function("fill"), 3, nullptr, nullptr, &args,
                                              sizeof args, nullptr, 0));
  }
  check_filled(memory);
}
