// SPDX-License-Identifier: Apache-2.0
// The two phases: ownership of executors, the time of copies, repeated executions, graphs, wrong
// use.
#include <thread>
#include <utility>
#include <vector>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_exp.h"
#include "tests/aclnn/world.h"

using aclnntest::Device;
using aclnntest::Floats;
using aclnntest::message;

namespace {

struct Add {
  Add(const Floats& a, const Floats& b, const Floats& c, float factor)
      : x(a.tensor()), y(b.tensor()), out(c.tensor()), alpha(aclCreateScalar(&factor, ACL_FLOAT)) {
    INFO(message());
    REQUIRE(aclnnAddGetWorkspaceSize(x, y, alpha, out, &workspace, &executor) == OK);
    CHECK(workspace == 0);
  }
  void destroy_arguments() {
    for (aclTensor* tensor : {x, y, out}) aclDestroyTensor(tensor);
    aclDestroyScalar(alpha);
  }
  aclTensor *x, *y, *out;
  aclScalar* alpha;
  uint64_t workspace = 1;
  aclOpExecutor* executor = nullptr;
};

}  // namespace

TEST_CASE("arguments may be destroyed as soon as the second phase has returned", "[aclnn]") {
  const Device device;
  const Floats a({1, 2, 3}), b({10, 20, 30}), c({0, 0, 0});
  Add add(a, b, c, 2.0F);
  CHECK(aclnnAdd(nullptr, 0, add.executor, device.stream()) == OK);
  add.destroy_arguments();
  device.wait();
  CHECK(c.values() == std::vector<float>{21, 42, 63});
}

TEST_CASE("an executor is run once: the second run is refused", "[aclnn]") {
  const Device device;
  const Floats a({1}), b({2}), c({0});
  Add add(a, b, c, 1.0F);
  CHECK(aclnnAdd(nullptr, 0, add.executor, device.stream()) == OK);
  CHECK(aclnnAdd(nullptr, 0, add.executor, device.stream()) == 561000);
  CHECK(message().find("not alive") != std::string::npos);
  CHECK(aclDestroyAclOpExecutor(add.executor) == 561000);
  add.destroy_arguments();
  device.wait();
}

TEST_CASE("a second phase that fails has taken its executor", "[aclnn]") {
  const Device device;
  const Floats a({1}), b({2}), c({0});
  Add add(a, b, c, 1.0F);
  CHECK(aclnnAdd(nullptr, 64, add.executor, device.stream()) == 161001);
  CHECK(message().find("workspace is null") != std::string::npos);
  CHECK(aclnnAdd(nullptr, 0, add.executor, device.stream()) == 561000);
  CHECK(aclnnAdd(nullptr, 0, nullptr, device.stream()) == 161001);
  add.destroy_arguments();
}

TEST_CASE("a repeatable executor runs until it is destroyed, with other addresses", "[aclnn]") {
  const Device device;
  const Floats a({1, 2}), b({10, 20}), c({0, 0}), d({5, 6}), e({0, 0});
  Add add(a, b, c, 1.0F);
  REQUIRE(aclSetAclOpExecutorRepeatable(add.executor) == OK);
  CHECK(aclnnAdd(nullptr, 0, add.executor, device.stream()) == OK);
  CHECK(aclSetInputTensorAddr(add.executor, 0, add.x, d.memory()) == OK);
  CHECK(aclSetOutputTensorAddr(add.executor, 0, add.out, e.memory()) == OK);
  CHECK(aclnnAdd(nullptr, 0, add.executor, device.stream()) == OK);
  CHECK(aclSetTensorAddr(add.executor, 1, add.y, a.memory()) == OK);
  CHECK(AclSetTensorAddr(add.executor, 2, add.out, b.memory()) == OK);
  CHECK(aclnnAdd(nullptr, 0, add.executor, device.stream()) == OK);
  CHECK(aclSetInputTensorAddr(add.executor, 0, add.out, d.memory()) == 161002);
  CHECK(aclSetTensorAddr(add.executor, 0, nullptr, d.memory()) == 561103);
  void* address = nullptr;
  CHECK(aclGetRawTensorAddr(add.x, &address) == OK);
  CHECK(address == d.memory());
  CHECK(aclDestroyAclOpExecutor(add.executor) == OK);
  CHECK(aclDestroyAclOpExecutor(add.executor) == 561000);
  CHECK(aclDestroyAclOpExecutor(nullptr) == 561103);
  add.destroy_arguments();
  device.wait();
  CHECK(c.values() == std::vector<float>{11, 22});
  CHECK(e.values() == std::vector<float>{15, 26});
  CHECK(b.values() == std::vector<float>{6, 8});
}

TEST_CASE("an address goes to the tensor that is passed, whatever the index", "[aclnn]") {
  const Device device;
  const Floats a({1, 2}), b({3, 4}), c({5, 6}), d({7, 8});
  aclTensor *self = a.tensor(), *source = b.tensor();
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  REQUIRE(aclnnInplaceCopyGetWorkspaceSize(self, source, &workspace, &executor) == OK);
  REQUIRE(aclSetAclOpExecutorRepeatable(executor) == OK);
  // In the order of the arguments, and in the reverse order.
  for (const auto& [first, second] : {std::pair(0, 1), std::pair(1, 0), std::pair(7, 7)}) {
    CHECK(aclSetTensorAddr(executor, first, self, c.memory()) == OK);
    CHECK(aclSetTensorAddr(executor, second, source, d.memory()) == OK);
    CHECK(aclnnInplaceCopy(nullptr, 0, executor, device.stream()) == OK);
  }
  device.wait();
  CHECK(c.values() == std::vector<float>{7, 8});
  CHECK(d.values() == std::vector<float>{7, 8});
  CHECK(a.values() == std::vector<float>{1, 2});
  CHECK(aclDestroyAclOpExecutor(executor) == OK);
  aclDestroyTensor(self);
  aclDestroyTensor(source);
}

TEST_CASE("without an executor a tensor takes the address, and the call fails", "[aclnn]") {
  const Device device;
  const Floats a({1, 2}), b({3, 4});
  int64_t extent = 2;
  const auto without_address = [&] {
    return aclCreateTensor(&extent, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &extent, 1, nullptr);
  };
  aclTensor *self = without_address(), *source = without_address();
  CHECK(aclSetTensorAddr(nullptr, 0, self, a.memory()) == 561103);
  const aclTensor* const members[] = {source};
  aclTensorList* const list = aclCreateTensorList(members, 1);
  CHECK(aclSetDynamicTensorAddr(nullptr, 0, 0, list, b.memory()) == 561103);
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  REQUIRE(aclnnInplaceCopyGetWorkspaceSize(self, source, &workspace, &executor) == OK);
  CHECK(aclnnInplaceCopy(nullptr, 0, executor, device.stream()) == OK);
  device.wait();
  CHECK(a.values() == std::vector<float>{3, 4});
  aclDestroyTensor(self);
  aclDestroyTensorList(list);  // and its member
}

TEST_CASE("the phases may be called by different threads, executors run in any order", "[aclnn]") {
  const Device device;
  const Floats a({1}), b({2}), c({0}), d({0});
  Add first(a, b, c, 1.0F), second(a, b, d, 3.0F);
  aclrtContext context = nullptr;
  OK_ACL(aclrtGetCurrentContext(&context));
  std::thread([&] {
    aclrtSetCurrentContext(context);
    aclnnAdd(nullptr, 0, second.executor, device.stream());
    aclnnAdd(nullptr, 0, first.executor, device.stream());
  }).join();
  device.wait();
  CHECK(c.values() == std::vector<float>{3});
  CHECK(d.values() == std::vector<float>{7});
  first.destroy_arguments();
  second.destroy_arguments();
}

TEST_CASE("inside a capture an operator becomes part of the graph", "[aclnn]") {
  const Device device;
  const Floats a({1, 2}), b({1, 1}), c({0, 0});
  OK_ACL(aclmdlRICaptureBegin(device.stream(), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  Add add(a, b, c, 10.0F);
  CHECK(aclnnAdd(nullptr, 0, add.executor, device.stream()) == OK);
  add.destroy_arguments();
  aclmdlRI graph = nullptr;
  OK_ACL(aclmdlRICaptureEnd(device.stream(), &graph));
  CHECK(c.values() == std::vector<float>{0, 0});
  for (const float extra : {5.0F, 7.0F}) {
    const float fresh[] = {extra, extra};
    OK_ACL(aclrtMemcpy(a.memory(), sizeof fresh, fresh, sizeof fresh, ACL_MEMCPY_HOST_TO_DEVICE));
    OK_ACL(aclmdlRIExecuteAsync(graph, device.stream()));
    device.wait();
    CHECK(c.values() == std::vector<float>{extra + 10, extra + 10});
  }
  OK_ACL(aclmdlRIDestroy(graph));
}

TEST_CASE("memory that was freed, or is none of a device, is refused by the second phase",
          "[aclnn]") {
  const Device device;
  const Floats a({1, 2, 3, 4}), b({1, 1, 1, 1});
  void* freed = nullptr;
  OK_ACL(aclrtMalloc(&freed, 16, ACL_MEM_MALLOC_HUGE_FIRST));
  OK_ACL(aclrtFree(freed));
  float host[4];
  const int64_t dims[] = {4};
  const int64_t wide[] = {1 << 20};  // a stride that leaves the allocation
  struct Wrong {
    void* memory;
    const int64_t* strides;
  };
  for (const Wrong& wrong : {Wrong{freed, nullptr}, Wrong{host, nullptr}, Wrong{a.memory(), wide},
                             Wrong{nullptr, nullptr}}) {
    aclTensor* const x = a.tensor();
    aclTensor* const out =
        aclCreateTensor(dims, 1, ACL_FLOAT, wrong.strides, 0, ACL_FORMAT_ND, dims, 1, wrong.memory);
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    REQUIRE(aclnnExpGetWorkspaceSize(x, out, &workspace, &executor) == OK);
    CHECK(aclnnExp(nullptr, 0, executor, device.stream()) == 361001);
    CHECK(message().find("out") != std::string::npos);
    aclDestroyTensor(x);
    aclDestroyTensor(out);
  }
  device.wait();
}

TEST_CASE("a type that there is not is refused by its number", "[aclnn]") {
  const Device device;
  const Floats a({1});
  const int64_t count = 1;
  aclTensor* const none = aclCreateTensor(&count, 1, ACL_DT_UNDEFINED, nullptr, 0, ACL_FORMAT_ND,
                                          &count, 1, a.memory());
  aclTensor* const out = a.tensor();
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnExpGetWorkspaceSize(none, out, &workspace, &executor) == 161002);
  CHECK(message().find("self has the type -1; expected") != std::string::npos);
  aclDestroyTensor(none);
  aclDestroyTensor(out);
}

TEST_CASE("descriptions of tensors say what they were given", "[aclnn]") {
  const int64_t dims[] = {2, 3}, strides[] = {1, 2}, storage[] = {6};
  aclTensor* tensor =
      aclCreateTensor(dims, 2, ACL_FLOAT16, strides, 4, ACL_FORMAT_NCHW, storage, 1, nullptr);
  int64_t* values = nullptr;
  uint64_t count = 0;
  CHECK(aclGetViewShape(tensor, &values, &count) == OK);
  CHECK(std::vector<int64_t>(values, values + count) == std::vector<int64_t>{2, 3});
  delete[] values;
  CHECK(aclGetViewStrides(tensor, &values, &count) == OK);
  CHECK(std::vector<int64_t>(values, values + count) == std::vector<int64_t>{1, 2});
  delete[] values;
  CHECK(aclGetStorageShape(tensor, &values, &count) == OK);
  CHECK(count == 1);
  delete[] values;
  int64_t offset = 0;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  aclDataType type = ACL_DT_UNDEFINED;
  CHECK(aclGetViewOffset(tensor, &offset) == OK);
  CHECK(aclGetFormat(tensor, &format) == OK);
  CHECK(aclGetDataType(tensor, &type) == OK);
  CHECK((offset == 4 && format == ACL_FORMAT_NCHW && type == ACL_FLOAT16));
  CHECK(aclInitTensor(tensor, dims, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr) ==
        OK);
  CHECK(aclGetViewStrides(tensor, &values, &count) == OK);
  CHECK((count == 1 && values[0] == 1));
  delete[] values;
  CHECK(aclGetDataType(nullptr, &type) == 161001);
  CHECK(aclGetViewShape(tensor, nullptr, &count) == 161001);
  CHECK(aclCreateTensor(nullptr, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr) ==
        nullptr);
  CHECK(aclCreateScalar(nullptr, ACL_FLOAT) == nullptr);
  CHECK(aclDestroyTensor(tensor) == OK);
  CHECK(aclDestroyTensor(nullptr) == OK);
  aclIntArray* const none = aclCreateIntArray(nullptr, 0);
  CHECK(aclGetIntArraySize(none, &count) == OK);
  CHECK(count == 0);
  CHECK(aclDestroyIntArray(none) == OK);
}
