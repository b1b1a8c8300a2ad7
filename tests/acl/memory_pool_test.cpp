// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt_memory_soma.h"
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::size_t kPoolSize = 4096;
constexpr auto kThreshold = ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD;
constexpr auto kReserved = ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT;
constexpr auto kReservedHigh = ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH;
constexpr auto kUsed = ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT;
constexpr auto kUsedHigh = ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH;
constexpr auto kFollowEvents = ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES;
constexpr auto kOpportunistic = ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC;
constexpr auto kInternal = ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES;

aclrtMemPoolProps props_of(std::uint32_t device, std::size_t most = 0) {
  aclrtMemPoolProps props{};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  props.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
  props.maxSize = most;
  return props;
}

class Pool {
 public:
  explicit Pool(std::size_t most = 0, std::uint32_t device = 0) {
    const auto props = props_of(device, most);
    REQUIRE_ACL(aclrtMemPoolCreate(&handle_, &props));
  }
  ~Pool() {
    if (handle_ != nullptr) aclrtMemPoolDestroy(handle_);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  operator aclrtMemPool() const { return handle_; }
  aclrtMemPool release() { return std::exchange(handle_, nullptr); }

  /// No synchronisation releases idle blocks.
  Pool& keep_all() {
    set(kThreshold, UINT64_MAX);
    return *this;
  }
  void set(aclrtMemPoolAttr attribute, std::uint64_t value) const {
    REQUIRE_ACL(aclrtMemPoolSetAttr(handle_, attribute, &value));
  }
  std::uint64_t get(aclrtMemPoolAttr attribute) const {
    std::uint64_t value = 0;
    REQUIRE_ACL(aclrtMemPoolGetAttr(handle_, attribute, &value));
    return value;
  }
  void* take(aclrtStream stream, std::size_t size = kPoolSize) const {
    void* pointer = nullptr;
    REQUIRE_ACL(aclrtMemPoolMallocAsync(&pointer, size, handle_, stream));
    REQUIRE(pointer != nullptr);
    return pointer;
  }

 private:
  aclrtMemPool handle_ = nullptr;
};

void give(void* pointer, aclrtStream stream) {
  REQUIRE_ACL(aclrtMemPoolFreeAsync(pointer, stream));
}

void wait_for(aclrtStream stream, aclrtStream other) {
  const Event event = Event::ex();
  REQUIRE_ACL(aclrtRecordEvent(event, other));
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, event));
}

}  // namespace

TEST_CASE("a block of a pool is device memory for later work of the stream") {
  const Device device;
  const Stream stream;
  const Pool pool;
  void* const block = pool.take(stream);
  REQUIRE_ACL(aclrtMemsetAsync(block, kPoolSize, 3, kPoolSize, stream));
  launch(stream, [at = static_cast<char*>(block)] { at[kPoolSize - 1] += 1; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<char>(static_cast<char*>(block) + kPoolSize - 1) == 4);
  aclrtPtrAttributes attributes{};
  REQUIRE_ACL(aclrtPointerGetAttributes(block, &attributes));
  CHECK(attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE);
  CHECK(pool.get(kUsed) == kPoolSize);
  CHECK(pool.get(kReserved) == kPoolSize);
  give(block, stream);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(pool.get(kUsed) == 0);
}

TEST_CASE("a stream gets what it gave back at once") {
  const Device device;
  const Stream stream;
  const Pool pool;
  Gate gate;
  gate.hold(stream);
  void* const block = pool.take(stream);
  for (int i = 0; i < 5; ++i) {
    give(block, stream);
    CHECK(pool.take(stream, kPoolSize - 64) == block);
  }
  CHECK(pool.get(kReserved) == kPoolSize);
  give(block, stream);
  void* const large = pool.take(stream, 2 * kPoolSize);
  CHECK(large != block);
  void* const small = pool.take(stream, kPoolSize / 4);
  CHECK(small != block);  // too much would be wasted
  give(large, stream);
  give(small, stream);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("another stream gets a block only when the giving back has run") {
  const Device device;
  const Stream first;
  const Stream second;
  Pool pool;
  pool.keep_all();
  Gate gate;
  gate.hold(first);
  void* const block = pool.take(first);
  give(block, first);
  void* const other = pool.take(second);
  CHECK(other != block);
  give(other, second);
  CHECK(pool.take(second) == other);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  CHECK(pool.take(second) == block);
  give(block, second);
  give(other, second);
}

TEST_CASE("without opportunism another stream never gets what was only given back") {
  const Device device;
  const Stream first;
  const Stream second;
  Pool pool;
  pool.keep_all().set(kOpportunistic, 0);
  void* const block = pool.take(first);
  give(block, first);
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  void* const other = pool.take(second);
  CHECK(other != block);
  CHECK(pool.take(first) == block);
  give(block, first);
  give(other, second);
}

TEST_CASE("an event behind the giving back orders the block") {
  const Device device;
  const Stream first;
  const Stream second;
  const Stream third;
  Pool pool;
  Gate gate;
  gate.hold(first);
  void* const block = pool.take(first);
  SECTION("directly") {
    give(block, first);
    wait_for(second, first);
    CHECK(pool.take(second) == block);
  }
  SECTION("through a stream between") {
    give(block, first);
    wait_for(third, first);
    wait_for(second, third);
    CHECK(pool.take(second) == block);
  }
  SECTION("but not before it") {
    wait_for(second, first);
    give(block, first);
    CHECK(pool.take(second) != block);
  }
  SECTION("but not for others") {
    give(block, first);
    wait_for(second, first);
    CHECK(pool.take(third) != block);
  }
  SECTION("but not when the pool does not follow events") {
    pool.set(kFollowEvents, 0);
    give(block, first);
    wait_for(second, first);
    CHECK(pool.take(second) != block);
  }
  gate.open();
}

TEST_CASE("a pool that may not grow makes a stream wait for a block") {
  const Device device;
  const Stream first;
  const Stream second;
  const Pool pool(kPoolSize);
  Gate gate;
  gate.hold(first);
  void* const block = pool.take(first);
  launch(first, [at = static_cast<char*>(block)] { at[0] = 1; });
  give(block, first);
  REQUIRE(pool.take(second) == block);
  launch(second, [at = static_cast<char*>(block)] { at[0] = 2; });
  CHECK(query(second) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(fetch<char>(block) == 2);
  give(block, second);
}

TEST_CASE("a pool that may neither grow nor wait is full") {
  const Device device;
  const Stream first;
  const Stream second;
  const Pool pool(kPoolSize);
  pool.set(kInternal, 0);
  Gate gate;
  gate.hold(first);
  void* block = pool.take(first);
  void* other = block;
  CHECK_CODE(aclrtMemPoolMallocAsync(&other, 64, pool, first), ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK(other == nullptr);
  give(block, first);
  CHECK_CODE(aclrtMemPoolMallocAsync(&other, 64, pool, second), ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK_CODE(aclrtMemPoolMallocAsync(&other, kPoolSize + 1, pool, first),
             ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK(pool.take(first, 64) == block);  // wasteful, but there is no other
  give(block, first);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  // The finished block makes room for one of another size.
  void* const fits = pool.take(second, 512);
  give(fits, second);
  CHECK_CODE(aclrtMemPoolMallocAsync(&other, SIZE_MAX - 5, pool, first),
             ACL_ERROR_RT_MEMORY_ALLOCATION);
}

TEST_CASE("memory beyond the threshold goes with the next synchronisation") {
  const Device device;
  const Stream stream;
  const Pool pool;
  void* blocks[3];
  const auto take_and_give_all = [&] {
    for (void*& block : blocks) block = pool.take(stream);
    for (void* const block : blocks) give(block, stream);
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
  };
  take_and_give_all();
  CHECK(pool.get(kReserved) == 0);
  CHECK(stats().deviceAllocations == 0);
  pool.set(kThreshold, 2 * kPoolSize);
  take_and_give_all();
  CHECK(pool.get(kReserved) == 2 * kPoolSize);
  pool.set(kThreshold, UINT64_MAX);
  take_and_give_all();
  CHECK(pool.get(kReserved) == 3 * kPoolSize);
  CHECK(stats().deviceAllocations == 3);
  REQUIRE_ACL(aclrtMemPoolTrimTo(pool, kPoolSize));
  CHECK(pool.get(kReserved) == kPoolSize);
  REQUIRE_ACL(aclrtMemPoolTrimTo(pool, 0));
  CHECK(pool.get(kReserved) == 0);
}

TEST_CASE("what is not free yet is not released") {
  const Device device;
  const Stream stream;
  const Stream other;
  const Pool pool;
  Gate gate;
  gate.hold(stream);
  void* const pending = pool.take(stream);
  void* const live = pool.take(other);
  give(pending, stream);
  REQUIRE_ACL(aclrtMemPoolTrimTo(pool, 0));
  REQUIRE_ACL(aclrtSynchronizeStream(other));
  CHECK(pool.get(kReserved) == 2 * kPoolSize);
  CHECK(pool.get(kUsed) == kPoolSize);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(pool.get(kReserved) == kPoolSize);
  give(live, other);
}

TEST_CASE("a pool counts what it holds, now and at most") {
  const Device device;
  const Stream stream;
  const Pool pool;
  void* const first = pool.take(stream);
  void* const second = pool.take(stream, 100);
  CHECK(pool.get(kUsed) == kPoolSize + 512);
  give(first, stream);
  give(second, stream);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(pool.get(kUsed) == 0);
  CHECK(pool.get(kUsedHigh) == kPoolSize + 512);
  CHECK(pool.get(kReservedHigh) == kPoolSize + 512);
  pool.set(kUsedHigh, 0);
  pool.set(kReservedHigh, 0);
  CHECK(pool.get(kUsedHigh) == 0);
  CHECK(pool.get(kReservedHigh) == 0);
}

TEST_CASE("memory that was given back may not be used, nor more than was asked for") {
  const Device device;
  const Stream stream;
  const Pool pool;
  void* const block = pool.take(stream, 100);
  CHECK_CODE(aclrtMemset(block, 101, 0, 101), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemset(static_cast<char*>(block) + 200, 4, 0, 4), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtMemset(block, 100, 0, 100));
  give(block, stream);
  CHECK_CODE(aclrtMemset(block, 100, 0, 100), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(pool.take(stream, 300) == block);
  REQUIRE_ACL(aclrtMemset(block, 300, 0, 300));
  give(block, stream);
}

TEST_CASE("aclrtFree gives a block back at once") {
  const Device device;
  const Stream first;
  const Stream second;
  const Pool pool;
  Gate gate;
  gate.hold(first);
  void* const block = pool.take(first);
  REQUIRE_ACL(aclrtFree(block));
  CHECK_CODE(aclrtFree(block), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemPoolFreeAsync(block, first), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(pool.get(kUsed) == 0);
  CHECK(pool.take(second) == block);
  give(block, second);
}

TEST_CASE("blocks outlive their pool") {
  const Device device;
  const Stream stream;
  Pool pool;
  void* const live = pool.take(stream);
  void* const idle = pool.take(stream);
  give(idle, stream);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  Gate gate;
  gate.hold(stream);
  void* const pending = pool.take(stream);
  give(pending, stream);
  const aclrtMemPool gone = pool.release();
  REQUIRE_ACL(aclrtMemPoolDestroy(gone));
  CHECK_CODE(aclrtMemPoolDestroy(gone), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclrtMemset(live, kPoolSize, 1, kPoolSize));
  give(live, stream);
  CHECK(stats().deviceAllocations == 2);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(stats().deviceAllocations == 0);
}

TEST_CASE("pools end with their device") {
  Pool* pool = nullptr;
  {
    const Device device;
    const Stream stream;
    pool = new Pool;
    pool->take(stream);
    give(pool->take(stream), stream);
  }
  CHECK(stats().deviceAllocations == 0);
  CHECK(stats().otherHandles == 0);
  CHECK_CODE(aclrtMemPoolDestroy(pool->release()), ACL_ERROR_RT_INVALID_HANDLE);
  delete pool;
}

TEST_CASE("a block of an aborted stream comes back when nothing runs on it") {
  const Device device;
  const Stream stream;
  const Stream other;
  Pool pool;
  pool.keep_all();
  Gate gate;
  gate.hold(stream);
  void* const block = pool.take(stream);
  give(block, stream);
  REQUIRE_ACL(aclrtStreamAbort(stream));
  void* const fresh = pool.take(stream);
  CHECK(fresh != block);
  give(fresh, stream);
  gate.open();
  CHECK(eventually([&] {
    void* const taken = pool.take(other);
    give(taken, other);
    return taken == block;
  }));
}

TEST_CASE("pools take no part in graphs") {
  const Device device;
  const Stream stream;
  const Pool pool;
  void* const block = pool.take(stream);
  REQUIRE_ACL(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  void* other = block;
  CHECK_CODE(aclrtMemPoolMallocAsync(&other, kPoolSize, pool, stream),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK(other == nullptr);
  CHECK_CODE(aclrtMemPoolFreeAsync(block, stream), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(stream, &model));
  REQUIRE_ACL(aclmdlRIDestroy(model));
  give(block, stream);
}

TEST_CASE("pools of devices do not mix") {
  const Context first(0);
  const Stream on_first;
  const Context second(1);
  const Stream on_second;
  const Pool pool(0, 1);
  void* block = nullptr;
  {
    const Within within(first);
    CHECK_CODE(aclrtMemPoolMallocAsync(&block, kPoolSize, pool, on_first),
               ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtMemPoolMallocAsync(&block, kPoolSize, pool, on_second),
               ACL_ERROR_RT_STREAM_CONTEXT);
  }
  block = pool.take(on_second);
  aclrtPtrAttributes attributes{};
  REQUIRE_ACL(aclrtPointerGetAttributes(block, &attributes));
  CHECK(attributes.location.id == 1);
  give(block, on_second);
  REQUIRE_ACL(aclrtSynchronizeStream(on_second));
}

TEST_CASE("no two owners have a block at a time, with many threads and streams") {
  const Device device;
  const aclrtContext context = current_context();
  const Pool pool(6 * kPoolSize);
  const Stream shared;
  Problems problems;
  std::atomic<int> wrong{0};
  in_threads(4, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    aclrtStream own = nullptr;
    EXPECT_ACL(problems, aclrtCreateStream(&own));
    for (int i = 0; i < 100; ++i) {
      const aclrtStream stream = t == 0 && i % 2 == 0 ? static_cast<aclrtStream>(shared) : own;
      void* block = nullptr;
      const aclError code = aclrtMemPoolMallocAsync(&block, kPoolSize, pool, stream);
      if (code == ACL_ERROR_RT_MEMORY_ALLOCATION) continue;
      problems.expect(code, ACL_SUCCESS, "allocate");
      int* const number = static_cast<int*>(block);
      const int mark = t * 1000 + i;
      problems.expect(try_launch(stream, [=] { *number = mark; }), ACL_SUCCESS, "write");
      problems.expect(try_launch(stream, [=, &wrong] { wrong += *number != mark; }), ACL_SUCCESS,
                      "read");
      EXPECT_ACL(problems, aclrtMemPoolFreeAsync(block, stream));
    }
    EXPECT_ACL(problems, aclrtSynchronizeStream(own));
    EXPECT_ACL(problems, aclrtDestroyStream(own));
  });
  REQUIRE_ACL(aclrtSynchronizeStream(shared));
  CHECK(problems.text().empty());
  CHECK(wrong == 0);
  CHECK(pool.get(kUsed) == 0);
}

TEST_CASE("reuse can be allowed and forbidden") {
  const Device device;
  const Pool pool;
  for (const auto attribute : {kFollowEvents, kOpportunistic, kInternal}) {
    std::int32_t value = 7;
    REQUIRE_ACL(aclrtMemPoolGetAttr(pool, attribute, &value));
    CHECK(value == 1);
    value = 0;
    REQUIRE_ACL(aclrtMemPoolSetAttr(pool, attribute, &value));
    value = 7;
    REQUIRE_ACL(aclrtMemPoolGetAttr(pool, attribute, &value));
    CHECK(value == 0);
  }
  CHECK(pool.get(kThreshold) == 0);
}

TEST_CASE("pools are checked") {
  const Device device;
  const Stream stream;
  aclrtMemPool pool = nullptr;
  const auto create = [&](auto change) {
    aclrtMemPoolProps props = props_of(0);
    change(props);
    return aclrtMemPoolCreate(&pool, &props);
  };
  using Props = aclrtMemPoolProps&;
  CHECK_CODE(aclrtMemPoolCreate(&pool, nullptr), ACL_ERROR_INVALID_PARAM);
  const auto good = props_of(0);
  CHECK_CODE(aclrtMemPoolCreate(nullptr, &good), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(create([](Props p) { p.allocType = static_cast<aclrtMemAllocationType>(1); }),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(create([](Props p) { p.location.type = ACL_MEM_LOCATION_TYPE_HOST; }),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(create([](Props p) { p.reserved[31] = 1; }), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(create([](Props p) { p.handleType = ACL_MEM_HANDLE_TYPE_POSIX; }),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(create([](Props p) { p.location.id = 8; }), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK(in_thread([&] { return create([](Props) {}); }) == ACL_ERROR_RT_CONTEXT_NULL);
  REQUIRE_ACL(create([](Props) {}));
  void* block = &pool;
  CHECK_CODE(aclrtMemPoolMallocAsync(nullptr, 64, pool, stream), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolMallocAsync(&block, 64, nullptr, stream), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolMallocAsync(&block, 64, pool, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolMallocAsync(&block, 64, stream, stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtMemPoolMallocAsync(&block, 64, pool, pool), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(block == nullptr);
  CHECK_CODE(aclrtMemPoolMallocAsync(&block, 0, pool, stream), ACL_SUCCESS);
  CHECK(block == nullptr);
  const DeviceMemory plain(64);
  REQUIRE_ACL(aclrtMemPoolMallocAsync(&block, 64, pool, stream));
  CHECK_CODE(aclrtMemPoolFreeAsync(nullptr, stream), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolFreeAsync(block, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolFreeAsync(block, pool), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtMemPoolFreeAsync(static_cast<char*>(block) + 8, stream),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemPoolFreeAsync(plain, stream), ACL_ERROR_RT_PARAM_INVALID);
  give(block, stream);
  CHECK_CODE(aclrtMemPoolFreeAsync(block, stream), ACL_ERROR_RT_PARAM_INVALID);
  std::uint64_t value = 5;
  const auto attribute = [](int number) { return static_cast<aclrtMemPoolAttr>(number); };
  for (const int bad : {0, 9, -1}) {
    CHECK_CODE(aclrtMemPoolGetAttr(pool, attribute(bad), &value), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtMemPoolSetAttr(pool, attribute(bad), &value), ACL_ERROR_RT_PARAM_INVALID);
  }
  for (const auto bad : {kReserved, kUsed, kUsedHigh, kReservedHigh}) {
    CHECK_CODE(aclrtMemPoolSetAttr(pool, bad, &value), ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK_CODE(aclrtMemPoolGetAttr(pool, kUsed, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolSetAttr(pool, kThreshold, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolGetAttr(nullptr, kUsed, &value), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolTrimTo(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemPoolDestroy(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtMemPoolDestroy(pool));
  CHECK_CODE(aclrtMemPoolGetAttr(pool, kUsed, &value), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtMemPoolTrimTo(pool, 0), ACL_ERROR_RT_INVALID_HANDLE);
}
