// SPDX-License-Identifier: Apache-2.0
// The cost of calls, for bench/checker/cost.py, which runs it with the order checker and without,
// alternately. The batches are short and the fastest one counts: it was least disturbed.
#include <ctime>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"

namespace {

constexpr std::size_t kBytes = 4096;
constexpr int kBuffers = 8;

void ok(aclError code) {
  if (code != ACL_SUCCESS) throw std::runtime_error(aclGetRecentErrMsg());
}

double now_ns() {
  std::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

std::int32_t nothing(const aclsimKernelContext*, const void*) { return 0; }

// Steps that depend on each other and take about 10 us.
std::int32_t work(const aclsimKernelContext*, const void* args) {
  std::uint64_t value = 1;
  for (int i = 0; i < 8000; ++i) value = value * 6364136223846793005u + 1442695040888963407u;
  **static_cast<std::uint64_t* const*>(args) = value;
  return 0;
}

void called(void* count) { ++*static_cast<std::uint64_t*>(count); }

/// A kernel and a host function that touch each page of a buffer of kLarge bytes.
constexpr std::size_t kLarge = std::size_t{1} << 20;
std::int32_t write_pages(const aclsimKernelContext*, const void* args) {
  char* const bytes = *static_cast<char* const*>(args);
  for (std::size_t i = 0; i < kLarge; i += kBytes) bytes[i] = 1;
  return 0;
}
void touch_page(void* bytes) {
  volatile char& byte = *static_cast<char*>(bytes);
  byte = static_cast<char>(byte + 1);
}

/// Two streams, buffers on both sides, and the calls that are measured. It has no races.
class Program {
 public:
  Program() {
    ok(aclInit(nullptr));
    ok(aclrtSetDevice(0));
    for (aclrtStream& stream : streams_) ok(aclrtCreateStream(&stream));
    for (aclrtEvent& event : events_) ok(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    ok(aclrtCreateStream(&served_));
    server_ = std::jthread([](const std::stop_token& end) {
      while (!end.stop_requested()) aclrtProcessReport(100);
    });
    ok(aclrtSubscribeReport(thread_id_of(server_), served_));
    for (int i = 0; i < kBuffers; ++i) {
      ok(aclrtMalloc(&device_[i], kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
      ok(aclrtMallocHost(&host_[i], kBytes));
      ok(aclrtMemset(device_[i], kBytes, 1, kBytes));
    }
  }
  void end() {
    ok(aclrtUnSubscribeReport(thread_id_of(server_), served_));
    server_.request_stop();
    server_.join();
    if (large_) ok(aclrtFree(large_));
    for (aclrtStream stream : contenders_) ok(aclrtDestroyStream(stream));
    ok(aclrtDestroyStream(served_));
    for (aclrtEvent event : events_) ok(aclrtDestroyEvent(event));
    for (aclrtStream stream : streams_) ok(aclrtDestroyStream(stream));
    for (int i = 0; i < kBuffers; ++i) {
      ok(aclrtFree(device_[i]));
      ok(aclrtFreeHost(host_[i]));
    }
    ok(aclrtResetDevice(0));
    ok(aclFinalize());
  }

  void launch(int) { launch_of(&nothing, nullptr); }
  void copy(int i) {
    ok(aclrtMemcpyAsync(device_[i % kBuffers], kBytes, device_[(i + 1) % kBuffers], kBytes,
                        ACL_MEMCPY_DEVICE_TO_DEVICE, streams_[0]));
  }
  void copy_pinned(int i) {
    ok(aclrtMemcpyAsync(device_[i % kBuffers], kBytes, host_[i % kBuffers], kBytes,
                        ACL_MEMCPY_HOST_TO_DEVICE, streams_[0]));
  }
  void hop(int i) {
    ok(aclrtRecordEvent(events_[i % 2], streams_[i % 2]));
    ok(aclrtStreamWaitEvent(streams_[(i + 1) % 2], events_[i % 2]));
  }
  void round_trip(int) {
    launch_of(&nothing, nullptr);
    ok(aclrtSynchronizeStream(streams_[0]));
  }
  void host_function(int) { ok(aclrtLaunchHostFunc(streams_[0], &called, &calls_)); }
  void callback(int) { ok(aclrtLaunchCallback(&called, &calls_, ACL_CALLBACK_BLOCK, served_)); }
  void release_contenders(int) {
    while (contenders_.size() < 64) {  // created late: each stream makes all others slower
      ok(aclrtCreateStream(&contenders_.emplace_back()));
    }
    ok(aclrtRecordEvent(events_[0], streams_[0]));
    for (aclrtStream stream : contenders_) ok(aclrtStreamWaitEvent(stream, events_[0]));
    for (aclrtStream stream : contenders_) ok(aclrtSynchronizeStream(stream));
  }
  void stream_life(int) {
    aclrtStream stream = nullptr;
    ok(aclrtCreateStream(&stream));
    ok(aclrtDestroyStream(stream));
  }
  void event_life(int) {
    aclrtEvent event = nullptr;
    ok(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    ok(aclrtDestroyEvent(event));
  }
  void get_device(int) {
    std::int32_t device = 0;
    ok(aclrtGetDevice(&device));
  }
  void work_10us(int) { launch_of(&work, &result_); }
  /// Copies a chunk to the device and processes it; events order both, and the next copy.
  void pipeline(int i) {
    copy_pinned(i);
    ok(aclrtRecordEvent(events_[0], streams_[0]));
    ok(aclrtStreamWaitEvent(streams_[1], events_[0]));
    const Argument argument{&result_};
    launch(&work, argument, streams_[1]);
    ok(aclrtRecordEvent(events_[1], streams_[1]));
    ok(aclrtStreamWaitEvent(streams_[0], events_[1]));
  }
  /// Copies to the host, waits, and looks at the bytes.
  void copy_back(int i) {
    ok(aclrtMemcpyAsync(host_[i % kBuffers], kBytes, device_[i % kBuffers], kBytes,
                        ACL_MEMCPY_DEVICE_TO_HOST, streams_[0]));
    ok(aclrtSynchronizeStream(streams_[0]));
    calls_ += *static_cast<volatile unsigned char*>(host_[i % kBuffers]);
  }
  /// Fills a buffer, copies it to the device, and waits.
  void copy_in(int i) {
    *static_cast<volatile char*>(host_[i % kBuffers]) = 1;
    copy_pinned(i);
    ok(aclrtSynchronizeStream(streams_[0]));
  }
  /// A copy to the host, and a host function that changes the bytes.
  void function_touches(int i) {
    ok(aclrtMemcpyAsync(host_[i % kBuffers], kBytes, device_[i % kBuffers], kBytes,
                        ACL_MEMCPY_DEVICE_TO_HOST, streams_[0]));
    ok(aclrtLaunchHostFunc(streams_[0], &touch_page, host_[i % kBuffers]));
    ok(aclrtSynchronizeStream(streams_[0]));
  }
  /// A kernel that declares and writes 1 MiB of the device.
  void kernel_touches(int) {
    if (!large_) ok(aclrtMalloc(&large_, kLarge, ACL_MEM_MALLOC_HUGE_FIRST));
    const aclsimMemRange written{large_, kLarge, ACLSIM_ACCESS_WRITE};
    aclsimLaunch launch{};
    launch.size = sizeof launch;
    launch.name = "write_pages";
    launch.kernel = &write_pages;
    launch.numBlocks = 1;
    launch.args = &large_;
    launch.argsSize = sizeof large_;
    launch.ranges = &written;
    launch.numRanges = 1;
    ok(aclsimLaunchKernel(&launch, streams_[0]));
    ok(aclrtSynchronizeStream(streams_[0]));
  }
  void wait() {
    for (aclrtStream stream : streams_) ok(aclrtSynchronizeStream(stream));
    ok(aclrtSynchronizeStream(served_));
  }

 private:
  struct Argument {
    void* pointer;
  };
  void launch_of(aclsimKernel kernel, std::uint64_t* result) {
    launch(kernel, {result}, streams_[0]);
  }
  static void launch(aclsimKernel kernel, const Argument& argument, aclrtStream stream) {
    aclsimLaunch launch{};
    launch.size = sizeof launch;
    launch.name = "bench";
    launch.kernel = kernel;
    launch.numBlocks = 1;
    if (argument.pointer) {
      launch.args = &argument;
      launch.argsSize = sizeof argument;
    }
    ok(aclsimLaunchKernel(&launch, stream));
  }

  static std::uint64_t thread_id_of(std::jthread& thread) { return thread.native_handle(); }

  aclrtStream streams_[2] = {};
  aclrtStream served_ = nullptr;
  std::vector<aclrtStream> contenders_;
  std::jthread server_;
  aclrtEvent events_[2] = {};
  void* device_[kBuffers] = {};
  void* host_[kBuffers] = {};
  void* large_ = nullptr;
  std::uint64_t result_ = 0;
  std::uint64_t calls_ = 0;
};

struct Case {
  const char* name;
  void (Program::*call)(int);
  int batch;  // calls
  int batches;
};

constexpr Case kCases[] = {
    {"copy_back", &Program::copy_back, 20, 300},
    {"copy_in", &Program::copy_in, 20, 300},
    {"function_touches", &Program::function_touches, 10, 200},
    {"kernel_touches", &Program::kernel_touches, 10, 200},
    {"launch", &Program::launch, 200, 1000},
    {"copy", &Program::copy, 200, 1000},
    {"copy_pinned", &Program::copy_pinned, 200, 1000},
    {"hop", &Program::hop, 100, 1000},
    {"round_trip", &Program::round_trip, 100, 1000},
    {"host_function", &Program::host_function, 100, 1000},
    {"callback", &Program::callback, 100, 1000},
    {"stream_life", &Program::stream_life, 50, 500},
    {"event_life", &Program::event_life, 100, 500},
    {"get_device", &Program::get_device, 200, 1000},
    {"work_10us", &Program::work_10us, 20, 400},
    {"pipeline", &Program::pipeline, 20, 400},
    {"release_contenders", &Program::release_contenders, 5, 500},
};

/// Nanoseconds of one call.
double quickest(Program& program, const Case& one) {
  double best = std::numeric_limits<double>::max();
  for (int batch = 0; batch < one.batches; ++batch) {
    const double begin = now_ns();
    for (int i = 0; i < one.batch; ++i) (program.*one.call)(i);
    program.wait();
    best = std::min(best, (now_ns() - begin) / one.batch);
  }
  return best;
}

}  // namespace

int main(int count, char** arguments) try {
  Program program;
  for (const Case& one : kCases) {
    if (count > 1 && std::strcmp(arguments[1], one.name) != 0) continue;  // for a profiler
    std::printf("%s %.1f\n", one.name, quickest(program, one));
  }
  program.end();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_calls: %s\n", error.what());
  return 1;
}
