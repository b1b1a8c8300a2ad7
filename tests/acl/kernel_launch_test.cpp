// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by handle, in every form that arguments come in.
#include <chrono>
#include <stdexcept>

#include "tests/acl/kernel_world.h"

using namespace world;
using catch_compat::ContainsSubstring;

namespace {

struct ScaleArgs {
  std::uint32_t* numbers;
  std::uint32_t count;
  std::uint32_t factor;
};

struct SumArgs {
  std::uint32_t* result;
  const std::uint32_t* table;
  std::uint32_t count;
};

void put(const DeviceMemory& memory, const std::vector<std::uint32_t>& numbers) {
  const std::size_t size = numbers.size() * sizeof(std::uint32_t);
  REQUIRE_ACL(aclrtMemcpy(memory, memory.size(), numbers.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
}

std::vector<std::uint32_t> get(const DeviceMemory& memory, std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  const std::size_t size = count * sizeof(std::uint32_t);
  REQUIRE_ACL(aclrtMemcpy(numbers.data(), size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST));
  return numbers;
}

// What the kernel `look` saw; it is given the address of one.
struct SeenArgs {
  std::vector<aclsimKernelContext> contexts;
  std::vector<std::uintptr_t> args;
};

std::int32_t look(const aclsimKernelContext* context, const void* args) {
  SeenArgs* seen = nullptr;
  std::memcpy(&seen, args, sizeof seen);
  seen->contexts.push_back(*context);
  seen->args.push_back(reinterpret_cast<std::uintptr_t>(args));
  if (context->localMemory != nullptr) {
    std::memset(context->localMemory, 0x5a, context->localMemorySize);
  }
  return 0;
}

const std::vector<std::size_t> kOnePointer{sizeof(void*)};

std::int32_t throw_something(const aclsimKernelContext*, const void*) {
  throw std::runtime_error("on purpose");
}

std::int32_t take_a_while(const aclsimKernelContext*, const void*) {
  const auto end = std::chrono::steady_clock::now() + 2ms;
  while (std::chrono::steady_clock::now() < end) {
  }
  return 0;
}

aclrtLaunchKernelAttr attribute(aclrtLaunchKernelAttrId id, std::uint32_t value) {
  aclrtLaunchKernelAttr result{};
  result.id = id;
  result.value.rsv[0] = value;
  return result;
}

template <class Args>
aclError launch_host(aclrtFuncHandle function, Args args, aclrtStream stream = nullptr,
                     aclrtLaunchKernelCfg* config = nullptr, std::uint32_t blocks = 1) {
  return aclrtLaunchKernelWithHostArgs(function, blocks, stream, config, &args, sizeof args,
                                       nullptr, 0);
}

}  // namespace

// ---- arguments in device memory
// -----------------------------------------------------------------------

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

// ---- arguments in host memory
// ---------------------------------------------------------------------------

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
  // The host function stands for its kernel.
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

// ---- blocks, grids, attributes
// ------------------------------------------------------------------------

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

// ---- unloading while work is pending
// -------------------------------------------------------------------

TEST_CASE("launches that are pending when their binary is unloaded still run") {
  const Device device;
  const Stream stream;
  const DeviceMemory numbers(3 * sizeof(std::uint32_t));
  put(numbers, {1, 2, 3});
  std::atomic<int> unloads{0};
  Binary binary = Binary::from_memory(read_file(kernels_path()));
  binary.variable<std::atomic<int>*>("unloads") = &unloads;
  Gate gate;
  gate.hold(stream);
  const ScaleArgs args{numbers.as<std::uint32_t>(), 3, 2};
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(launch_host(binary.function("scale"), args, stream));
  binary.unload();
  CHECK(stats().otherHandles == 0);
  CHECK(unloads == 0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(get(numbers, 3) == std::vector<std::uint32_t>{8, 16, 24});
  CHECK(eventually([&] { return unloads == 1; }));
}

TEST_CASE("a binary may be unloaded while one of its kernels runs") {
  const Device device;
  const Stream stream;
  std::atomic<int> unloads{0};
  Binary binary = Binary::from_memory(read_file(kernels_path()));
  binary.variable<std::atomic<int>*>("unloads") = &unloads;
  auto& entered = binary.variable<std::atomic<int>>("gate_entered");
  auto& open = binary.variable<std::atomic<int>>("gate_open");
  REQUIRE_ACL(launch_host(binary.function("hold"), 0, stream));
  REQUIRE(eventually([&] { return query(stream) == ACL_STREAM_STATUS_NOT_READY && entered == 1; }));
  binary.unload();
  CHECK(unloads == 0);
  open = 1;
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(eventually([&] { return unloads == 1; }));
}

TEST_CASE("launches that are dropped let go of their binary") {
  const Device device;
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  std::atomic<int> unloads{0};
  Binary binary = Binary::from_memory(read_file(kernels_path()));
  binary.variable<std::atomic<int>*>("unloads") = &unloads;
  {
    Gate gate;
    gate.hold(stream);
    REQUIRE_ACL(launch_host(binary.function("tiled_7"), 0, stream));
    binary.unload();
    REQUIRE_ACL(aclrtDestroyStreamForce(stream));
    CHECK(unloads == 0);
  }
  CHECK(eventually([&] { return unloads == 1; }));
}

// ---- failures
// -----------------------------------------------------------------------------------------

namespace {

struct Report {
  const void* device_args = nullptr;  // what the callback must not read
  void* address = nullptr;
  std::int32_t args = 0;
  std::uint32_t args_size = 0;
  aclrtFuncHandle function = nullptr;
  std::uint32_t code = 0;
  std::atomic<int> calls{0};
};

Report general;

void note(aclrtExceptionInfo* info, void* user_data) {
  Report& report = *static_cast<Report*>(user_data);
  aclrtGetArgsFromExceptionInfo(info, &report.address, &report.args_size);
  if (report.address != report.device_args) {
    std::memcpy(&report.args, report.address, sizeof report.args);
  }
  aclrtGetFuncHandleFromExceptionInfo(info, &report.function);
  report.code = aclrtGetErrorCodeFromExceptionInfo(info);
  ++report.calls;
}

void note_general(aclrtExceptionInfo* info) { note(info, &general); }

}  // namespace

TEST_CASE("a kernel by handle that fails reports its device error") {
  const Device device;
  const Binary binary;
  const aclrtFuncHandle function = binary.function("fail_with");
  for (const int code : {ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_AICPU_EXCEPTION}) {
    REQUIRE_ACL(launch_host(function, code));
    CHECK_CODE(aclrtSynchronizeStream(nullptr), code);
  }
  REQUIRE_ACL(launch_host(function, -1));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  register_kernel(nullptr, "throw", throw_something);
  REQUIRE_ACL(launch_host(binary.function("throw"), 0));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
}

TEST_CASE("exception callbacks learn the function and its arguments, wherever those lie") {
  const Device device;
  const Binary binary;
  const aclrtFuncHandle function = binary.function("fail_with");
  const DeviceMemory args(64);
  store(args, ACL_ERROR_RT_AICORE_TIMEOUT);
  general.calls = 0;
  general.device_args = args;
  REQUIRE_ACL(aclrtExceptionInfoCallbackRegister(note_general));
  REQUIRE_ACL(launch_host(function, ACL_ERROR_RT_AICORE_EXCEPTION));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(general.calls == 1);
  CHECK(general.function == function);
  CHECK(general.args == ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(general.args_size == sizeof(std::int32_t));
  REQUIRE_ACL(aclrtLaunchKernel(function, 1, args, 32, nullptr));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_TIMEOUT);
  CHECK(general.calls == 2);
  CHECK(general.address == static_cast<void*>(args));
  CHECK(general.args_size == 32);
  general.function = nullptr;
  launch(nullptr, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });  // not by handle
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(general.calls == 3);
  CHECK(general.function == nullptr);
  REQUIRE_ACL(aclrtExceptionInfoCallbackUnregister(note_general));
}

TEST_CASE("a binary's exception callback is called for its own kernels, beside the others") {
  const Device device;
  const Binary binary;
  const Binary other = Binary::from_memory(read_file(kernels_path()));
  const auto fail_in = [](const Binary& which) {
    REQUIRE_ACL(launch_host(which.function("fail_with"), ACL_ERROR_RT_AICORE_EXCEPTION));
    REQUIRE_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  };
  Report report;
  Report second;
  general.calls = 0;
  REQUIRE_ACL(aclrtBinarySetExceptionCallback(binary, note, &report));
  fail_in(binary);
  CHECK(report.calls == 1);
  CHECK(report.function == binary.function("fail_with"));
  CHECK(report.code == ACL_ERROR_RT_AICORE_EXCEPTION);
  fail_in(other);
  launch(nullptr, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(report.calls == 1);
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(note_general));
  fail_in(binary);
  CHECK(report.calls == 2);
  CHECK(general.calls == 1);
  REQUIRE_ACL(aclrtBinarySetExceptionCallback(binary, note, &second));  // the last one wins
  fail_in(binary);
  CHECK(report.calls == 2);
  CHECK(second.calls == 1);
  REQUIRE_ACL(aclrtBinarySetExceptionCallback(binary, nullptr, nullptr));
  fail_in(binary);
  CHECK(second.calls == 1);
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(nullptr));
  CHECK_CODE(aclrtBinarySetExceptionCallback(nullptr, note, &report), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinarySetExceptionCallback(kGarbage, note, &report), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a binary's exception callback goes with its handle") {
  const Device device;
  const Stream stream;
  Report report;
  Binary binary;
  REQUIRE_ACL(aclrtBinarySetExceptionCallback(binary, note, &report));
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(launch_host(binary.function("fail_with"), ACL_ERROR_RT_AICORE_EXCEPTION, stream));
  binary.unload();
  gate.open();
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(report.calls == 0);
}
