// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"
#include "tests/support/child.h"

using namespace world;

namespace {

constexpr std::size_t kManagedPage = 4096;
constexpr std::size_t kManagedSize = 8 * kManagedPage;
constexpr std::int32_t kHostId = -1;
constexpr std::int32_t kNoId = -2;

class Managed {
 public:
  explicit Managed(std::size_t size = kManagedSize) {
    REQUIRE_ACL(aclrtMemAllocManaged(&address_, size, ACL_RT_MEM_ATTACH_GLOBAL));
  }
  ~Managed() { aclrtFree(address_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  operator void*() const { return address_; }
  template <class T = char>
  T* as() const {
    return static_cast<T*>(address_);
  }

 private:
  void* address_ = nullptr;
};

aclrtMemManagedLocation managed_on(std::int32_t id) { return {ACL_MEM_LOCATIONTYPE_DEVICE, id}; }
constexpr aclrtMemManagedLocation kHost{ACL_MEM_LOCATIONTYPE_HOST, 0};
constexpr aclrtMemManagedLocation kNowhere{ACL_MEM_LOCATIONTYPE_INVALID, 0};

std::int32_t attribute(int which, const void* address, std::size_t size = kManagedSize) {
  std::int32_t value = 0x55;
  REQUIRE_ACL(aclrtMemManagedGetAttr(static_cast<aclrtMemManagedRangeAttribute>(which), address,
                                     size, &value, sizeof value));
  return value;
}

std::vector<std::int32_t> accessed_by(const void* address, std::size_t room = 3,
                                      std::size_t size = kManagedSize) {
  std::vector<std::int32_t> ids(room, 0x55);
  REQUIRE_ACL(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, address, size, ids.data(),
                                     room * sizeof(std::int32_t)));
  return ids;
}

}  // namespace

TEST_CASE("host, kernels and copies share managed memory") {
  const Device device;
  const Stream stream;
  const Managed managed;
  const DeviceMemory memory(kManagedSize);
  managed.as<int>()[0] = 20;
  launch(stream, [value = managed.as<int>()] { *value += 1; });
  REQUIRE_ACL(aclrtMemcpyAsync(memory, kManagedSize, managed, kManagedSize,
                               ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(managed.as<int>()[0] == 21);
  CHECK(fetch<int>(memory) == 21);
  REQUIRE_ACL(aclrtMemset(memory, kManagedSize, 2, kManagedSize));
  REQUIRE_ACL(
      aclrtMemcpy(managed, kManagedSize, memory, kManagedSize, ACL_MEMCPY_DEVICE_TO_DEVICE));
  CHECK(managed.as()[kManagedSize - 1] == 2);
}

TEST_CASE("an asynchronous copy between two pieces of managed memory is a device's") {
  const Device device;
  const Stream stream;
  const Managed from;
  const Managed to;
  from.as()[9] = 9;
  to.as()[9] = 0;
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(
      aclrtMemcpyAsync(to, kManagedSize, from, kManagedSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  REQUIRE_ACL(aclrtMemsetAsync(from, kManagedSize, 4, kManagedSize, stream));
  CHECK(to.as()[9] == 0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(to.as()[9] == 9);
  CHECK(from.as()[9] == 4);
}

TEST_CASE("devices without access to each other share managed memory") {
  const Context first(0);
  const Managed managed;
  const DeviceMemory on_first(64);
  store(on_first, 12);
  REQUIRE_ACL(aclrtMemcpy(managed, 64, on_first, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  const Context second(1);
  const DeviceMemory on_second(64);
  REQUIRE_ACL(aclrtMemcpy(on_second, 64, managed, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  CHECK(fetch<int>(on_second) == 12);
}

TEST_CASE("managed memory says so and is freed as device memory is") {
  const Device device;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMemAllocManaged(&memory, 100, ACL_RT_MEM_ATTACH_GLOBAL));
  aclrtPtrAttributes attributes{};
  REQUIRE_ACL(aclrtPointerGetAttributes(static_cast<char*>(memory) + 50, &attributes));
  CHECK(attributes.location.type == ACL_MEM_LOCATION_TYPE_MANAGED);
  CHECK_CODE(aclrtMemset(memory, 200, 0, 200), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtFreeHost(memory), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtFree(static_cast<char*>(memory) + 8), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtFree(memory));
  CHECK_CODE(aclrtFree(memory), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("allocating managed memory is checked") {
  const Device device;
  void* memory = nullptr;
  CHECK_CODE(aclrtMemAllocManaged(nullptr, 64, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemAllocManaged(&memory, 64, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemAllocManaged(&memory, 64, 3), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemAllocManaged(&memory, 0, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemAllocManaged(&memory, std::uint64_t{1} << 60, 1),
             ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK(memory == nullptr);
  CHECK_CODE(in_thread([&] { return aclrtMemAllocManaged(&memory, 64, 1); }),
             ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("nothing is advised about fresh managed memory") {
  const Device device;
  const Managed managed;
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed) == 0);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed) == kNoId);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, managed) ==
        ACL_MEM_LOCATIONTYPE_INVALID);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, managed) == kNoId);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, managed) ==
        ACL_MEM_LOCATIONTYPE_INVALID);
  CHECK(accessed_by(managed) == std::vector<std::int32_t>(3, kNoId));
}

TEST_CASE("advice is remembered until it is taken back") {
  const Device device;
  const Managed managed;
  REQUIRE_ACL(
      aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  REQUIRE_ACL(aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION,
                                    managed_on(3)));
  for (const int id : {5, 1, 5}) {
    REQUIRE_ACL(aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_SET_ACCESSED_BY,
                                      managed_on(id)));
  }
  REQUIRE_ACL(aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_SET_ACCESSED_BY, kHost));
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed) == 1);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed) == 3);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, managed) ==
        ACL_MEM_LOCATIONTYPE_DEVICE);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, managed) == 3);
  CHECK(accessed_by(managed, 4) == std::vector<std::int32_t>{kHostId, 1, 5, kNoId});
  CHECK(accessed_by(managed, 1) == std::vector<std::int32_t>{kHostId});
  REQUIRE_ACL(
      aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_UNSET_READ_MOSTLY, kNowhere));
  REQUIRE_ACL(aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
                                    kNowhere));
  REQUIRE_ACL(aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_UNSET_ACCESSED_BY,
                                    managed_on(1)));
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed) == 0);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed) == kNoId);
  CHECK(accessed_by(managed) == std::vector<std::int32_t>{kHostId, 5, kNoId});
}

TEST_CASE("a range has an attribute where all of its pages have it") {
  const Device device;
  const Managed managed;
  // Advice for one byte applies to its page.
  REQUIRE_ACL(aclrtMemManagedAdvise(managed.as() + 2 * kManagedPage + 5, 1,
                                    ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  REQUIRE_ACL(aclrtMemManagedAdvise(managed.as() + 3 * kManagedPage, 2 * kManagedPage,
                                    ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed) == 0);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.as() + 2 * kManagedPage,
                  3 * kManagedPage) == 1);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.as() + 2 * kManagedPage,
                  3 * kManagedPage + 1) == 0);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.as() + 2 * kManagedPage - 1,
                  kManagedPage) == 0);
  REQUIRE_ACL(aclrtMemManagedAdvise(managed, kManagedPage, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION,
                                    managed_on(0)));
  REQUIRE_ACL(aclrtMemManagedAdvise(managed.as() + kManagedPage, kManagedPage,
                                    ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, managed_on(1)));
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed, 2 * kManagedPage) == kNoId);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed, kManagedPage) == 0);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed.as() + kManagedPage, 1) == 1);
}

TEST_CASE("what was advised goes with the memory") {
  const Device device;
  void* before = nullptr;
  {
    const Managed managed;
    before = managed;
    REQUIRE_ACL(
        aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  }
  const Managed managed;
  CHECK(before == static_cast<void*>(managed));
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed) == 0);
}

TEST_CASE("a prefetch takes its turn and is remembered at once") {
  const Device device;
  const Stream stream;
  const Managed managed;
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtMemManagedPrefetchAsync(managed, kManagedSize, managed_on(2), 0, stream));
  CHECK(stats().pendingTasks == 2);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, managed) == 2);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, managed) ==
        ACL_MEM_LOCATIONTYPE_DEVICE);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, managed) == 2);
  gate.open();
  REQUIRE_ACL(aclrtMemManagedPrefetchAsync(managed, kManagedSize, kHost, 0, stream));
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, managed) == kHostId);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("a batch of prefetches has a location for each run of pieces") {
  const Device device;
  const Stream stream;
  const Managed first;
  const Managed second;
  const Managed third;
  const void* pointers[] = {first, second, third};
  std::size_t sizes[] = {kManagedSize, kManagedSize, kManagedPage};
  aclrtMemManagedLocation locations[] = {managed_on(4), kHost};
  std::size_t starts[] = {0, 2};
  const auto prefetch = [&](std::size_t count, std::size_t runs) {
    return aclrtMemManagedPrefetchBatchAsync(pointers, sizes, count, locations, starts, runs, 0,
                                             stream);
  };
  REQUIRE_ACL(prefetch(3, 2));
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, first) == 4);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, second) == 4);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, third, kManagedPage) == kHostId);
  CHECK(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, third) == kNoId);
  CHECK_CODE(prefetch(0, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(prefetch(3, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(prefetch(1, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(prefetch(2, 2), ACL_ERROR_INVALID_PARAM);
  starts[0] = 1;
  CHECK_CODE(prefetch(3, 2), ACL_ERROR_INVALID_PARAM);
  starts[0] = 0;
  locations[1] = managed_on(99);
  CHECK_CODE(prefetch(3, 2), ACL_ERROR_RT_INVALID_DEVICEID);
  locations[1] = kHost;
  sizes[2] = kManagedSize + 1;
  CHECK_CODE(prefetch(3, 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemManagedPrefetchBatchAsync(nullptr, sizes, 3, locations, starts, 2, 0, stream),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(
      aclrtMemManagedPrefetchBatchAsync(pointers, nullptr, 3, locations, starts, 2, 0, stream),
      ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemManagedPrefetchBatchAsync(pointers, sizes, 3, nullptr, starts, 2, 0, stream),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(
      aclrtMemManagedPrefetchBatchAsync(pointers, sizes, 3, locations, nullptr, 2, 0, stream),
      ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemManagedPrefetchBatchAsync(pointers, sizes, 3, locations, starts, 2, 1, stream),
             ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("advice and prefetches are checked") {
  const Device device;
  const Managed managed;
  const DeviceMemory plain(kManagedSize);
  const auto advise = [&](const void* at, std::size_t size, int advice,
                          aclrtMemManagedLocation location) {
    return aclrtMemManagedAdvise(at, size, static_cast<aclrtMemManagedAdviseType>(advice),
                                 location);
  };
  CHECK_CODE(advise(nullptr, kManagedSize, 0, kHost), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(advise(managed, 0, 0, kHost), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(advise(managed, kManagedSize + 1, 0, kHost), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(advise(plain, kManagedSize, 0, kHost), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(advise(&device, 1, 0, kHost), ACL_ERROR_RT_PARAM_INVALID);
  for (const int advice : {6, -1, 100}) {
    CHECK_CODE(advise(managed, kManagedSize, advice, kHost), ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK_CODE(advise(managed, kManagedSize, 2, managed_on(8)), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(advise(managed, kManagedSize, 2, kNowhere), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(advise(managed, kManagedSize, 2, {ACL_MEM_LOCATIONTYPE_HOST_NUMA, -1}),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(advise(managed, kManagedSize, 4, {ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT, 0}),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemManagedPrefetchAsync(managed, kManagedSize, kHost, 1, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemManagedPrefetchAsync(nullptr, kManagedSize, kHost, 0, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemManagedPrefetchAsync(plain, kManagedSize, kHost, 0, nullptr),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemManagedPrefetchAsync(managed, kManagedSize, kNowhere, 0, nullptr),
             ACL_ERROR_RT_PARAM_INVALID);
  const Event not_a_stream;
  CHECK_CODE(aclrtMemManagedPrefetchAsync(managed, kManagedSize, kHost, 0, not_a_stream),
             ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(in_thread([&] { return advise(managed, kManagedSize, 0, kHost); }),
             ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("asking for attributes of managed memory is checked") {
  const Device device;
  const Managed managed;
  std::int32_t value = 0;
  std::int32_t ids[2] = {};
  const auto get = [&](int which, const void* at, std::size_t size, void* data,
                       std::size_t data_size) {
    return aclrtMemManagedGetAttr(static_cast<aclrtMemManagedRangeAttribute>(which), at, size, data,
                                  data_size);
  };
  CHECK_CODE(get(1, nullptr, kManagedSize, &value, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(get(1, managed, 0, &value, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(get(1, managed, kManagedSize, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(get(1, managed, kManagedSize, &value, 8), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(get(3, managed, kManagedSize, ids, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(get(3, managed, kManagedSize, ids, 7), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(get(0, managed, kManagedSize, &value, 4), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(get(9, managed, kManagedSize, &value, 4), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(get(1, &value, 4, &value, 4), ACL_ERROR_RT_PARAM_INVALID);

  aclrtMemManagedRangeAttribute which[] = {ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                           ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY};
  void* data[] = {&value, ids};
  std::size_t sizes[] = {sizeof value, sizeof ids};
  REQUIRE_ACL(
      aclrtMemManagedAdvise(managed, kManagedSize, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  REQUIRE_ACL(aclrtMemManagedGetAttrs(which, 2, managed, kManagedSize, data, sizes));
  CHECK(value == 1);
  CHECK(ids[0] == kNoId);
  CHECK(ids[1] == kNoId);
  CHECK_CODE(aclrtMemManagedGetAttrs(which, 0, managed, kManagedSize, data, sizes),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemManagedGetAttrs(nullptr, 2, managed, kManagedSize, data, sizes),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemManagedGetAttrs(which, 2, managed, kManagedSize, nullptr, sizes),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemManagedGetAttrs(which, 2, managed, kManagedSize, data, nullptr),
             ACL_ERROR_INVALID_PARAM);
}

CHILD_PROGRAM(use_managed_memory_under_guard) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  void* managed = nullptr;
  CHILD_EXPECT_CODE(aclrtMemAllocManaged(&managed, 4096, ACL_RT_MEM_ATTACH_GLOBAL), ACL_SUCCESS);
  int* const number = static_cast<int*>(managed);
  *number = 1;
  CHILD_EXPECT_CODE(world::try_launch(nullptr, [=] { *number += 1; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT(*number == 2);
  return 0;
}

TEST_CASE("a host that may not touch device memory may touch managed memory") {
  const auto child =
      support::run_child("use_managed_memory_under_guard", {{"ACLSIM_HOST_ACCESS", "guard"}});
  INFO(child.output);
  CHECK(child.clean());
}
