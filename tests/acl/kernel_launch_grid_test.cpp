// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by handle: blocks, grids and attributes.
#include "tests/acl/kernel_launch.h"

using namespace world;
using namespace launchtest;

namespace {

std::int32_t take_a_while(const aclsimKernelContext*, const void*) {
  const auto end = std::chrono::steady_clock::now() + 2ms;
  while (std::chrono::steady_clock::now() < end) {
  }
  return 0;
}

}  // namespace

TEST_CASE("a kernel by handle knows where it is") {
  const Device device(3);
  const Stream stream;
  register_kernel("set", "look", look);
  const Binary binary("set");
  SeenArgs seen;
  REQUIRE_ACL(launch_host(binary.function("look"), &seen, stream, nullptr, 4));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE(seen.contexts.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const aclsimKernelContext& context = seen.contexts[i];
    CHECK(context.size == sizeof context);
    CHECK(context.blockIndex == i);
    CHECK(context.numBlocks == 4);
    CHECK(context.deviceId == 3);
    CHECK(context.streamId == static_cast<std::uint32_t>(id_of(stream)));
    CHECK(context.gridSize[0] == 4);
    CHECK(context.blockPosition[0] == i);
    CHECK(context.blockSize[0] * context.blockSize[1] * context.blockSize[2] == 1);
    CHECK(context.localMemory == nullptr);
    CHECK(seen.args[i] % 64 == 0);
  }
}

TEST_CASE("a grid of blocks of threads is one call for each block") {
  const Device device;
  register_kernel("set", "look", look, &kOnePointer);
  const Binary binary("set");
  SeenArgs seen;
  SeenArgs* pointer = &seen;
  void* args[] = {&pointer};
  REQUIRE_ACL(aclrtLaunchSIMTKernelWithArgsArray(binary.function("look"), {3, 2, 2}, {32, 4, 1},
                                                 256, nullptr, nullptr, args));
  REQUIRE_ACL(aclrtLaunchSIMTKernelWithHostArgs(reinterpret_cast<void*>(look), {1, 1, 1}, {1, 1, 1},
                                                0, nullptr, nullptr, &pointer, sizeof pointer,
                                                nullptr, 0));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  REQUIRE(seen.contexts.size() == 13);
  for (std::uint32_t i = 0; i < 12; ++i) {
    const aclsimKernelContext& context = seen.contexts[i];
    CHECK(context.blockPosition[0] == i % 3);
    CHECK(context.blockPosition[1] == i / 3 % 2);
    CHECK(context.blockPosition[2] == i / 6);
    CHECK(context.gridSize[2] == 2);
    CHECK(context.blockSize[1] == 4);
    CHECK(context.localMemorySize == 256);
    CHECK(reinterpret_cast<std::uintptr_t>(context.localMemory) % 64 == 0);
  }
  CHECK(seen.contexts[12].localMemory == nullptr);
}

TEST_CASE("a grid is checked") {
  const Device device;
  register_kernel("set", "look", look, &kOnePointer);
  const Binary binary("set");
  SeenArgs seen;
  SeenArgs* pointer = &seen;
  void* args[] = {&pointer};
  const aclrtFuncHandle function = binary.function("look");
  const auto launch = [&](dim3 grid, dim3 block, std::size_t local = 0) {
    const aclError code =
        aclrtLaunchSIMTKernelWithArgsArray(function, grid, block, local, nullptr, nullptr, args);
    CHECK(code == aclrtLaunchSIMTKernelWithHostArgs(function, grid, block, local, nullptr, nullptr,
                                                    &pointer, sizeof pointer, nullptr, 0));
    return code;
  };
  CHECK(launch({1, 1, 1}, {1024, 1, 1}, 196608) == ACL_SUCCESS);
  CHECK(launch({0, 1, 1}, {1, 1, 1}) == ACL_ERROR_INVALID_PARAM);
  CHECK(launch({1, 1, 0}, {1, 1, 1}) == ACL_ERROR_INVALID_PARAM);
  CHECK(launch({1, 1, 1}, {1, 0, 1}) == ACL_ERROR_INVALID_PARAM);
  CHECK(launch({65536, 1, 1}, {1, 1, 1}) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(launch({0xffffffff, 0xffffffff, 0xffffffff}, {1, 1, 1}) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(launch({1, 1, 1}, {1025, 1, 1}) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(launch({1, 1, 1}, {1, 1, 1}, 196609) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(launch({1, 1, 1}, {1, 1, 1}, SIZE_MAX) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(
      aclrtLaunchSIMTKernelWithArgsArray(nullptr, {1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr, args),
      ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtLaunchSIMTKernelWithHostArgs(kGarbage, {1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr,
                                               args, 8, nullptr, 0),
             ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtLaunchSIMTKernelWithHostArgs(function, {1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr,
                                               nullptr, 8, nullptr, 0),
             ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

TEST_CASE("attributes of a launch: where blocks begin, and their scratch memory") {
  const Device device;
  register_kernel("set", "look", look);
  const Binary binary("set");
  aclrtLaunchKernelAttr attributes[] = {attribute(ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET, 100),
                                        attribute(ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE, 1000)};
  aclrtLaunchKernelCfg config{attributes, 2};
  SeenArgs seen;
  REQUIRE_ACL(launch_host(binary.function("look"), &seen, nullptr, &config, 2));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  REQUIRE(seen.contexts.size() == 2);
  CHECK(seen.contexts[0].blockIndex == 100);
  CHECK(seen.contexts[1].blockIndex == 101);
  CHECK(seen.contexts[1].numBlocks == 2);
  CHECK(seen.contexts[1].localMemorySize == 1000);
}

TEST_CASE("a launch that took longer than its limit fails when it is done") {
  const Device device;
  register_kernel(nullptr, "slow", take_a_while);
  const Binary binary;
  aclrtLaunchKernelAttr limit = attribute(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, 1);
  aclrtLaunchKernelCfg config{&limit, 1};
  REQUIRE_ACL(launch_host(binary.function("slow"), 0, nullptr, &config));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_TIMEOUT);
  aclrtBinaryLoadOption option = cpu_mode();
  aclrtBinaryLoadOptions options{&option, 1};
  const Binary cpu(kernels_path(), &options);
  REQUIRE_ACL(launch_host(cpu.function("slow"), 0, nullptr, &config));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICPU_TIMEOUT);
  limit = attribute(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, 1000);  // seconds
  REQUIRE_ACL(launch_host(binary.function("slow"), 0, nullptr, &config));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  limit = attribute(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, 0);  // none
  REQUIRE_ACL(launch_host(binary.function("slow"), 0, nullptr, &config));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

TEST_CASE("attributes of a launch are checked, in every form of launch that has them") {
  const Device device;
  const DeviceMemory memory(8);
  register_kernel(
      "set", "look", [](const aclsimKernelContext*, const void*) { return 0; }, &kOnePointer);
  const Binary binary("set");
  const aclrtFuncHandle function = binary.function("look");
  void* value = nullptr;
  void* args[] = {&value};
  aclrtArgsHandle list = nullptr;
  REQUIRE_ACL(aclrtKernelArgsInit(function, &list));
  REQUIRE_ACL(aclrtKernelArgsFinalize(list));
  const auto all = [&](aclrtLaunchKernelCfg config) {
    const aclError code = launch_host(function, value, nullptr, &config);
    CHECK(aclrtLaunchKernelV2(function, 1, memory, 8, &config, nullptr) == code);
    CHECK(aclrtLaunchKernelWithConfig(function, 1, nullptr, &config, list, nullptr) == code);
    CHECK(aclrtLaunchKernelWithArgsArray(function, 1, nullptr, &config, args) == code);
    CHECK(aclrtLaunchSIMTKernelWithArgsArray(function, {1, 1, 1}, {1, 1, 1}, 0, nullptr, &config,
                                             args) == code);
    CHECK(aclrtLaunchSIMTKernelWithHostArgs(function, {1, 1, 1}, {1, 1, 1}, 0, nullptr, &config,
                                            &value, 8, nullptr, 0) == code);
    return code;
  };
  const auto one = [&](int id, std::uint32_t number) {
    auto attr = attribute(static_cast<aclrtLaunchKernelAttrId>(id), number);
    return all({&attr, 1});
  };
  const struct {
    int id;
    std::uint32_t most;
  } rows[] = {{ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, 2},
              {ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE, 196608},
              {ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE, ACL_RT_ENGINE_TYPE_AIV},
              {ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH, 1},
              {ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP, 1},
              {ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING, 1}};
  for (const auto& [id, most] : rows) {
    CHECK(one(id, 0) == ACL_SUCCESS);
    CHECK(one(id, most) == ACL_SUCCESS);
    CHECK(one(id, most + 1) == ACL_ERROR_RT_PARAM_INVALID);
  }
  for (const int id : {0, 10, -1}) CHECK(one(id, 0) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(all({nullptr, 0}) == ACL_SUCCESS);
  CHECK(all({nullptr, 1}) == ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}
