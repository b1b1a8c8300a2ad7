// SPDX-License-Identifier: Apache-2.0
// Repeats one kind of call, for bench/instructions/measure.py, which counts the instructions:
// bench_instructions CASE CALLS ROUNDS. The main thread makes the calls.
#include <pthread.h>
#include <semaphore.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "acl/acl.h"
#include "acl/acl_sim.h"

namespace {

constexpr std::size_t kBytes = 64;
constexpr int kBuffers = 8;
constexpr int kWarmRounds = 4;
constexpr int kWarmCalls = 1500;

void ok(aclError code) {
  if (code != ACL_SUCCESS) throw std::runtime_error(aclGetRecentErrMsg());
}

class Semaphore {
 public:
  Semaphore() { ::sem_init(&semaphore_, 0, 0); }
  ~Semaphore() { ::sem_destroy(&semaphore_); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  void post() { ::sem_post(&semaphore_); }
  void wait() {
    while (::sem_wait(&semaphore_) != 0 && errno == EINTR) {
    }
  }

 private:
  sem_t semaphore_;
};

std::int32_t nothing(const aclsimKernelContext*, const void*) { return 0; }

/// A kernel that blocks its stream until it is opened.
struct Gate {
  Semaphore entered, opened;
};

std::int32_t hold(const aclsimKernelContext*, const void* args) {
  Gate& gate = **static_cast<Gate* const*>(args);
  gate.entered.post();
  gate.opened.wait();
  return 0;
}

std::int32_t tell(const aclsimKernelContext*, const void* args) {
  (*static_cast<Semaphore* const*>(args))->post();
  return 0;
}

void count_call(void* count) { ++*static_cast<std::uint64_t*>(count); }

/// Serves the callbacks of a stream.
class Server {
 public:
  Server() : thread_([this] { serve(); }) {}
  void end() {
    stop_ = true;
    thread_.join();
  }
  std::uint64_t id() { return thread_.native_handle(); }

 private:
  void serve() {
    while (!stop_) aclrtProcessReport(100);
  }

  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Two streams, and, if requested, a thread that serves the callbacks of one. It has no races.
class Program {
 public:
  explicit Program(bool serves) {
    ok(aclInit(nullptr));
    ok(aclrtSetDevice(0));
    for (aclrtStream& stream : streams_) ok(aclrtCreateStream(&stream));
    for (aclrtEvent& event : events_) ok(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    for (void*& buffer : buffers_) {
      ok(aclrtMalloc(&buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
      ok(aclrtMemset(buffer, kBytes, 1, kBytes));
    }
    if (serves) {
      server_ = new Server;
      ok(aclrtSubscribeReport(server_->id(), streams_[0]));
    }
    ok(aclrtRecordEvent(complete_event(), streams_[1]));
    ok(aclrtSynchronizeStream(streams_[1]));
  }
  void end() {
    if (server_) {
      ok(aclrtUnSubscribeReport(server_->id(), streams_[0]));
      server_->end();
      delete server_;
    }
    for (aclmdlRI graph : {graph_of_kernels_, graph_of_fills_}) {
      if (graph) ok(aclmdlRIDestroy(graph));
    }
    for (void* buffer : buffers_) ok(aclrtFree(buffer));
    for (aclrtEvent event : events_) ok(aclrtDestroyEvent(event));
    for (aclrtStream stream : streams_) ok(aclrtDestroyStream(stream));
    ok(aclrtResetDevice(0));
    ok(aclFinalize());
  }

  // The calls that are counted.
  void kernel(int) { ok(aclsimLaunchKernel(&empty_, streams_[0])); }
  void fill(int i) { ok(aclrtMemsetAsync(buffers_[i % kBuffers], kBytes, 1, kBytes, streams_[0])); }
  void copy(int i) {
    ok(aclrtMemcpyAsync(buffers_[i % kBuffers], kBytes, buffers_[(i + 1) % kBuffers], kBytes,
                        ACL_MEMCPY_DEVICE_TO_DEVICE, streams_[0]));
  }
  void record(int) { ok(aclrtRecordEvent(events_[0], streams_[0])); }
  void wait(int) { ok(aclrtStreamWaitEvent(streams_[0], pending_event())); }
  void wait_complete(int) { ok(aclrtStreamWaitEvent(streams_[0], complete_event())); }
  void record_wait(int i) {
    ok(aclrtRecordEvent(events_[i % 2], streams_[i % 2]));
    ok(aclrtStreamWaitEvent(streams_[(i + 1) % 2], events_[i % 2]));
  }
  void synchronize_idle(int) { ok(aclrtSynchronizeStream(streams_[0])); }
  void fill_synchronize(int i) {
    fill(i);
    ok(aclrtSynchronizeStream(streams_[0]));
  }
  void kernel_synchronize(int i) {
    kernel(i);
    ok(aclrtSynchronizeStream(streams_[0]));
  }
  void host_function(int) { ok(aclrtLaunchHostFunc(streams_[0], &count_call, &calls_)); }
  void callback(int) {
    ok(aclrtLaunchCallback(&count_call, &calls_, ACL_CALLBACK_BLOCK, streams_[0]));
  }
  void event_life(int) {
    aclrtEvent event = nullptr;
    ok(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    ok(aclrtDestroyEvent(event));
  }
  void stream_life(int) {
    aclrtStream stream = nullptr;
    ok(aclrtCreateStream(&stream));
    ok(aclrtDestroyStream(stream));
  }
  /// Runs a graph of 1,000 operations of the same kind once for each 1,000 calls.
  void graph_kernel(int i) { launch_graph(i, graph_of_kernels_, &Program::kernel); }
  void graph_fill(int i) { launch_graph(i, graph_of_fills_, &Program::fill); }
  void get_device(int) {
    std::int32_t device = 0;
    ok(aclrtGetDevice(&device));
  }

  /// Blocks both streams, so that no worker runs the ops that the caller enqueues from now on.
  void close_gate() {
    launch(&hold, &gate_, streams_[0]);
    gate_.entered.wait();
    ok(aclrtRecordEvent(events_[0], streams_[0]));
    ok(aclrtStreamWaitEvent(streams_[1], events_[0]));
    ok(aclrtRecordEvent(pending_event(), streams_[1]));
  }
  /// Unblocks both streams and waits. The caller sleeps: in a synchronise it would run a varying
  /// number of ops itself.
  void open_gate() {
    for (aclrtStream stream : streams_) launch(&tell, &done_, stream);
    gate_.opened.post();
    for (std::size_t i = 0; i < streams_.size(); ++i) done_.wait();
    for (aclrtStream stream : streams_) ok(aclrtSynchronizeStream(stream));
  }

 private:
  static constexpr int kGraphOps = 1000;

  void launch_graph(int i, aclmdlRI& graph, void (Program::*operation)(int)) {
    if (i % kGraphOps != 0) return;
    if (!graph) {
      ok(aclmdlRICaptureBegin(streams_[0], ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
      for (int k = 0; k < kGraphOps; ++k) (this->*operation)(k);
      ok(aclmdlRICaptureEnd(streams_[0], &graph));
    }
    ok(aclmdlRIExecuteAsync(graph, streams_[0]));
    ok(aclrtSynchronizeStream(streams_[0]));
  }

  aclrtEvent pending_event() const { return events_[2]; }
  aclrtEvent complete_event() const { return events_[3]; }

  /// `object`: the target of the kernel's only argument, a pointer.
  static void launch(aclsimKernel kernel, void* object, aclrtStream stream) {
    aclsimLaunch launch = launch_of(kernel);
    launch.args = &object;
    launch.argsSize = sizeof object;
    ok(aclsimLaunchKernel(&launch, stream));
  }
  static aclsimLaunch launch_of(aclsimKernel kernel) {
    aclsimLaunch launch{};
    launch.size = sizeof launch;
    launch.name = "bench";
    launch.kernel = kernel;
    launch.numBlocks = 1;
    return launch;
  }

  const aclsimLaunch empty_ = launch_of(&nothing);
  std::array<aclrtStream, 2> streams_{};
  std::array<aclrtEvent, 4> events_{};
  std::array<void*, kBuffers> buffers_{};
  Server* server_ = nullptr;
  Gate gate_;
  Semaphore done_;
  std::uint64_t calls_ = 0;
  aclmdlRI graph_of_kernels_ = nullptr, graph_of_fills_ = nullptr;
};

struct Case {
  const char* name;
  void (Program::*call)(int);
  bool gated;
  bool served = false;
};

constexpr Case kCases[] = {
    {"kernel", &Program::kernel, true},
    {"fill", &Program::fill, true},
    {"copy", &Program::copy, true},
    {"record", &Program::record, true},
    {"wait", &Program::wait, true},
    {"wait_complete", &Program::wait_complete, true},
    {"record_wait", &Program::record_wait, true},
    {"synchronize_idle", &Program::synchronize_idle, false},
    {"fill_synchronize", &Program::fill_synchronize, false},
    {"kernel_synchronize", &Program::kernel_synchronize, false},
    {"host_function", &Program::host_function, true},
    {"callback", &Program::callback, true, true},
    {"graph_kernel", &Program::graph_kernel, false},
    {"graph_fill", &Program::graph_fill, false},
    {"event_life", &Program::event_life, false},
    {"stream_life", &Program::stream_life, false},
    {"get_device", &Program::get_device, false},
};

void run(Program& program, const Case& one, int calls, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    if (one.gated) program.close_gate();
    for (int i = 0; i < calls; ++i) (program.*one.call)(i);
    if (one.gated) program.open_gate();
  }
}

const Case& case_of(const std::string& name) {
  for (const Case& one : kCases) {
    if (name == one.name) return one;
  }
  throw std::runtime_error("there is no case " + name);
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 4) throw std::runtime_error("usage: bench_instructions CASE CALLS ROUNDS");
  const Case& one = case_of(arguments[1]);
  Program program(one.served);
  run(program, one, kWarmCalls, kWarmRounds);
  run(program, one, std::atoi(arguments[2]), std::atoi(arguments[3]));
  program.end();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_instructions: %s\n", error.what());
  return 1;
}
