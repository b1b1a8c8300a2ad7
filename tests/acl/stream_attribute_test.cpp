// SPDX-License-Identifier: Apache-2.0
// Queries and settings of a stream.
#include <atomic>
#include <mutex>
#include <vector>

#include "tests/acl/world.h"
#include "tests/support/child.h"

using namespace world;

namespace {

aclError set(aclrtStream stream, aclrtStreamAttr attribute, std::uint64_t value) {
  aclrtStreamAttrValue wrapped{};
  wrapped.failureMode = value;  // the widest member
  return aclrtSetStreamAttribute(stream, attribute, &wrapped);
}

std::uint64_t get(aclrtStream stream, aclrtStreamAttr attribute) {
  aclrtStreamAttrValue value;
  std::memset(&value, 0xff, sizeof value);
  REQUIRE_ACL(aclrtGetStreamAttribute(stream, attribute, &value));
  return value.failureMode;
}

const aclrtStreamAttr attributes[] = {
    ACL_STREAM_ATTR_FAILURE_MODE, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG, ACL_STREAM_ATTR_CACHE_OP_INFO, ACL_STREAM_ATTR_PRIORITY};

std::uint32_t priority_of(aclrtStream stream) {
  std::uint32_t priority = 99;
  REQUIRE_ACL(aclrtStreamGetPriority(stream, &priority));
  return priority;
}

}  // namespace

// ---- priority and flags
// ----------------------------------------------------------------------------

TEST_CASE("a stream tells its priority, clamped to what there is, and its flags") {
  const Device device;
  for (const auto& [given, kept] :
       {std::pair{0U, 0U}, {3U, 3U}, {7U, 7U}, {8U, 7U}, {0xffffffffU, 7U}}) {
    const Stream stream(given, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC);
    CHECK(priority_of(stream) == kept);
    std::uint32_t flags = 0;
    REQUIRE_ACL(aclrtStreamGetFlags(stream, &flags));
    CHECK(flags == (ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
  }
  CHECK(priority_of(nullptr) == 0);  // the default stream
}

TEST_CASE("priorities reach from 7, the least, to 0") {
  std::int32_t least = -1;
  std::int32_t greatest = -1;
  REQUIRE_ACL(aclrtDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least == 7);
  CHECK(greatest == 0);
  least = greatest = -1;
  REQUIRE_ACL(aclrtDeviceGetStreamPriorityRange(&least, nullptr));
  REQUIRE_ACL(aclrtDeviceGetStreamPriorityRange(nullptr, &greatest));
  REQUIRE_ACL(aclrtDeviceGetStreamPriorityRange(nullptr, nullptr));
  CHECK(least == 7);
  CHECK(greatest == 0);
}

// ---- attributes
// ------------------------------------------------------------------------------------

TEST_CASE("attributes of a fresh stream are off") {
  const Device device;
  const Stream stream(4, 0);
  for (const aclrtStreamAttr attribute : attributes) {
    CHECK(get(stream, attribute) == (attribute == ACL_STREAM_ATTR_PRIORITY ? 4U : 0U));
  }
}

TEST_CASE("attributes keep what is set, each stream its own") {
  const Device device;
  const Stream stream;
  const Stream other;
  REQUIRE_ACL(set(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, 1));
  REQUIRE_ACL(set(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, 0xdeadbeefU));
  REQUIRE_ACL(set(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, 1));
  REQUIRE_ACL(set(stream, ACL_STREAM_ATTR_PRIORITY, 6));
  CHECK(get(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK) == 1);
  CHECK(get(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG) == 0xdeadbeefU);
  CHECK(get(stream, ACL_STREAM_ATTR_CACHE_OP_INFO) == 1);
  CHECK(get(stream, ACL_STREAM_ATTR_PRIORITY) == 6);
  CHECK(priority_of(stream) == 6);
  for (const aclrtStreamAttr attribute : attributes) CHECK(get(other, attribute) == 0);
  for (const aclrtStreamAttr attribute : attributes) CHECK(get(nullptr, attribute) == 0);
  REQUIRE_ACL(set(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, 0));
  CHECK(get(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK) == 0);
}

TEST_CASE("the failure mode is an attribute, and as sticky as by its own call") {
  const Device device;
  {
    const Context context;
    const Stream stream;
    REQUIRE_ACL(set(stream, ACL_STREAM_ATTR_FAILURE_MODE, ACL_STOP_ON_FAILURE));
    CHECK(get(stream, ACL_STREAM_ATTR_FAILURE_MODE) == ACL_STOP_ON_FAILURE);
    CHECK_CODE(set(stream, ACL_STREAM_ATTR_FAILURE_MODE, ACL_CONTINUE_ON_FAILURE),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    bool ran = false;
    launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
    try_launch(stream, [&] { ran = true; });
    CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
    CHECK_FALSE(ran);
  }
  const Device again;
}

TEST_CASE("an aborted stream keeps its attributes") {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(set(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, 11));
  REQUIRE_ACL(set(stream, ACL_STREAM_ATTR_PRIORITY, 2));
  REQUIRE_ACL(aclrtStreamAbort(stream));
  CHECK(get(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG) == 11);
  CHECK(priority_of(stream) == 2);
}

// One record releases streams that wait, the least urgent of them first. No host thread runs what
// they do. A busy machine may get a second worker for a while: most rounds count, not all.
CHILD_PROGRAM(released_by_one_record) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  const std::uint32_t priorities[] = {7, 3, 5, 0, 1};
  aclrtStream streams[5];
  for (int s = 0; s < 5; ++s) {
    CHILD_EXPECT_CODE(aclrtCreateStreamWithConfig(&streams[s], priorities[s], 0), ACL_SUCCESS);
  }
  constexpr int kRounds = 20;
  int in_order = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::mutex mutex;
    std::vector<std::uint32_t> ran;
    std::atomic<std::size_t> count{0};
    aclrtEvent released = nullptr;
    CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&released, ACL_EVENT_SYNC), ACL_SUCCESS);
    for (int s = 0; s < 5; ++s) {
      CHILD_EXPECT_CODE(aclrtStreamWaitEvent(streams[s], released), ACL_SUCCESS);
      const auto work = [&, priority = priorities[s]] {
        const std::lock_guard guard(mutex);
        ran.push_back(priority);
        ++count;
      };
      CHILD_EXPECT_CODE(try_launch(streams[s], work), ACL_SUCCESS);
      CHILD_EXPECT_CODE(aclrtSynchronizeStreamWithTimeout(streams[s], 1),
                        ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);  // it is parked at its wait now
    }
    CHILD_EXPECT_CODE(aclrtRecordEvent(released, nullptr), ACL_SUCCESS);
    CHILD_EXPECT(eventually([&] { return count == 5; }));
    CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_SUCCESS);
    if (ran == std::vector<std::uint32_t>{0, 1, 3, 5, 7}) ++in_order;
    CHILD_EXPECT_CODE(aclrtDestroyEvent(released), ACL_SUCCESS);
  }
  CHILD_EXPECT(in_order > kRounds / 2);
  return 0;
}

TEST_CASE("of the streams that are ready the one of the highest priority goes first") {
  const auto child = support::run_child("released_by_one_record",
                                        {{"ACLSIM_WORKERS", "1"}, {"ACLSIM_SCHEDULE", ""}});
  INFO(child.output);
  CHECK(child.clean());
}

TEST_CASE("a priority may change while the stream is busy") {
  const Device device;
  std::vector<Stream> streams(4);
  std::vector<int> counts(4, 0);
  for (int round = 0; round < 50; ++round) {
    for (std::size_t s = 0; s < streams.size(); ++s) {
      launch(streams[s], [&count = counts[s]] { ++count; });
      REQUIRE_ACL(
          set(streams[s], ACL_STREAM_ATTR_PRIORITY, (s + static_cast<unsigned>(round)) % 8));
    }
  }
  REQUIRE_ACL(aclrtSynchronizeDevice());
  for (const int count : counts) CHECK(count == 50);
}

TEST_CASE("attributes are known, in range, and of a stream that lives") {
  aclrtStreamAttrValue value{};
  CHECK_CODE(aclrtSetStreamAttribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value),
             ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value),
             ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  const Stream stream;
  for (const aclrtStreamAttr attribute : attributes) {
    CHECK_CODE(aclrtSetStreamAttribute(stream, attribute, nullptr), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtGetStreamAttribute(stream, attribute, nullptr), ACL_ERROR_INVALID_PARAM);
  }
  for (const int bad : {-1, 0, 6}) {
    CHECK_CODE(set(stream, static_cast<aclrtStreamAttr>(bad), 0), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtGetStreamAttribute(stream, static_cast<aclrtStreamAttr>(bad), &value),
               ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK_CODE(set(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(stream, ACL_STREAM_ATTR_PRIORITY, 8), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("what can be asked of a stream is refused for one that was destroyed") {
  std::uint32_t number = 0;
  CHECK_CODE(aclrtStreamGetPriority(nullptr, &number), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtStreamGetFlags(nullptr, &number), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtGetStreamOverflowSwitch(nullptr, &number), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtSetStreamOverflowSwitch(nullptr, 0), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  const Event event;
  aclrtStream destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&destroyed));
  REQUIRE_ACL(aclrtDestroyStream(destroyed));
  aclrtStreamAttrValue value{};
  for (const aclrtStream bad : {destroyed, static_cast<aclrtStream>(event)}) {
    CHECK_CODE(aclrtStreamGetPriority(bad, &number), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclrtStreamGetFlags(bad, &number), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclrtGetStreamOverflowSwitch(bad, &number), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclrtSetStreamOverflowSwitch(bad, 1), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclrtSetStreamAttribute(bad, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value),
               ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclrtGetStreamAttribute(bad, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value),
               ACL_ERROR_RT_INVALID_HANDLE);
  }
  CHECK_CODE(aclrtStreamGetPriority(nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtStreamGetFlags(nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
}

// ---- the overflow switch
// ---------------------------------------------------------------------------

TEST_CASE("the overflow switch of a stream is its attribute") {
  const Device device;
  const Stream stream;
  std::uint32_t on = 9;
  REQUIRE_ACL(aclrtGetStreamOverflowSwitch(stream, &on));
  CHECK(on == 0);
  REQUIRE_ACL(aclrtSetStreamOverflowSwitch(stream, 1));
  REQUIRE_ACL(aclrtGetStreamOverflowSwitch(stream, &on));
  CHECK(on == 1);
  CHECK(get(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK) == 1);
  CHECK_CODE(aclrtSetStreamOverflowSwitch(stream, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetStreamOverflowSwitch(stream, nullptr), ACL_ERROR_INVALID_PARAM);
}

// ---- persistent streams
// ------------------------------------------------------------------------------

TEST_CASE("a persistent stream can be emptied") {
  const Device device;
  const Stream stream(0, ACL_STREAM_PERSISTENT);
  const Event never = Event::old(ACL_EVENT_SYNC);
  std::atomic<bool> ran{false};
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
  launch(stream, [&] { ran = true; });
  CHECK(stats().pendingTasks == 2);
  REQUIRE_ACL(aclrtPersistentTaskClean(stream));
  CHECK(stats().pendingTasks == 0);
  CHECK_FALSE(ran);
}

TEST_CASE("only a persistent stream can be emptied") {
  const Device device;
  const Stream stream;
  CHECK_CODE(aclrtPersistentTaskClean(stream), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtPersistentTaskClean(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  aclrtStream destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateStreamWithConfig(&destroyed, 0, ACL_STREAM_PERSISTENT));
  REQUIRE_ACL(aclrtDestroyStream(destroyed));
  CHECK_CODE(aclrtPersistentTaskClean(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
}
