// SPDX-License-Identifier: Apache-2.0
// Calls the operators of the package, also in ways that they must refuse. usage: calls [chip]; with
// another chip only the operators that have kernels for it.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn_increment.h"
#include "aclnn_scale_add.h"
#include "aclnn_sum_of_list.h"

namespace {

int faults = 0;

void expect(bool good, const std::string& what) {
  if (good) return;
  std::printf("not as expected: %s\n", what.c_str());
  ++faults;
}

aclrtStream stream;

template <class T>
struct Array {
  explicit Array(const std::vector<T>& values, std::vector<int64_t> dims = {},
                 std::vector<int64_t> strides = {})
      : count(values.size()) {
    if (dims.empty()) dims = {static_cast<int64_t>(count)};
    aclrtMalloc(&memory, count * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(memory, count * sizeof(T), values.data(), count * sizeof(T),
                ACL_MEMCPY_HOST_TO_DEVICE);
    const aclDataType type = sizeof(T) == 2          ? ACL_FLOAT16
                             : std::is_integral_v<T> ? ACL_INT32
                                                     : ACL_FLOAT;
    const auto whole = static_cast<int64_t>(count);
    tensor =
        aclCreateTensor(dims.data(), dims.size(), type, strides.empty() ? nullptr : strides.data(),
                        0, ACL_FORMAT_ND, &whole, 1, memory);
  }
  ~Array() {
    aclDestroyTensor(tensor);
    aclrtFree(memory);
  }
  std::vector<T> values() const {
    std::vector<T> read(count);
    aclrtMemcpy(read.data(), count * sizeof(T), memory, count * sizeof(T),
                ACL_MEMCPY_DEVICE_TO_HOST);
    return read;
  }
  std::size_t count;
  void* memory = nullptr;
  aclTensor* tensor = nullptr;
};

template <class First, class Second>
int run(First first, Second second) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  if (const int code = first(&size, &executor)) return code;
  void* workspace = nullptr;
  if (size != 0) aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
  int code = second(workspace, size, executor, stream);
  if (code == 0) code = aclrtSynchronizeStream(stream);
  if (workspace) aclrtFree(workspace);
  return code;
}

struct Attributes {
  const char* name = "four";
  std::vector<int64_t> ints{3, 4};
  std::vector<float> floats{0.5F};
  bool bools[3] = {true, false, true};
};

int scale(const aclTensor* x, const aclTensor* bias, const aclTensor* y,
          const Attributes& with = {}) {
  aclIntArray* ints = aclCreateIntArray(with.ints.data(), with.ints.size());
  aclFloatArray* floats = aclCreateFloatArray(with.floats.data(), with.floats.size());
  aclBoolArray* bools = aclCreateBoolArray(with.bools, 3);
  const int code = run(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnScaleAddGetWorkspaceSize(x, bias, 2.0, 10, with.name, ints, floats, bools, true,
                                             y, size, executor);
      },
      aclnnScaleAdd);
  aclDestroyIntArray(ints);
  aclDestroyFloatArray(floats);
  aclDestroyBoolArray(bools);
  return code;
}

std::string message() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

void check_scale(bool first_chip) {
  // 10 + 3 + 4 + 0.5 + 2 * 0.5 + 0.25, the definitions of the build, and the length of the name.
  const float added = 18.75F + 100 + (first_chip ? 1000 : 0) + 4;
  Array<float> x({1, 2, 3}), bias({10, 20, 30}), y({0, 0, 0});
  expect(scale(x.tensor, nullptr, y.tensor) == 0, "ScaleAdd without bias: " + message());
  expect(y.values() == std::vector<float>{2.5F + added, 4.5F + added, 6.5F + added}, "its result");
  expect(scale(x.tensor, bias.tensor, y.tensor) == 0, "ScaleAdd with bias: " + message());
  expect(y.values() == std::vector<float>{12.5F + added, 24.5F + added, 36.5F + added},
         "its result");
  Array<int32_t> whole({5}), result({0});
  if (first_chip) {
    expect(scale(whole.tensor, nullptr, result.tensor) == 0, "ScaleAdd of int32: " + message());
    expect(result.values()[0] == static_cast<int32_t>(10 + 3 + added), "its result");
  } else {
    expect(scale(whole.tensor, nullptr, result.tensor) == 161002,
           "int32 has no kernel on this chip");
  }

  expect(scale(nullptr, nullptr, y.tensor) == 161001, "x is null");
  expect(message().find("x is null") != std::string::npos, "the message names x");
  Array<uint16_t> half({1}), halves({1});
  expect(scale(half.tensor, nullptr, halves.tensor) == 161002, "no kernel has float16");
  const std::string text = message();
  expect(text.find("x FLOAT16") != std::string::npos &&
             text.find("x FLOAT, bias FLOAT") != std::string::npos,
         "the message has both lists of types: " + text);
  Array<float> turned({1, 2, 3, 4, 5, 6}, {2, 3}, {1, 2});
  expect(scale(turned.tensor, nullptr, y.tensor) == 161002, "x must be contiguous");
  Attributes refused;
  refused.name = "refused";
  expect(scale(x.tensor, nullptr, y.tensor, refused) == 561002, "the tiling function fails");
}

void check_list() {
  Array<float> a({1, 2}), b({10, 20}), y({0, 0});
  aclTensor* tensors[] = {a.tensor, b.tensor};
  aclTensorList* list = aclCreateTensorList(tensors, 2);
  double half = 0.5;
  aclScalar* scalar = aclCreateScalar(&half, ACL_DOUBLE);
  const auto sum = [&](std::vector<int64_t> values) {
    aclIntArray* array = aclCreateIntArray(values.data(), values.size());
    const int code = run(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnSumOfListGetWorkspaceSize(list, scalar, array, y.tensor, size, executor);
        },
        aclnnSumOfList);
    aclDestroyIntArray(array);
    return code;
  };
  expect(sum({100, 200}) == 0, "SumOfList: " + message());
  expect(y.values() == std::vector<float>{333.5F, 366.5F}, "its result");
  expect(sum({-1}) == 0, "SumOfList with the other key: " + message());
  expect(y.values() == std::vector<float>{-32.5F, -65.5F}, "its result");
  aclDestroyScalar(scalar);
  aclDestroyTensorList(list);  // and the tensors
  a.tensor = b.tensor = nullptr;
}

void check_increment(bool first_chip) {
  Array<float> x({1, 2, 3, 4, 5, 6}, {3, 2}), by({10, 20, 30, 40, 50, 60}, {3, 2}, {1, 3});
  const int code = run(
      [&](uint64_t* size, aclOpExecutor** executor) {
        const int first = aclnnIncrementGetWorkspaceSize(x.tensor, by.tensor, size, executor);
        expect(first != 0 || *size >= 6 * sizeof(float), "the workspace has the copy");
        return first;
      },
      aclnnIncrement);
  if (!first_chip) {
    expect(code == 561003, "Increment has no kernel for this chip");
    return;
  }
  expect(code == 0, "Increment: " + message());
  expect(x.values() == std::vector<float>{11, 42, 23, 54, 35, 66}, "its result");
}

}  // namespace

int main(int count, char** words) {
  const bool first_chip = count < 2 || std::strncmp(words[1], "Ascend910B", 10) == 0;
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtCreateStream(&stream);
  check_scale(first_chip);
  check_list();
  check_increment(first_chip);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  std::printf("%s\n", faults == 0 ? "all calls are right" : "some calls are wrong");
  return faults == 0 ? 0 : 1;
}
