// SPDX-License-Identifier: Apache-2.0
// Kernels by handle, for tests.
#pragma once

#include <fstream>
#include <iterator>

#include "tests/acl/world.h"

namespace world {

inline void* const kGarbage = reinterpret_cast<void*>(std::uintptr_t{0x1234});  // no handle

inline std::string kernels_path() { return ACLSIM_GUEST_DIR "/kernels.so"; }

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A loaded binary, by default the guest library from its file.
class Binary {
 public:
  Binary() : Binary(kernels_path()) {}
  explicit Binary(const std::string& path, aclrtBinaryLoadOptions* options = nullptr) {
    REQUIRE_ACL(aclrtBinaryLoadFromFile(path.c_str(), options, &handle_));
  }
  static Binary from_memory(const std::string& bytes) {
    Binary binary{nullptr};
    REQUIRE_ACL(aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &binary.handle_));
    return binary;
  }
  ~Binary() {
    if (handle_ != nullptr) aclrtBinaryUnLoad(handle_);
  }
  Binary(Binary&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Binary& operator=(Binary&&) = delete;
  operator aclrtBinHandle() const { return handle_; }

  void unload() { REQUIRE_ACL(aclrtBinaryUnLoad(std::exchange(handle_, nullptr))); }
  aclrtFuncHandle function(const char* name) const {
    aclrtFuncHandle function = nullptr;
    REQUIRE_ACL(aclrtBinaryGetFunction(handle_, name, &function));
    return function;
  }
  template <class T>
  T& variable(const char* name) const {
    void* address = nullptr;
    std::size_t size = 0;
    REQUIRE_ACL(aclrtBinaryGetGlobal(handle_, name, &address, &size));
    REQUIRE(size == sizeof(T));
    return *static_cast<T*>(address);
  }

 private:
  explicit Binary(std::nullptr_t) {}
  aclrtBinHandle handle_ = nullptr;
};

/// Registers a host function as a kernel.
inline void register_kernel(const char* binary, const char* name, aclsimKernel kernel,
                            const std::vector<std::size_t>* parameters = nullptr) {
  static const std::size_t none = 0;
  aclsimKernelEntry entry{};
  entry.size = sizeof entry;
  entry.binary = binary;
  entry.name = name;
  entry.kernel = kernel;
  if (parameters != nullptr) {
    entry.paramSizes = parameters->empty() ? &none : parameters->data();
    entry.numParams = static_cast<std::uint32_t>(parameters->size());
  }
  REQUIRE_ACL(aclsimRegisterKernel(&entry));
}

inline aclrtBinaryLoadOption cpu_mode(std::int32_t mode = 1) {
  aclrtBinaryLoadOption option{};
  option.type = ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE;
  option.value.cpuKernelMode = mode;
  return option;
}

}  // namespace world
