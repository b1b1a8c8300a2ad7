// SPDX-License-Identifier: Apache-2.0
// The seam from outside: a listener is one class and one line of registration. This program holds
// the runtime's objects itself, so that it can register.
#include "runtime/acl/watch/listener.h"

#include <array>
#include <atomic>
#include <map>
#include <string>

#include "acl/acl_rt.h"
#include "acl/acl_sim.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/watch/registry.h"
#include "tests/support/catch.h"

namespace {

using acl::watch::Interest;
using acl::watch::Wait;
using acl::watch::WaitState;

/// Counts ops by kind, and waits of host threads.
class OpCounter final : public acl::watch::Listener {
 public:
  void submitting(acl::Stream&, sim::Op& op) override { ++ops[sim::name(op.kind)]; }
  bool wait_begins(const Wait&, WaitState& state) override {
    state.make<int>() = ++waits;
    return true;
  }
  void wait_ended(const Wait&, const WaitState& state, bool reached) override {
    CHECK(state.as<int>() == waits);
    if (reached) ++reached_waits;
  }

  std::map<std::string, int> ops;
  int waits = 0;
  int reached_waits = 0;
};

class Refusal final : public acl::watch::Intervener {
 public:
  void before_allocation(int) override {
    ++asked;
    if (refuses) throw std::bad_alloc();
  }
  bool refuses = false;
  int asked = 0;
};

class SpanCounter final : public acl::watch::Listener {
 public:
  void api_call(const char* name, sim::Nanoseconds, sim::Nanoseconds) noexcept override {
    if (std::string(name) == "aclrtMalloc") ++mallocs;
  }
  int mallocs = 0;
};

/// Counts what the machine does with ops: in the threads that move streams.
class EndCounter final : public acl::watch::Listener {
 public:
  void submitting(acl::Stream&, sim::Op& op) override { op.completion_id = 1; }
  void kernel_begins(const sim::KernelRun&) override { ++kernels_begun; }
  void kernel_ended() override { ++kernels_ended; }
  void function_begins(const sim::Stream&, std::uint32_t) override { ++functions_begun; }
  void function_ended(const sim::Stream&, std::uint32_t) override { ++functions_ended; }
  void task_ended(sim::Stream&, const sim::Op&, sim::Failure failure) override {
    ++(failure ? ended_failed : ended_well);
  }
  void task_failed(const sim::Stream&, const sim::Op&, sim::Failure, bool) override { ++failed; }
  void forget() {
    for (auto* const count : {&kernels_begun, &kernels_ended, &functions_begun, &functions_ended,
                              &ended_well, &ended_failed, &failed}) {
      *count = 0;
    }
  }
  std::atomic<int> kernels_begun{0}, kernels_ended{0}, functions_begun{0}, functions_ended{0};
  std::atomic<int> ended_well{0}, ended_failed{0}, failed{0};
};

// The listeners learn of the end of the process after static objects are destroyed.
EndCounter& end_counter() {
  static auto* const one = new EndCounter;
  return *one;
}
OpCounter& counter() {
  static auto* const one = new OpCounter;
  return *one;
}
OpCounter& second_counter() {
  static auto* const one = new OpCounter;
  return *one;
}
Refusal& refusal() {
  static auto* const one = new Refusal;
  return *one;
}

// Before the first call of the interface.
const bool registered = [] {
  acl::watch::add(counter());
  acl::watch::add(second_counter());
  acl::watch::add(end_counter(), {.interests = Interest::acts | Interest::runs | Interest::ends});
  acl::watch::add(refusal());
  return true;
}();

std::int32_t nothing(const aclsimKernelContext*, const void*) { return 0; }
std::int32_t fails(const aclsimKernelContext*, const void*) { return 507015; }

aclsimLaunch launch_of(aclsimKernel kernel) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "kernel";
  launch.kernel = kernel;
  launch.numBlocks = 1;
  return launch;
}

void* allocate(std::size_t size) {
  void* memory = nullptr;
  REQUIRE(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  return memory;
}

}  // namespace

TEST_CASE("a listener is told of each op by kind, and several are told the same") {
  REQUIRE(registered);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  counter().ops.clear();
  second_counter().ops.clear();
  void* const memory = allocate(4096);
  const aclsimLaunch launch = launch_of(nothing);
  for (int i = 0; i < 3; ++i) REQUIRE(aclsimLaunchKernel(&launch, nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtMemsetAsync(memory, 4096, 1, 4096, nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
  const std::map<std::string, int> expected{{sim::name(sim::OpKind::kernel), 3},
                                            {sim::name(sim::OpKind::fill), 1}};
  CHECK(counter().ops == expected);
  CHECK(second_counter().ops == expected);
  CHECK(aclrtResetDevice(0) == ACL_SUCCESS);
}

TEST_CASE("a listener is told of kernels, functions and ends of tasks, if it wants that") {
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  end_counter().forget();
  aclsimLaunch launch = launch_of(nothing);
  REQUIRE(aclsimLaunchKernel(&launch, stream) == ACL_SUCCESS);
  REQUIRE(aclrtLaunchHostFunc(
              stream, [](void*) {}, nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  CHECK(end_counter().functions_begun == 1);
  CHECK(end_counter().functions_ended == 1);
  CHECK(end_counter().ended_well == 2);
  launch.kernel = fails;
  REQUIRE(aclsimLaunchKernel(&launch, stream) == ACL_SUCCESS);
  CHECK(aclrtSynchronizeStream(stream) == 507015);
  CHECK(end_counter().kernels_begun == 2);
  CHECK(end_counter().kernels_ended == 2);
  CHECK(end_counter().ended_failed == 1);
  CHECK(end_counter().failed == 1);
  CHECK(aclrtDestroyStream(stream) == ACL_SUCCESS);
  CHECK(aclrtResetDevice(0) == ACL_SUCCESS);
}

TEST_CASE("each listener gets its own state back when a wait ends") {
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  const int before = counter().reached_waits;
  second_counter().waits += 100;  // so that the two differ
  REQUIRE(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
  CHECK(counter().reached_waits == before + 1);
  CHECK(second_counter().reached_waits == before + 1);
  CHECK(aclrtResetDevice(0) == ACL_SUCCESS);
}

TEST_CASE("an intervener is asked before an allocation, and may refuse it") {
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  refusal().asked = 0;
  refusal().refuses = true;
  void* memory = nullptr;
  CHECK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_ERROR_RT_MEMORY_ALLOCATION);
  refusal().refuses = false;
  CHECK(aclrtFree(allocate(64)) == ACL_SUCCESS);
  CHECK(refusal().asked == 2);
  CHECK(aclrtResetDevice(0) == ACL_SUCCESS);
}

TEST_CASE("a listener of spans is told of calls from its registration to its removal") {
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  SpanCounter spans;
  acl::watch::add_sink(spans);
  CHECK(aclrtFree(allocate(64)) == ACL_SUCCESS);
  acl::watch::remove_sink(spans);
  CHECK(aclrtFree(allocate(64)) == ACL_SUCCESS);
  CHECK(spans.mallocs == 1);
  CHECK(aclrtResetDevice(0) == ACL_SUCCESS);
}
