// SPDX-License-Identifier: Apache-2.0
// Copies and fills of a graph that follow each other: their reports are deferred, and no verdict
// depends on that.
#include <atomic>
#include <thread>

#include "tests/acl/graph.h"
#include "tests/check/cases.h"

using namespace check;

namespace {

std::atomic<int> reached{0};
std::atomic<int> allowed{0};

/// The next of the two places at which each run of a graph stops. The kernel touches nothing, so it
/// is not reported.
int32_t stop(const aclsimKernelContext*, const void*) {
  const int place = ++reached;
  while (allowed.load() < place) std::this_thread::yield();
  return 0;
}

void stop_in(aclrtStream stream) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "stop";
  launch.kernel = &stop;
  launch.numBlocks = 1;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
}

constexpr const char* kRace = "ACL007";

/// A graph that stops before its transfers until `go_on`, and between them until `finish`.
struct HalfRun {
  static constexpr int kAll = 1 << 20;
  Desk desk;
  world::DeviceMemory one{sizeof(std::uint64_t)};
  world::DeviceMemory flag{sizeof(std::uint64_t)};
  world::Graph graph;

  HalfRun() {
    reached = allowed = 0;
    const std::uint64_t value = 1, none = 0;
    set(one, value);
    set(flag, none);
    graph = world::capture(desk.a, [&] {
      stop_in(desk.a);
      fill(desk.a, desk.x);
      REQUIRE_ACL(aclrtMemcpyAsync(flag, sizeof value, one, sizeof value,
                                   ACL_MEMCPY_DEVICE_TO_DEVICE, desk.a));
      stop_in(desk.a);
      fill(desk.a, desk.y);
      fill(desk.a, desk.z);
    });
  }
  ~HalfRun() {
    allowed = kAll;
    aclrtSynchronizeStream(desk.a);
  }
  static void set(void* word, std::uint64_t value) {
    REQUIRE_ACL(aclrtMemcpy(word, sizeof value, &value, sizeof value, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  void launch() const { REQUIRE_ACL(aclmdlRIExecuteAsync(graph, desk.a)); }
  static void await(int place) {
    while (reached.load() < place) std::this_thread::yield();
  }
  void go_on() const {
    await(1);
    join(desk.c);  // no earlier report is deferred afterwards
    allowed = 1;
  }
  /// Returns when the run has copied the flag.
  void wait_for_flag(aclrtStream stream) const {
    REQUIRE_ACL(aclrtValueWait(flag, 1, ACL_STREAM_WAIT_VALUE_GEQ, stream));
  }
  void finish() const {
    allowed = kAll;
    join(desk.a);
  }
};

}  // namespace

TEST_CASE("a copy of a graph orders a wait for its value before the copies after it have run") {
  if (!bugs_may_run()) return;
  HalfRun half;
  CHECK(told(kRace, [&] {
          half.launch();
          half.go_on();
          half.wait_for_flag(half.desk.b);
          copy(half.desk.b, half.desk.out, half.desk.x);
          join(half.desk.b);
          half.finish();
        }) == 0);
  REQUIRE_ACL(aclsimResetAll());
}

TEST_CASE("a race with a fill of a graph is found before the fills after it have run") {
  if (!bugs_may_run()) return;
  HalfRun half;
  half.launch();
  half.go_on();
  HalfRun::await(2);
  CHECK(told(kRace, [&] {
          fill(half.desk.c, half.desk.x);
          join(half.desk.c);
        }) == 1);
  half.finish();
  REQUIRE_ACL(aclsimResetAll());
}

TEST_CASE("a race with the run after an aborted one is found") {
  if (!bugs_may_run()) return;
  HalfRun half;
  half.launch();
  half.go_on();
  HalfRun::await(2);
  REQUIRE_ACL(aclrtStreamAbort(half.desk.a));
  join(half.desk.c);
  half.launch();
  HalfRun::await(3);
  allowed = 3;  // the kernel of the aborted run ends, too
  HalfRun::await(4);
  CHECK(told(kRace, [&] {
          fill(half.desk.c, half.desk.x);
          join(half.desk.c);
        }) == 1);
  half.finish();
  REQUIRE_ACL(aclsimResetAll());
}

TEST_CASE("a fill of a graph that another run follows is known once for each run") {
  HalfRun half;
  allowed = HalfRun::kAll;
  CHECK(told(kRace, [&] {
          for (int run = 0; run < 3; ++run) {
            half.launch();
            half.wait_for_flag(half.desk.b);
            behind(half.desk.a, half.desk.b);
            fill(half.desk.b, half.desk.x);
            behind(half.desk.b, half.desk.a);
          }
          join(half.desk.a);
          join(half.desk.b);
        }) == 0);
  REQUIRE_ACL(aclsimResetAll());
}
