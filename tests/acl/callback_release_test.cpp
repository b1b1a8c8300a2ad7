// SPDX-License-Identifier: Apache-2.0
// aclsimLaunchCallback calls the release function when the op does not hold its data any more.
#include <sys/mman.h>
#include <unistd.h>

#include "tests/acl/world.h"

using namespace world;

namespace {

struct Counts {
  std::atomic<int> ran{0};
  std::atomic<int> released{0};
};

void run(void* data) { ++static_cast<Counts*>(data)->ran; }
void release(void* data) { ++static_cast<Counts*>(data)->released; }

aclError launch(Counts& counts, aclrtStream stream,
                aclrtCallbackBlockType type = ACL_CALLBACK_BLOCK) {
  return aclsimLaunchCallback(run, &counts, release, type, stream);
}

}  // namespace

TEST_CASE("a blocking callback is released before the stream goes on") {
  const Device device;
  const Stream stream;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  Counts counts;
  for (int i = 1; i <= 100; ++i) {
    REQUIRE_ACL(launch(counts, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    REQUIRE(counts.ran == i);
    REQUIRE(counts.released == i);
  }
}

TEST_CASE("a callback that does not block is released after it ran") {
  const Device device;
  const Stream stream;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  static std::atomic<int> stage;
  stage = 0;
  // Each goes on only from where the other one should have left it.
  static const auto advance = [](int expected) {
    stage.compare_exchange_strong(expected, expected + 1);
  };
  REQUIRE_ACL(aclsimLaunchCallback([](void*) { advance(0); }, nullptr, [](void*) { advance(1); },
                                   ACL_CALLBACK_NO_BLOCK, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(eventually([&] { return stage == 2; }));
}

TEST_CASE("callbacks that are dropped with their stream are released and never run") {
  const Device device;
  Counts counts;
  ReportThread report;
  {
    Stream stream;
    const Subscription subscription(report.id(), stream);
    Gate gate;
    gate.hold(stream);
    for (const auto type : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
      REQUIRE_ACL(launch(counts, stream, type));
    }
    SECTION("destroyed by force") { REQUIRE_ACL(aclrtDestroyStreamForce(stream.release())); }
    SECTION("aborted") { REQUIRE_ACL(aclrtStreamAbort(stream)); }
    gate.open();
    CHECK(eventually([&] { return counts.released == 2; }));
  }
  CHECK(counts.ran == 0);
  CHECK(counts.released == 2);
}

TEST_CASE("an abort releases callbacks that wait for their thread, which will not run") {
  const Device device;
  Counts counts;
  const Stream other;
  Stream stream;
  const auto self = static_cast<std::uint64_t>(pthread_self());  // it serves only at the end
  const Subscription first(self, other);
  int others = 1;  // callbacks of the other stream, which may still run
  {
    const Subscription second(self, stream);
    for (const auto type : {ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK, ACL_CALLBACK_BLOCK}) {
      REQUIRE_ACL(launch(counts, stream, type));
    }
    REQUIRE_ACL(launch(counts, other, ACL_CALLBACK_NO_BLOCK));
    // Until both are in the lane: then the stream is parked.
    REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    SECTION("of the stream") { REQUIRE_ACL(aclrtStreamAbort(stream)); }
    SECTION("of the device, which reaches the other stream too") {
      REQUIRE_ACL(aclrtDeviceTaskAbort(0, 0));
      others = 0;
    }
    SECTION("a stop") { REQUIRE_ACL(aclrtStreamStop(stream)); }
    SECTION("a forced destruction") { REQUIRE_ACL(aclrtDestroyStreamForce(stream.release())); }
    CHECK(counts.released == 4 - others);
    CHECK(counts.ran == 0);
  }
  if (others != 0) {
    // The machine may be slow to hand it over.
    CHECK_CODE(aclrtProcessReport(10000), ACL_SUCCESS);
  } else {
    CHECK_CODE(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT);
  }
  CHECK(counts.released == 4);
  CHECK(counts.ran == others);
}

TEST_CASE("an abort at any moment leaves each callback run or dropped, and released once") {
  const Device device;
  const Stream stream;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  Counts counts;
  int launched = 0;
  Problems problems;
  std::atomic<bool> over{false};
  aclrtContext context = nullptr;
  REQUIRE_ACL(aclrtGetCurrentContext(&context));
  in_threads(2, [&](int thread) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    if (thread == 0) {
      for (; launched < 600; ++launched) {
        const auto type = launched % 3 == 0 ? ACL_CALLBACK_NO_BLOCK : ACL_CALLBACK_BLOCK;
        EXPECT_ACL(problems, launch(counts, stream, type));
      }
      over = true;
      return;
    }
    while (!over) EXPECT_ACL(problems, aclrtStreamAbort(stream));
  });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(eventually([&] { return counts.released == launched; }));
  CHECK(counts.ran <= launched);
  CHECK(problems.text().empty());
}

TEST_CASE("a host function that waits for its thread is dropped by an abort") {
  const Device device;
  Stream stream;
  const auto self = static_cast<std::uint64_t>(pthread_self());
  REQUIRE_ACL(aclrtSubscribeHostFunc(self, stream));
  Counts counts;
  REQUIRE_ACL(aclrtLaunchHostFunc(stream, run, &counts));
  REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  REQUIRE_ACL(aclrtStreamAbort(stream));
  CHECK_CODE(aclrtProcessHostFunc(1), ACL_ERROR_RT_REPORT_TIMEOUT);
  CHECK(counts.ran == 0);
  REQUIRE_ACL(aclrtUnSubscribeHostFunc(self, stream));
}

TEST_CASE("a callback that its stream did not wait for is served after the stream has gone") {
  const Device device;
  Counts counts;
  const Stream other;
  const auto self = static_cast<std::uint64_t>(pthread_self());
  const Subscription subscription(self, other);
  Stream stream;
  REQUIRE_ACL(aclrtSubscribeReport(self, stream));
  REQUIRE_ACL(launch(counts, stream, ACL_CALLBACK_NO_BLOCK));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE_ACL(aclrtDestroyStream(stream.release()));
  CHECK(counts.released == 0);
  REQUIRE_ACL(aclrtProcessReport(10000));
  CHECK(counts.ran == 1);
  CHECK(counts.released == 1);
}

TEST_CASE("what was refused is released, but for a missing release") {
  const Device device;
  const Stream stream;
  Counts counts;
  CHECK_CODE(launch(counts, stream), ACL_ERROR_RT_STREAM_NO_CB_REG);
  CHECK_CODE(aclsimLaunchCallback(nullptr, &counts, release, ACL_CALLBACK_BLOCK, stream),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclsimLaunchCallback(run, &counts, nullptr, ACL_CALLBACK_BLOCK, stream),
             ACL_ERROR_INVALID_PARAM);
  CHECK(counts.ran == 0);
  CHECK(counts.released == 2);
}

// ---- kernels ----

namespace {

std::int32_t run_kernel(const aclsimKernelContext*, const void* args) {
  ++(*static_cast<Counts* const*>(args))->ran;
  return 0;
}

aclsimLaunch held(Counts*& counts) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "held";
  launch.kernel = run_kernel;
  launch.numBlocks = 2;
  launch.args = &counts;
  launch.argsSize = sizeof counts;
  launch.release = release;
  launch.owner = counts;
  return launch;
}

}  // namespace

TEST_CASE("what a kernel owns is released before the stream goes on") {
  const Device device;
  const Stream stream;
  Counts counts;
  Counts* pointer = &counts;
  const aclsimLaunch launch = held(pointer);
  for (int i = 1; i <= 100; ++i) {
    REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    REQUIRE(counts.ran == 2 * i);
    REQUIRE(counts.released == i);
  }
}

TEST_CASE("what kernels own is released when they are dropped or refused") {
  const Device device;
  Counts counts;
  Counts* pointer = &counts;
  aclsimLaunch launch = held(pointer);
  {
    Stream stream;
    Gate gate;
    gate.hold(stream);
    REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
    SECTION("destroyed by force") { REQUIRE_ACL(aclrtDestroyStreamForce(stream.release())); }
    SECTION("aborted") { REQUIRE_ACL(aclrtStreamAbort(stream)); }
    gate.open();
    CHECK(eventually([&] { return counts.released == 1; }));
  }
  launch.numBlocks = 0;
  CHECK_CODE(aclsimLaunchKernel(&launch, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK(counts.released == 2);
  CHECK(counts.ran == 0);
}

TEST_CASE("a launch as the first version knew it owns nothing") {
  const Device device;
  Counts counts;
  Counts* pointer = &counts;
  aclsimLaunch launch = held(pointer);
  launch.size = offsetof(aclsimLaunch, release);
  REQUIRE_ACL(aclsimLaunchKernel(&launch, nullptr));
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(counts.ran == 2);
  CHECK(counts.released == 0);
}

TEST_CASE("a graph holds what its kernels own until it is destroyed", "[capture]") {
  const Device device;
  const Stream stream;
  Counts counts;
  Counts* pointer = &counts;
  const aclsimLaunch launch = held(pointer);
  REQUIRE_ACL(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
  aclmdlRI graph = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(stream, &graph));
  for (int i = 1; i <= 3; ++i) {
    REQUIRE_ACL(aclmdlRIExecuteAsync(graph, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(counts.ran == 2 * i);
  }
  aclrtStream inner = nullptr;
  std::uint32_t count = 1;
  REQUIRE_ACL(aclmdlRIGetStreams(graph, &inner, &count));
  aclmdlRITask task = nullptr;
  REQUIRE_ACL(aclmdlRIGetTasksByStream(inner, &task, &count));
  aclmdlRITaskParams params{};
  REQUIRE_ACL(aclmdlRITaskGetParams(task, &params));
  CHECK_CODE(aclmdlRITaskSetParams(task, &params), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK(counts.released == 0);
  REQUIRE_ACL(aclmdlRIDestroy(graph));
  CHECK(counts.released == 1);
}

TEST_CASE("checked host memory is looked at from end to end, and for the right to write") {
  const Device device;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const std::size_t pages : {std::size_t{4}, std::size_t{200}}) {
    const std::size_t size = pages * page;
    const DeviceMemory memory(size);
    void* const mapped =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(mapped != MAP_FAILED);
    void* const middle = static_cast<char*>(mapped) + page;
    const auto from = [&] {
      return aclrtMemcpy(memory, size, mapped, size, ACL_MEMCPY_HOST_TO_DEVICE);
    };
    const auto into = [&] { return aclrtMemset(mapped, size, 1, size); };
    REQUIRE_ACL(aclsimCheckHostMemory(1));
    CHECK_CODE(from(), ACL_SUCCESS);
    CHECK_CODE(into(), ACL_SUCCESS);
    REQUIRE(mprotect(middle, page, PROT_READ) == 0);
    CHECK_CODE(from(), ACL_SUCCESS);
    CHECK_CODE(into(), ACL_ERROR_RT_PARAM_INVALID);
    REQUIRE(mprotect(middle, page, PROT_NONE) == 0);
    CHECK_CODE(from(), ACL_ERROR_RT_PARAM_INVALID);
    REQUIRE(munmap(middle, page) == 0);
    CHECK_CODE(from(), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(into(), ACL_ERROR_RT_PARAM_INVALID);
    REQUIRE_ACL(aclsimCheckHostMemory(0));
    munmap(mapped, page);  // not the middle again: another mapping may be at that address by now
    munmap(static_cast<char*>(middle) + page, size - 2 * page);
  }
}

TEST_CASE("checked host memory ends where a mapped file ends") {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const Device device;
  for (const std::size_t pages : {2, 3, 500}) {  // few are asked one by one, many by mapping
    const std::size_t size = pages * page;
    const DeviceMemory memory(size);
    const int file = memfd_create("short", MFD_CLOEXEC);
    REQUIRE(ftruncate(file, static_cast<off_t>(page + 1)) == 0);
    for (const int kind : {MAP_SHARED, MAP_PRIVATE}) {
      void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, kind, file, 0);
      REQUIRE(mapped != MAP_FAILED);
      const auto from = [&](std::size_t bytes) {
        return aclrtMemcpy(memory, size, mapped, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
      };
      const auto into = [&](std::size_t bytes) {
        return aclrtMemcpy(mapped, size, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
      };
      REQUIRE_ACL(aclsimCheckHostMemory(1));
      CHECK_CODE(from(2 * page), ACL_SUCCESS);
      CHECK_CODE(into(2 * page), ACL_SUCCESS);
      const aclError past = pages == 2 ? ACL_SUCCESS : ACL_ERROR_RT_PARAM_INVALID;
      CHECK_CODE(from(size), past);
      CHECK_CODE(into(size), past);
      CHECK_CODE(aclrtMemset(mapped, size, 1, size), past);
      REQUIRE_ACL(aclsimCheckHostMemory(0));
      munmap(mapped, size);
    }
    close(file);
  }
}

TEST_CASE("checked host memory makes a wrong address a code") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(64);
  REQUIRE_ACL(aclsimCheckHostMemory(1));
  unsigned char good[64] = {};
  for (const std::uintptr_t address :
       {std::uintptr_t{1}, std::uintptr_t{12345}, std::uintptr_t{1} << 63, ~std::uintptr_t{0}}) {
    void* const wrong = reinterpret_cast<void*>(address);
    CHECK_CODE(aclrtMemcpy(memory, 64, wrong, 64, ACL_MEMCPY_HOST_TO_DEVICE),
               ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtMemcpyAsync(wrong, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream),
               ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtMemset(wrong, 64, 0, 64), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtMemcpy(wrong, 64, wrong, 64, ACL_MEMCPY_HOST_TO_HOST),
               ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK_CODE(aclrtMemset(good, ~std::size_t{0}, 0, ~std::size_t{0}), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpy(good, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  REQUIRE_ACL(aclsimCheckHostMemory(0));
}
