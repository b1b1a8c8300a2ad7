// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/tensor_queue.h"

#include <unistd.h>

using namespace world;

namespace {

void* make_buffer(int64_t number) {
  void* buf = nullptr;
  void* data = nullptr;
  size_t size = 0;
  REQUIRE_ACL(acltdtAllocBuf(sizeof number, ACL_TDT_NORMAL_MEM, &buf));
  REQUIRE_ACL(acltdtGetBufData(buf, &data, &size));
  std::memcpy(data, &number, sizeof number);
  REQUIRE_ACL(acltdtSetBufDataLen(buf, sizeof number));
  return buf;
}

}  // namespace

TEST_CASE("attributes of a queue are set and read back", "[tdt]") {
  acltdtQueueAttr* const attr = acltdtCreateQueueAttr();
  REQUIRE(attr != nullptr);
  const char* name = "queue";
  REQUIRE_ACL(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof name, &name));
  const char* got = nullptr;
  size_t size = 0;
  REQUIRE_ACL(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof got, &size, &got));
  CHECK(got == std::string("queue"));
  CHECK(got != name);
  CHECK(size == sizeof got);
  uint32_t depth = 0;
  REQUIRE_ACL(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 8, &size, &depth));
  CHECK(depth == 2);
  CHECK(size == sizeof depth);
  depth = 8192;
  REQUIRE_ACL(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth));
  REQUIRE_ACL(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &size, &depth));
  CHECK(depth == 8192);
  REQUIRE_ACL(acltdtDestroyQueueAttr(attr));
}

TEST_CASE("attributes that cannot be are refused", "[tdt]") {
  acltdtQueueAttr* const attr = acltdtCreateQueueAttr();
  const std::string longest(127, 'q');
  const std::string longer(128, 'q');
  const char* name = longer.c_str();
  const auto set = [&](int type, size_t len, const void* value) {
    return acltdtSetQueueAttr(attr, static_cast<acltdtQueueAttrType>(type), len, value);
  };
  CHECK_CODE(set(ACL_TDT_QUEUE_NAME_PTR, sizeof name, &name), ACL_ERROR_INVALID_PARAM);
  name = nullptr;
  CHECK_CODE(set(ACL_TDT_QUEUE_NAME_PTR, sizeof name, &name), ACL_ERROR_INVALID_PARAM);
  name = longest.c_str();
  CHECK_CODE(set(ACL_TDT_QUEUE_NAME_PTR, 4, &name), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(ACL_TDT_QUEUE_NAME_PTR, sizeof name, &name), ACL_SUCCESS);
  for (const uint32_t depth : {0u, 1u, 8193u}) {
    CHECK_CODE(set(ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth), ACL_ERROR_INVALID_PARAM);
  }
  const uint64_t wide = 2;
  CHECK_CODE(set(ACL_TDT_QUEUE_DEPTH_UINT32, 8, &wide), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(ACL_TDT_QUEUE_DEPTH_UINT32, 4, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(2, 4, &wide), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(-1, 4, &wide), ACL_ERROR_INVALID_PARAM);
  uint32_t depth = 0;
  size_t size = 0;
  const auto type = ACL_TDT_QUEUE_DEPTH_UINT32;
  CHECK_CODE(acltdtGetQueueAttr(attr, type, 3, &size, &depth), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetQueueAttr(attr, type, 4, nullptr, &depth), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetQueueAttr(attr, type, 4, &size, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetQueueAttr(nullptr, type, 4, &size, &depth), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetQueueAttr(attr, static_cast<acltdtQueueAttrType>(9), 8, &size, &depth),
             ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(acltdtDestroyQueueAttr(attr));
  CHECK_CODE(acltdtDestroyQueueAttr(attr), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtDestroyQueueAttr(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetQueueAttr(attr, type, 4, &size, &depth), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(set(ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a queue needs attributes and a context, and ends with its device", "[tdt]") {
  acltdtQueueAttr* const attr = acltdtCreateQueueAttr();
  uint32_t id = 0;
  CHECK_CODE(acltdtCreateQueue(attr, &id), ACL_ERROR_RT_CONTEXT_NULL);
  {
    Device device;
    CHECK_CODE(acltdtCreateQueue(attr, nullptr), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(acltdtCreateQueue(nullptr, &id), ACL_ERROR_INVALID_PARAM);
    REQUIRE_ACL(acltdtCreateQueue(attr, &id));
    uint32_t other = 0;
    REQUIRE_ACL(acltdtCreateQueue(attr, &other));
    CHECK(other != id);
    REQUIRE_ACL(put(id, 1));
    REQUIRE_ACL(acltdtDestroyQueue(other));
    CHECK_CODE(acltdtDestroyQueue(other), ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK(take(id) == kNoQueue);
  CHECK_CODE(acltdtDestroyQueue(id), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(acltdtDestroyQueueAttr(attr));
  CHECK_CODE(acltdtCreateQueue(attr, &id), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("buffers pass through a queue in order and belong to it meanwhile", "[tdt]") {
  Device device;
  Queue queue(2);
  void* const first = make_buffer(1);
  void* const second = make_buffer(2);
  void* const third = make_buffer(3);
  REQUIRE_ACL(acltdtEnqueue(queue, first, 0));
  REQUIRE_ACL(acltdtEnqueue(queue, second, -1));
  CHECK_CODE(acltdtEnqueue(queue, third, 0), ACL_ERROR_RT_QUEUE_FULL);
  CHECK_CODE(acltdtEnqueue(queue, third, 2), ACL_ERROR_RT_QUEUE_FULL);
  size_t length = 0;
  CHECK_CODE(acltdtGetBufDataLen(first, &length), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtFreeBuf(first), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtEnqueue(queue, first, 0), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(acltdtGetBufDataLen(third, &length));
  void* got = nullptr;
  REQUIRE_ACL(acltdtDequeue(queue, &got, 0));
  CHECK(got == first);
  REQUIRE_ACL(acltdtFreeBuf(got));
  REQUIRE_ACL(acltdtDequeue(queue, &got, -1));
  CHECK(got == second);
  REQUIRE_ACL(acltdtFreeBuf(got));
  CHECK_CODE(acltdtDequeue(queue, &got, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  CHECK(got == nullptr);
  CHECK_CODE(acltdtDequeue(queue, &got, 2), ACL_ERROR_RT_QUEUE_EMPTY);
  REQUIRE_ACL(acltdtFreeBuf(third));
}

TEST_CASE("what is left in a queue goes with it", "[tdt]") {
  Device device;
  void* const head = make_buffer(1);
  REQUIRE_ACL(acltdtAppendBufChain(head, make_buffer(2)));
  Queue queue;
  REQUIRE_ACL(acltdtEnqueue(queue, head, 0));
  REQUIRE_ACL(queue.destroy());
  CHECK_CODE(acltdtFreeBuf(head), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a chain travels as one, and belongs to the queue as one", "[tdt]") {
  Device device;
  Queue queue;
  void* const head = make_buffer(1);
  void* const second = make_buffer(2);
  REQUIRE_ACL(acltdtAppendBufChain(head, second));
  CHECK_CODE(acltdtEnqueue(queue, second, 0), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(acltdtEnqueue(queue, head, 0));
  void* data = nullptr;
  size_t size = 0;
  CHECK_CODE(acltdtGetBufData(second, &data, &size), ACL_ERROR_RT_INVALID_HANDLE);
  if (GENERATE(true, false)) {
    int64_t numbers[2] = {};
    REQUIRE_ACL(acltdtDequeueData(queue, numbers, sizeof numbers, &size, nullptr, 0, 0));
    CHECK(size == sizeof numbers);
    CHECK(numbers[0] == 1);
    CHECK(numbers[1] == 2);
  } else {
    void* got = nullptr;
    REQUIRE_ACL(acltdtDequeue(queue, &got, 0));
    REQUIRE_ACL(acltdtGetBufData(second, &data, &size));
    REQUIRE_ACL(acltdtFreeBuf(got));
  }
}

TEST_CASE("data goes through a queue as a copy, with what stands beside it", "[tdt]") {
  Device device;
  Queue queue;
  int64_t number = 5;
  const std::string beside = "beside";
  REQUIRE_ACL(acltdtEnqueueData(queue, &number, sizeof number, beside.data(), beside.size(), 0, 0));
  number = 6;
  char user[96] = {};
  size_t size = 0;
  SECTION("taken as data") {
    char small[4];
    CHECK_CODE(acltdtDequeueData(queue, small, sizeof small, &size, nullptr, 0, 0),
               ACL_ERROR_INVALID_PARAM);
    int64_t got[2] = {};
    REQUIRE_ACL(acltdtDequeueData(queue, got, sizeof got, &size, user, sizeof user, 0));
    CHECK(size == sizeof number);
    CHECK(got[0] == 5);
  }
  SECTION("taken as a buffer") {
    void* buf = nullptr;
    REQUIRE_ACL(acltdtDequeue(queue, &buf, 0));
    REQUIRE_ACL(acltdtGetBufDataLen(buf, &size));
    CHECK(size == sizeof number);
    REQUIRE_ACL(acltdtGetBufUserData(buf, user, sizeof user, 0));
    REQUIRE_ACL(acltdtFreeBuf(buf));
  }
  CHECK(user == beside);
  CHECK(take(queue) == kEmptyQueue);
}

TEST_CASE("device memory goes through a queue too", "[tdt]") {
  Device device;
  Queue queue;
  DeviceMemory from(8);
  DeviceMemory to(8);
  store<int64_t>(from, 12);
  size_t size = 0;
  REQUIRE_ACL(acltdtEnqueueData(queue, from, 8, nullptr, 0, 0, 0));
  REQUIRE_ACL(acltdtDequeueData(queue, to, 8, &size, nullptr, 0, 0));
  CHECK(fetch<int64_t>(to) == 12);
  CHECK_CODE(acltdtEnqueueData(queue, from, 9, nullptr, 0, 0, 0), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(put(queue, 3));
  CHECK_CODE(acltdtDequeueData(queue, to, 9, &size, nullptr, 0, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(take(queue) == 3);
}

TEST_CASE("what a queue cannot take or give is refused", "[tdt]") {
  Device device;
  Queue queue;
  char data[97] = {};
  size_t size = 0;
  const auto in = [&](const void* d, size_t n, const void* u, size_t un, int32_t t, uint32_t rsv) {
    return acltdtEnqueueData(queue, d, n, u, un, t, rsv);
  };
  CHECK_CODE(in(nullptr, 8, nullptr, 0, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(in(data, 0, nullptr, 0, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(in(data, 8, nullptr, 1, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(in(data, 8, data, 0, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(in(data, 8, data, 97, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(in(data, 8, nullptr, 0, -2, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(in(data, 8, nullptr, 0, 0, 1), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(put(queue, 1));
  REQUIRE_ACL(put(queue, 2));
  CHECK_CODE(put(queue, 3), ACL_ERROR_RT_QUEUE_FULL);
  const auto out = [&](void* d, size_t n, size_t* got, void* u, size_t un, int32_t t) {
    return acltdtDequeueData(queue, d, n, got, u, un, t);
  };
  CHECK_CODE(out(nullptr, 8, &size, nullptr, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(out(data, 0, &size, nullptr, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(out(data, 8, nullptr, nullptr, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(out(data, 8, &size, nullptr, 4, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(out(data, 8, &size, data, 97, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(out(data, 8, &size, nullptr, 0, -2), ACL_ERROR_INVALID_PARAM);
  CHECK(take(queue) == 1);
  CHECK(take(queue) == 2);

  void* const buf = make_buffer(1);
  void* got = nullptr;
  CHECK_CODE(acltdtEnqueue(queue, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtEnqueue(queue, data, 0), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(acltdtEnqueue(queue, buf, -2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtEnqueue(queue + 1, buf, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(acltdtDequeue(queue, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtDequeue(queue, &got, -2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtDequeue(queue + 1, &got, 0), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(acltdtFreeBuf(buf));
}

TEST_CASE("a thread that waits for a queue goes on when the other side has come", "[tdt]") {
  Device device;
  Queue queue(2);
  const int32_t timeout = GENERATE(-1, 20'000);
  int64_t got = 0;
  std::thread consumer([&] { got = take(queue, timeout); });
  REQUIRE_ACL(put(queue, 4));
  consumer.join();
  CHECK(got == 4);
  REQUIRE_ACL(put(queue, 1));
  REQUIRE_ACL(put(queue, 2));
  aclError code = -1;
  std::thread producer([&] { code = put(queue, 3, timeout); });
  CHECK(take(queue) == 1);
  producer.join();
  CHECK_CODE(code, ACL_SUCCESS);
  CHECK(take(queue) == 2);
  CHECK(take(queue) == 3);
}

TEST_CASE("destroying a queue wakes who waits, and buffers stay with their owners", "[tdt]") {
  Device device;
  Queue empty(2);
  Queue full(2);
  REQUIRE_ACL(put(full, 1));
  REQUIRE_ACL(put(full, 2));
  void* const buf = make_buffer(3);
  const uint32_t ids[] = {empty, full};
  std::atomic<int> started{0};
  std::vector<int64_t> results(4, 1);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      uint32_t permission = 0;
      ++started;
      switch (i) {
        case 0:
          results[i] = take(ids[0], -1);
          break;
        case 1:
          results[i] = -put(ids[1], 3, -1);
          break;
        case 2:
          results[i] = -acltdtEnqueue(ids[1], buf, -1);
          break;
        default:
          results[i] = -acltdtAttachQueue(ids[0], -1, &permission);
          break;
      }
    });
  }
  while (started < 4) std::this_thread::yield();
  if (GENERATE(true, false)) {
    REQUIRE_ACL(empty.destroy());
    REQUIRE_ACL(full.destroy());
  } else {
    REQUIRE_ACL(aclrtResetDevice(0));
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(results == std::vector<int64_t>(4, kNoQueue));
  REQUIRE_ACL(acltdtFreeBuf(buf));
}

TEST_CASE("several producers and consumers pass every buffer on exactly once", "[tdt]") {
  constexpr int kEach = 60;
  constexpr int kPairs = 3;
  Device device;
  Queue queue(2);
  const uint32_t id = queue;
  std::vector<std::atomic<int>> seen(kPairs * kEach);
  Problems problems;
  in_threads(2 * kPairs, [&](int t) {
    for (int i = 0; i < kEach; ++i) {
      if (t < kPairs) {
        EXPECT_ACL(problems, put(id, t * kEach + i, i % 2 == 0 ? -1 : 20'000));
      } else {
        const int64_t got = take(id, i % 2 == 0 ? -1 : 20'000);
        EXPECT_TRUE(problems, got >= 0);
        if (got >= 0) ++seen[static_cast<size_t>(got)];
      }
    }
  });
  CHECK(problems.text() == "");
  for (const auto& count : seen) CHECK(count == 1);
}

TEST_CASE("a queue can be granted to this process and attached by it", "[tdt]") {
  Device device;
  Queue queue;
  uint32_t permission = 0;
  CHECK_CODE(acltdtAttachQueue(queue, 0, &permission), ACL_ERROR_RT_NO_PERMISSION);
  CHECK_CODE(acltdtAttachQueue(queue, 2, &permission), ACL_ERROR_RT_NO_PERMISSION);
  const uint32_t both = ACL_TDT_QUEUE_PERMISSION_ENQUEUE | ACL_TDT_QUEUE_PERMISSION_DEQUEUE;
  aclError code = -1;
  std::thread waiting([&] { code = acltdtAttachQueue(queue, -1, &permission); });
  REQUIRE_ACL(acltdtGrantQueue(queue, getpid(), both, 0));
  waiting.join();
  REQUIRE_ACL(code);
  CHECK(permission == both);
  CHECK_CODE(acltdtAttachQueue(queue, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtAttachQueue(queue, -2, &permission), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtAttachQueue(queue + 1, 0, &permission), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(acltdtGrantQueue(queue, getpid(), 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGrantQueue(queue, getpid(), 8, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGrantQueue(queue, getpid(), 1, -2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGrantQueue(queue + 1, getpid(), 1, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(acltdtGrantQueue(queue, getpid() + 1, 1, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
