// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by handle, in every form that arguments come in.
#include "tests/acl/kernel_launch.h"

using namespace world;
using namespace launchtest;
using catch_compat::ContainsSubstring;

// ---- arguments in device memory -----------------------------------------------------------------

TEST_CASE("a kernel reads arguments in device memory when it runs") {
  const Device device;
  const Binary binary;
  const DeviceMemory numbers(5 * sizeof(std::uint32_t));
  const DeviceMemory args(sizeof(ScaleArgs));
  const Stream stream;
  put(numbers, {1, 2, 3, 4, 5});
  store(args, ScaleArgs{numbers.as<std::uint32_t>(), 5, 10});
  Gate gate;
  gate.hold(stream);
  const aclrtFuncHandle scale = binary.function("scale");
  REQUIRE_ACL(aclrtLaunchKernel(scale, 3, args, sizeof(ScaleArgs), stream));
  REQUIRE_ACL(aclrtLaunchKernelV2(scale, 2, args, sizeof(ScaleArgs), nullptr, stream));
  store(args, ScaleArgs{numbers.as<std::uint32_t>(), 5, 3});
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(get(numbers, 5) == std::vector<std::uint32_t>{9, 18, 27, 36, 45});
  CHECK(binary.variable<std::uint32_t>("calls") == 5);
}

TEST_CASE("a launch with arguments in device memory is checked") {
  const Device device;
  Binary binary;
  const DeviceMemory args(64);
  const HostMemory pinned(64);
  char host[64] = {};
  const aclrtFuncHandle function = binary.function("tiled_7");
  REQUIRE_ACL(aclrtLaunchKernel(function, 1, pinned, 64, nullptr));
  void* seen_by_device = nullptr;
  alignas(4096) static char page[4096];
  REQUIRE_ACL(aclrtHostRegister(page, sizeof page, ACL_HOST_REGISTER_MAPPED, &seen_by_device));
  REQUIRE_ACL(aclrtLaunchKernel(function, 1, seen_by_device, 64, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  REQUIRE_ACL(aclrtHostUnregister(page));
  CHECK_CODE(aclrtLaunchKernel(nullptr, 1, args, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtLaunchKernel(function, 1, nullptr, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtLaunchKernel(function, 1, args, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtLaunchKernel(function, 0, args, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtLaunchKernel(function, 65536, args, 8, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtLaunchKernelV2(function, 65536, args, 8, nullptr, nullptr),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtLaunchKernel(function, 1, args, 65, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtLaunchKernel(function, 1, host, 8, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_THAT(recent_message(), ContainsSubstring("aclrtLaunchKernelWithHostArgs"));
  CHECK_CODE(aclrtLaunchKernel(kGarbage, 1, args, 8, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtLaunchKernel(binary, 1, args, 8, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtLaunchKernelV2(nullptr, 1, args, 8, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtLaunchKernelV2(function, 1, nullptr, 8, nullptr, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtLaunchKernel(function, 1, args, 8, kGarbage), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  binary.unload();
  CHECK_CODE(aclrtLaunchKernel(function, 1, args, 8, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("every launch by handle needs a context, and a stream of it") {
  const Device device;
  const Binary binary;
  const DeviceMemory args(8);
  const Stream stream;
  register_kernel("set", "look", look, &kOnePointer);
  const Binary set("set");
  const aclrtFuncHandle function = set.function("look");
  void* null = nullptr;
  void* params[] = {&null};
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle param = nullptr;
  REQUIRE_ACL(aclrtKernelArgsInit(function, &list));
  REQUIRE_ACL(aclrtKernelArgsAppend(list, &null, sizeof null, &param));
  REQUIRE_ACL(aclrtKernelArgsFinalize(list));
  const auto all = [&](aclError expected, aclrtStream on) {
    Problems problems;
    const auto expect = [&](aclError code) { problems.expect(code, expected, "a launch"); };
    expect(aclrtLaunchKernel(function, 1, args, 8, on));
    expect(aclrtLaunchKernelV2(function, 1, args, 8, nullptr, on));
    expect(aclrtLaunchKernelWithConfig(function, 1, on, nullptr, list, nullptr));
    expect(aclrtLaunchKernelWithHostArgs(function, 1, on, nullptr, &null, 8, nullptr, 0));
    expect(aclrtLaunchKernelWithArgsArray(function, 1, on, nullptr, params));
    expect(
        aclrtLaunchSIMTKernelWithArgsArray(function, {1, 1, 1}, {1, 1, 1}, 0, on, nullptr, params));
    expect(aclrtLaunchSIMTKernelWithHostArgs(function, {1, 1, 1}, {1, 1, 1}, 0, on, nullptr, &null,
                                             8, nullptr, 0));
    return problems.text();
  };
  CHECK(in_thread([&] { return all(ACL_ERROR_RT_CONTEXT_NULL, nullptr); }) == "");
  CHECK(all(ACL_ERROR_RT_INVALID_HANDLE, kGarbage) == "");
  const Device other(1);
  CHECK(all(ACL_ERROR_RT_STREAM_CONTEXT, stream) == "");
}

// ---- arguments in host memory -------------------------------------------------------------------

TEST_CASE("arguments in host memory are copied at the call, and placeholders point into the copy") {
  const Device device;
  const Binary binary;
  const Stream stream;
  const DeviceMemory result(sizeof(std::uint32_t));
  struct {
    SumArgs args;
    std::uint32_t table[3];
  } block{{result.as<std::uint32_t>(), nullptr, 3}, {5, 6, 7}};
  aclrtPlaceHolderInfo placeholder{offsetof(decltype(block), args.table),
                                   offsetof(decltype(block), table)};
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtLaunchKernelWithHostArgs(binary.function("sum"), 1, stream, nullptr, &block,
                                            sizeof block, &placeholder, 1));
  CHECK(block.args.table == nullptr);
  std::memset(static_cast<void*>(&block), 0xff, sizeof block);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<std::uint32_t>(result) == 18);
}

TEST_CASE("a launch with arguments in host memory is checked") {
  const Device device;
  const Binary binary;
  const DeviceMemory memory(64);
  const aclrtFuncHandle function = binary.function("tiled_7");
  std::uint64_t block[4] = {};
  const auto launch = [&](aclrtPlaceHolderInfo info, std::size_t size = sizeof block) {
    return aclrtLaunchKernelWithHostArgs(function, 1, nullptr, nullptr, block, size, &info, 1);
  };
  CHECK(launch({24, 31}) == ACL_SUCCESS);
  CHECK(launch({25, 0}) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(launch({0xffffffff, 0}) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(launch({0, 32}) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(launch({0, 0}, 4) == ACL_ERROR_RT_PARAM_INVALID);
  const auto plain = [&](aclrtFuncHandle func, std::uint32_t blocks, void* args, std::size_t size,
                         std::size_t placeholders = 0) {
    return aclrtLaunchKernelWithHostArgs(func, blocks, nullptr, nullptr, args, size, nullptr,
                                         placeholders);
  };
  CHECK(plain(function, 1, block, 8) == ACL_SUCCESS);
  CHECK(plain(nullptr, 1, block, 8) == ACL_ERROR_INVALID_PARAM);
  CHECK(plain(kGarbage, 1, block, 8) == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(plain(function, 0, block, 8) == ACL_ERROR_INVALID_PARAM);
  CHECK(plain(function, 70000, block, 8) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(plain(function, 1, nullptr, 8) == ACL_ERROR_INVALID_PARAM);
  CHECK(plain(function, 1, block, 0) == ACL_ERROR_INVALID_PARAM);
  CHECK(plain(function, 1, block, 8, 1) == ACL_ERROR_INVALID_PARAM);
  CHECK(plain(function, 1, memory, 8) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(plain(function, 1, block, std::size_t{1} << 40) == ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

TEST_CASE("arguments come one by one where the kernel's parameters are told") {
  const Device device;
  const Stream stream;
  static std::atomic<std::uint64_t> got{0};
  struct Parameters {
    std::uint8_t small;
    std::uint32_t number;
    std::uint64_t large;
  };
  const auto kernel = [](const aclsimKernelContext*, const void* raw) -> std::int32_t {
    const auto& args = *static_cast<const Parameters*>(raw);
    got = args.small + args.number + args.large;
    return 0;
  };
  const std::vector<std::size_t> sizes{1, 4, 8};
  register_kernel("set", "kernel", kernel, &sizes);
  register_kernel("set", "plain", look);
  const Binary binary("set");
  std::uint8_t small = 1;
  std::uint32_t number = 20;
  std::uint64_t large = 300;
  void* args[] = {&small, &number, &large};
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtLaunchKernelWithArgsArray(binary.function("kernel"), 1, stream, nullptr, args));
  small = 2;
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(got == 321);
  // The host function is the name of its kernel.
  const aclsimKernel symbol = kernel;
  REQUIRE_ACL(
      aclrtLaunchKernelWithArgsArray(reinterpret_cast<void*>(symbol), 1, stream, nullptr, args));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(got == 322);

  const auto launch = [&](void* func, std::uint32_t blocks, void** values) {
    return aclrtLaunchKernelWithArgsArray(func, blocks, stream, nullptr, values);
  };
  const aclrtFuncHandle function = binary.function("kernel");
  CHECK(launch(nullptr, 1, args) == ACL_ERROR_INVALID_PARAM);
  CHECK(launch(kGarbage, 1, args) == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(launch(function, 0, args) == ACL_ERROR_INVALID_PARAM);
  CHECK(launch(function, 65536, args) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(launch(function, 1, nullptr) == ACL_ERROR_INVALID_PARAM);
  CHECK(launch(binary.function("plain"), 1, args) == ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  args[1] = nullptr;
  CHECK(launch(function, 1, args) == ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a kernel without parameters takes no arguments") {
  const Device device;
  static std::atomic<int> runs{0};
  runs = 0;
  const std::vector<std::size_t> none;
  register_kernel(
      "set", "kernel",
      [](const aclsimKernelContext*, const void*) -> std::int32_t {
        ++runs;
        return 0;
      },
      &none);
  const Binary binary("set");
  REQUIRE_ACL(
      aclrtLaunchKernelWithArgsArray(binary.function("kernel"), 1, nullptr, nullptr, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(runs == 1);
}
