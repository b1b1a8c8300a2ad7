// SPDX-License-Identifier: Apache-2.0
// Argument lists that a program builds for a kernel.
#include "tests/acl/kernel_world.h"

using namespace world;

namespace {

class Args {
 public:
  explicit Args(aclrtArgsHandle handle) : handle_(handle) {}
  static Args of(aclrtFuncHandle function) {
    aclrtArgsHandle handle = nullptr;
    REQUIRE_ACL(aclrtKernelArgsInit(function, &handle));
    return Args(handle);
  }
  operator aclrtArgsHandle() const { return handle_; }
  template <class T>
  aclrtParamHandle append(T value) const {
    aclrtParamHandle param = nullptr;
    REQUIRE_ACL(aclrtKernelArgsAppend(handle_, &value, sizeof value, &param));
    REQUIRE(param != nullptr);
    return param;
  }
  aclrtParamHandle append_placeholder() const {
    aclrtParamHandle param = nullptr;
    REQUIRE_ACL(aclrtKernelArgsAppendPlaceHolder(handle_, &param));
    return param;
  }
  template <class T>
  T* buffer(aclrtParamHandle param, std::size_t count = 1) const {
    void* address = nullptr;
    REQUIRE_ACL(aclrtKernelArgsGetPlaceHolderBuffer(handle_, param, count * sizeof(T), &address));
    return static_cast<T*>(address);
  }
  void finalize() const { REQUIRE_ACL(aclrtKernelArgsFinalize(handle_)); }

 private:
  aclrtArgsHandle handle_;
};

aclError launch_list(aclrtFuncHandle function, aclrtArgsHandle args, aclrtStream stream = nullptr) {
  return aclrtLaunchKernelWithConfig(function, 1, stream, nullptr, args, nullptr);
}

}  // namespace

TEST_CASE("a list of arguments is launched as often as wanted, with what it holds then") {
  const Device device;
  const Stream stream;
  const Binary binary;
  const DeviceMemory result(4 * sizeof(std::uint32_t));
  const aclrtFuncHandle sum = binary.function("sum");
  const Args args = Args::of(sum);
  const auto to = args.append(result.as<std::uint32_t>());
  const auto table = args.append_placeholder();
  const auto count = args.append(std::uint32_t{2});
  auto* const numbers = args.buffer<std::uint32_t>(table, 3);
  for (std::uint32_t i = 0; i < 3; ++i) numbers[i] = 10 + i;
  args.finalize();
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(launch_list(sum, args, stream));
  // The launch has its own copy: of the values, and of the buffer.
  numbers[0] = 100;
  std::uint32_t more = 3;
  REQUIRE_ACL(aclrtKernelArgsParaUpdate(args, count, &more, sizeof more));
  std::uint32_t* second = result.as<std::uint32_t>() + 1;
  REQUIRE_ACL(aclrtKernelArgsParaUpdate(args, to, &second, sizeof second));
  REQUIRE_ACL(launch_list(sum, args, stream));
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<std::uint32_t>(result) == 21);
  CHECK(fetch<std::uint32_t>(result.as<std::uint32_t>() + 1) == 123);
}

TEST_CASE("appended arguments lie as members of a structure") {
  struct Parameters {
    std::uint8_t small;
    std::uint32_t number;
    std::uint16_t half;
    std::uint64_t large;
    const std::uint64_t* first;
    const std::uint8_t* second;
  };
  const Device device;
  static std::atomic<std::uint64_t> got{0};
  static std::atomic<bool> aligned{false};
  register_kernel(nullptr, "look", [](const aclsimKernelContext*, const void* raw) -> std::int32_t {
    const auto& args = *static_cast<const Parameters*>(raw);
    got = args.small + args.number + args.half + args.large + *args.first + *args.second;
    aligned = reinterpret_cast<std::uintptr_t>(args.first) % 64 == 0 &&
              reinterpret_cast<std::uintptr_t>(args.second) % 64 == 0;
    return 0;
  });
  const Binary binary;
  const Args args = Args::of(binary.function("look"));
  args.append(std::uint8_t{1});
  args.append(std::uint32_t{20});
  args.append(std::uint16_t{300});
  args.append(std::uint64_t{4000});
  const auto first = args.append_placeholder();
  const auto second = args.append_placeholder();
  *args.buffer<std::uint8_t>(second) = 60;  // in any order
  *args.buffer<std::uint64_t>(first) = 50000;
  args.finalize();
  REQUIRE_ACL(launch_list(binary.function("look"), args));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(got == 54381);
  CHECK(aligned);
}

TEST_CASE("a list without arguments may be launched") {
  const Device device;
  const Binary binary;
  const Args args = Args::of(binary.function("tiled_7"));
  args.finalize();
  REQUIRE_ACL(launch_list(binary.function("tiled_7"), args));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

TEST_CASE("a list may be built in memory of the user's") {
  const Device device;
  const Binary binary;
  const DeviceMemory result(sizeof(std::uint32_t));
  const aclrtFuncHandle sum = binary.function("sum");
  std::size_t handle_size = 0;
  std::size_t size = 0;
  REQUIRE_ACL(aclrtKernelArgsGetHandleMemSize(sum, &handle_size));
  REQUIRE_ACL(aclrtKernelArgsGetMemSize(sum, 3 * sizeof(void*) + 3 * sizeof(std::uint32_t), &size));
  CHECK(handle_size > 0);
  std::vector<char> handle_memory(handle_size);
  std::vector<char> memory(size);
  for (int round = 0; round < 2; ++round) {  // the memory can be used again
    REQUIRE_ACL(
        aclrtKernelArgsInitByUserMem(sum, handle_memory.data(), memory.data(), memory.size()));
    const Args args(handle_memory.data());
    args.append(result.as<std::uint32_t>());
    const auto table = args.append_placeholder();
    args.append(std::uint32_t{3});
    auto* const numbers = args.buffer<std::uint32_t>(table, 3);
    CHECK(reinterpret_cast<char*>(numbers) >= memory.data());
    CHECK(reinterpret_cast<char*>(numbers + 3) <= memory.data() + memory.size());
    CHECK(reinterpret_cast<std::uintptr_t>(numbers) % sizeof *numbers == 0);
    for (std::uint32_t i = 0; i < 3; ++i) numbers[i] = i + 1;
    args.finalize();
    REQUIRE_ACL(launch_list(sum, args));
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
    CHECK(fetch<std::uint32_t>(result) == 6);
  }
}

TEST_CASE("memory of the user's is never overrun") {
  const Binary binary;
  const aclrtFuncHandle function = binary.function("tiled_7");
  alignas(8) char memory[32];
  char handle[64];
  REQUIRE_ACL(aclrtKernelArgsInitByUserMem(function, handle, memory, 32));
  const Args args(handle);
  const auto first = args.append_placeholder();
  const auto second = args.append_placeholder();
  void* address = nullptr;
  CHECK_CODE(aclrtKernelArgsGetPlaceHolderBuffer(args, first, 17, &address),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK(address == nullptr);
  CHECK(args.buffer<char>(first, 8) == memory + 24);
  char bytes[9] = {};
  aclrtParamHandle param = kGarbage;
  CHECK_CODE(aclrtKernelArgsAppend(args, bytes, 9, &param), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(param == nullptr);
  REQUIRE_ACL(aclrtKernelArgsAppend(args, bytes, 7, &param));
  CHECK_CODE(aclrtKernelArgsGetPlaceHolderBuffer(args, second, 2, &address),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK(args.buffer<char>(second, 1) == memory + 23);
}

TEST_CASE("building a list is checked") {
  const Device device;
  const Binary binary;
  const aclrtFuncHandle function = binary.function("tiled_7");
  const DeviceMemory device_memory(64);
  std::size_t size = 0;
  aclrtArgsHandle list = kGarbage;
  aclrtParamHandle param = nullptr;
  void* address = nullptr;
  int value = 0;
  char memory[64];
  CHECK_CODE(aclrtKernelArgsGetHandleMemSize(function, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsGetMemSize(function, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsGetMemSize(function, 0, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsGetMemSize(function, SIZE_MAX, &size), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtKernelArgsInit(function, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsInitByUserMem(function, nullptr, memory, 64), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsInitByUserMem(function, memory, nullptr, 64), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsInitByUserMem(function, memory, memory, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsInitByUserMem(function, memory, device_memory, 64),
             ACL_ERROR_RT_PARAM_INVALID);
  for (const auto& [func, code] : {std::pair<void*, aclError>{nullptr, ACL_ERROR_INVALID_PARAM},
                                   {kGarbage, ACL_ERROR_RT_INVALID_HANDLE}}) {
    CHECK_CODE(aclrtKernelArgsGetHandleMemSize(func, &size), code);
    CHECK_CODE(aclrtKernelArgsGetMemSize(func, 8, &size), code);
    CHECK_CODE(aclrtKernelArgsInit(func, &list), code);
    CHECK(list == nullptr);
    CHECK_CODE(aclrtKernelArgsInitByUserMem(func, memory, memory, 64), code);
  }
  for (const auto& [args, code] : {std::pair<void*, aclError>{nullptr, ACL_ERROR_INVALID_PARAM},
                                   {kGarbage, ACL_ERROR_RT_INVALID_HANDLE},
                                   {function, ACL_ERROR_RT_INVALID_HANDLE}}) {
    CHECK_CODE(aclrtKernelArgsAppend(args, &value, sizeof value, &param), code);
    CHECK_CODE(aclrtKernelArgsAppendPlaceHolder(args, &param), code);
    CHECK_CODE(aclrtKernelArgsGetPlaceHolderBuffer(args, kGarbage, 8, &address), code);
    CHECK_CODE(aclrtKernelArgsParaUpdate(args, kGarbage, &value, sizeof value), code);
    CHECK_CODE(aclrtKernelArgsFinalize(args), code);
    CHECK_CODE(launch_list(function, args), code);
  }
  const Args args = Args::of(function);
  const auto number = args.append(value);
  CHECK_CODE(aclrtKernelArgsAppend(args, nullptr, 4, &param), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsAppend(args, &value, 0, &param), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsAppend(args, &value, 4, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsAppend(args, &value, std::size_t{1} << 40, &param),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtKernelArgsAppendPlaceHolder(args, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsParaUpdate(args, nullptr, &value, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsParaUpdate(args, number, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsParaUpdate(args, number, &value, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsParaUpdate(args, number, &value, 3), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("placeholders and parameters are told apart") {
  const Binary binary;
  const Args args = Args::of(binary.function("tiled_7"));
  const Args other = Args::of(binary.function("tiled_7"));
  const auto number = args.append(1);
  const auto place = args.append_placeholder();
  const auto of_other = other.append(1);
  void* address = nullptr;
  std::uint64_t value = 0;
  const auto buffer = [&](aclrtParamHandle param, std::size_t size) {
    return aclrtKernelArgsGetPlaceHolderBuffer(args, param, size, &address);
  };
  CHECK(buffer(number, 8) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(buffer(of_other, 8) == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(buffer(kGarbage, 8) == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(buffer(nullptr, 8) == ACL_ERROR_INVALID_PARAM);
  CHECK(buffer(place, 0) == ACL_ERROR_INVALID_PARAM);
  CHECK(buffer(place, SIZE_MAX) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtKernelArgsGetPlaceHolderBuffer(args, place, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtKernelArgsParaUpdate(args, place, &value, 8), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtKernelArgsParaUpdate(args, of_other, &value, 4), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtKernelArgsFinalize(args), ACL_ERROR_RT_PARAM_INVALID);  // no buffer yet
  CHECK(buffer(place, 8) == ACL_SUCCESS);
  CHECK(buffer(place, 8) == ACL_ERROR_RT_PARAM_INVALID);  // it has one
  REQUIRE_ACL(aclrtKernelArgsFinalize(args));
}

TEST_CASE("a list is launched when it is finalised, and not changed but by updates") {
  const Device device;
  const Binary binary;
  const aclrtFuncHandle function = binary.function("tiled_7");
  const Args args = Args::of(function);
  const auto number = args.append(1);
  CHECK_CODE(launch_list(function, args), ACL_ERROR_RT_PARAM_INVALID);
  args.finalize();
  args.finalize();
  int value = 2;
  aclrtParamHandle param = nullptr;
  CHECK_CODE(aclrtKernelArgsAppend(args, &value, sizeof value, &param), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtKernelArgsAppendPlaceHolder(args, &param), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtKernelArgsParaUpdate(args, number, &value, sizeof value));
  REQUIRE_ACL(launch_list(function, args));
  CHECK_CODE(launch_list(binary.function("sum"), args), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtLaunchKernelWithConfig(function, 1, nullptr, nullptr, args, &value),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtLaunchKernelWithConfig(function, 0, nullptr, nullptr, args, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(launch_list(nullptr, args), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(launch_list(kGarbage, args), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

TEST_CASE("lists end with the binary of their kernel") {
  const Device device;
  Binary first;
  const Binary second;
  char handle[64];
  char memory[64];
  REQUIRE_ACL(aclrtKernelArgsInitByUserMem(first.function("sum"), handle, memory, sizeof memory));
  const Args list = Args::of(first.function("sum"));
  const Args kept = Args::of(second.function("sum"));
  first.unload();
  CHECK_CODE(aclrtKernelArgsFinalize(list), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtKernelArgsFinalize(handle), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclrtKernelArgsFinalize(kept));
}

TEST_CASE("a kernel keeps its latest lists, however many a program starts") {
  const Binary binary;
  const aclrtFuncHandle function = binary.function("tiled_7");
  const Args oldest = Args::of(function);
  std::vector<aclrtArgsHandle> lists(5000);
  for (aclrtArgsHandle& list : lists) REQUIRE_ACL(aclrtKernelArgsInit(function, &list));
  CHECK_CODE(aclrtKernelArgsFinalize(oldest), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtKernelArgsFinalize(lists[lists.size() - 4000]), ACL_SUCCESS);
  CHECK_CODE(aclrtKernelArgsFinalize(lists.back()), ACL_SUCCESS);
}
