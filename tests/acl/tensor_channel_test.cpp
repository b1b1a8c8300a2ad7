// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_tdt.h"
#include "tests/acl/world.h"

using namespace world;

namespace {

/// A channel that lives as long as a scope.
class Channel {
 public:
  explicit Channel(size_t capacity, const char* name = "channel")
      : handle_(acltdtCreateChannelWithCapacity(0, name, capacity)) {
    REQUIRE(handle_ != nullptr);
  }
  explicit Channel(const char* name) : handle_(acltdtCreateChannel(0, name)) {
    REQUIRE(handle_ != nullptr);
  }
  ~Channel() {
    if (handle_) acltdtDestroyChannel(handle_);
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  operator acltdtChannelHandle*() const { return handle_; }
  aclError destroy() { return acltdtDestroyChannel(std::exchange(handle_, nullptr)); }

 private:
  acltdtChannelHandle* handle_;
};

/// A set of one number, which is a member of the object.
class NumberSet {
 public:
  explicit NumberSet(int64_t number) : number_(number) {
    const int64_t dim = 1;
    item_ =
        acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, &dim, 1, ACL_INT64, &number_, sizeof number_);
    acltdtAddDataItem(set_, item_);
  }
  ~NumberSet() {
    acltdtDestroyDataset(set_);
    acltdtDestroyDataItem(item_);
  }
  NumberSet(const NumberSet&) = delete;
  NumberSet& operator=(const NumberSet&) = delete;
  operator acltdtDataset*() const { return set_; }
  void change(int64_t number) { number_ = number; }

 private:
  int64_t number_;
  acltdtDataset* set_ = acltdtCreateDataset();
  acltdtDataItem* item_;
};

aclError send(acltdtChannelHandle* channel, int64_t number, int32_t timeout) {
  return acltdtSendTensor(channel, NumberSet(number), timeout);
}

/// The number that was received, or minus the code.
int64_t receive(acltdtChannelHandle* channel, int32_t timeout) {
  acltdtDataset* const set = acltdtCreateDataset();
  int64_t result = -acltdtReceiveTensor(channel, set, timeout);
  if (result == 0) {
    std::memcpy(&result, acltdtGetDataAddrFromItem(acltdtGetDataItem(set, 0)), sizeof result);
  }
  acltdtDestroyDataset(set);
  return result;
}

size_t size_of(acltdtChannelHandle* channel) {
  size_t size = 99;
  REQUIRE_ACL(acltdtQueryChannelSize(channel, &size));
  return size;
}

/// A thread whose result is looked at when it has ended.
template <class Body>
class Waiter {
 public:
  explicit Waiter(Body body)
      : thread_([this, body] {
          started_ = true;
          result_ = body();
        }) {
    while (!started_) std::this_thread::yield();
  }
  int64_t result() {
    thread_.join();
    return result_;
  }

 private:
  std::atomic<bool> started_{false};
  int64_t result_ = 0;
  std::thread thread_;
};

constexpr int64_t kEmpty = -ACL_ERROR_RT_QUEUE_EMPTY;
constexpr int64_t kGone = -ACL_ERROR_RT_INVALID_HANDLE;

}  // namespace

TEST_CASE("what is sent into a channel comes out in order, each as a copy", "[tdt]") {
  Channel channel(3, "numbers");
  {
    NumberSet set(1);
    REQUIRE_ACL(acltdtSendTensor(channel, set, 0));
    set.change(2);
    REQUIRE_ACL(acltdtSendTensor(channel, set, -1));
    set.change(3);
    REQUIRE_ACL(acltdtSendTensor(channel, set, 1000));
    set.change(4);
  }
  CHECK(size_of(channel) == 3);
  CHECK(receive(channel, 0) == 1);
  CHECK(receive(channel, -1) == 2);
  CHECK(receive(channel, 1000) == 3);
  CHECK(size_of(channel) == 0);
}

TEST_CASE("a received set has everything that was sent, and ends with its items", "[tdt]") {
  Channel channel(2, "mixed");
  int32_t data[4] = {1, 2, 3, 4};
  const int64_t dims[] = {2, 2};
  acltdtDataItem* const sent[] = {
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_INT32, data, sizeof data),
      acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, nullptr, 0, ACL_DT_UNDEFINED, nullptr,
                           0)};
  acltdtDataset* const out = acltdtCreateDataset();
  for (acltdtDataItem* item : sent) REQUIRE_ACL(acltdtAddDataItem(out, item));
  REQUIRE_ACL(acltdtSendTensor(channel, out, 0));
  data[0] = 9;

  acltdtDataset* const in = acltdtCreateDataset();
  REQUIRE_ACL(acltdtReceiveTensor(channel, in, 0));
  CHECK(acltdtGetDatasetName(in) == std::string("mixed"));
  REQUIRE(acltdtGetDatasetSize(in) == 2);
  acltdtDataItem* const tensor = acltdtGetDataItem(in, 0);
  CHECK(tensor != sent[0]);
  CHECK(acltdtGetTensorTypeFromItem(tensor) == ACL_TENSOR_DATA_TENSOR);
  CHECK(acltdtGetDataTypeFromItem(tensor) == ACL_INT32);
  CHECK(acltdtGetDimNumFromItem(tensor) == 2);
  REQUIRE(acltdtGetDataSizeFromItem(tensor) == sizeof data);
  const auto* const got = static_cast<const int32_t*>(acltdtGetDataAddrFromItem(tensor));
  CHECK(std::vector<int32_t>(got, got + 4) == std::vector<int32_t>{1, 2, 3, 4});
  acltdtDataItem* const end = acltdtGetDataItem(in, 1);
  CHECK(acltdtGetTensorTypeFromItem(end) == ACL_TENSOR_DATA_END_OF_SEQUENCE);
  CHECK(acltdtGetDataAddrFromItem(end) == nullptr);

  SECTION("it takes nothing more, and its items are its own") {
    CHECK_CODE(acltdtAddDataItem(in, sent[0]), ACL_ERROR_FEATURE_UNSUPPORTED);
    CHECK_CODE(acltdtDestroyDataItem(tensor), ACL_ERROR_FEATURE_UNSUPPORTED);
    REQUIRE_ACL(acltdtSendTensor(channel, out, 0));
    CHECK_CODE(acltdtReceiveTensor(channel, in, 0), ACL_ERROR_INVALID_PARAM);
    CHECK(size_of(channel) == 1);
  }
  SECTION("it can be sent on") {
    REQUIRE_ACL(acltdtSendTensor(channel, in, 0));
    REQUIRE_ACL(acltdtDestroyDataset(in));
    acltdtDataset* const again = acltdtCreateDataset();
    REQUIRE_ACL(acltdtReceiveTensor(channel, again, 0));
    int32_t first = 0;
    std::memcpy(&first, acltdtGetDataAddrFromItem(acltdtGetDataItem(again, 0)), sizeof first);
    CHECK(first == 1);
    REQUIRE_ACL(acltdtDestroyDataset(again));
  }
  acltdtDestroyDataset(in);
  CHECK(acltdtGetDataSizeFromItem(tensor) == 0);
  REQUIRE_ACL(acltdtDestroyDataset(out));
  for (acltdtDataItem* item : sent) REQUIRE_ACL(acltdtDestroyDataItem(item));
}

TEST_CASE("device memory is copied when it is sent, and received in host memory", "[tdt]") {
  Device device;
  DeviceMemory memory(8);
  store<int64_t>(memory, 41);
  const int64_t dim = 1;
  acltdtDataItem* const item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, &dim, 1, ACL_INT64, memory, 8);
  acltdtDataset* const set = acltdtCreateDataset();
  REQUIRE_ACL(acltdtAddDataItem(set, item));
  Channel channel(2);
  REQUIRE_ACL(acltdtSendTensor(channel, set, 0));
  store<int64_t>(memory, 42);
  CHECK(receive(channel, 0) == 41);
  REQUIRE_ACL(acltdtDestroyDataset(set));
  REQUIRE_ACL(acltdtDestroyDataItem(item));
}

TEST_CASE("what cannot be read any more is not sent", "[tdt]") {
  Channel channel(2);
  acltdtDataset* const set = acltdtCreateDataset();
  const int64_t dim = 1;
  Device device;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  acltdtDataItem* const item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, &dim, 1, ACL_INT64, memory, 8);
  REQUIRE_ACL(acltdtAddDataItem(set, item));
  REQUIRE_ACL(aclrtFree(memory));
  CHECK_CODE(acltdtSendTensor(channel, set, 0), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(acltdtDestroyDataItem(item));
  CHECK_CODE(acltdtSendTensor(channel, set, 0), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(size_of(channel) == 0);
  REQUIRE_ACL(acltdtDestroyDataset(set));
}

TEST_CASE("a full channel refuses and an empty one has nothing, after the timeout", "[tdt]") {
  Channel channel(2);
  const int32_t timeout = GENERATE(0, 3);
  const auto start = std::chrono::steady_clock::now();
  CHECK(receive(channel, timeout) == kEmpty);
  REQUIRE_ACL(send(channel, 1, 0));
  REQUIRE_ACL(send(channel, 2, 0));
  CHECK_CODE(send(channel, 3, timeout), ACL_ERROR_RT_QUEUE_FULL);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(2 * timeout));
  CHECK(size_of(channel) == 2);
  CHECK(receive(channel, 0) == 1);
}

TEST_CASE("a thread that waits for a channel goes on when the other side has come", "[tdt]") {
  Channel channel(2);
  const int32_t timeout = GENERATE(-1, 20'000);
  Waiter receiver([&] { return receive(channel, timeout); });
  REQUIRE_ACL(send(channel, 7, 0));
  CHECK(receiver.result() == 7);

  REQUIRE_ACL(send(channel, 1, 0));
  REQUIRE_ACL(send(channel, 2, 0));
  Waiter sender([&] { return send(channel, 3, timeout); });
  if (GENERATE(true, false)) {
    CHECK(receive(channel, 0) == 1);
    CHECK(sender.result() == ACL_SUCCESS);
    CHECK(receive(channel, 0) == 2);
  } else {
    REQUIRE_ACL(acltdtCleanChannel(channel));
    CHECK(sender.result() == ACL_SUCCESS);
  }
  // Only the thread's set can be left, unless the cleaning came after it.
  CHECK(size_of(channel) <= 1);
}

TEST_CASE("a stopped channel wakes who waits and takes nothing more", "[tdt]") {
  Channel channel(2);
  Channel full(2);
  REQUIRE_ACL(send(full, 1, 0));
  REQUIRE_ACL(send(full, 2, 0));
  Waiter receiver([&] { return receive(channel, -1); });
  Waiter sender([&] { return send(full, 3, -1); });
  REQUIRE_ACL(acltdtStopChannel(channel));
  REQUIRE_ACL(acltdtStopChannel(full));
  CHECK(receiver.result() == kEmpty);
  CHECK(sender.result() == ACL_ERROR_RT_QUEUE_FULL);
  CHECK_CODE(send(channel, 1, -1), ACL_ERROR_RT_QUEUE_FULL);
  CHECK(receive(full, -1) == 1);
  CHECK(receive(full, -1) == 2);
  CHECK(receive(full, -1) == kEmpty);
  REQUIRE_ACL(acltdtStopChannel(full));
}

TEST_CASE("destroying a channel wakes who waits with a defined error", "[tdt]") {
  Channel channel(2);
  Channel full(2);
  REQUIRE_ACL(send(full, 1, 0));
  REQUIRE_ACL(send(full, 2, 0));
  std::vector<int64_t> results(6, 1);
  std::atomic<int> started{0};
  std::vector<std::thread> threads;
  acltdtChannelHandle* const handles[] = {channel, full};
  for (size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      ++started;
      results[i] = i % 2 == 0 ? receive(handles[0], -1) : -send(handles[1], 3, -1);
    });
  }
  while (started < 6) std::this_thread::yield();
  REQUIRE_ACL(channel.destroy());
  REQUIRE_ACL(full.destroy());
  for (std::thread& thread : threads) thread.join();
  CHECK(results == std::vector<int64_t>(6, kGone));
}

TEST_CASE("starting over wakes who waits for a channel", "[tdt]") {
  acltdtChannelHandle* const channel = acltdtCreateChannelWithCapacity(0, "left", 2);
  acltdtDataset* const set = acltdtCreateDataset();
  Waiter receiver([&] { return acltdtReceiveTensor(channel, set, -1); });
  REQUIRE_ACL(aclsimResetAll());
  CHECK(receiver.result() == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtDestroyChannel(channel), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtDestroyDataset(set), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("several senders and receivers pass every set on exactly once", "[tdt]") {
  constexpr int kEach = 60;
  constexpr int kPairs = 3;
  Channel channel(2);
  std::vector<std::atomic<int>> seen(kPairs * kEach);
  Problems problems;
  in_threads(2 * kPairs, [&](int t) {
    for (int i = 0; i < kEach; ++i) {
      if (t < kPairs) {
        EXPECT_ACL(problems, send(channel, t * kEach + i, i % 2 == 0 ? -1 : 20'000));
      } else {
        const int64_t got = receive(channel, i % 2 == 0 ? -1 : 20'000);
        EXPECT_TRUE(problems, got >= 0);
        if (got >= 0) ++seen[static_cast<size_t>(got)];
      }
    }
  });
  CHECK(problems.text() == "");
  for (const auto& count : seen) CHECK(count == 1);
}

TEST_CASE("only one receive at a time fills a set", "[tdt]") {
  Channel channel(2);
  acltdtDataset* const set = acltdtCreateDataset();
  REQUIRE_ACL(send(channel, 1, 0));
  REQUIRE_ACL(acltdtReceiveTensor(channel, set, 0));
  REQUIRE_ACL(send(channel, 2, 0));
  CHECK_CODE(acltdtReceiveTensor(channel, set, 0), ACL_ERROR_INVALID_PARAM);
  CHECK(size_of(channel) == 1);
  REQUIRE_ACL(acltdtDestroyDataset(set));
}

TEST_CASE("a set that fails to be filled can be used again", "[tdt]") {
  Channel channel(2);
  acltdtDataset* const set = acltdtCreateDataset();
  CHECK_CODE(acltdtReceiveTensor(channel, set, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  REQUIRE_ACL(send(channel, 1, 0));
  REQUIRE_ACL(acltdtReceiveTensor(channel, set, 0));
  CHECK(acltdtGetDatasetSize(set) == 1);
  REQUIRE_ACL(acltdtDestroyDataset(set));
}

TEST_CASE("a channel's capacity and name have limits", "[tdt]") {
  const auto works = [](uint32_t device, const char* name, size_t capacity) {
    acltdtChannelHandle* const channel = acltdtCreateChannelWithCapacity(device, name, capacity);
    if (!channel) return recent_message().empty();  // a refusal leaves a text
    acltdtDestroyChannel(channel);
    return true;
  };
  const std::string longest(127, 'n');
  CHECK(works(0, longest.c_str(), 2));
  CHECK(works(0, "c", 8192));
  CHECK_FALSE(works(0, (longest + "n").c_str(), 2));
  CHECK_FALSE(works(0, nullptr, 2));
  CHECK_FALSE(works(0, "c", 1));
  CHECK_FALSE(works(0, "c", 8193));
  CHECK_FALSE(works(machine().devices, "c", 2));
  CHECK(acltdtCreateChannel(0, nullptr) == nullptr);
  CHECK(acltdtCreateChannel(0, (longest + "n").c_str()) == nullptr);
  CHECK(acltdtCreateChannel(machine().devices, "c") == nullptr);
}

TEST_CASE("channels of one name are channels of their own", "[tdt]") {
  Channel first(2, "same");
  Channel second(2, "same");
  REQUIRE_ACL(send(first, 1, 0));
  CHECK(receive(second, 0) == kEmpty);
}

TEST_CASE("channels outlive their device", "[tdt]") {
  Channel channel(2);
  {
    Device device;
    REQUIRE_ACL(send(channel, 5, 0));
  }
  CHECK(receive(channel, 0) == 5);
}

TEST_CASE("channels that are none are refused, never looked into", "[tdt]") {
  Channel channel(2);
  Channel other(2);
  acltdtChannelHandle* const gone = other;
  REQUIRE_ACL(other.destroy());
  NumberSet set(1);
  acltdtDataset* const empty = acltdtCreateDataset();
  size_t size = 0;
  char memory[64] = {};
  for (void* bad : {static_cast<void*>(gone), static_cast<void*>(empty), static_cast<void*>(memory),
                    reinterpret_cast<void*>(std::uintptr_t{1})}) {
    auto* const handle = static_cast<acltdtChannelHandle*>(bad);
    CHECK_CODE(acltdtSendTensor(handle, set, 0), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(acltdtReceiveTensor(handle, empty, 0), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(acltdtStopChannel(handle), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(acltdtCleanChannel(handle), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(acltdtQueryChannelSize(handle, &size), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(acltdtDestroyChannel(handle), ACL_ERROR_RT_INVALID_HANDLE);
  }
  auto* const no_set = reinterpret_cast<acltdtDataset*>(gone);
  CHECK_CODE(acltdtSendTensor(channel, no_set, 0), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtReceiveTensor(channel, no_set, 0), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtSendTensor(nullptr, set, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtSendTensor(channel, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtSendTensor(channel, set, -2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtReceiveTensor(nullptr, empty, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtReceiveTensor(channel, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtReceiveTensor(channel, empty, -2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtStopChannel(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtCleanChannel(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtDestroyChannel(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtQueryChannelSize(nullptr, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtQueryChannelSize(channel, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(acltdtDestroyDataset(empty));
}

TEST_CASE("a one-way channel connects the program with kernels", "[tdt]") {
  Device device;
  Stream stream;
  Channel there("samples");
  Channel back("TF_RECEIVE_results");
  launch(stream, [&] { return send(back, receive(there, -1) + 1, -1); });
  REQUIRE_ACL(send(there, 20, -1));
  CHECK(receive(back, -1) == 21);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("the program is at one end of a one-way channel only, and waits without a limit",
          "[tdt]") {
  Channel there("samples");
  Channel back("TF_RECEIVE_results");
  size_t size = 0;
  CHECK(receive(there, -1) == -ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(send(back, 1, -1), ACL_ERROR_INVALID_PARAM);
  for (const int32_t timeout : {0, 1}) {
    CHECK_CODE(send(there, 1, timeout), ACL_ERROR_INVALID_PARAM);
    CHECK(receive(back, timeout) == -ACL_ERROR_INVALID_PARAM);
  }
  CHECK_CODE(acltdtQueryChannelSize(there, &size), ACL_ERROR_FEATURE_UNSUPPORTED);
  CHECK_CODE(acltdtCleanChannel(back), ACL_ERROR_FEATURE_UNSUPPORTED);
  Waiter receiver([&] { return receive(back, -1); });
  REQUIRE_ACL(acltdtStopChannel(back));
  CHECK(receiver.result() == kEmpty);
  for (int i = 0; i < 128; ++i) REQUIRE_ACL(send(there, i, -1));
  Waiter sender([&] { return send(there, 128, -1); });
  REQUIRE_ACL(acltdtStopChannel(there));
  CHECK(sender.result() == ACL_ERROR_RT_QUEUE_FULL);
}
