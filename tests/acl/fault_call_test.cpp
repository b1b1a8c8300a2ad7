// SPDX-License-Identifier: Apache-2.0
// Faults on demand: calls that fail, and memory, streams, events and notifies that run out.
#include "acl/acl_rt_memory_soma.h"
#include "tests/acl/fault_world.h"
#include "tests/acl/virtual_memory.h"

using namespace world;
using namespace faulttest;

CHILD_PROGRAM(second_stream_fails) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtStream streams[3] = {};
  CHILD_OK(aclrtCreateStream(&streams[0]));
  CHILD_EXPECT_CODE(aclrtCreateStream(&streams[1]), ACL_ERROR_RT_NO_STREAM_RESOURCE);
  CHILD_EXPECT(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_ERROR_RT_NO_STREAM_RESOURCE);
  CHILD_EXPECT(said("injected by fault 1 ("));
  CHILD_OK(aclrtCreateStream(&streams[2]));
  CHILD_EXPECT(stats().injectedFaults == 1);
  return 0;
}

TEST_CASE(
    "a call that a fault names returns its code, once, and the text says that it was injected") {
  expect_clean(run_with("call,call=aclrtCreateStream,code=207008,nth=2", "second_stream_fails"),
               "aclsim: 1 of 1 configured faults fired");
  expect_clean(run_with("no-stream,nth=2", "second_stream_fails"),
               "aclsim: fault 1 (no-stream,nth=2): fired once; matched 3 times");
}

CHILD_PROGRAM(run_out_of_things) {
  CHILD_OK(aclrtSetDevice(0));
  void* memory = &memory;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHILD_EXPECT(memory == nullptr);
  CHILD_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  aclrtEvent event = nullptr;
  CHILD_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  CHILD_EXPECT_CODE(aclrtCreateEvent(&event), ACL_ERROR_RT_NO_EVENT_RESOURCE);
  CHILD_OK(aclrtCreateEvent(&event));
  aclrtNotify notify = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateNotify(&notify, 0), ACL_ERROR_RT_NO_NOTIFY_RESOURCE);
  CHILD_OK(aclrtCreateNotify(&notify, 0));
  return 0;
}

TEST_CASE("memory, events and notifies run out when a fault says so") {
  expect_clean(run_with("alloc;no-event;no-notify", "run_out_of_things"),
               "3 of 3 configured faults fired");
}

CHILD_PROGRAM(pinned_memory_fails) {
  CHILD_OK(aclrtSetDevice(0));
  void* memory = nullptr;
  CHILD_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  for (int i = 0; i < 2; ++i) {
    CHILD_EXPECT_CODE(aclrtMallocHost(&memory, 64), ACL_ERROR_RT_MEMORY_ALLOCATION);
  }
  CHILD_OK(aclrtMallocHost(&memory, 64));
  return 0;
}

TEST_CASE("an allocation can be chosen by the call that makes it") {
  expect_clean(run_with("alloc,call=aclrtMallocHost,times=2", "pinned_memory_fails"),
               "fired 2 times; matched 3 times");
}

CHILD_PROGRAM(physical_memory_and_pools_fail) {
  CHILD_OK(aclrtSetDevice(0));
  const aclrtPhysicalMemProp physical = on_device(0);
  aclrtDrvMemHandle handle = nullptr;
  CHILD_EXPECT_CODE(aclrtMallocPhysical(&handle, 2 << 20, &physical, 0),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  aclrtMemPoolProps props{};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtMemPool pool = nullptr;
  aclrtStream stream = nullptr;
  void* memory = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  CHILD_OK(aclrtMemPoolCreate(&pool, &props));
  CHILD_EXPECT_CODE(aclrtMemPoolMallocAsync(&memory, 64, pool, stream),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHILD_OK(aclrtMemPoolMallocAsync(&memory, 64, pool, stream));
  return 0;
}

TEST_CASE("physical memory and memory pools run out too") {
  expect_clean(run_with("alloc,times=2", "physical_memory_and_pools_fail"), "fired 2 times");
}

CHILD_PROGRAM(device_one_has_no_memory) {
  void* memory = nullptr;
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  CHILD_OK(aclrtSetDevice(1));
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  return 0;
}

TEST_CASE("a fault keeps to its device, by the number that the program gives it") {
  expect_clean(run_with("alloc,device=1", "device_one_has_no_memory"), "fired once");
  expect_clean(run_with("alloc,device=1", "device_one_has_no_memory",
                        {{"ASCEND_RT_VISIBLE_DEVICES", "2,5"}}),
               "fired once");
}
