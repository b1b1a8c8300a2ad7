// SPDX-License-Identifier: Apache-2.0
//
// A buffer travels round a ring of devices. At each stop a kernel adds the device's number + 1 to
// every element, and a peer copy takes the buffer to the neighbour.
//
//   device 0   wait | add 1 | copy to 1 | record
//   device 1                              wait | add 2 | copy to 2 | record
//   device 2                                                         wait | add 3 | ...
//
// Each device has one stream and one event; a device's stream waits for the event of the device
// before it. The host enqueues all laps and waits once, at the end.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"  // aclsimLaunchKernel: kernels that are host functions

// Ends the program when a call fails, and prints the call and the reason.
#define CHECK(call) check((call), #call, __LINE__)
static void check(aclError code, const char* call, int line) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: %s gave %d: %s\n", line, call, code, text != nullptr ? text : "");
  std::exit(1);
}

static const uint32_t kLaps = 4;
static const uint32_t kCount = 64 * 1024;
static const size_t kBytes = kCount * sizeof(uint32_t);

struct Stop {
  int32_t device;
  aclrtContext context;
  void* buffer;
  aclrtStream stream;
  aclrtEvent passed_on;  // recorded when the buffer has reached the next device
};

struct AddArgs {
  uint32_t* buffer;
  uint32_t number;
};

static int32_t add(const aclsimKernelContext*, const void* raw) {
  const AddArgs& args = *static_cast<const AddArgs*>(raw);
  for (uint32_t i = 0; i < kCount; ++i) args.buffer[i] += args.number;
  return 0;
}

// Selects the device, enables access to both neighbours and creates the device's objects.
static Stop open_stop(int32_t device, int32_t next, int32_t previous) {
  Stop stop = {};
  stop.device = device;
  CHECK(aclrtSetDevice(device));
  CHECK(aclrtGetCurrentContext(&stop.context));
  CHECK(aclrtDeviceEnablePeerAccess(next, 0));
  if (previous != next) CHECK(aclrtDeviceEnablePeerAccess(previous, 0));
  CHECK(aclrtMalloc(&stop.buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST_P2P));
  CHECK(aclrtCreateStream(&stop.stream));
  CHECK(aclrtCreateEvent(&stop.passed_on));
  return stop;
}

static void close_stop(const Stop& stop) {
  CHECK(aclrtSetCurrentContext(stop.context));
  CHECK(aclrtDestroyEvent(stop.passed_on));
  CHECK(aclrtDestroyStream(stop.stream));
  CHECK(aclrtFree(stop.buffer));
  CHECK(aclrtResetDevice(stop.device));
}

static void launch_add(const Stop& stop) {
  const AddArgs args = {static_cast<uint32_t*>(stop.buffer),
                        static_cast<uint32_t>(stop.device) + 1};
  const aclsimMemRange range = {stop.buffer, kBytes, ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE};
  aclsimLaunch launch = {};
  launch.size = sizeof(launch);
  launch.name = "add";
  launch.kernel = add;
  launch.numBlocks = 1;
  launch.args = &args;
  launch.argsSize = sizeof(args);
  launch.ranges = &range;
  launch.numRanges = 1;
  CHECK(aclsimLaunchKernel(&launch, stop.stream));
}

// Enqueues one stop. A task goes to a stream of the current context.
static void enqueue(const Stop& here, const Stop& next, aclrtEvent arrival) {
  CHECK(aclrtSetCurrentContext(here.context));
  if (arrival != nullptr) CHECK(aclrtStreamWaitEvent(here.stream, arrival));
  launch_add(here);
  CHECK(aclrtMemcpyAsync(next.buffer, kBytes, here.buffer, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                         here.stream));
  CHECK(aclrtRecordEvent(here.passed_on, here.stream));
}

// Device 0 and all devices that it can access: the devices under one switch.
static std::vector<int32_t> find_ring() {
  uint32_t devices = 0;
  CHECK(aclrtGetDeviceCount(&devices));
  std::vector<int32_t> ring(1, 0);
  for (int32_t device = 1; device < static_cast<int32_t>(devices); ++device) {
    int32_t reachable = 0;
    CHECK(aclrtDeviceCanAccessPeer(&reachable, 0, device));
    if (reachable == 1) ring.push_back(device);
  }
  return ring;
}

int main() {
  CHECK(aclInit(nullptr));
  const std::vector<int32_t> ring = find_ring();
  const size_t length = ring.size();
  if (length < 2) {
    std::printf("skipped: needs two devices with a path between them\n");
    CHECK(aclFinalize());
    return 0;
  }
  std::vector<Stop> stops;
  for (size_t i = 0; i < length; ++i) {
    stops.push_back(open_stop(ring[i], ring[(i + 1) % length], ring[(i + length - 1) % length]));
  }

  const Stop& first = stops.front();
  CHECK(aclrtSetCurrentContext(first.context));
  CHECK(aclrtMemsetAsync(first.buffer, kBytes, 0, kBytes, first.stream));
  const size_t hops = kLaps * length;
  aclrtEvent arrival = nullptr;
  for (size_t hop = 0; hop < hops; ++hop) {
    enqueue(stops[hop % length], stops[(hop + 1) % length], arrival);
    arrival = stops[hop % length].passed_on;
  }

  // The ring ends where it began. The host waits here for the first time.
  std::vector<uint32_t> result(kCount);
  CHECK(aclrtSetCurrentContext(first.context));
  CHECK(aclrtSynchronizeEvent(arrival));
  CHECK(aclrtMemcpy(result.data(), kBytes, first.buffer, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (const Stop& stop : stops) close_stop(stop);
  CHECK(aclFinalize());

  uint32_t expected = 0;
  for (int32_t device : ring) expected += kLaps * (static_cast<uint32_t>(device) + 1);
  size_t wrong = 0;
  for (uint32_t value : result) wrong += value == expected ? 0 : 1;
  std::printf("%zu devices, %u laps: %zu kernels and %zu peer copies of %zu KiB\n", length, kLaps,
              hops, hops, kBytes / 1024);
  std::printf("every element is %u: %s\n", expected, wrong == 0 ? "ok" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
