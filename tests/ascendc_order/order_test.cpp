// SPDX-License-Identifier: Apache-2.0
// What the order checker, which is on in these runs, learns of kernels when they have run.
#include <vector>

#include "acl/acl_sim_check.h"
#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/bugs_may_run.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

constexpr int32_t kCount = 64;

#define MOVE_IN(OFFSET)                                 \
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, kCount); \
  DataCopy(t, words(x)[OFFSET], kCount);                \
  PipeBarrier<PIPE_ALL>()

void reads_part(GM_ADDR x, int32_t part) { MOVE_IN(part * kCount); }
void writes_part(GM_ADDR x, int32_t part) {
  MOVE_IN(part * kCount);
  DataCopy(words(x)[part * kCount], t, kCount);
}
void adds_to_part(GM_ADDR x, int32_t part) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, kCount);
  Duplicate(t, 1, kCount);
  PipeBarrier<PIPE_ALL>();
  SetAtomicAdd<int32_t>();
  DataCopy(words(x)[part * kCount], t, kCount);
  SetAtomicNone();
}
void sets_word(GM_ADDR x, int32_t part) { words(x).SetValue(static_cast<uint64_t>(part * kCount), 1); }
void gets_word(GM_ADDR x, int32_t part) {
  static_cast<void>(words(x).GetValue(static_cast<uint64_t>(part * kCount)));
}

/// Two streams, and memory that a copy has filled.
class Desk {
 public:
  Desk() {
    for (aclrtStream& stream : streams_) REQUIRE(aclrtCreateStream(&stream) == 0);
    REQUIRE(aclrtCreateEvent(&event_) == 0);
  }
  aclrtStream a() const { return streams_[0]; }
  aclrtStream b() const { return streams_[1]; }
  GM_ADDR x() const { return reinterpret_cast<GM_ADDR>(memory_.data()); }
  /// What is enqueued to `b` from here on comes after what is in `a` now.
  void order() const {
    REQUIRE(aclrtRecordEvent(event_, a()) == 0);
    REQUIRE(aclrtStreamWaitEvent(b(), event_) == 0);
  }

 private:
  const Device device_;
  aclrtStream streams_[2] = {};
  aclrtEvent event_ = nullptr;
  const Buffer<int32_t> memory_{std::vector<int32_t>(1024, 0)};
};

template <auto kernel>
void enqueue(const Desk& desk, aclrtStream stream, int32_t part) {
  REQUIRE(KernelOf<kernel>::enqueue("part", ACLSIM_CORES_INFERRED, 1, stream, desk.x(), part) == 0);
}

/// How many races the checker finds in what the body does with a desk.
template <class Body>
std::uint64_t races(Body&& body, const char* rule = "ACL007") {
  std::uint64_t times = 0;
  const Desk desk;
  REQUIRE(aclsimCheckExpectBegin(rule) == 0);
  body(desk);
  REQUIRE(aclrtSynchronizeDevice() == 0);
  REQUIRE(aclsimCheckExpectEnd(&times) == 0);
  return times;
}

std::uint64_t found() {
  std::uint64_t count = 0;
  REQUIRE(aclsimCheckCount("note", &count) == 0);
  return count;
}

}  // namespace

TEST_CASE("two kernels on two streams that write the same bytes race, and with a wait they do not", "[order]") {
  if (!bugs_may_run()) return;
  CHECK(races([](const Desk& desk) {
          enqueue<&writes_part>(desk, desk.a(), 0);
          enqueue<&reads_part>(desk, desk.b(), 0);
        }) == 1);
  const std::uint64_t before = found();
  CHECK(races([](const Desk& desk) {
          enqueue<&writes_part>(desk, desk.a(), 0);
          desk.order();
          enqueue<&reads_part>(desk, desk.b(), 0);
        }) == 0);
  CHECK(found() == before);
}

TEST_CASE("kernels that touch different parts of an allocation do not race, nor do those that read", "[order]") {
  const std::uint64_t before = found();
  CHECK(races([](const Desk& desk) {
          enqueue<&writes_part>(desk, desk.a(), 0);
          enqueue<&writes_part>(desk, desk.b(), 1);
          enqueue<&reads_part>(desk, desk.b(), 2);
          enqueue<&reads_part>(desk, desk.a(), 2);
        }) == 0);
  CHECK(found() == before);
}

TEST_CASE("kernels that add to the same bytes do not race with each other, but with those that read", "[order]") {
  if (!bugs_may_run()) return;
  CHECK(races([](const Desk& desk) {
          enqueue<&adds_to_part>(desk, desk.a(), 0);
          enqueue<&adds_to_part>(desk, desk.b(), 0);
        }) == 0);
  CHECK(races([](const Desk& desk) {
          enqueue<&adds_to_part>(desk, desk.a(), 0);
          enqueue<&reads_part>(desk, desk.b(), 0);
        }) == 1);
}

TEST_CASE("what a kernel does to single elements counts", "[order]") {
  if (!bugs_may_run()) return;
  CHECK(races([](const Desk& desk) {
          enqueue<&sets_word>(desk, desk.a(), 0);
          enqueue<&gets_word>(desk, desk.b(), 0);
        }) == 1);
}

TEST_CASE("a host that copies what a kernel writes has to wait for it", "[order]") {
  if (!bugs_may_run()) return;
  std::vector<int32_t> host(kCount);
  const auto copy = [&](const Desk& desk) {
    REQUIRE(aclrtMemcpy(host.data(), 256, desk.x(), 256, ACL_MEMCPY_DEVICE_TO_HOST) == 0);
  };
  CHECK(races([&](const Desk& desk) {
          enqueue<&writes_part>(desk, desk.a(), 0);
          copy(desk);
        }) == 1);
  CHECK(races([&](const Desk& desk) {
          enqueue<&writes_part>(desk, desk.a(), 0);
          REQUIRE(aclrtSynchronizeStream(desk.a()) == 0);
          copy(desk);
        }) == 0);
}

TEST_CASE("kernels of a graph race with others by what they touched in its run", "[order]") {
  if (!bugs_may_run()) return;
  const auto launch_graph = [](const Desk& desk, int32_t part) {
    aclmdlRI graph = nullptr;
    REQUIRE(aclmdlRICaptureBegin(desk.a(), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) == 0);
    enqueue<&writes_part>(desk, desk.a(), part);
    REQUIRE(aclmdlRICaptureEnd(desk.a(), &graph) == 0);
    REQUIRE(aclmdlRIExecuteAsync(graph, desk.a()) == 0);
    enqueue<&writes_part>(desk, desk.b(), 0);
    REQUIRE(aclrtSynchronizeDevice() == 0);
    REQUIRE(aclmdlRIDestroy(graph) == 0);
  };
  CHECK(races([&](const Desk& desk) { launch_graph(desk, 0); }) == 1);
  CHECK(races([&](const Desk& desk) { launch_graph(desk, 1); }) == 0);
}

TEST_CASE("a kernel that reads memory which nothing has written is told, once a copy has written it is not",
          "[order]") {
  const auto reads = [](bool written) {
    std::uint64_t times = 0;
    const Device device;
    const auto memory = device.memory<int32_t>(256);
    std::vector<int32_t> values(256, 1);
    if (written) {
      REQUIRE(aclrtMemcpy(memory.data(), 1024, values.data(), 1024, ACL_MEMCPY_HOST_TO_DEVICE) == 0);
    }
    REQUIRE(aclsimCheckExpectBegin("ACL021") == 0);
    REQUIRE(launch("reads", reads_part, 1, reinterpret_cast<GM_ADDR>(memory.data()), 1) == 0);
    REQUIRE(aclrtSynchronizeDevice() == 0);
    REQUIRE(aclsimCheckExpectEnd(&times) == 0);
    return times;
  };
  CHECK(reads(false) == 1);
  CHECK(reads(true) == 0);
}

TEST_CASE("a race of kernels names the lines of their launches", "[order]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const aclsimKernelCode code{sizeof(aclsimKernelCode), ACLSIM_CORES_INFERRED, "writes", "kernels.asc", 1,
                              0, nullptr, launched::call<&writes_part, GM_ADDR, int32_t>};
  std::uint64_t mark = 0;
  REQUIRE(aclsimCheckFindingsSince("error", &mark, nullptr, 0) == 0);
  const auto enqueue_at = [&](aclrtStream stream, const char* file, uint32_t line) {
    const std::uint64_t args[] = {reinterpret_cast<std::uint64_t>(desk.x()), 0};
    aclsimKernelLaunchRequest request{};
    request.size = sizeof request;
    request.blocks = 1;
    request.code = &code;
    request.file = file;
    request.line = line;
    request.args = args;
    request.args_size = sizeof args;
    REQUIRE(aclsimLaunchKernelCode(&request, stream) == 0);
  };
  enqueue_at(desk.a(), "first.asc", 11);
  enqueue_at(desk.b(), "second.asc", 12);
  REQUIRE(aclrtSynchronizeDevice() == 0);
  std::string text(4096, '\0');
  REQUIRE(aclsimCheckFindingsSince("error", &mark, text.data(), text.size()) == 0);
  CAPTURE(text.c_str());
  CHECK(contains(text, "first.asc:11"));
  CHECK(contains(text, "second.asc:12"));
}
