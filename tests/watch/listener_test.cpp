// SPDX-License-Identifier: Apache-2.0
// The seam from outside: a listener is one class and one line of registration. This program holds the
// runtime's objects itself, so that it can register.
#include "runtime/acl/watch/listener.h"

#include <array>
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

OpCounter& counter() {
  static OpCounter one;
  return one;
}
OpCounter& second_counter() {
  static OpCounter one;
  return one;
}
Refusal& refusal() {
  static Refusal one;
  return one;
}

// Before the first call of the interface.
const bool registered = [] {
  acl::watch::add(counter());
  acl::watch::add(second_counter());
  acl::watch::add(refusal());
  return true;
}();

std::int32_t nothing(const aclsimKernelContext*, const void*) { return 0; }

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
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "nothing";
  launch.kernel = nothing;
  launch.numBlocks = 1;
  for (int i = 0; i < 3; ++i) REQUIRE(aclsimLaunchKernel(&launch, nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtMemsetAsync(memory, 4096, 1, 4096, nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
  const std::map<std::string, int> expected{{sim::name(sim::OpKind::kernel), 3},
                                            {sim::name(sim::OpKind::fill), 1}};
  CHECK(counter().ops == expected);
  CHECK(second_counter().ops == expected);
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
