// SPDX-License-Identifier: Apache-2.0
// Kernel binaries: the kinds that can be loaded, and queries about their content.
#include <elf.h>

#include "tests/acl/kernel_world.h"
#include "tests/support/temp_dir.h"

using namespace world;
using catch_compat::ContainsSubstring;

namespace {

std::int32_t empty_kernel(const aclsimKernelContext*, const void*) { return 0; }
std::int32_t nothing_else(const aclsimKernelContext*, const void*) { return 0; }

aclError load(const std::string& path, aclrtBinaryLoadOptions* options = nullptr) {
  aclrtBinHandle binary = kGarbage;
  const aclError code = aclrtBinaryLoadFromFile(path.c_str(), options, &binary);
  CHECK((binary == nullptr) == (code != ACL_SUCCESS));
  if (code == ACL_SUCCESS) REQUIRE_ACL(aclrtBinaryUnLoad(binary));
  return code;
}

aclError load_option(aclrtBinaryLoadOption option) {
  aclrtBinaryLoadOptions options{&option, 1};
  return load(kernels_path(), &options);
}

void run(aclrtFuncHandle function) {
  std::int32_t code = 0;
  REQUIRE_ACL(
      aclrtLaunchKernelWithHostArgs(function, 1, nullptr, nullptr, &code, sizeof code, nullptr, 0));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

}  // namespace

// ---- loading
// ---------------------------------------------------------------------------------------

TEST_CASE("a shared object is loaded from a file or from memory") {
  const Device device;
  const std::string bytes = read_file(kernels_path());
  const Binary from_file;
  const Binary from_memory = Binary::from_memory(bytes);
  run(from_file.function("tiled_7"));
  run(from_memory.function("tiled_7"));
  CHECK(&from_file.variable<std::uint32_t>("calls") !=
        &from_memory.variable<std::uint32_t>("calls"));
}

TEST_CASE("binaries that are loaded from memory one after the other are not mistaken") {
  const Device device;
  const std::string bytes = read_file(kernels_path());
  for (int i = 0; i < 5; ++i) {
    const Binary first = Binary::from_memory(bytes);
    const Binary second = Binary::from_memory(bytes);
    REQUIRE(&first.variable<std::uint32_t>("calls") != &second.variable<std::uint32_t>("calls"));
    CHECK(first.variable<std::uint32_t>("calls") == 0);
    first.variable<std::uint32_t>("calls") = 1;
  }
}

TEST_CASE("a binary is made of data first and loaded later") {
  const Device device;
  std::string bytes = read_file(kernels_path());
  const aclrtBinary data = aclrtCreateBinary(bytes.data(), bytes.size());
  REQUIRE(data != nullptr);
  bytes.assign(bytes.size(), 'x');  // it was copied
  aclrtBinHandle binary = nullptr;
  REQUIRE_ACL(aclrtBinaryLoad(data, &binary));
  CHECK(stats().otherHandles == 2);
  REQUIRE_ACL(aclrtDestroyBinary(data));
  aclrtFuncHandle function = nullptr;
  REQUIRE_ACL(aclrtBinaryGetFunction(binary, "tiled_7", &function));
  run(function);
  aclrtBinHandle again = kGarbage;
  CHECK_CODE(aclrtBinaryLoad(data, &again), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(again == nullptr);
  CHECK_CODE(aclrtDestroyBinary(data), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDestroyBinary(binary), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDestroyBinary(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryLoad(nullptr, &again), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryLoad(data, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK(aclrtCreateBinary(nullptr, 4) == nullptr);
  CHECK(aclrtCreateBinary("data", 0) == nullptr);
  REQUIRE_ACL(aclrtBinaryUnLoad(binary));
}

TEST_CASE("loading a binary checks its arguments") {
  aclrtBinHandle binary = nullptr;
  CHECK_CODE(aclrtBinaryLoadFromFile(nullptr, nullptr, &binary), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryLoadFromFile("x", nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryLoadFromData(nullptr, 4, nullptr, &binary), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryLoadFromData("data", 0, nullptr, &binary), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryLoadFromData("data", 4, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a binary that cannot be read is refused") {
  const support::TempDir dir;
  CHECK(load("") == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(load((dir.path() / "missing.o").string()) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(load(dir.path().string()) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(load(dir.path().string() + "/") == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(load("/dev/zero") == ACL_ERROR_RT_PARAM_INVALID);
  CHECK_THAT(recent_message(), ContainsSubstring("/dev/zero"));
}

TEST_CASE("a binary that cannot run here is refused with what was found in it") {
  const support::TempDir dir;
  const std::string host = read_file(kernels_path());
  const auto patched = [&](std::size_t offset, auto value) {
    std::string bytes = host;
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    return bytes;
  };
  const std::pair<std::string, const char*> files[] = {
      {patched(offsetof(Elf64_Ehdr, e_machine), std::uint16_t{0x1029}), "machine 4137"},
      {patched(offsetof(Elf64_Ehdr, e_type), std::uint16_t{ET_REL}), "relocatable object"},
      {patched(offsetof(Elf64_Ehdr, e_type), std::uint16_t{ET_EXEC}), "executable"},
      {patched(EI_CLASS, std::uint8_t{ELFCLASS32}), "word size"},
      {host.substr(0, 20), "cut off"},
      {" \n{\"kernelName\": \"add\"}", "JSON"},
      {"!<arch>\nmore", "archive"},
      {"", "empty"},
      {"ab", "61 62"}};
  for (const auto& [bytes, found] : files) {
    CHECK(load(dir.write("kernel.o", bytes)) == ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    CHECK_THAT(recent_message(), ContainsSubstring(found));
    if (bytes.empty()) continue;
    aclrtBinHandle binary = kGarbage;
    CHECK_CODE(aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &binary),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    CHECK(binary == nullptr);
  }
}

TEST_CASE("a damaged shared object is refused before the loader sees it") {
  const std::string bytes = read_file(kernels_path());
  for (const std::size_t size : {sizeof(Elf64_Ehdr), sizeof(Elf64_Ehdr) + 10, bytes.size() / 4,
                                 bytes.size() / 2, bytes.size() - 1}) {
    aclrtBinHandle binary = nullptr;
    CHECK_CODE(aclrtBinaryLoadFromData(bytes.data(), size, nullptr, &binary),
               ACL_ERROR_RT_PARAM_INVALID);
    CHECK_THAT(recent_message(), ContainsSubstring("damaged"));
  }
}

TEST_CASE("what the dynamic loader refuses is told in its words") {
  CHECK(load("/proc/self/exe") != ACL_SUCCESS);  // position independent, but no library
  CHECK_THAT(recent_message(), ContainsSubstring("executable"));
}

TEST_CASE("load options are checked") {
  aclrtBinaryLoadOption option{};
  for (const std::uint32_t lazy : {0U, 1U, 2U}) {
    option.type = ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD;
    option.value.isLazyLoad = lazy;
    CHECK(load_option(option) == (lazy <= 1 ? ACL_SUCCESS : ACL_ERROR_RT_PARAM_INVALID));
  }
  for (const std::uint32_t magic :
       {ACL_RT_BINARY_MAGIC_ELF_AICORE, ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE,
        ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE}) {
    option.type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
    option.value.magic = magic;
    CHECK(load_option(option) == ACL_SUCCESS);
    option.value.magic = magic + 1;
    CHECK(load_option(option) == ACL_ERROR_RT_PARAM_INVALID);
  }
  for (const std::int32_t mode : {-1, 0, 1, 2, 3}) {
    CHECK(load_option(cpu_mode(mode)) ==
          (mode >= 0 && mode <= 2 ? ACL_SUCCESS : ACL_ERROR_RT_PARAM_INVALID));
  }
  for (const int type : {0, 4, -1}) {
    option.type = static_cast<aclrtBinaryLoadOptionType>(type);
    CHECK(load_option(option) == ACL_ERROR_RT_PARAM_INVALID);
  }
  aclrtBinaryLoadOptions options{nullptr, 1};
  CHECK(load(kernels_path(), &options) == ACL_ERROR_INVALID_PARAM);
  options.numOpt = 0;
  CHECK(load(kernels_path(), &options) == ACL_SUCCESS);
}

// ---- functions
// ---------------------------------------------------------------------------------------

TEST_CASE("a function is found by its name, and always by the same handle") {
  const Binary binary;
  CHECK(binary.function("scale") == binary.function("scale"));
  CHECK(binary.function("scale") != binary.function("sum"));
  aclrtFuncHandle function = kGarbage;
  // Not there; not exported; a variable; defined by another library.
  for (const char* name : {"missing", "hidden", "calls", "malloc", ""}) {
    function = kGarbage;
    CHECK_CODE(aclrtBinaryGetFunction(binary, name, &function), ACL_ERROR_RT_PARAM_INVALID);
    CHECK(function == nullptr);
  }
  CHECK_CODE(aclrtBinaryGetFunction(binary, nullptr, &function), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetFunction(binary, "scale", nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetFunction(nullptr, "scale", &function), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetFunction(kGarbage, "scale", &function), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a function is found by the number at the end of its name") {
  const Binary binary;
  aclrtFuncHandle function = nullptr;
  REQUIRE_ACL(aclrtBinaryGetFunctionByEntry(binary, 7, &function));
  CHECK(function == binary.function("tiled_7"));
  CHECK_CODE(aclrtBinaryGetFunctionByEntry(binary, 9, &function), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(function == nullptr);
  CHECK_CODE(aclrtBinaryGetFunctionByEntry(binary, 8, &function), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtBinaryGetFunctionByEntry(binary, 7, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetFunctionByEntry(nullptr, 7, &function), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetFunctionByEntry(kGarbage, 7, &function), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a binary tells its variables and where it is") {
  const Binary binary;
  void* address = nullptr;
  std::size_t size = 0;
  REQUIRE_ACL(aclrtBinaryGetGlobal(binary, "calls", &address, &size));
  CHECK(size == sizeof(std::uint32_t));
  void* base = nullptr;
  std::size_t span = 0;
  REQUIRE_ACL(aclrtBinaryGetDevAddress(binary, &base, &span));
  CHECK(address >= base);
  CHECK(address < static_cast<char*>(base) + span);
  for (const char* name : {"missing", "scale", "environ"}) {
    CHECK_CODE(aclrtBinaryGetGlobal(binary, name, &address, &size), ACL_ERROR_RT_PARAM_INVALID);
    CHECK(address == nullptr);
  }
  CHECK_CODE(aclrtBinaryGetGlobal(binary, nullptr, &address, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetGlobal(binary, "calls", nullptr, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetGlobal(binary, "calls", &address, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetGlobal(kGarbage, "calls", &address, &size), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtBinaryGetDevAddress(binary, nullptr, &span), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetDevAddress(binary, &base, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetDevAddress(nullptr, &base, &span), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryGetDevAddress(kGarbage, &base, &span), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a function tells its name, type, size and binary") {
  const Binary binary;
  const aclrtFuncHandle function = binary.function("scale");
  char name[6] = "";
  REQUIRE_ACL(aclrtGetFunctionName(function, sizeof name, name));
  CHECK(name == std::string("scale"));
  CHECK_CODE(aclrtGetFunctionName(function, sizeof name - 1, name), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtGetFunctionName(function, sizeof name, nullptr), ACL_ERROR_INVALID_PARAM);
  void* aic = kGarbage;
  void* aiv = nullptr;
  REQUIRE_ACL(aclrtGetFunctionAddr(function, &aic, &aiv));
  CHECK(aic == nullptr);
  CHECK(aiv != nullptr);
  CHECK_CODE(aclrtGetFunctionAddr(function, nullptr, &aiv), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetFunctionAddr(function, &aic, nullptr), ACL_ERROR_INVALID_PARAM);
  std::size_t aic_size = 1;
  std::size_t aiv_size = 0;
  REQUIRE_ACL(aclrtGetFunctionSize(function, &aic_size, &aiv_size));
  CHECK(aic_size == 0);
  CHECK(aiv_size > 0);
  CHECK_CODE(aclrtGetFunctionSize(function, nullptr, &aiv_size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetFunctionSize(function, &aic_size, nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtBinHandle owner = nullptr;
  REQUIRE_ACL(aclrtFunctionGetBinary(function, &owner));
  CHECK(owner == static_cast<aclrtBinHandle>(binary));
  CHECK_CODE(aclrtFunctionGetBinary(function, nullptr), ACL_ERROR_INVALID_PARAM);
  std::size_t available = 0;
  REQUIRE_ACL(aclrtFunctionGetAvailDynUbufPerBlock(function, 0, &available));
  CHECK(available == 196608);
  CHECK_CODE(aclrtFunctionGetAvailDynUbufPerBlock(function, 1, &available),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtFunctionGetAvailDynUbufPerBlock(function, 0, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a function's attributes are those of a kernel of vector cores") {
  const Binary binary;
  const aclrtFuncHandle function = binary.function("scale");
  std::int64_t value = -1;
  REQUIRE_ACL(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, &value));
  CHECK(value == ACL_KERNEL_TYPE_VECTOR);
  for (const auto attribute : {ACL_FUNC_ATTR_KERNEL_RATIO, ACL_FUNC_ATTR_KERNEL_SCHED_MODE}) {
    REQUIRE_ACL(aclrtGetFunctionAttribute(function, attribute, &value));
    CHECK(value == 0);
  }
  CHECK_CODE(aclrtGetFunctionAttribute(function, static_cast<aclrtFuncAttribute>(99), &value),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, nullptr),
             ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("what is asked of a function needs a live one") {
  Binary binary;
  const aclrtFuncHandle stale = binary.function("scale");
  binary.unload();
  char name[8];
  void* address = nullptr;
  std::size_t size = 0;
  std::int64_t value = 0;
  aclrtBinHandle owner = nullptr;
  const std::pair<aclrtFuncHandle, aclError> bad[] = {{nullptr, ACL_ERROR_INVALID_PARAM},
                                                      {stale, ACL_ERROR_RT_INVALID_HANDLE},
                                                      {kGarbage, ACL_ERROR_RT_INVALID_HANDLE}};
  for (const auto& [function, code] : bad) {
    CHECK_CODE(aclrtGetFunctionName(function, 8, name), code);
    CHECK_CODE(aclrtGetFunctionAddr(function, &address, &address), code);
    CHECK_CODE(aclrtGetFunctionSize(function, &size, &size), code);
    CHECK_CODE(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, &value), code);
    CHECK_CODE(aclrtFunctionGetBinary(function, &owner), code);
    CHECK_CODE(aclrtFunctionGetParamCount(function, &size), code);
    CHECK_CODE(aclrtFunctionGetParamInfo(function, 0, &size, &size), code);
    CHECK_CODE(aclrtFunctionGetAvailDynUbufPerBlock(function, 0, &size), code);
  }
}

// ---- unloading
// ---------------------------------------------------------------------------------------

TEST_CASE("an unloaded binary is gone, and its functions with it") {
  Binary binary;
  const aclrtBinHandle stale = binary;
  binary.unload();
  CHECK_CODE(aclrtBinaryUnLoad(stale), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtBinaryUnLoad(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinaryUnLoad(kGarbage), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(stats().otherHandles == 0);
}

TEST_CASE("unloading closes the library at once when nothing uses it") {
  Binary binary = Binary::from_memory(read_file(kernels_path()));
  std::atomic<int> unloads{0};
  binary.variable<std::atomic<int>*>("unloads") = &unloads;
  binary.function("scale");
  CHECK(unloads == 0);
  binary.unload();
  CHECK(unloads == 1);
}

TEST_CASE("a reset of everything unloads binaries and forgets registered kernels") {
  aclrtBinHandle binary = nullptr;
  REQUIRE_ACL(aclrtBinaryLoadFromFile(kernels_path().c_str(), nullptr, &binary));
  REQUIRE(aclrtCreateBinary("data", 4) != nullptr);
  register_kernel("set", "kernel", empty_kernel);
  aclrtFuncHandle function = nullptr;
  REQUIRE_ACL(aclrtGetFuncBySymbol(reinterpret_cast<void*>(empty_kernel), &function));
  REQUIRE_ACL(aclsimResetAll());
  CHECK(stats().otherHandles == 0);
  CHECK_CODE(aclrtBinaryUnLoad(binary), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(load("set") == ACL_ERROR_RT_PARAM_INVALID);
  char name[8];
  CHECK_CODE(aclrtGetFunctionName(function, 8, name), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtGetFuncBySymbol(reinterpret_cast<void*>(empty_kernel), &function),
             ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("threads may load, look up and unload at once") {
  const std::string bytes = read_file(kernels_path());
  const Binary shared;
  Problems problems;
  in_threads(4, [&](int) {
    for (int i = 0; i < 20; ++i) {
      aclrtBinHandle own = nullptr;
      aclrtFuncHandle function = nullptr;
      EXPECT_ACL(problems, aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &own));
      EXPECT_ACL(problems, aclrtBinaryGetFunction(own, "scale", &function));
      EXPECT_ACL(problems, aclrtBinaryGetFunction(shared, "sum", &function));
      EXPECT_ACL(problems, aclrtBinaryUnLoad(own));
    }
  });
  CHECK(problems.text() == "");
}

// ---- registered kernels
// ------------------------------------------------------------------------------

TEST_CASE("a registered binary needs no file, or stands for one that cannot run") {
  const support::TempDir dir;
  const Device device;
  register_kernel("add_custom.o", "add", empty_kernel);
  const Binary without("somewhere/add_custom.o");
  run(without.function("add"));
  const Binary with(dir.write("add_custom.o", "device code"));
  run(with.function("add"));
  aclrtFuncHandle function = kGarbage;
  CHECK_CODE(aclrtBinaryGetFunction(with, "sub", &function), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(function == nullptr);
  void* base = nullptr;
  std::size_t size = 0;
  CHECK_CODE(aclrtBinaryGetDevAddress(with, &base, &size), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtBinaryGetGlobal(with, "x", &base, &size), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtGetFunctionSize(with.function("add"), &size, &size),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("a name is looked up in the binary's registrations, the file, and the general ones") {
  const auto address = [](aclrtFuncHandle function) {
    void* aic = nullptr;
    void* aiv = nullptr;
    REQUIRE_ACL(aclrtGetFunctionAddr(function, &aic, &aiv));
    return aiv;
  };
  register_kernel(nullptr, "scale", empty_kernel);
  register_kernel(nullptr, "general", empty_kernel);
  const Binary binary;
  CHECK(address(binary.function("scale")) != reinterpret_cast<void*>(empty_kernel));
  CHECK(address(binary.function("general")) == reinterpret_cast<void*>(empty_kernel));
  register_kernel("kernels.so", "sum", nothing_else);
  const Binary registered;
  CHECK(address(registered.function("sum")) == reinterpret_cast<void*>(nothing_else));
  CHECK(address(registered.function("general")) == reinterpret_cast<void*>(empty_kernel));
  CHECK(address(binary.function("sum")) == reinterpret_cast<void*>(nothing_else));
}

TEST_CASE("a registration can be replaced and taken back") {
  register_kernel("set", "kernel", empty_kernel);
  register_kernel("set", "kernel", nothing_else);
  {
    const Binary binary("set");
    void* aic = nullptr;
    void* aiv = nullptr;
    REQUIRE_ACL(aclrtGetFunctionAddr(binary.function("kernel"), &aic, &aiv));
    CHECK(aiv == reinterpret_cast<void*>(nothing_else));
  }
  register_kernel("set", "kernel", nullptr);
  CHECK(load("set") == ACL_ERROR_RT_PARAM_INVALID);
  aclsimKernelEntry entry{};
  entry.size = sizeof entry;
  entry.binary = "set";
  entry.name = "kernel";
  CHECK_CODE(aclsimRegisterKernel(&entry), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a registration is checked") {
  aclsimKernelEntry entry{};
  const auto refused = [&] { return aclsimRegisterKernel(&entry) == ACL_ERROR_INVALID_PARAM; };
  entry.name = "kernel";
  entry.kernel = empty_kernel;
  CHECK(refused());  // no size
  entry.size = sizeof entry;
  entry.name = nullptr;
  CHECK(refused());
  entry.name = "";
  CHECK(refused());
  entry.name = "kernel";
  entry.numParams = 1;
  CHECK(refused());
  const std::size_t none = 0;
  entry.paramSizes = &none;
  CHECK(refused());
  CHECK_CODE(aclsimRegisterKernel(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a registered host function is the symbol of its kernel") {
  register_kernel("set", "kernel", empty_kernel);
  aclrtFuncHandle function = nullptr;
  aclrtFuncHandle again = nullptr;
  REQUIRE_ACL(aclrtGetFuncBySymbol(reinterpret_cast<void*>(empty_kernel), &function));
  REQUIRE_ACL(aclrtGetFuncBySymbol(reinterpret_cast<void*>(empty_kernel), &again));
  CHECK(function == again);
  char name[8];
  REQUIRE_ACL(aclrtGetFunctionName(function, sizeof name, name));
  CHECK(name == std::string("kernel"));
  aclrtBinHandle owner = kGarbage;
  CHECK_CODE(aclrtFunctionGetBinary(function, &owner), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK(owner == nullptr);
  CHECK_CODE(aclrtGetFuncBySymbol(reinterpret_cast<void*>(nothing_else), &function),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK(function == nullptr);
  CHECK_CODE(aclrtGetFuncBySymbol(nullptr, &function), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetFuncBySymbol(kGarbage, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a registered kernel tells its parameters as members of a structure") {
  struct Parameters {
    std::uint8_t small;
    std::uint32_t number;
    void* pointer;
    char text[3];
  };
  const std::vector<std::size_t> sizes{1, 4, 8, 3};
  register_kernel("set", "kernel", empty_kernel, &sizes);
  register_kernel("set", "plain", nothing_else);
  const Binary binary("set");
  const aclrtFuncHandle function = binary.function("kernel");
  std::size_t count = 0;
  REQUIRE_ACL(aclrtFunctionGetParamCount(function, &count));
  CHECK(count == 4);
  REQUIRE_ACL(aclrtFunctionGetParamCount(reinterpret_cast<void*>(empty_kernel), &count));
  CHECK(count == 4);
  const std::size_t offsets[] = {0, offsetof(Parameters, number), offsetof(Parameters, pointer),
                                 offsetof(Parameters, text)};
  for (std::size_t i = 0; i < 4; ++i) {
    std::size_t offset = 99;
    std::size_t size = 99;
    REQUIRE_ACL(aclrtFunctionGetParamInfo(function, i, &offset, &size));
    CHECK(offset == offsets[i]);
    CHECK(size == sizes[i]);
  }
  CHECK_CODE(aclrtFunctionGetParamInfo(function, 4, &count, &count), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtFunctionGetParamInfo(function, 0, nullptr, &count), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtFunctionGetParamInfo(function, 0, &count, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtFunctionGetParamCount(function, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtFunctionGetParamCount(binary.function("plain"), &count),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

// ---- CPU kernels
// ---------------------------------------------------------------------------------------

TEST_CASE("in CPU kernel mode functions of a binary get the names of kernels") {
  const Device device;
  aclrtBinaryLoadOption option = cpu_mode();
  aclrtBinaryLoadOptions options{&option, 1};
  const Binary binary(kernels_path(), &options);
  aclrtFuncHandle function = nullptr;
  REQUIRE_ACL(aclrtRegisterCpuFunc(binary, "tiled_7", "Tiled", &function));
  CHECK(binary.function("Tiled") == function);
  run(function);
  char name[8];
  REQUIRE_ACL(aclrtGetFunctionName(function, sizeof name, name));
  CHECK(name == std::string("Tiled"));
  std::int64_t type = 0;
  REQUIRE_ACL(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, &type));
  CHECK(type == ACL_KERNEL_TYPE_AICPU);

  aclrtFuncHandle again = nullptr;
  REQUIRE_ACL(aclrtRegisterCpuFunc(binary, "tiled_7", "Tiled", &again));
  CHECK(again == function);
  CHECK_CODE(aclrtRegisterCpuFunc(binary, "tiled_9", "Tiled", &again),
             ACL_ERROR_RT_KERNEL_DUPLICATE);
  CHECK(again == nullptr);
}

TEST_CASE("registering a CPU function is checked") {
  const Binary plain;
  aclrtFuncHandle function = kGarbage;
  CHECK_CODE(aclrtRegisterCpuFunc(plain, "scale", "Scale", &function), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(function == nullptr);
  aclrtBinaryLoadOption option = cpu_mode();
  aclrtBinaryLoadOptions options{&option, 1};
  const Binary binary(kernels_path(), &options);
  CHECK_CODE(aclrtRegisterCpuFunc(binary, "missing", "Scale", &function),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtRegisterCpuFunc(binary, nullptr, "Scale", &function), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRegisterCpuFunc(binary, "scale", nullptr, &function), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRegisterCpuFunc(binary, "scale", "Scale", nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRegisterCpuFunc(nullptr, "scale", "Scale", &function), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRegisterCpuFunc(kGarbage, "scale", "Scale", &function),
             ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a JSON description of CPU kernels is loaded when its functions are registered here") {
  const support::TempDir dir;
  const Device device;
  register_kernel(nullptr, "RunCpuKernel", empty_kernel);
  aclrtBinaryLoadOption option = cpu_mode(0);
  aclrtBinaryLoadOptions options{&option, 1};
  const Binary binary(dir.write("kernels.json", R"({"Add": {"opInfo": {}}})"), &options);
  aclrtFuncHandle function = nullptr;
  REQUIRE_ACL(aclrtRegisterCpuFunc(binary, "RunCpuKernel", "Add", &function));
  run(function);
  CHECK(load(dir.write("broken.json", "{\"Add\""), &options) == ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("chips are compatible within their family") {
  const std::pair<const char*, int> rows[] = {
      {"Ascend910B1", 1}, {"Ascend910B4", 1}, {"Ascend910B", 1}, {"Ascend910", 0},
      {"Ascend310P3", 0}, {"Ascend310", 0},   {"", 0},           {"910B1", 0}};
  for (const auto& [soc, expected] : rows) {
    std::int32_t compatible = -1;
    REQUIRE_ACL(aclrtCheckArchCompatibility(soc, &compatible));
    CHECK(compatible == expected);
  }
  std::int32_t compatible = -1;
  CHECK_CODE(aclrtCheckArchCompatibility(nullptr, &compatible), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCheckArchCompatibility("Ascend910B1", nullptr), ACL_ERROR_INVALID_PARAM);
}
