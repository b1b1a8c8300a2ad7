// SPDX-License-Identifier: Apache-2.0
// The functions that other libraries use: operations that go on in steps, signals, the files
// of devices.
#include "runtime/acl/embedding/embedding.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <thread>

#include "acl/acl.h"
#include "tests/support/catch.h"

using namespace acl::embedding;

namespace {

Runtime& runtime() {
  Runtime* const table = aclsimEmbedding(kVersion);
  REQUIRE(table != nullptr);
  return *table;
}

/// A device, and a stream of its own.
struct OnStream {
  OnStream() {
    REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
    REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  }
  ~OnStream() {
    aclrtDestroyStreamForce(stream);
    aclrtResetDevice(0);
  }
  aclrtStream stream = nullptr;
};

/// An operation that is written down as it goes.
class Written : public Operation {
 public:
  const char* name() const noexcept override { return "Written"; }
  std::uint64_t enqueued() override { return ++enqueued_; }
  Next step(std::uint64_t run) override {
    ++steps;
    last_run = run;
    return next(run);
  }
  bool prepare(std::uint64_t) override { return prepared && prepared(); }
  Error expired(std::uint64_t, const std::vector<std::uint64_t>& waiting) override {
    return at_limit ? at_limit(waiting) : Error{ACL_ERROR_RT_INTERNAL_ERROR, "nobody came"};
  }
  void dropped(std::uint64_t run, const Error&) noexcept override { last_dropped = run; }

  std::function<Next(std::uint64_t)> next = [](std::uint64_t) { return Next::done(); };
  std::function<bool()> prepared;
  std::function<Error(const std::vector<std::uint64_t>&)> at_limit;
  std::atomic<int> steps{0};
  std::atomic<std::uint64_t> last_run{0};
  std::atomic<std::uint64_t> last_dropped{0};

 private:
  std::atomic<std::uint64_t> enqueued_{0};
};

Error submit(aclrtStream stream, std::shared_ptr<Operation> operation) {
  return runtime().submit(__func__, stream, std::move(operation));
}

/// Whether a seed decides which thread runs which task.
bool runs_seeded() {
  const char* const schedule = std::getenv("ACLSIM_SCHEDULE");
  return schedule && schedule == std::string_view("seeded");
}

std::string last_message() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

}  // namespace

TEST_CASE("a library that was built against another version gets nothing", "[embedding]") {
  CHECK(aclsimEmbedding(kVersion + 1) == nullptr);
  CHECK(aclsimEmbedding(kVersion) != nullptr);
}

TEST_CASE("an operation goes on when its signal completes, and what follows it comes after",
          "[embedding]") {
  const OnStream on;
  const auto signal = runtime().make_signal();
  const auto operation = std::make_shared<Written>();
  operation->next = [&](std::uint64_t) {
    return signal->done() ? Next::done() : Next::wait(signal);
  };
  REQUIRE_FALSE(submit(on.stream, operation));
  std::uint32_t* word = nullptr;
  REQUIRE(aclrtMalloc(reinterpret_cast<void**>(&word), 64, ACL_MEM_MALLOC_HUGE_FIRST) ==
          ACL_SUCCESS);
  REQUIRE(aclrtMemsetAsync(word, 64, 7, 64, on.stream) == ACL_SUCCESS);
  CHECK(aclrtSynchronizeStreamWithTimeout(on.stream, 1) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  signal->complete();
  REQUIRE(aclrtSynchronizeStream(on.stream) == ACL_SUCCESS);
  CHECK(operation->steps >= 1);
  std::uint32_t read = 0;
  REQUIRE(aclrtMemcpy(&read, 4, word, 4, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  CHECK(read == 0x07070707);
  aclrtFree(word);
}

TEST_CASE("operations that are prepared end while the program enqueues, in their order",
          "[embedding]") {
  const OnStream on;
  const auto here = std::this_thread::get_id();
  int by_others = 0, submits = 0;
  bool in_submit = false, ended_in_submit = false;
  std::uint64_t expected = 0;
  const auto operation = std::make_shared<Written>();
  operation->prepared = [] { return true; };
  operation->next = [&](std::uint64_t run) {
    CHECK(run == ++expected);
    std::this_thread::get_id() == here ? ended_in_submit |= in_submit : ++by_others;
    return Next::done();
  };
  // A worker may own the stream at the time of one of them.
  while (!ended_in_submit && submits < 1000) {
    in_submit = true;
    REQUIRE_FALSE(submit(on.stream, operation));
    in_submit = false;
    ++submits;
    REQUIRE(aclrtSynchronizeStream(on.stream) == ACL_SUCCESS);
  }
  CHECK(operation->steps == submits);
  CHECK((ended_in_submit || runs_seeded()));
}

TEST_CASE("an operation that is not prepared is stepped later, behind what is in front of it",
          "[embedding]") {
  const OnStream on;
  const auto signal = runtime().make_signal();
  const auto first = std::make_shared<Written>();
  first->next = [&](std::uint64_t) { return signal->done() ? Next::done() : Next::wait(signal); };
  const auto second = std::make_shared<Written>();
  second->prepared = [&] {
    CHECK(signal->done());
    return true;
  };
  for (int i = 0; i < 3; ++i) REQUIRE_FALSE(submit(on.stream, first));
  REQUIRE_FALSE(submit(on.stream, second));
  CHECK(second->steps == 0);
  signal->complete();
  REQUIRE(aclrtSynchronizeStream(on.stream) == ACL_SUCCESS);
  CHECK(second->steps == 1);
}

TEST_CASE("a failed operation is reported by the next synchronise with its code and text",
          "[embedding]") {
  const OnStream on;
  const auto operation = std::make_shared<Written>();
  operation->next = [](std::uint64_t) {
    return Next::fail({ACL_ERROR_RT_WAIT_TIMEOUT, "rank 2 did not come"});
  };
  REQUIRE_FALSE(submit(on.stream, operation));
  CHECK(aclrtSynchronizeStream(on.stream) == ACL_ERROR_RT_WAIT_TIMEOUT);
  CHECK_THAT(last_message(), catch_compat::ContainsSubstring("rank 2 did not come"));
  CHECK(aclrtSynchronizeStream(on.stream) == ACL_SUCCESS);
}

TEST_CASE("an operation may go on at its limit, and learns which threads wait for it",
          "[embedding]") {
  const OnStream on;
  aclrtStream behind = nullptr;
  aclrtEvent event = nullptr;
  REQUIRE(aclrtCreateStream(&behind) == ACL_SUCCESS);
  REQUIRE(aclrtCreateEvent(&event) == ACL_SUCCESS);
  const auto signal = runtime().make_signal();
  const auto operation = std::make_shared<Written>();
  operation->next = [&](std::uint64_t) {
    return signal->done() ? Next::done() : Next::wait(signal, 1'000'000);
  };
  const std::uint64_t here = runtime().host_thread();
  operation->at_limit = [&](const std::vector<std::uint64_t>& waiting) {
    const bool waits = std::find(waiting.begin(), waiting.end(), here) != waiting.end();
    if (waits) signal->complete();
    return Error();
  };
  REQUIRE_FALSE(submit(on.stream, operation));
  REQUIRE(aclrtRecordEvent(event, on.stream) == ACL_SUCCESS);
  REQUIRE(aclrtStreamWaitEvent(behind, event) == ACL_SUCCESS);
  // A wait with a limit is not reported.
  CHECK(aclrtSynchronizeStreamWithTimeout(behind, 20) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  CHECK(aclrtSynchronizeStream(behind) == ACL_SUCCESS);
  CHECK(operation->steps >= 2);
  CHECK(aclrtDestroyEvent(event) == ACL_SUCCESS);
  CHECK(aclrtDestroyStream(behind) == ACL_SUCCESS);
}

TEST_CASE("an operation whose wait reaches its limit fails with what it says", "[embedding]") {
  const OnStream on;
  const auto signal = runtime().make_signal();
  const auto operation = std::make_shared<Written>();
  operation->next = [&](std::uint64_t) { return Next::wait(signal, 1000); };
  REQUIRE_FALSE(submit(on.stream, operation));
  CHECK(aclrtSynchronizeStream(on.stream) == ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_THAT(last_message(), catch_compat::ContainsSubstring("nobody came"));
}

TEST_CASE("an operation that throws fails and takes no thread with it", "[embedding]") {
  const OnStream on;
  const auto operation = std::make_shared<Written>();
  operation->next = [](std::uint64_t) -> Next { throw std::runtime_error("out of luck"); };
  REQUIRE_FALSE(submit(on.stream, operation));
  CHECK(aclrtSynchronizeStream(on.stream) == ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_THAT(last_message(), catch_compat::ContainsSubstring("out of luck"));
}

TEST_CASE("an operation that waits is given up with its stream", "[embedding]") {
  const OnStream on;
  const auto signal = runtime().make_signal();
  const auto operation = std::make_shared<Written>();
  operation->next = [&](std::uint64_t) { return Next::wait(signal); };
  REQUIRE_FALSE(submit(on.stream, operation));
  REQUIRE(aclrtStreamAbort(on.stream) == ACL_SUCCESS);
  CHECK(operation->last_dropped == 1);
}

TEST_CASE("a captured operation runs with each launch, numbered when that is enqueued",
          "[embedding]") {
  const OnStream on;
  const auto gate = runtime().make_signal();
  const auto operation = std::make_shared<Written>();
  std::vector<std::uint64_t> runs;
  operation->next = [&](std::uint64_t run) {
    if (!gate->done()) return Next::wait(gate);
    runs.push_back(run);
    return Next::done();
  };
  REQUIRE(aclmdlRICaptureBegin(on.stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) == ACL_SUCCESS);
  StreamInfo info;
  REQUIRE_FALSE(runtime().find_stream(on.stream, info));
  CHECK(info.captured);
  REQUIRE_FALSE(submit(on.stream, operation));
  aclmdlRI model = nullptr;
  REQUIRE(aclmdlRICaptureEnd(on.stream, &model) == ACL_SUCCESS);
  CHECK(operation->steps == 0);
  REQUIRE(aclmdlRIExecuteAsync(model, on.stream) == ACL_SUCCESS);
  REQUIRE(aclmdlRIExecuteAsync(model, on.stream) == ACL_SUCCESS);
  CHECK(operation->enqueued() == 3);  // the two launches were announced
  gate->complete();
  REQUIRE(aclrtSynchronizeStream(on.stream) == ACL_SUCCESS);
  CHECK(runs == std::vector<std::uint64_t>{1, 2});
  aclmdlRIDestroy(model);
}

TEST_CASE("runs of a launch that is dropped before it begins are given up", "[embedding]") {
  const OnStream on;
  const auto gate = runtime().make_signal();
  const auto before = std::make_shared<Written>();
  before->next = [&](std::uint64_t) { return Next::wait(gate); };
  const auto operation = std::make_shared<Written>();
  REQUIRE(aclmdlRICaptureBegin(on.stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) == ACL_SUCCESS);
  REQUIRE_FALSE(submit(on.stream, operation));
  aclmdlRI model = nullptr;
  REQUIRE(aclmdlRICaptureEnd(on.stream, &model) == ACL_SUCCESS);
  REQUIRE_FALSE(submit(on.stream, before));
  REQUIRE(aclmdlRIExecuteAsync(model, on.stream) == ACL_SUCCESS);
  REQUIRE(aclrtStreamAbort(on.stream) == ACL_SUCCESS);
  CHECK(operation->steps == 0);
  CHECK(operation->last_dropped == 1);
  aclmdlRIDestroy(model);
}

TEST_CASE("a signal is waited for and completed in the order of streams", "[embedding]") {
  const OnStream one;
  const OnStream other;
  const auto signal = runtime().make_signal();
  REQUIRE_FALSE(runtime().submit_wait("test", one.stream, signal, 0));
  CHECK(aclrtSynchronizeStreamWithTimeout(one.stream, 1) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  REQUIRE_FALSE(runtime().submit_complete("test", other.stream, signal));
  CHECK(aclrtSynchronizeStream(one.stream) == ACL_SUCCESS);
  CHECK(signal->done());
}

TEST_CASE("device memory has a place in its device's file", "[embedding]") {
  const OnStream on;
  char* memory = nullptr;
  REQUIRE(aclrtMalloc(reinterpret_cast<void**>(&memory), 4096, ACL_MEM_MALLOC_HUGE_FIRST) ==
          ACL_SUCCESS);
  REQUIRE(aclrtMemset(memory, 4096, 0x5a, 4096) == ACL_SUCCESS);
  MemoryLocation place;
  REQUIRE_FALSE(runtime().locate("test", memory + 3, 100, "buffer", false, place));
  CHECK(place.kind == MemoryLocation::Kind::device);
  CHECK(*place.engine == std::byte{0x5a});
  DeviceFile file;
  REQUIRE_FALSE(runtime().device_file(place.physical_device, file));
  CHECK(file.engine + place.file_offset == place.engine);
  char byte = 0;
  REQUIRE(pread(file.fd, &byte, 1, static_cast<off_t>(place.file_offset)) == 1);
  CHECK(byte == 0x5a);
  FilePart part;
  REQUIRE_FALSE(runtime().keep(memory + 3, part));
  CHECK(part.offset == place.file_offset);
  runtime().let_go(memory + 3);
  aclrtFree(memory);
}

TEST_CASE("a range that passes the end of its allocation is refused by name", "[embedding]") {
  const OnStream on;
  char* memory = nullptr;
  REQUIRE(aclrtMalloc(reinterpret_cast<void**>(&memory), 64, ACL_MEM_MALLOC_HUGE_FIRST) ==
          ACL_SUCCESS);
  MemoryLocation place;
  const Error error = runtime().locate("test", memory, 100000, "sendBuf", false, place);
  CHECK(error.code == ACL_ERROR_RT_PARAM_INVALID);
  CHECK_THAT(error.text, catch_compat::ContainsSubstring("sendBuf"));
  aclrtFree(memory);
}

TEST_CASE("a stream of another context is refused", "[embedding]") {
  const OnStream on;
  StreamInfo info;
  CHECK_FALSE(runtime().find_stream(on.stream, info));
  std::thread([&] { CHECK(runtime().find_stream(on.stream, info)); }).join();
}
