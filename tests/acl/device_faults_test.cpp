// SPDX-License-Identifier: Apache-2.0
// Queries about faults of a device after they happened.
#include "tests/acl/world.h"

using namespace world;

namespace {

aclrtErrorInfo fault_of(int device) {
  aclrtErrorInfo info;
  std::memset(&info, 0x7f, sizeof info);
  REQUIRE_ACL(aclrtGetErrorVerbose(device, &info));
  return info;
}

void fail_a_kernel(std::int32_t code) {
  launch(nullptr, [code] { return code; });
  REQUIRE_CODE(aclrtSynchronizeStream(nullptr), code);
}

}  // namespace

TEST_CASE("a device without a fault, or not in use, has nothing to tell") {
  CHECK(fault_of(0).errorType == ACL_RT_NO_ERROR);
  const Device device;
  const aclrtErrorInfo info = fault_of(0);
  CHECK(info.errorType == ACL_RT_NO_ERROR);
  CHECK(info.tryRepair == 0);
  CHECK(info.hasDetail == 0);
}

TEST_CASE("the latest kernel that failed is the fault of its device alone") {
  const Device device(2);
  fail_a_kernel(ACL_ERROR_RT_AICPU_EXCEPTION);
  CHECK(fault_of(2).errorType == ACL_RT_ERROR_OTHERS);
  CHECK(fault_of(2).hasDetail == 0);
  fail_a_kernel(ACL_ERROR_RT_AICORE_EXCEPTION);
  const aclrtErrorInfo info = fault_of(2);
  CHECK(info.errorType == ACL_RT_ERROR_AICORE);
  CHECK(info.hasDetail == 1);
  CHECK(info.detail.aicoreErrType == ACL_RT_AICORE_ERROR_SW);
  CHECK(info.tryRepair == 0);
  const Device other(1);
  CHECK(fault_of(1).errorType == ACL_RT_NO_ERROR);
}

TEST_CASE("a fault is forgotten when its device is reset") {
  {
    const Device device;
    fail_a_kernel(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    CHECK(fault_of(0).errorType == ACL_RT_ERROR_AICORE);
  }
  CHECK(fault_of(0).errorType == ACL_RT_NO_ERROR);
  const Device again;
  CHECK(fault_of(0).errorType == ACL_RT_NO_ERROR);
}

TEST_CASE("a wait that took too long is no fault of the device") {
  const Device device;
  const Stream stream;
  const Event never = Event::old(ACL_EVENT_SYNC);
  REQUIRE_ACL(aclrtStreamWaitEventWithTimeout(stream, never, 1));
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT);
  CHECK(fault_of(0).errorType == ACL_RT_NO_ERROR);
}

TEST_CASE("the fault of a device needs a device and a place for the result") {
  aclrtErrorInfo info{};
  CHECK_CODE(aclrtGetErrorVerbose(0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetErrorVerbose(8, &info), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtGetErrorVerbose(-1, &info), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_CASE("memory faults can be repaired and others cannot") {
  const Device device;
  aclrtErrorInfo info{};
  REQUIRE_ACL(aclrtRepairError(0, &info));
  info.errorType = ACL_RT_ERROR_MEMORY;
  info.detail.uceInfo.arraySize = ACL_RT_MEM_UCE_INFO_MAX_NUM;
  REQUIRE_ACL(aclrtRepairError(0, &info));
  info.detail.uceInfo.arraySize = ACL_RT_MEM_UCE_INFO_MAX_NUM + 1;
  CHECK_CODE(aclrtRepairError(0, &info), ACL_ERROR_RT_PARAM_INVALID);
  for (const auto type : {ACL_RT_ERROR_L2, ACL_RT_ERROR_AICORE, ACL_RT_ERROR_LINK,
                          ACL_RT_ERROR_L3_PORT, ACL_RT_ERROR_OTHERS}) {
    info.errorType = type;
    CHECK_CODE(aclrtRepairError(0, &info), ACL_ERROR_RT_PARAM_INVALID);
  }
  info = {};
  CHECK_CODE(aclrtRepairError(0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRepairError(8, &info), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_CASE("healthy memory has no errors, and repairing it is done at once") {
  const Device device;
  aclrtMemUceInfo ranges[2] = {};
  std::size_t count = 7;
  REQUIRE_ACL(aclrtGetMemUceInfo(0, ranges, 2, &count));
  CHECK(count == 0);
  REQUIRE_ACL(aclrtMemUceRepair(0, ranges, 2));
}

TEST_CASE("lists of memory errors hold 1 to 128 ranges of a device that exists") {
  std::vector<aclrtMemUceInfo> ranges(MAX_MEM_UCE_INFO_ARRAY_SIZE + 1);
  std::size_t count = 7;
  CHECK_CODE(aclrtGetMemUceInfo(0, nullptr, 1, &count), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetMemUceInfo(0, ranges.data(), 1, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemUceRepair(0, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  for (const std::size_t size : {std::size_t{0}, ranges.size()}) {
    CHECK_CODE(aclrtGetMemUceInfo(0, ranges.data(), size, &count), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtMemUceRepair(0, ranges.data(), size), ACL_ERROR_INVALID_PARAM);
  }
  CHECK_CODE(aclrtGetMemUceInfo(8, ranges.data(), 1, &count), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtMemUceRepair(-1, ranges.data(), 1), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK(count == 7);
}
