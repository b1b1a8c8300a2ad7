// SPDX-License-Identifier: Apache-2.0
// The error codes of wrong calls of the functions around operators.
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_exp.h"
#include "tests/aclnn/world.h"

using aclnntest::Device;
using aclnntest::Floats;
using aclnntest::message;
using catch_compat::ContainsSubstring;

namespace {

/// Two tensors joined into a third; their list owns them.
struct Joined {
  Joined(const Floats& a, const Floats& b, const Floats& c) : out(c.tensor()) {
    const aclTensor* const members[] = {a.tensor(), b.tensor()};
    list = aclCreateTensorList(members, 2);
    uint64_t workspace = 0;
    REQUIRE(aclnnCatGetWorkspaceSize(list, 0, out, &workspace, &executor) == OK);
    REQUIRE(aclSetAclOpExecutorRepeatable(executor) == OK);
  }
  ~Joined() {
    aclDestroyAclOpExecutor(executor);
    aclDestroyTensorList(list);
    aclDestroyTensor(out);
  }
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;
  aclTensorList* list = nullptr;
  aclTensor* out;
  aclOpExecutor* executor = nullptr;
};

int no_executor_memory = 0;
auto* const no_executor = reinterpret_cast<aclOpExecutor*>(&no_executor_memory);

}  // namespace

TEST_CASE("descriptions that are null, and results that have no place, are 161001", "[aclnn]") {
  const int64_t dims[] = {2};
  aclTensor* const tensor =
      aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr);
  int64_t *values = nullptr, offset = 0;
  uint64_t count = 0;
  void* address = nullptr;
  aclFormat format = ACL_FORMAT_ND;
  aclDataType type = ACL_FLOAT;
  for (const auto get : {aclGetViewShape, aclGetStorageShape, aclGetViewStrides}) {
    CHECK(get(nullptr, &values, &count) == 161001);
    CHECK_THAT(message(), ContainsSubstring("tensor is null"));
    CHECK(get(tensor, nullptr, &count) == 161001);
    CHECK(get(tensor, &values, nullptr) == 161001);
  }
  CHECK(aclGetViewOffset(nullptr, &offset) == 161001);
  CHECK(aclGetViewOffset(tensor, nullptr) == 161001);
  CHECK(aclGetFormat(nullptr, &format) == 161001);
  CHECK(aclGetFormat(tensor, nullptr) == 161001);
  CHECK(aclGetDataType(tensor, nullptr) == 161001);
  CHECK(aclGetDataType(nullptr, &type) == 161001);
  CHECK(aclGetRawTensorAddr(nullptr, &address) == 161001);
  CHECK(aclGetRawTensorAddr(tensor, nullptr) == 161001);
  CHECK(aclSetRawTensorAddr(nullptr, address) == 161001);
  CHECK(aclInitTensor(nullptr, dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr) ==
        161001);
  CHECK(aclInitTensor(tensor, nullptr, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr) ==
        161001);
  CHECK(aclInitTensor(tensor, dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 1, nullptr) ==
        161001);
  CHECK(aclSetRawTensorAddr(tensor, &count) == OK);
  CHECK(aclGetRawTensorAddr(tensor, &address) == OK);
  CHECK(address == &count);
  CHECK(aclDestroyTensor(tensor) == OK);
}

namespace {

template <class Array, class Element>
Element element_of(Array* (*)(Element, uint64_t));

/// Makes it of nothing and asks for its size: null only where numbers are promised and none given.
template <class Create, class Size, class Destroy>
void try_empty(Create create, Size size, Destroy destroy) {
  auto* const none = create(nullptr, 0);
  REQUIRE(none != nullptr);
  uint64_t count = 7;
  CHECK(size(none, &count) == OK);
  CHECK(count == 0);
  CHECK(size(nullptr, &count) == 161001);
  CHECK(size(none, nullptr) == 161001);
  CHECK(destroy(none) == OK);
  CHECK(destroy(nullptr) == OK);
  CHECK(create(nullptr, 1) == nullptr);
  // Counts that nothing can hold, although there is one element.
  const long one = 0;
  for (const uint64_t huge : {uint64_t{1} << 40, ~uint64_t{0}}) {
    CHECK(create(reinterpret_cast<decltype(element_of(create))>(&one), huge) == nullptr);
  }
}

}  // namespace

TEST_CASE("arrays and lists may be empty, and sizes of what is null are 161001", "[aclnn]") {
  try_empty(aclCreateIntArray, aclGetIntArraySize, aclDestroyIntArray);
  try_empty(aclCreateFloatArray, aclGetFloatArraySize, aclDestroyFloatArray);
  try_empty(aclCreateBoolArray, aclGetBoolArraySize, aclDestroyBoolArray);
  try_empty(aclCreateTensorList, aclGetTensorListSize, aclDestroyTensorList);
  try_empty(aclCreateScalarList, aclGetScalarListSize, aclDestroyScalarList);
  CHECK(aclCreateScalar(nullptr, ACL_FLOAT) == nullptr);
  CHECK(aclDestroyScalar(nullptr) == OK);
  float one = 1.0F;
  const aclScalar* const scalars[] = {aclCreateScalar(&one, ACL_FLOAT),
                                      aclCreateScalar(&one, ACL_FLOAT)};
  aclScalarList* const list = aclCreateScalarList(scalars, 2);
  uint64_t count = 0;
  CHECK(aclGetScalarListSize(list, &count) == OK);
  CHECK(count == 2);
  CHECK(aclDestroyScalarList(list) == OK);  // and the scalars in it
}

TEST_CASE("a tensor has at most 64 dims, and extents may be any", "[aclnn]") {
  std::vector<int64_t> dims(65, 1);
  const auto tensor = [&](uint64_t view, uint64_t storage) {
    return aclCreateTensor(dims.data(), view, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims.data(),
                           storage, nullptr);
  };
  CHECK(tensor(65, 1) == nullptr);
  CHECK(tensor(1, 65) == nullptr);
  CHECK(tensor(uint64_t{1} << 40, 1) == nullptr);
  CHECK(tensor(1, ~uint64_t{0}) == nullptr);
  dims.assign(65, INT64_MAX);
  aclTensor* const huge = tensor(64, 64);
  REQUIRE(huge != nullptr);
  CHECK(aclInitTensor(huge, dims.data(), 65, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims.data(), 1,
                      nullptr) == 161002);
  CHECK_THAT(message(), ContainsSubstring("viewDimsNum is 65; expected at most 64"));
  CHECK(aclDestroyTensor(huge) == OK);
}

TEST_CASE("a view whose elements cannot be counted in 64 bits is 161002", "[aclnn]") {
  const Device device;
  const Floats memory(std::vector<float>(4, 1));
  struct Case {
    int64_t rows, columns, row_stride, column_stride, offset;
  };
  constexpr int64_t kBit = 1;
  const Case cases[] = {
      {2, 2, kBit << 61, 1, 0},          {2, 2, kBit << 62, 1, 0},
      {3, 2, -(kBit << 61), 1, 0},       {2, 2, kBit << 60, kBit << 60, 0},
      {2, 2, INT64_MAX, 1, 0},           {2, 2, INT64_MIN, 1, 0},
      {2, 2, 2, 1, kBit << 61},          {2, 2, 2, 1, INT64_MIN},
      {kBit << 32, kBit << 32, 0, 0, 0}, {kBit << 62, kBit << 62, 0, 0, 0},
      {5, 1, kBit << 60, 1, 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.rows, c.columns, c.row_stride, c.column_stride, c.offset);
    const int64_t dims[] = {c.rows, c.columns}, strides[] = {c.row_stride, c.column_stride};
    const int64_t storage = 4;
    aclTensor* const view = aclCreateTensor(dims, 2, ACL_FLOAT, strides, c.offset, ACL_FORMAT_ND,
                                            &storage, 1, memory.memory());
    REQUIRE(view);
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnExpGetWorkspaceSize(view, view, &workspace, &executor) == 161002);
    CHECK_THAT(message(), ContainsSubstring("expected elements within 2^55 of each other"));
    CHECK(aclDestroyTensor(view) == OK);
  }
  // An empty view has no elements; its strides do not matter.
  const int64_t dims[] = {0, 2}, strides[] = {INT64_MAX, INT64_MIN}, storage = 0;
  aclTensor* const empty =
      aclCreateTensor(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, &storage, 1, memory.memory());
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  REQUIRE(aclnnExpGetWorkspaceSize(empty, empty, &workspace, &executor) == OK);
  CHECK(aclnnExp(nullptr, workspace, executor, device.stream()) == OK);
  device.wait();
  CHECK(aclDestroyTensor(empty) == OK);
}

TEST_CASE("what is no executor is 561000, what is null 561103", "[aclnn]") {
  const Device device;
  const Floats a({1}), b({2}), c({0, 0});
  const Joined joined(a, b, c);
  CHECK(aclSetAclOpExecutorRepeatable(nullptr) == 561103);
  CHECK(aclSetAclOpExecutorRepeatable(no_executor) == 561000);
  CHECK(aclDestroyAclOpExecutor(no_executor) == 561000);
  for (const auto set : {aclSetTensorAddr, aclSetInputTensorAddr, aclSetOutputTensorAddr,
                         AclSetTensorAddr, AclSetInputTensorAddr, AclSetOutputTensorAddr}) {
    CHECK(set(nullptr, 0, joined.out, a.memory()) == 561103);
    CHECK(set(joined.executor, 0, nullptr, a.memory()) == 561103);
    aclTensor* const other = a.tensor();
    CHECK(set(joined.executor, 0, other, a.memory()) == 161002);
    CHECK_THAT(message(), ContainsSubstring("put of aclnnCat") ||
                              ContainsSubstring("the tensor is no argument of aclnnCat"));
    CHECK(aclDestroyTensor(other) == OK);
  }
  CHECK(aclnnCat(nullptr, 0, no_executor, device.stream()) == 561000);
  CHECK(aclnnCat(nullptr, 0, nullptr, device.stream()) == 161001);
}

TEST_CASE("members of lists get other addresses, and only those that there are", "[aclnn]") {
  const Device device;
  const Floats a({1}), b({2}), c({0, 0}), d({5});
  const Joined joined(a, b, c);
  for (const auto set : {aclSetDynamicTensorAddr, aclSetDynamicInputTensorAddr,
                         AclSetDynamicTensorAddr, AclSetDynamicInputTensorAddr}) {
    CHECK(set(nullptr, 0, 0, joined.list, d.memory()) == 561103);
    CHECK(set(joined.executor, 0, 0, nullptr, d.memory()) == 561103);
    CHECK(set(joined.executor, 0, 2, joined.list, d.memory()) == 161002);
    CHECK(set(joined.executor, 0, 1, joined.list, d.memory()) == OK);
  }
  for (const auto set : {aclSetDynamicOutputTensorAddr, AclSetDynamicOutputTensorAddr}) {
    CHECK(set(joined.executor, 0, 0, joined.list, d.memory()) == 161002);  // the list is no output
  }
  CHECK(aclnnCat(nullptr, 0, joined.executor, device.stream()) == OK);
  device.wait();
  CHECK(c.values() == std::vector<float>{1, 5});
}

TEST_CASE("a refused first phase leaves the executor alone", "[aclnn]") {
  const Device device;
  const Floats a({1});
  aclTensor* const x = a.tensor();
  uint64_t workspace = 77;
  aclOpExecutor* executor = no_executor;
  CHECK(aclnnExpGetWorkspaceSize(x, nullptr, &workspace, &executor) == 161001);
  CHECK(executor == no_executor);
  CHECK(workspace == 77);
  CHECK(aclnnExpGetWorkspaceSize(x, x, nullptr, &executor) == 161001);
  CHECK_THAT(message(),
             ContainsSubstring("aclnnExp") && ContainsSubstring("workspaceSize is null"));
  CHECK(aclnnExpGetWorkspaceSize(x, x, &workspace, nullptr) == 161001);
  CHECK_THAT(message(), ContainsSubstring("executor is null"));
  CHECK(executor == no_executor);
  aclDestroyTensor(x);
}

TEST_CASE("a second phase with no stream to go to is 361001, and has taken its executor",
          "[aclnn]") {
  const Device device;
  const Floats a({1});
  aclTensor* const x = a.tensor();
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  aclrtStream gone = nullptr;
  OK_ACL(aclrtCreateStream(&gone));
  OK_ACL(aclrtDestroyStream(gone));
  REQUIRE(aclnnExpGetWorkspaceSize(x, x, &workspace, &executor) == OK);
  CHECK(aclnnExp(nullptr, 0, executor, gone) == 361001);
  CHECK(aclnnExp(nullptr, 0, executor, device.stream()) == 561000);
  aclDestroyTensor(x);
}

TEST_CASE("aclnn may be initialised and finalised beside ACL, in any order", "[aclnn]") {
  const Device device;
  CHECK(aclnnInit(nullptr) == OK);
  CHECK(aclnnInit(nullptr) == OK);
  CHECK(aclnnFinalize() == OK);
  CHECK(aclnnFinalize() == OK);
  const Floats a({0});
  aclTensor* const x = a.tensor();
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnExpGetWorkspaceSize(x, x, &workspace, &executor) == OK);
  CHECK(aclnnExp(nullptr, 0, executor, device.stream()) == OK);
  device.wait();
  CHECK(a.values() == std::vector<float>{1});
  aclDestroyTensor(x);
}
