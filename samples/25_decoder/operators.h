// SPDX-License-Identifier: Apache-2.0
// Device memory, tensors, and calls of operators, in a short notation.
#pragma once

#include <acl/acl.h>
#include <aclnn/aclnn_base.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

inline void check(int code, const char* call) {
  if (code == 0) return;
  const char* const text = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s: %d (%s)\n", call, code, text ? text : "no message");
  std::exit(1);
}
#define CHECK(call) check((call), #call)

/// Both phases of an operator.
#define RUN(Name, stream, ...)                                                  \
  do {                                                                          \
    uint64_t workspace_ = 0;                                                    \
    aclOpExecutor* executor_ = nullptr;                                         \
    check(Name##GetWorkspaceSize(__VA_ARGS__, &workspace_, &executor_), #Name); \
    check(Name(nullptr, workspace_, executor_, stream), #Name);                 \
  } while (0)

/// Memory of the current device.
class Memory {
 public:
  explicit Memory(size_t bytes) : bytes_(bytes) {
    CHECK(aclrtMalloc(&data_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  ~Memory() { aclrtFree(data_); }
  Memory(Memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Memory& operator=(Memory&&) = delete;

  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  void put(const void* from, size_t bytes) const {
    CHECK(aclrtMemcpy(data_, bytes_, from, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  void get(void* to, size_t bytes) const {
    CHECK(aclrtMemcpy(to, bytes, data_, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  }

 private:
  void* data_ = nullptr;
  size_t bytes_;
};

/// A view of the memory. Destroyed as soon as the calls that use it have returned.
class Tensor {
 public:
  Tensor(const Memory& memory, aclDataType type, std::vector<int64_t> dims,
         std::vector<int64_t> strides = {}) {
    int64_t storage = 1;
    for (const int64_t n : dims) storage *= n;
    tensor_ =
        aclCreateTensor(dims.data(), dims.size(), type, strides.empty() ? nullptr : strides.data(),
                        0, ACL_FORMAT_ND, &storage, 1, memory.data());
  }
  ~Tensor() { aclDestroyTensor(tensor_); }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  operator aclTensor*() const { return tensor_; }  // NOLINT: the object replaces the handle

 private:
  aclTensor* tensor_ = nullptr;
};
