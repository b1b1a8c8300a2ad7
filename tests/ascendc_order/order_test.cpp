// SPDX-License-Identifier: Apache-2.0
// The accesses of kernels that the order checker, which is on in these runs, learns after they have
// run.
#include <vector>

#include "acl/acl_sim_check.h"
#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/bugs_may_run.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

constexpr int32_t kCount = 64;

#define MOVE_IN(OFFSET)                                  \
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, kCount); \
  DataCopy(t, words(x)[OFFSET], kCount);                 \
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
void sets_word(GM_ADDR x, int32_t part) {
  words(x).SetValue(static_cast<uint64_t>(part * kCount), 1);
}
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
  /// Orders later operations of `b` after the current operations of `a`.
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

/// The number of races that the checker finds in the body's operations with a desk.
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

TEST_CASE("two kernels on two streams that write the same bytes race, and with a wait they do not",
          "[order]") {
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

TEST_CASE("kernels that touch different parts of an allocation do not race, nor do those that read",
          "[order]") {
  const std::uint64_t before = found();
  CHECK(races([](const Desk& desk) {
          enqueue<&writes_part>(desk, desk.a(), 0);
          enqueue<&writes_part>(desk, desk.b(), 1);
          enqueue<&reads_part>(desk, desk.b(), 2);
          enqueue<&reads_part>(desk, desk.a(), 2);
        }) == 0);
  CHECK(found() == before);
}

TEST_CASE(
    "kernels that add to the same bytes do not race with each other, but with those that read",
    "[order]") {
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

TEST_CASE(
    "a kernel that reads memory which nothing has written is told, once a copy has written it is "
    "not",
    "[order]") {
  const auto reads = [](bool written) {
    std::uint64_t times = 0;
    const Device device;
    const auto memory = device.memory<int32_t>(256);
    std::vector<int32_t> values(256, 1);
    if (written) {
      REQUIRE(aclrtMemcpy(memory.data(), 1024, values.data(), 1024, ACL_MEMCPY_HOST_TO_DEVICE) ==
              0);
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

namespace {

void writes_word_by_pointer(GM_ADDR x, GM_ADDR y) {
  words(y).SetValue(0, 1);  // so that the kernel declares an access
  *reinterpret_cast<int32_t*>(x) = 1;
}
void needs_no_memory(int32_t) { PipeBarrier<PIPE_ALL>(); }
/// It reads the address of its destination from memory.
void writes_where_told(GM_ADDR table) {
  words(reinterpret_cast<GM_ADDR>(*reinterpret_cast<uint64_t*>(table))).SetValue(0, 1);
}

/// The number of reports of a kernel that reads memory which only an earlier kernel can have
/// written.
template <class Earlier>
std::uint64_t unwritten_reads(Earlier earlier) {
  std::uint64_t times = 0;
  const Device device;
  const auto read = device.memory<int32_t>(256), other = device.memory<int32_t>(256);
  const auto at = [](const auto& memory) { return reinterpret_cast<GM_ADDR>(memory.data()); };
  REQUIRE(aclsimCheckExpectBegin("ACL021") == 0);
  earlier(device, at(read), at(other));
  REQUIRE(aclrtSynchronizeDevice() == 0);
  REQUIRE(launch("reads", reads_part, 1, at(read), 0) == 0);
  REQUIRE(aclrtSynchronizeDevice() == 0);
  REQUIRE(aclsimCheckExpectEnd(&times) == 0);
  return times;
}

}  // namespace

TEST_CASE("kernels that were given other memory do not hide that nothing has written what is read",
          "[order]") {
  CHECK(unwritten_reads([](const Device&, GM_ADDR, GM_ADDR other) {
          for (int32_t i = 0; i < 3; ++i) {
            REQUIRE(launch("sets", sets_word, 1, other, i) == 0);
          }
        }) == 1);
  CHECK(unwritten_reads([](const Device&, GM_ADDR read, GM_ADDR) {
          for (int32_t i = 0; i < kCount; ++i) {
            REQUIRE(launch("writes", sets_word, 1, read + i * 4, 0) == 0);
          }
        }) == 0);
}

TEST_CASE("what an earlier kernel may have written by pointers is not called unwritten",
          "[order]") {
  CHECK(unwritten_reads([](const Device&, GM_ADDR read, GM_ADDR other) {
          REQUIRE(launch("by_pointer", writes_word_by_pointer, 1, read, other) == 0);
        }) == 0);
  CHECK(unwritten_reads([](const Device&, GM_ADDR, GM_ADDR) {
          REQUIRE(launch("without_memory", needs_no_memory, 1, 0) == 0);
        }) == 0);
  CHECK(unwritten_reads([](const Device& device, GM_ADDR, GM_ADDR other) {
          const auto table =
              device.memory(std::vector<std::uint64_t>(8, reinterpret_cast<std::uint64_t>(other)));
          REQUIRE(launch("told", writes_where_told, 1, reinterpret_cast<GM_ADDR>(table.data())) ==
                  0);
          REQUIRE(aclrtSynchronizeDevice() == 0);
        }) == 0);
}

namespace {
alignas(64) int32_t order_table[16];  // the program's own: nothing has to write it
void writes_table(GM_ADDR other) {
  words(other).SetValue(0, 1);
  order_table[3] = 7;
}
}  // namespace

TEST_CASE(
    "copies to the host of what kernels cannot have written are told, of variables of the program "
    "they are not",
    "[order]") {
  const auto copied = [](bool variable) {
    std::uint64_t times = 0;
    const Device device;
    const auto other = device.memory<int32_t>(256), never = device.memory<int32_t>(256);
    int32_t host[16] = {};
    void* table = nullptr;
    REQUIRE(aclrtGetSymbolAddress(order_table, &table) == 0);
    REQUIRE(aclsimCheckExpectBegin("ACL021") == 0);
    REQUIRE(launch("writes_table", writes_table, 1, reinterpret_cast<GM_ADDR>(other.data())) == 0);
    REQUIRE(aclrtSynchronizeDevice() == 0);
    REQUIRE(aclrtMemcpy(host, sizeof host, variable ? table : never.data(), sizeof host,
                        ACL_MEMCPY_DEVICE_TO_HOST) == 0);
    CHECK((!variable || host[3] == 7));
    REQUIRE(aclsimCheckExpectEnd(&times) == 0);
    return times;
  };
  CHECK(copied(false) == 1);
  CHECK(copied(true) == 0);
}

TEST_CASE("a kernel of a graph that was given memory may have written it by pointers", "[order]") {
  const auto in_graph = [](bool given) {
    return unwritten_reads([given](const Device&, GM_ADDR read, GM_ADDR other) {
      aclrtStream stream = nullptr;
      aclmdlRI graph = nullptr;
      REQUIRE(aclrtCreateStream(&stream) == 0);
      REQUIRE(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) == 0);
      REQUIRE(KernelOf<&writes_word_by_pointer>::enqueue("in_graph", ACLSIM_CORES_INFERRED, 1,
                                                         stream, given ? read : other, other) == 0);
      REQUIRE(aclmdlRICaptureEnd(stream, &graph) == 0);
      REQUIRE(aclmdlRIExecuteAsync(graph, stream) == 0);
      REQUIRE(aclrtSynchronizeDevice() == 0);
      REQUIRE(aclmdlRIDestroy(graph) == 0);
      REQUIRE(aclrtDestroyStream(stream) == 0);
    });
  };
  CHECK(in_graph(false) == 1);
  CHECK(in_graph(true) == 0);
}

TEST_CASE("a race of kernels names the lines of their launches", "[order]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const aclsimKernelCode code{sizeof(aclsimKernelCode),
                              ACLSIM_CORES_INFERRED,
                              "writes",
                              "kernels.asc",
                              1,
                              0,
                              nullptr,
                              launched::call<&writes_part, GM_ADDR, int32_t>,
                              0,
                              0};
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
