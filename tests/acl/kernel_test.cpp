// SPDX-License-Identifier: Apache-2.0
// The extension: kernels that are host functions.
#include <stdexcept>

#include "tests/acl/world.h"

using namespace world;

namespace {

struct Seen {
  std::vector<std::uint32_t> blocks;
  std::uint32_t num_blocks = 0;
  std::int32_t device = -1;
  std::uint32_t stream = 0xffffffff;
  std::vector<std::uint32_t> tasks;
  bool aligned = true;
  bool sized = true;
};

std::int32_t note(const aclsimKernelContext* context, const void* args) {
  Seen* seen = nullptr;
  std::memcpy(&seen, args, sizeof seen);
  seen->blocks.push_back(context->blockIndex);
  seen->num_blocks = context->numBlocks;
  seen->device = context->deviceId;
  seen->stream = context->streamId;
  seen->tasks.push_back(context->taskId);
  seen->aligned = seen->aligned && reinterpret_cast<std::uintptr_t>(args) % 8 == 0;
  seen->sized = seen->sized && context->size >= sizeof(aclsimKernelContext);
  return 0;
}

std::int32_t nothing(const aclsimKernelContext*, const void*) { return 0; }

aclsimLaunch make(aclsimKernel kernel = nothing) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "kernel";
  launch.kernel = kernel;
  launch.numBlocks = 1;
  return launch;
}

template <class Args>
aclsimLaunch make(aclsimKernel kernel, const Args& args) {
  aclsimLaunch launch = make(kernel);
  launch.args = &args;
  launch.argsSize = sizeof args;
  return launch;
}

}  // namespace

TEST_CASE("a kernel runs its blocks one after the other and knows where it is") {
  const Device device(6);
  const Stream stream;
  Seen seen;
  Seen* const pointer = &seen;
  aclsimLaunch launch = make(note, pointer);
  launch.numBlocks = 24;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE(seen.blocks.size() == 24);
  for (std::uint32_t i = 0; i < 24; ++i) CHECK(seen.blocks[i] == i);
  CHECK(seen.num_blocks == 24);
  CHECK(seen.device == 6);
  CHECK(seen.stream == static_cast<std::uint32_t>(id_of(stream)));
  CHECK(seen.aligned);
  CHECK(seen.sized);
}

TEST_CASE("task ids count the tasks of a stream") {
  const Device device;
  const Stream stream;
  Seen seen;
  Seen* const pointer = &seen;
  const aclsimLaunch launch = make(note, pointer);
  for (int i = 0; i < 5; ++i) REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE(seen.tasks.size() == 5);
  for (std::size_t i = 1; i < 5; ++i) CHECK(seen.tasks[i] == seen.tasks[i - 1] + 1);
}

TEST_CASE("argument bytes of any number are copied at the call") {
  const Device device;
  const Stream stream;
  struct Args {
    std::uint64_t* sum;
    std::uint32_t count;
    unsigned char bytes[4000];
  };
  std::vector<std::uint64_t> sums(4, 0);
  Gate gate;
  gate.hold(stream);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    auto args = std::make_unique<Args>();
    args->sum = &sums[i];
    args->count = static_cast<std::uint32_t>(1 + i * 1000);
    std::memset(args->bytes, 3, sizeof args->bytes);
    const aclsimLaunch launch = make(
        [](const aclsimKernelContext*, const void* data) -> std::int32_t {
          const auto* own = static_cast<const Args*>(data);
          for (std::uint32_t n = 0; n < own->count; ++n) *own->sum += own->bytes[n];
          return 0;
        },
        *args);
    REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
    std::memset(static_cast<void*>(args.get()), 0xff, sizeof(Args));
  }
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  for (std::size_t i = 0; i < sums.size(); ++i) CHECK(sums[i] == 3 * (1 + i * 1000));
}

TEST_CASE("a kernel may take no arguments") {
  const Device device;
  static std::atomic<int> runs{0};
  runs = 0;
  const aclsimLaunch launch = make([](const aclsimKernelContext*, const void*) -> std::int32_t {
    ++runs;
    return 0;
  });
  REQUIRE_ACL(aclsimLaunchKernel(&launch, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(runs == 1);
}

TEST_CASE("a kernel's ranges are copied at the call") {
  const Device device;
  const DeviceMemory memory(64);
  auto ranges = std::make_unique<aclsimMemRange[]>(3);
  ranges[0] = {memory, 32, ACLSIM_ACCESS_READ};
  ranges[1] = {memory.as() + 32, 32, ACLSIM_ACCESS_WRITE};
  ranges[2] = {memory, 64, ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE};
  Seen seen;
  Seen* const pointer = &seen;
  aclsimLaunch launch = make(note, pointer);
  launch.ranges = ranges.get();
  launch.numRanges = 3;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, nullptr));
  ranges.reset();
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(seen.blocks.size() == 1);
}

TEST_CASE("a failing block stops its launch and is reported once") {
  const Device device;
  const Stream stream;
  static std::atomic<std::uint32_t> last{0};
  aclsimLaunch launch = make([](const aclsimKernelContext* context, const void*) -> std::int32_t {
    last = context->blockIndex;
    return context->blockIndex == 3 ? ACL_ERROR_RT_AICORE_TRAP_EXCEPTION : 0;
  });
  launch.numBlocks = 10;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_TRAP_EXCEPTION);
  CHECK(last == 3);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("a kernel reports the device error it returns") {
  const Device device;
  const Stream stream;
  for (const int code : {ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_AICORE_TIMEOUT,
                         ACL_ERROR_RT_VECTOR_CORE_TIMEOUT, ACL_ERROR_RT_AICPU_EXCEPTION}) {
    launch(stream, [code] { return code; });
    CHECK_CODE(aclrtSynchronizeStream(stream), code);
  }
}

TEST_CASE("a kernel that returns less than zero or throws is a vector core exception") {
  const Device device;
  const Stream stream;
  launch(stream, [] { return -1; });
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  launch(stream, [] { throw std::runtime_error("on purpose"); });
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  launch(stream, [] { throw 5; });
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("a kernel launch is checked") {
  const Device device;
  const auto refused = [](const aclsimLaunch& launch) {
    return aclsimLaunchKernel(&launch, nullptr) == ACL_ERROR_INVALID_PARAM;
  };
  CHECK_CODE(aclsimLaunchKernel(nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  aclsimLaunch launch = make();
  for (const std::size_t size : {0U, 8U}) {
    launch.size = size;
    CHECK(refused(launch));
  }
  launch = make();
  launch.name = nullptr;
  CHECK(refused(launch));
  launch = make(nullptr);
  CHECK(refused(launch));
  launch = make();
  launch.numBlocks = 0;
  CHECK(refused(launch));
  launch = make();
  launch.argsSize = 8;
  CHECK(refused(launch));
  launch = make();
  launch.numRanges = 1;
  CHECK(refused(launch));
  const int value = 0;
  for (const std::uint32_t access : {0U, 4U, 7U}) {
    const aclsimMemRange range{&value, sizeof value, access};
    launch = make();
    launch.numRanges = 1;
    launch.ranges = &range;
    CHECK(refused(launch));
  }
  launch = make();
  CHECK_CODE(aclsimLaunchKernel(&launch, reinterpret_cast<aclrtStream>(std::uintptr_t{0xFFFF})),
             ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(in_thread([&] { return aclsimLaunchKernel(&launch, nullptr); }) ==
        ACL_ERROR_RT_CONTEXT_NULL);
}

// ---- a look at the machine
// -------------------------------------------------------------------------------

TEST_CASE("the machine describes itself") {
  const aclsimMachine now = machine();
  CHECK(now.devices == 8);
  CHECK(now.workersPerDevice >= 1);
  CHECK(now.memoryBytes >= (std::uint64_t{1} << 30));
  CHECK(now.aiCores == 24);
  CHECK(now.vectorCores == 48);
  CHECK(now.socName == std::string("Ascend910B1"));
  CHECK(now.topology == std::string("all-to-all"));
  aclsimMachine other{};
  CHECK_CODE(aclsimGetMachine(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclsimGetMachine(&other), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("the numbers of what lives follow what the program makes") {
  CHECK(stats().contexts == 0);
  {
    const Device device;
    const Context context(0);
    const Stream stream;
    const Event event;
    const DeviceMemory memory(1000);
    const HostMemory host(2000);
    const aclsimStats now = stats();
    CHECK(now.contexts == 2);
    CHECK(now.streams == 1);
    CHECK(now.events == 1);
    CHECK(now.deviceAllocations == 1);
    CHECK(now.deviceBytes >= 1000);
    CHECK(now.hostAllocations == 1);
    CHECK(now.hostBytes >= 2000);
    Gate gate;
    gate.hold(stream);
    CHECK(stats().pendingTasks == 1);
    gate.open();
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(stats().pendingTasks == 0);
  }
  CHECK(stats().contexts == 0);
  CHECK(stats().deviceBytes == 0);
  CHECK_CODE(aclsimGetStats(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("memory and links of the machine are checked") {
  std::uint64_t used = 0;
  std::uint64_t total = 0;
  std::uint32_t kind = 0;
  REQUIRE_ACL(aclsimGetDeviceMemory(7, &used, &total));
  CHECK(used == 0);
  CHECK(total == machine().memoryBytes);
  CHECK_CODE(aclsimGetDeviceMemory(8, &used, &total), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclsimGetDeviceMemory(-1, &used, &total), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclsimGetDeviceMemory(0, nullptr, &total), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclsimGetDeviceMemory(0, &used, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclsimGetLink(0, 1, &kind));
  CHECK(kind != 0);
  REQUIRE_ACL(aclsimGetLink(1, 1, &kind));
  CHECK(kind == 0);
  CHECK_CODE(aclsimGetLink(0, 8, &kind), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclsimGetLink(0, 1, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a reset of everything leaves an empty process, whatever was going on") {
  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclrtSetDevice(1));
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  void* memory = nullptr;
  void* host = nullptr;
  REQUIRE_ACL(aclrtCreateContext(&context, 2));
  REQUIRE_ACL(aclrtCreateStream(&stream));
  REQUIRE_ACL(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  REQUIRE_ACL(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtMallocHost(&host, 64));
  REQUIRE_ACL(aclrtSubscribeReport(this_thread_id(), stream));
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, event));
  std::atomic<bool> ran{false};
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclsimResetAll());
  CHECK_FALSE(ran);
  const aclsimStats now = stats();
  CHECK(now.contexts == 0);
  CHECK(now.streams == 0);
  CHECK(now.events == 0);
  CHECK(now.deviceAllocations == 0);
  CHECK(now.hostAllocations == 0);
  CHECK(now.subscriptions == 0);
  CHECK(now.pendingTasks == 0);
  CHECK_CODE(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  CHECK_CODE(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
}
