// SPDX-License-Identifier: Apache-2.0
// Common code of the tests of the CUDA interface: devices, memory with an address, objects.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "cuda/cuda_multicast.h"
#include "tests/support/catch.h"

namespace cudatest {

inline constexpr std::size_t kMiB = std::size_t{1} << 20;
inline constexpr std::size_t kG = 2 * kMiB;  // the granularity

/// The error text of the thread's last failed call.
inline std::string message() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

/// True in programs that tests start, where Catch may not be used: a failure ends them.
inline bool plain_program = false;

inline bool fails_plainly(CUresult result, const char* call) {
  if (!plain_program) return false;
  if (result == CUDA_SUCCESS) return true;
  std::fprintf(stderr, "%s: %d %s\n", call, static_cast<int>(result), message().c_str());
  std::exit(1);
}

#define OK(call)                                          \
  do {                                                    \
    const CUresult result_of = (call);                    \
    if (cudatest::fails_plainly(result_of, #call)) break; \
    INFO(cudatest::message());                            \
    REQUIRE(result_of == CUDA_SUCCESS);                   \
  } while (false)

/// A variable of the environment that the driver has read, while this lives.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    setenv(name, value, 1);
    OK(cuInit(0));
  }
  ~Setting() {
    unsetenv(name_);
    cuInit(0);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* const name_;
};

/// The driver, and the primary context of a device as the thread's current one.
class World {
 public:
  explicit World(int device = 0) : device_(device) {
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context_, device));
    OK(cuCtxSetCurrent(context_));
  }
  ~World() {
    cuCtxSetCurrent(nullptr);
    cuDevicePrimaryCtxRelease(device_);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  CUcontext context() const { return context_; }

 private:
  const int device_;
  CUcontext context_ = nullptr;
};

inline CUmemAllocationProp memory_prop(int device, unsigned handle_types = 0) {
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(handle_types);
  prop.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return prop;
}

inline std::vector<CUmemAccessDesc> everybody(int devices) {
  std::vector<CUmemAccessDesc> all;
  for (int i = 0; i < devices; ++i) {
    all.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, i}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  }
  return all;
}

/// Addresses with something mapped there, for the first `devices` devices to use.
class Mapped {
 public:
  Mapped(CUmemGenericAllocationHandle handle, std::size_t size, int devices = 8) : size_(size) {
    OK(cuMemAddressReserve(&address_, size, 0, 0, 0));
    OK(cuMemMap(address_, size, 0, handle, 0));
    const auto access = everybody(devices);
    OK(cuMemSetAccess(address_, size, access.data(), access.size()));
  }
  ~Mapped() {
    cuMemUnmap(address_, size_);
    cuMemAddressFree(address_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  operator CUdeviceptr() const { return address_; }

 private:
  CUdeviceptr address_ = 0;
  const std::size_t size_;
};

/// Memory of cuMemCreate.
class Memory {
 public:
  explicit Memory(int device, std::size_t size = kG, unsigned handle_types = 0) : size_(size) {
    const CUmemAllocationProp prop = memory_prop(device, handle_types);
    OK(cuMemCreate(&handle_, size, &prop, 0));
  }
  ~Memory() {
    if (handle_ != 0) cuMemRelease(handle_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  operator CUmemGenericAllocationHandle() const { return handle_; }
  std::size_t size() const { return size_; }
  void release() {
    OK(cuMemRelease(handle_));
    handle_ = 0;
  }

 private:
  CUmemGenericAllocationHandle handle_ = 0;
  const std::size_t size_;
};

/// A multicast object; with devices 0, 1, ... in its team unless said otherwise.
class Object {
 public:
  explicit Object(unsigned devices, std::size_t size = kG, unsigned handle_types = 0,
                  bool complete = true) {
    CUmulticastObjectProp prop{devices, size, handle_types, 0};
    OK(cuMulticastCreate(&handle_, &prop));
    for (unsigned i = 0; complete && i < devices; ++i) {
      OK(cuMulticastAddDevice(handle_, static_cast<int>(i)));
    }
  }
  ~Object() {
    if (handle_ != 0) cuMemRelease(handle_);
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  operator CUmemGenericAllocationHandle() const { return handle_; }
  void release() {
    OK(cuMemRelease(handle_));
    handle_ = 0;
  }

 private:
  CUmemGenericAllocationHandle handle_ = 0;
};

inline std::vector<unsigned char> read_back(CUdeviceptr from, std::size_t size) {
  std::vector<unsigned char> bytes(size, 0xee);
  OK(cuMemcpyDtoH(bytes.data(), from, size));
  return bytes;
}

inline void write_to(CUdeviceptr to, const std::vector<unsigned char>& bytes) {
  OK(cuMemcpyHtoD(to, bytes.data(), bytes.size()));
}

/// `devices` replicas of `size` bytes, bound to one object that is mapped, each with an address of
/// its own.
struct Team {
  explicit Team(int devices, std::size_t size = kG) : object(static_cast<unsigned>(devices), size) {
    for (int i = 0; i < devices; ++i) {
      memory.push_back(std::make_unique<Memory>(i, size));
      OK(cuMulticastBindMem(object, 0, *memory.back(), 0, size, 0));
      replica.push_back(std::make_unique<Mapped>(*memory.back(), size));
    }
    address = std::make_unique<Mapped>(object, size, devices);
  }
  Object object;
  std::vector<std::unique_ptr<Memory>> memory;
  std::vector<std::unique_ptr<Mapped>> replica;
  std::unique_ptr<Mapped> address;
};

}  // namespace cudatest
