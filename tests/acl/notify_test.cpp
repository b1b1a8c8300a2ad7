// SPDX-License-Identifier: Apache-2.0
// Notifies, count notifies and values in memory: what streams wait for beside events.
#include "tests/acl/world.h"

using namespace world;

namespace {

class Notify {
 public:
  Notify() { REQUIRE_ACL(aclrtCreateNotify(&handle_, 0)); }
  ~Notify() { aclrtDestroyNotify(handle_); }
  Notify(const Notify&) = delete;
  Notify& operator=(const Notify&) = delete;
  operator aclrtNotify() const { return handle_; }

 private:
  aclrtNotify handle_ = nullptr;
};

class Counter {
 public:
  Counter() { REQUIRE_ACL(aclrtCntNotifyCreate(&handle_, 0)); }
  ~Counter() { aclrtCntNotifyDestroy(handle_); }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  operator aclrtCntNotify() const { return handle_; }

 private:
  aclrtCntNotify handle_ = nullptr;
};

aclError record(aclrtCntNotify counter, aclrtStream stream, int mode, std::uint32_t value) {
  aclrtCntNotifyRecordInfo info{static_cast<aclrtCntNotifyRecordMode>(mode), value};
  return aclrtCntNotifyRecord(counter, stream, &info);
}

aclError wait(aclrtCntNotify counter, aclrtStream stream, int mode, std::uint32_t value,
              bool clear = false, std::uint32_t timeout = 0) {
  aclrtCntNotifyWaitInfo info{};
  info.mode = static_cast<aclrtCntNotifyWaitMode>(mode);
  info.value = value;
  info.timeout = timeout;
  info.isClear = clear ? 1 : 0;
  return aclrtCntNotifyWaitWithTimeout(counter, stream, &info);
}

void join(aclrtStream stream) { REQUIRE_ACL(aclrtSynchronizeStream(stream)); }

}  // namespace

// ---- notifies
// --------------------------------------------------------------------------------------

TEST_CASE("a stream that waits for a notify starts after the record", "[notify]") {
  const Device device;
  const Stream a, b;
  const Notify notify;
  std::string order;
  REQUIRE_ACL(aclrtWaitAndResetNotify(notify, b, 0));
  launch(b, [&] { order += 'b'; });
  CHECK(query(b) == ACL_STREAM_STATUS_NOT_READY);
  launch(a, [&] { order += 'a'; });
  REQUIRE_ACL(aclrtRecordNotify(notify, a));
  join(b);
  CHECK(order == "ab");
}

TEST_CASE("a record before the wait is remembered, once", "[notify]") {
  const Device device;
  const Stream a, b;
  const Notify notify;
  REQUIRE_ACL(aclrtRecordNotify(notify, a));
  REQUIRE_ACL(aclrtRecordNotify(notify, a));
  join(a);
  REQUIRE_ACL(aclrtWaitAndResetNotify(notify, b, 0));
  join(b);
  REQUIRE_ACL(aclrtWaitAndResetNotify(notify, b, 1));
  CHECK_CODE(aclrtSynchronizeStream(b), ACL_ERROR_RT_WAIT_TIMEOUT);
}

TEST_CASE("notifies work between streams of two devices", "[notify]") {
  const Device first(0);
  const Stream a;
  const Notify notify;
  std::string order;
  const Context second(1);
  const Stream b;
  launch(b, [&] { order += 'b'; });
  REQUIRE_ACL(aclrtRecordNotify(notify, b));
  REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclrtWaitAndResetNotify(notify, a, 0));
  launch(a, [&] { order += 'a'; });
  join(a);
  CHECK(order == "ba");
  REQUIRE_ACL(aclrtResetDevice(0));
  second.use();
}

TEST_CASE("many rounds of notifies between two streams lose nothing", "[notify]") {
  const Device device;
  const Stream a, b;
  const Notify there, back;
  int number = 0;
  bool right = true;
  for (int i = 0; i < 500; ++i) {
    launch(a, [&number, &right, i] { right &= number++ == 2 * i; });
    REQUIRE_ACL(aclrtRecordNotify(there, a));
    REQUIRE_ACL(aclrtWaitAndResetNotify(back, a, 0));
    REQUIRE_ACL(aclrtWaitAndResetNotify(there, b, 0));
    launch(b, [&number, &right, i] { right &= number++ == 2 * i + 1; });
    REQUIRE_ACL(aclrtRecordNotify(back, b));
  }
  join(a);
  join(b);
  CHECK(right);
  CHECK(number == 1000);
}

TEST_CASE("notifies are cleared together by a batch reset", "[notify]") {
  const Device device;
  const Stream s;
  const Notify one, two;
  aclrtNotify both[] = {one, two};
  for (const aclrtNotify notify : both) REQUIRE_ACL(aclrtRecordNotify(notify, s));
  join(s);
  REQUIRE_ACL(aclrtNotifyBatchReset(both, 2));
  REQUIRE_ACL(aclrtWaitAndResetNotify(two, s, 1));
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_ERROR_RT_WAIT_TIMEOUT);
  CHECK_CODE(aclrtNotifyBatchReset(both, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtNotifyBatchReset(nullptr, 1), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a notify that is destroyed keeps what waits for it alive, and its handle is stale",
          "[notify]") {
  const Device device;
  const Stream a, b;
  Gate gate;
  aclrtNotify notify = nullptr;
  REQUIRE_ACL(aclrtCreateNotify(&notify, 0));
  gate.hold(a);
  REQUIRE_ACL(aclrtRecordNotify(notify, a));
  REQUIRE_ACL(aclrtWaitAndResetNotify(notify, b, 0));
  REQUIRE_ACL(aclrtDestroyNotify(notify));
  gate.open();
  join(b);
  CHECK_CODE(aclrtDestroyNotify(notify), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtRecordNotify(notify, a), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtWaitAndResetNotify(notify, a, 0), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("notifies refuse what is wrong", "[notify]") {
  aclrtNotify notify = nullptr;
  CHECK_CODE(aclrtCreateNotify(&notify, 0), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  const Stream s;
  const Event event;
  std::uint32_t id = 0, other = 0;
  CHECK_CODE(aclrtCreateNotify(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCreateNotify(&notify, 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(notify == nullptr);
  const Notify one, two;
  REQUIRE_ACL(aclrtGetNotifyId(one, &id));
  REQUIRE_ACL(aclrtGetNotifyId(two, &other));
  CHECK(id != other);
  CHECK_CODE(aclrtGetNotifyId(one, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRecordNotify(nullptr, s), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRecordNotify(event, s), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtWaitAndResetNotify(nullptr, s, 0), ACL_ERROR_INVALID_PARAM);
  const Context elsewhere(1);
  CHECK_CODE(aclrtRecordNotify(one, s), ACL_ERROR_RT_STREAM_CONTEXT);
}

// ---- count notifies
// --------------------------------------------------------------------------------

TEST_CASE("a count notify is set, added to, and changed bit by bit", "[notify][count]") {
  const Device device;
  const Stream s, t;
  const Counter counter;
  REQUIRE_ACL(record(counter, s, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 4));
  REQUIRE_ACL(wait(counter, s, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 4));
  REQUIRE_ACL(record(counter, s, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 0xffffffff));
  REQUIRE_ACL(wait(counter, s, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 3));  // 32 bits
  REQUIRE_ACL(record(counter, s, ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE, 8));
  REQUIRE_ACL(wait(counter, s, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 11));
  REQUIRE_ACL(wait(counter, s, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE, 9));
  REQUIRE_ACL(record(counter, s, ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE, 2));
  REQUIRE_ACL(wait(counter, s, ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 3));
  REQUIRE_ACL(wait(counter, s, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 1));
  REQUIRE_ACL(wait(counter, s, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 2, true));
  REQUIRE_ACL(wait(counter, s, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 0));  // was cleared
  join(s);
  REQUIRE_ACL(record(counter, s, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 7));
  REQUIRE_ACL(aclrtCntNotifyReset(counter, s));
  join(s);
  REQUIRE_ACL(wait(counter, t, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 0, false, 1));
  CHECK_CODE(aclrtSynchronizeStream(t), ACL_ERROR_RT_WAIT_TIMEOUT);
}

TEST_CASE("a count notify sets free every stream whose test it passes", "[notify][count]") {
  const Device device;
  const Stream source, low, high;
  const Counter counter;
  REQUIRE_ACL(wait(counter, low, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 1));
  REQUIRE_ACL(wait(counter, high, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 2));
  REQUIRE_ACL(record(counter, source, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1));
  join(low);
  CHECK(query(high) == ACL_STREAM_STATUS_NOT_READY);
  REQUIRE_ACL(record(counter, source, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1));
  join(high);
}

TEST_CASE("count notifies refuse what is wrong", "[notify][count]") {
  const Device device;
  const Stream s;
  const Counter counter;
  const Notify notify;
  std::uint32_t id = 0;
  aclrtCntNotify made = nullptr;
  CHECK_CODE(aclrtCntNotifyCreate(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCntNotifyCreate(&made, 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtCntNotifyRecord(counter, s, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCntNotifyWaitWithTimeout(counter, s, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(record(counter, s, 3, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(wait(counter, s, 5, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(record(notify, s, 0, 0), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtCntNotifyReset(nullptr, s), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCntNotifyDestroy(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtCntNotifyGetId(counter, &id));
  CHECK_CODE(aclrtCntNotifyGetId(counter, nullptr), ACL_ERROR_INVALID_PARAM);
}

// ---- values in memory
// ------------------------------------------------------------------------------

TEST_CASE("a stream writes a value in its order", "[value]") {
  const Device device;
  const Stream s;
  const DeviceMemory memory(16);
  store(memory.as<std::uint64_t>() + 1, std::uint64_t{0});
  Gate gate;
  gate.hold(s);
  REQUIRE_ACL(aclrtValueWrite(memory.as<std::uint64_t>() + 1, 0x1122334455667788, 0, s));
  CHECK(fetch<std::uint64_t>(memory.as<std::uint64_t>() + 1) == 0);
  gate.open();
  join(s);
  CHECK(fetch<std::uint64_t>(memory.as<std::uint64_t>() + 1) == 0x1122334455667788);
}

TEST_CASE("a stream waits for a value whoever writes it", "[value]") {
  const Device device;
  const Stream waiting, writing;
  const DeviceMemory memory(8), source(8);
  store(memory, std::uint64_t{0});
  store(source, std::uint64_t{5});
  bool passed = false;
  REQUIRE_ACL(aclrtValueWait(memory, 5, ACL_STREAM_WAIT_VALUE_EQ, waiting));
  launch(waiting, [&] { passed = true; });
  CHECK(query(waiting) == ACL_STREAM_STATUS_NOT_READY);
  SECTION("a value write of another stream") {
    REQUIRE_ACL(aclrtValueWrite(memory, 5, 0, writing));
  }
  SECTION("a copy of another stream") {
    REQUIRE_ACL(aclrtMemcpyAsync(memory, 8, source, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, writing));
  }
  SECTION("the host, by a copy") { store(memory, std::uint64_t{5}); }
  join(waiting);
  CHECK(passed);
}

TEST_CASE("each condition of a value wait holds where it says", "[value]") {
  const Device device;
  const Stream s;
  const DeviceMemory memory(8);
  struct Row {
    std::uint32_t flag;
    std::uint64_t wanted, no, yes;
  };
  const std::uint64_t top = ~std::uint64_t{0};
  for (const Row& row :
       {Row{ACL_STREAM_WAIT_VALUE_GEQ, 3, 2, 4},
        Row{ACL_STREAM_WAIT_VALUE_GEQ, top, top - 1, 1},  // signed difference
        Row{ACL_STREAM_WAIT_VALUE_EQ, 3, 4, 3}, Row{ACL_STREAM_WAIT_VALUE_AND, 6, 9, 2},
        Row{ACL_STREAM_WAIT_VALUE_NOR, 1, top, 0}}) {
    CAPTURE(row.flag);
    store(memory, row.no);
    REQUIRE_ACL(aclrtValueWait(memory, row.wanted, row.flag, s));
    CHECK_CODE(aclrtSynchronizeStreamWithTimeout(s, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    store(memory, row.yes);
    join(s);
  }
}

TEST_CASE("a value wait fails when its memory is freed", "[value]") {
  const Device device;
  const Stream s;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  store(memory, std::uint64_t{0});
  REQUIRE_ACL(aclrtValueWait(memory, 5, ACL_STREAM_WAIT_VALUE_EQ, s));
  REQUIRE_ACL(aclrtFree(memory));
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}

TEST_CASE("values refuse what is wrong", "[value]") {
  const Device device;
  const Stream s;
  const DeviceMemory memory(16);
  const HostMemory pinned(8);
  std::uint64_t host = 0;
  CHECK_CODE(aclrtValueWrite(nullptr, 0, 0, s), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtValueWrite(memory, 0, 1, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtValueWrite(&host, 0, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtValueWrite(pinned, 0, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtValueWrite(memory.as<>() + 4, 0, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtValueWrite(memory.as<>() + 16, 0, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtValueWait(nullptr, 0, 0, s), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtValueWait(memory, 0, 4, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtValueWait(&host, 0, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtValueWait(memory, 0, 0, memory), ACL_ERROR_RT_INVALID_HANDLE);
}
