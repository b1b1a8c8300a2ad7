// SPDX-License-Identifier: Apache-2.0
// Other machines: none, some or renumbered devices, few streams and events.
#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;

namespace {

void succeeds(const char* program, const support::Environment& environment) {
  const auto child = support::run_child(program, environment);
  INFO(program << ": status " << child.status << ", signal " << child.signal << "\n"
               << child.output);
  CHECK(child.clean());
}

std::uint32_t count_devices() {
  std::uint32_t count = 99;
  CHILD_EXPECT_CODE(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  return count;
}

}  // namespace

CHILD_PROGRAM(use_a_machine_without_devices) {
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_SUCCESS);
  std::uint32_t count = 99;
  CHILD_EXPECT_CODE(aclrtGetDeviceCount(&count), ACL_ERROR_RT_NO_DEVICE);
  const aclError set = aclrtSetDevice(0);
  CHILD_EXPECT(set == ACL_ERROR_RT_NO_DEVICE || set == ACL_ERROR_RT_INVALID_DEVICEID);
  aclrtContext context = nullptr;
  CHILD_EXPECT(aclrtCreateContext(&context, 0) != ACL_SUCCESS);
  CHILD_EXPECT(aclrtResetDevice(0) != ACL_SUCCESS);
  aclrtStream stream = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
  aclrtEvent event = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEvent(&event), ACL_ERROR_RT_CONTEXT_NULL);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
  CHILD_EXPECT_CODE(aclrtMallocHost(&memory, 64), ACL_ERROR_RT_CONTEXT_NULL);
  CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_CONTEXT_NULL);
  CHILD_EXPECT_CODE(try_launch(nullptr, [] {}), ACL_ERROR_RT_CONTEXT_NULL);
  std::int32_t number = 0;
  CHILD_EXPECT(aclrtDeviceCanAccessPeer(&number, 0, 1) != ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtGetDevice(&number), ACL_ERROR_RT_CONTEXT_NULL);
  aclrtRunMode mode = ACL_DEVICE;
  CHILD_EXPECT_CODE(aclrtGetRunMode(&mode), ACL_SUCCESS);
  aclsimMachine machine{};
  machine.size = sizeof machine;
  CHILD_EXPECT_CODE(aclsimGetMachine(&machine), ACL_SUCCESS);
  CHILD_EXPECT(machine.devices == 0);
  CHILD_EXPECT_CODE(aclFinalize(), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a machine without devices answers every call cleanly") {
  succeeds("use_a_machine_without_devices", {{"ACLSIM_DEVICES", "0"}});
}

TEST_CASE("a list of visible devices that makes no sense leaves none") {
  const char* const list = GENERATE("abc", "1,0", "2,2", "0,x", "-1", "1;2");
  CAPTURE(list);
  succeeds("use_a_machine_without_devices", {{"ASCEND_RT_VISIBLE_DEVICES", list}});
}

CHILD_PROGRAM(use_one_device) {
  CHILD_EXPECT(count_devices() == 1);
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSetDevice(1), ACL_ERROR_RT_INVALID_DEVICEID);
  bool ran = false;
  CHILD_EXPECT_CODE(try_launch(nullptr, [&] { ran = true; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT(ran);
  return 0;
}

TEST_CASE("a machine may have one device") {
  succeeds("use_one_device", {{"ACLSIM_DEVICES", "1"}});
  succeeds("use_one_device", {{"ASCEND_RT_VISIBLE_DEVICES", "5"}});
}

CHILD_PROGRAM(use_sixty_four_devices) {
  CHILD_EXPECT(count_devices() == 64);
  std::atomic<int> runs{0};
  for (int d = 0; d < 64; ++d) {
    CHILD_EXPECT_CODE(aclrtSetDevice(d), ACL_SUCCESS);
    CHILD_EXPECT_CODE(try_launch(nullptr, [&] { ++runs; }), ACL_SUCCESS);
  }
  for (int d = 0; d < 64; ++d) {
    CHILD_EXPECT_CODE(aclrtSetDevice(d), ACL_SUCCESS);
    CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_SUCCESS);
  }
  CHILD_EXPECT(runs == 64);
  return 0;
}

TEST_CASE("a machine may have sixty-four devices") {
  succeeds("use_sixty_four_devices", {{"ACLSIM_DEVICES", "64"}});
}

CHILD_PROGRAM(see_devices_of_both_groups) {
  CHILD_EXPECT(count_devices() == 3);
  std::int32_t can = -1;
  CHILD_EXPECT_CODE(aclrtDeviceCanAccessPeer(&can, 0, 1), ACL_SUCCESS);
  CHILD_EXPECT(can == 1);  // 2 and 3
  CHILD_EXPECT_CODE(aclrtDeviceCanAccessPeer(&can, 1, 2), ACL_SUCCESS);
  CHILD_EXPECT(can == 0);  // 3 and 6
  CHILD_EXPECT_CODE(aclrtSetDevice(2), ACL_SUCCESS);
  std::int32_t device = -1;
  CHILD_EXPECT_CODE(aclrtGetDevice(&device), ACL_SUCCESS);
  CHILD_EXPECT(device == 2);
  CHILD_EXPECT_CODE(aclrtSetDevice(3), ACL_ERROR_RT_INVALID_DEVICEID);
  return 0;
}

TEST_CASE("a list of visible devices renumbers them") {
  succeeds("see_devices_of_both_groups",
           {{"ASCEND_RT_VISIBLE_DEVICES", "2,3,6"}, {"ACLSIM_TOPOLOGY", "two-groups"}});
}

CHILD_PROGRAM(exhaust_four_streams) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream streams[3];
  for (aclrtStream& stream : streams) {
    CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  }
  aclrtStream another = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&another), ACL_ERROR_RT_NO_STREAM_RESOURCE);
  CHILD_EXPECT(another == nullptr);
  aclrtContext context = nullptr;
  CHILD_EXPECT(aclrtCreateContext(&context, 0) != ACL_SUCCESS);  // its default stream
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtDestroyStream(streams[0]), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateStream(&another), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSetDevice(1), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateStream(&another), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a machine may have few streams") {
  const support::TempDir dir;
  const std::string file = dir.write("machine.toml", "[limits]\nstreams = 4\n");
  succeeds("exhaust_four_streams", {{"ACLSIM_CONFIG", file}});
}

CHILD_PROGRAM(exhaust_three_events) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtEvent events[3];
  for (aclrtEvent& event : events) {
    CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  }
  aclrtEvent another = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&another, ACL_EVENT_SYNC),
                    ACL_ERROR_RT_NO_EVENT_RESOURCE);
  CHILD_EXPECT(another == nullptr);
  CHILD_EXPECT_CODE(aclrtDestroyEvent(events[1]), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&another, ACL_EVENT_SYNC), ACL_SUCCESS);
  for (int i = 0; i < 100; ++i) {  // these need no id
    CHILD_EXPECT_CODE(aclrtCreateEventExWithFlag(&another, ACL_EVENT_SYNC), ACL_SUCCESS);
    CHILD_EXPECT_CODE(aclrtRecordEvent(another, nullptr), ACL_SUCCESS);
  }
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a machine may have few events, except of the newer kind") {
  const support::TempDir dir;
  const std::string file = dir.write("machine.toml", "[limits]\nevents = 3\n");
  succeeds("exhaust_three_events", {{"ACLSIM_CONFIG", file}});
}

TEST_CASE("a caller with an older, smaller structure gets the counts that it knows") {
  const Device device;
  aclsimStats now{};
  now.size = offsetof(aclsimStats, otherHandles);
  now.otherHandles = 99;
  REQUIRE_ACL(aclsimGetStats(&now));
  CHECK(now.size == offsetof(aclsimStats, otherHandles));
  CHECK(now.contexts == 1);
  CHECK(now.otherHandles == 99);
  now.size = offsetof(aclsimStats, otherHandles) - 1;
  CHECK_CODE(aclsimGetStats(&now), ACL_ERROR_INVALID_PARAM);
}
