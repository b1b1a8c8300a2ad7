// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_tdt.h"
#include "tests/acl/world.h"

using namespace world;

namespace {

acltdtDataItem* mark() {
  return acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, nullptr, 0, ACL_DT_UNDEFINED,
                              nullptr, 0);
}

}  // namespace

TEST_CASE("an item tells what it was described with", "[tdt]") {
  float data[6] = {};
  const int64_t dims[] = {2, 3};
  acltdtDataItem* const item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_FLOAT, data, sizeof data);
  REQUIRE(item != nullptr);
  CHECK(acltdtGetTensorTypeFromItem(item) == ACL_TENSOR_DATA_TENSOR);
  CHECK(acltdtGetDataTypeFromItem(item) == ACL_FLOAT);
  CHECK(acltdtGetDataAddrFromItem(item) == data);
  CHECK(acltdtGetDataSizeFromItem(item) == sizeof data);
  CHECK(acltdtGetDimNumFromItem(item) == 2);
  int64_t got[3] = {-1, -1, -1};
  REQUIRE_ACL(acltdtGetDimsFromItem(item, got, 3));
  CHECK(got[0] == 2);
  CHECK(got[1] == 3);
  CHECK(got[2] == -1);
  CHECK_CODE(acltdtGetDimsFromItem(item, got, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetDimsFromItem(item, nullptr, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetDimsFromItem(item, got, 0), ACL_ERROR_INVALID_PARAM);
  size_t slices = 9;
  size_t slice = 9;
  REQUIRE_ACL(acltdtGetSliceInfoFromItem(item, &slices, &slice));
  CHECK(slices == 0);
  CHECK(slice == 0);
  CHECK_CODE(acltdtGetSliceInfoFromItem(item, nullptr, &slice), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetSliceInfoFromItem(item, &slices, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(acltdtDestroyDataItem(item));
}

TEST_CASE("an item without dims or data is one too", "[tdt]") {
  acltdtDataItem* const item = mark();
  REQUIRE(item != nullptr);
  CHECK(acltdtGetTensorTypeFromItem(item) == ACL_TENSOR_DATA_END_OF_SEQUENCE);
  CHECK(acltdtGetDataAddrFromItem(item) == nullptr);
  CHECK_CODE(acltdtGetDimsFromItem(item, nullptr, 0), ACL_SUCCESS);
  REQUIRE_ACL(acltdtDestroyDataItem(item));
}

TEST_CASE("an item that cannot be is null, and a text says why", "[tdt]") {
  char data[8];
  const std::vector<int64_t> dims(129, 1);
  const auto create = [&](int type, const int64_t* d, size_t n, int data_type, void* p, size_t s) {
    acltdtDataItem* const item = acltdtCreateDataItem(static_cast<acltdtTensorType>(type), d, n,
                                                      static_cast<aclDataType>(data_type), p, s);
    const bool refused = item == nullptr && !recent_message().empty();
    if (item) acltdtDestroyDataItem(item);
    return !refused;
  };
  CHECK(create(0, dims.data(), 128, ACL_INT8, data, 8));
  CHECK_FALSE(create(0, dims.data(), 129, ACL_INT8, data, 8));
  CHECK_FALSE(create(0, nullptr, 1, ACL_INT8, data, 8));
  CHECK_FALSE(create(0, dims.data(), 0, ACL_INT8, data, 8));
  CHECK_FALSE(create(1, dims.data(), 1, ACL_INT8, data, 8));
  CHECK_FALSE(create(-1, nullptr, 0, ACL_INT8, data, 8));
  CHECK_FALSE(create(5, nullptr, 0, ACL_INT8, data, 8));
  CHECK_FALSE(create(0, dims.data(), 1, -2, data, 8));
  CHECK_FALSE(create(0, dims.data(), 1, 42, data, 8));
  CHECK_FALSE(create(0, dims.data(), 1, ACL_INT8, nullptr, 8));
  CHECK(create(0, dims.data(), 1, ACL_INT8, nullptr, 0));
  Device device;
  DeviceMemory memory(64);
  CHECK(create(0, dims.data(), 1, ACL_INT8, memory, 64));
  CHECK_FALSE(create(0, dims.data(), 1, ACL_INT8, memory, 65));
}

TEST_CASE("a set holds items in the order in which they were added", "[tdt]") {
  acltdtDataset* const set = acltdtCreateDataset();
  REQUIRE(set != nullptr);
  CHECK(acltdtGetDatasetSize(set) == 0);
  CHECK(acltdtGetDataItem(set, 0) == nullptr);
  CHECK(acltdtGetDatasetName(set) == std::string());
  acltdtDataItem* const first = mark();
  acltdtDataItem* const second = mark();
  REQUIRE_ACL(acltdtAddDataItem(set, first));
  REQUIRE_ACL(acltdtAddDataItem(set, second));
  CHECK(acltdtGetDatasetSize(set) == 2);
  CHECK(acltdtGetDataItem(set, 0) == first);
  CHECK(acltdtGetDataItem(set, 1) == second);
  CHECK(acltdtGetDataItem(set, 2) == nullptr);
  REQUIRE_ACL(acltdtDestroyDataset(set));
  CHECK(acltdtGetTensorTypeFromItem(first) == ACL_TENSOR_DATA_END_OF_SEQUENCE);
  REQUIRE_ACL(acltdtDestroyDataItem(first));
  REQUIRE_ACL(acltdtDestroyDataItem(second));
}

TEST_CASE("a set lies on one side: host or device", "[tdt]") {
  Device device;
  DeviceMemory memory(8);
  char host[8];
  const int64_t dims[] = {8};
  const auto tensor = [&](void* data) {
    return acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_INT8, data, 8);
  };
  acltdtDataItem* const on_host = tensor(host);
  acltdtDataItem* const on_device = tensor(memory);
  acltdtDataItem* const nowhere = mark();
  const bool host_first = GENERATE(true, false);
  acltdtDataset* const set = acltdtCreateDataset();
  REQUIRE_ACL(acltdtAddDataItem(set, nowhere));
  REQUIRE_ACL(acltdtAddDataItem(set, host_first ? on_host : on_device));
  CHECK_CODE(acltdtAddDataItem(set, host_first ? on_device : on_host), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(acltdtAddDataItem(set, host_first ? on_host : on_device));
  CHECK(acltdtGetDatasetSize(set) == 3);
  REQUIRE_ACL(acltdtDestroyDataset(set));
  for (acltdtDataItem* item : {on_host, on_device, nowhere}) {
    REQUIRE_ACL(acltdtDestroyDataItem(item));
  }
}

TEST_CASE("items and sets that are none are refused, never looked into", "[tdt]") {
  acltdtDataItem* const gone = mark();
  REQUIRE_ACL(acltdtDestroyDataItem(gone));
  acltdtDataset* const set = acltdtCreateDataset();
  acltdtDataItem* const item = mark();
  char memory[64] = {};
  const auto as_item = [](const void* value) {
    return static_cast<acltdtDataItem*>(const_cast<void*>(value));
  };
  for (acltdtDataItem* bad : {gone, as_item(set), as_item(memory),
                              reinterpret_cast<acltdtDataItem*>(std::uintptr_t{0xFFFF})}) {
    CHECK(acltdtGetTensorTypeFromItem(bad) == ACL_TENSOR_DATA_UNDEFINED);
    CHECK(acltdtGetDataTypeFromItem(bad) == ACL_DT_UNDEFINED);
    CHECK(acltdtGetDataAddrFromItem(bad) == nullptr);
    CHECK(acltdtGetDataSizeFromItem(bad) == 0);
    CHECK(acltdtGetDimNumFromItem(bad) == 0);
    int64_t dim = 0;
    size_t number = 0;
    CHECK_CODE(acltdtGetDimsFromItem(bad, &dim, 1), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(acltdtGetSliceInfoFromItem(bad, &number, &number), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(acltdtDestroyDataItem(bad), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(acltdtAddDataItem(set, bad), ACL_ERROR_RT_INVALID_HANDLE);
  }
  auto* const no_set = reinterpret_cast<acltdtDataset*>(item);
  CHECK_CODE(acltdtAddDataItem(no_set, item), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtDestroyDataset(no_set), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(acltdtGetDatasetSize(no_set) == 0);
  CHECK(acltdtGetDatasetName(no_set) == nullptr);
  CHECK(acltdtGetDataItem(no_set, 0) == nullptr);

  CHECK(acltdtGetTensorTypeFromItem(nullptr) == ACL_TENSOR_DATA_UNDEFINED);
  CHECK(acltdtGetDatasetName(nullptr) == nullptr);
  CHECK_CODE(acltdtDestroyDataItem(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtDestroyDataset(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtAddDataItem(nullptr, item), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtAddDataItem(set, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(acltdtDestroyDataItem(item));
  REQUIRE_ACL(acltdtDestroyDataset(set));
}
