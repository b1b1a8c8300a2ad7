// SPDX-License-Identifier: Apache-2.0
// Descriptions of tasks that go through a pipe.
#include "acl/acl_prof.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "tests/acl/world.h"
#include "tests/support/temp_dir.h"

using namespace world;

namespace {

std::size_t record_size() {
  std::size_t size = 0;
  REQUIRE_ACL(aclprofGetOpDescSize(&size));
  return size;
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() { REQUIRE(pipe2(ends, O_CLOEXEC) == 0); }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_reader() { shut(ends[0]); }
  void close_writer() { shut(ends[1]); }
  bool writer_closed() const { return fcntl(ends[1], F_GETFD) == -1; }
  static void shut(int& fd) {
    if (fd >= 0) close(std::exchange(fd, -1));
  }
  /// The runtime has closed it: the number may belong to another file by now.
  void forget_writer() { ends[1] = -1; }
  /// All that comes until the last writer has closed.
  std::vector<char> read_all() {
    std::vector<char> data;
    char part[4096];
    for (;;) {
      const ssize_t size = read(ends[0], part, sizeof part);
      if (size <= 0) return data;
      data.insert(data.end(), part, part + size);
    }
  }
};

class SubscriptionConfig {
 public:
  explicit SubscriptionConfig(int fd, std::int8_t times = 1)
      : handle_(aclprofCreateSubscribeConfig(times, ACL_AICORE_NONE, &fd)) {
    REQUIRE(handle_ != nullptr);
  }
  ~SubscriptionConfig() { aclprofDestroySubscribeConfig(handle_); }
  SubscriptionConfig(const SubscriptionConfig&) = delete;
  SubscriptionConfig& operator=(const SubscriptionConfig&) = delete;
  operator const aclprofSubscribeConfig*() const { return handle_; }

 private:
  aclprofSubscribeConfig* handle_;
};

std::string name_of(const std::vector<char>& data, std::uint32_t index) {
  std::size_t length = 0;
  REQUIRE_ACL(aclprofGetOpNameLen(data.data(), data.size(), index, &length));
  std::string name(length, '?');
  REQUIRE_ACL(aclprofGetOpName(data.data(), data.size(), index, name.data(), length));
  CHECK(name.back() == '\0');
  name.pop_back();
  return name;
}

std::string type_of(const std::vector<char>& data, std::uint32_t index) {
  std::size_t length = 0;
  REQUIRE_ACL(aclprofGetOpTypeLen(data.data(), data.size(), index, &length));
  std::string type(length, '?');
  REQUIRE_ACL(aclprofGetOpType(data.data(), data.size(), index, type.data(), length));
  type.pop_back();
  return type;
}

std::uint32_t count_of(const std::vector<char>& data) {
  std::uint32_t count = 0;
  REQUIRE_ACL(aclprofGetOpNum(data.data(), data.size(), &count));
  return count;
}

/// Ends the last subscription that uses the pipe, which closes its writer.
void unsubscribe(std::uint32_t model, Pipe& pipe) {
  REQUIRE_ACL(aclprofModelUnSubscribe(model));
  REQUIRE(pipe.writer_closed());
  pipe.forget_writer();
}

/// The records of a subscription to all tasks for two kernels and a mark.
std::vector<char> some_records(std::int8_t times = 1) {
  const Device device;
  Pipe pipe;
  const SubscriptionConfig config(pipe.ends[1], times);
  REQUIRE_ACL(aclprofModelSubscribe(ACLSIM_ALL_TASKS, config));
  launch(
      nullptr, [] { let_time_pass(1ms); }, "first");
  launch(
      nullptr, [] {}, "second");
  REQUIRE_ACL(aclprofMarkEx("a mark", 6, nullptr));
  REQUIRE_ACL(aclrtSynchronizeDevice());
  unsubscribe(ACLSIM_ALL_TASKS, pipe);
  return pipe.read_all();
}

}  // namespace

TEST_CASE("a subscription tells of each task by name, type and time") {
  const std::vector<char> data = some_records();
  REQUIRE(data.size() == 3 * record_size());
  REQUIRE(count_of(data) == 3);
  CHECK(name_of(data, 0) == "first");
  CHECK(name_of(data, 1) == "second");
  CHECK(name_of(data, 2) == "a mark");
  CHECK(type_of(data, 0) == "KERNEL_AIVEC");
  CHECK(type_of(data, 2) == "MARK");
  const std::uint64_t start = aclprofGetOpStart(data.data(), data.size(), 0);
  const std::uint64_t end = aclprofGetOpEnd(data.data(), data.size(), 0);
  CHECK(start + 900'000 < end);
  CHECK(aclprofGetOpDuration(data.data(), data.size(), 0) == end - start);
  CHECK(aclprofGetOpStart(data.data(), data.size(), 1) >= end);
  CHECK(aclprofGetModelId(data.data(), data.size(), 1) == ACLSIM_ALL_TASKS);
  CHECK(aclprofGetOpFlag(data.data(), data.size(), 1) == ACL_SUBSCRIBE_OP);
  const char* const thread =
      aclprofGetOpAttriValue(data.data(), data.size(), 1, ACL_SUBSCRIBE_ATTRI_THREADID);
  REQUIRE(thread != nullptr);
  CHECK(thread == std::to_string(gettid()));
}

TEST_CASE("a subscription without times tells none") {
  const std::vector<char> data = some_records(0);
  REQUIRE(count_of(data) == 3);
  CHECK(name_of(data, 0) == "first");
  CHECK(aclprofGetOpStart(data.data(), data.size(), 0) == 0);
  CHECK(aclprofGetOpEnd(data.data(), data.size(), 0) == 0);
  CHECK(aclprofGetOpDuration(data.data(), data.size(), 0) == 0);
}

TEST_CASE("records may lie at any address") {
  const std::vector<char> data = some_records();
  std::vector<char> shifted(data.size() + 1);
  std::copy(data.begin(), data.end(), shifted.begin() + 1);
  CHECK(aclprofGetOpStart(shifted.data() + 1, data.size(), 1) ==
        aclprofGetOpStart(data.data(), data.size(), 1));
}

TEST_CASE("a reader who is late holds up nothing and misses nothing") {
  const Device device;
  Pipe pipe;
  const SubscriptionConfig config(pipe.ends[1]);
  REQUIRE_ACL(aclprofModelSubscribe(ACLSIM_ALL_TASKS, config));
  pipe.close_writer();
  constexpr std::uint32_t kTasks = 1000;
  for (std::uint32_t i = 0; i < kTasks; ++i)
    launch(
        nullptr, [] {}, "task");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  std::vector<char> data;
  std::thread reader([&] { data = pipe.read_all(); });
  REQUIRE_ACL(aclprofModelUnSubscribe(ACLSIM_ALL_TASKS));
  reader.join();
  CHECK(count_of(data) == kTasks);
}

TEST_CASE("the end of a subscription is the end of the data for its reader") {
  const Device device;
  Pipe pipe;
  const SubscriptionConfig config(pipe.ends[1]);
  REQUIRE_ACL(aclprofModelSubscribe(ACLSIM_ALL_TASKS, config));
  launch(
      nullptr, [] {}, "task");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE_ACL(aclprofModelUnSubscribe(ACLSIM_ALL_TASKS));
  REQUIRE(pipe.writer_closed());  // or the next line would wait for ever
  pipe.forget_writer();
  CHECK(count_of(pipe.read_all()) == 1);
}

TEST_CASE("the end of a subscription closes no file that has the number of its pipe by now") {
  Pipe pipe, another;
  const int number = pipe.ends[1];
  const SubscriptionConfig config(number);
  REQUIRE_ACL(aclprofModelSubscribe(1, config));
  const int descriptor = GENERATE(0, 1);  // the reading end of the same pipe; another pipe
  REQUIRE(dup2(descriptor == 0 ? pipe.ends[0] : another.ends[1], number) == number);
  REQUIRE_ACL(aclprofModelUnSubscribe(1));
  CHECK_FALSE(pipe.writer_closed());
}

TEST_CASE("a reader who has gone harms nobody") {
  const Device device;
  Pipe pipe;
  const SubscriptionConfig config(pipe.ends[1]);
  REQUIRE_ACL(aclprofModelSubscribe(ACLSIM_ALL_TASKS, config));
  pipe.close_reader();
  for (int i = 0; i < 10; ++i)
    launch(
        nullptr, [] {}, "task");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  unsubscribe(ACLSIM_ALL_TASKS, pipe);
}

TEST_CASE("a subscription to a graph tells of its tasks, each time that it runs") {
  const Device device;
  const Stream stream;
  Pipe pipe;
  const SubscriptionConfig config(pipe.ends[1]);
  aclmdlRI graph = nullptr;
  REQUIRE_ACL(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  launch(
      stream, [] {}, "first");
  launch(
      stream, [] {}, "second");
  REQUIRE_ACL(aclmdlRICaptureEnd(stream, &graph));
  std::uint32_t id = 0;
  REQUIRE_ACL(aclmdlRIGetId(graph, &id));
  REQUIRE_ACL(aclprofModelSubscribe(id, config));
  for (int i = 0; i < 2; ++i) REQUIRE_ACL(aclmdlRIExecuteAsync(graph, stream));
  launch(
      stream, [] {}, "outside");
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  unsubscribe(id, pipe);
  const std::vector<char> data = pipe.read_all();
  REQUIRE(count_of(data) == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(name_of(data, i) == (i % 2 == 0 ? "first" : "second"));
    CHECK(aclprofGetModelId(data.data(), data.size(), i) == id);
  }
  REQUIRE_ACL(aclmdlRIDestroy(graph));
}

TEST_CASE("a subscription to another model is kept and tells nothing of other tasks") {
  const Device device;
  Pipe pipe;
  const SubscriptionConfig config(pipe.ends[1]);
  REQUIRE_ACL(aclprofModelSubscribe(7, config));
  CHECK_CODE(aclprofModelSubscribe(7, config), ACL_ERROR_PROF_REPEAT_SUBSCRIBE);
  REQUIRE_ACL(aclprofModelSubscribe(8, config));
  launch(
      nullptr, [] {}, "task");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE_ACL(aclprofModelUnSubscribe(7));
  CHECK_CODE(aclprofModelUnSubscribe(7), ACL_ERROR_INVALID_PARAM);
  CHECK_FALSE(pipe.writer_closed());  // model 8 uses it
  unsubscribe(8, pipe);
  CHECK(pipe.read_all().empty());
}

TEST_CASE("subscriptions and profiles exclude each other") {
  const support::TempDir dir;
  const std::string path = dir.path().string();
  Pipe pipe;
  const SubscriptionConfig config(pipe.ends[1]);
  REQUIRE_ACL(aclprofModelSubscribe(1, config));
  CHECK_CODE(aclprofInit(path.c_str(), path.size()), ACL_ERROR_PROF_API_CONFLICT);
  unsubscribe(1, pipe);
  const Pipe another;
  const SubscriptionConfig late(another.ends[1]);
  REQUIRE_ACL(aclprofInit(path.c_str(), path.size()));
  CHECK_CODE(aclprofModelSubscribe(1, late), ACL_ERROR_PROF_API_CONFLICT);
  REQUIRE_ACL(aclprofFinalize());
}

TEST_CASE("subscriptions that are none are refused") {
  Pipe pipe;
  int fd = pipe.ends[1];
  CHECK(aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, nullptr) == nullptr);
  CHECK(aclprofCreateSubscribeConfig(1, static_cast<aclprofAicoreMetrics>(9), &fd) == nullptr);
  aclprofSubscribeConfig* const config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &fd);
  REQUIRE(config != nullptr);
  REQUIRE_ACL(aclprofDestroySubscribeConfig(config));
  CHECK_CODE(aclprofDestroySubscribeConfig(config), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclprofModelSubscribe(1, config), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclprofDestroySubscribeConfig(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofModelSubscribe(1, nullptr), ACL_ERROR_INVALID_PARAM);
  const SubscriptionConfig closed(12345);
  CHECK_CODE(aclprofModelSubscribe(1, closed), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofModelUnSubscribe(1), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("bytes that are no records, and wrong indices, are refused") {
  const std::vector<char> data = some_records();
  const std::size_t size = data.size();
  std::vector<char> garbage(size, 'x');
  std::uint32_t number = 0;
  std::size_t length = 0;
  char text[512];
  const struct {
    const void* data;
    std::size_t size;
    std::uint32_t index;
  } rows[] = {{nullptr, size, 0},
              {data.data(), 0, 0},
              {data.data(), size - 1, 0},
              {data.data(), size, 3},
              {garbage.data(), size, 0}};
  for (const auto& row : rows) {
    CHECK_CODE(aclprofGetOpTypeLen(row.data, row.size, row.index, &length),
               ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclprofGetOpNameLen(row.data, row.size, row.index, &length),
               ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclprofGetOpType(row.data, row.size, row.index, text, 512), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclprofGetOpName(row.data, row.size, row.index, text, 512), ACL_ERROR_INVALID_PARAM);
    CHECK(aclprofGetOpStart(row.data, row.size, row.index) == 0);
    CHECK(aclprofGetOpEnd(row.data, row.size, row.index) == 0);
    CHECK(aclprofGetOpDuration(row.data, row.size, row.index) == 0);
    CHECK(aclprofGetModelId(row.data, row.size, row.index) == 0);
    CHECK(aclprofGetOpFlag(row.data, row.size, row.index) == ACL_SUBSCRIBE_NONE);
    CHECK(aclprofGetOpAttriValue(row.data, row.size, row.index, ACL_SUBSCRIBE_ATTRI_THREADID) ==
          nullptr);
  }
  CHECK_CODE(aclprofGetOpNum(nullptr, size, &number), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpNum(garbage.data(), size, &number), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpNum(data.data(), size, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpDescSize(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpNameLen(data.data(), size, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpTypeLen(data.data(), size, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpName(data.data(), size, 0, nullptr, 512), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpName(data.data(), size, 0, text, 5), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpName(data.data(), size, 0, text, 6), ACL_SUCCESS);
  CHECK_CODE(aclprofGetOpType(data.data(), size, 0, nullptr, 512), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetOpType(data.data(), size, 0, text, 2), ACL_ERROR_INVALID_PARAM);
  CHECK(aclprofGetOpAttriValue(data.data(), size, 0, ACL_SUBSCRIBE_ATTRI_NONE) == nullptr);
}
