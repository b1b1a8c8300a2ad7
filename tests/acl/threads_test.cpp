// SPDX-License-Identifier: Apache-2.0
// Many host threads at once.
#include <array>
#include <random>

#include "tests/acl/world.h"

using namespace world;

TEST_CASE("threads queue work into their own streams") {
  const Device device;
  const aclrtContext context = current_context();
  Problems problems;
  in_threads(8, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    aclrtStream stream = nullptr;
    EXPECT_ACL(problems, aclrtCreateStream(&stream));
    unsigned value = 0;
    for (int i = 0; i < 200; ++i) {
      EXPECT_ACL(problems, try_launch(stream, [&value, t] {
                   value = value * 31 + static_cast<unsigned>(t);
                 }));
      if (i % 50 == 0) EXPECT_ACL(problems, aclrtSynchronizeStream(stream));
    }
    EXPECT_ACL(problems, aclrtSynchronizeStream(stream));
    unsigned wanted = 0;
    for (int i = 0; i < 200; ++i) wanted = wanted * 31 + static_cast<unsigned>(t);
    EXPECT_TRUE(problems, value == wanted);
    EXPECT_ACL(problems, aclrtDestroyStream(stream));
  });
  CHECK(problems.text().empty());
}

TEST_CASE("threads queue work into one stream, each in its own order") {
  const Device device;
  const aclrtContext context = current_context();
  const Stream stream;
  constexpr int kThreads = 8;
  constexpr int kTasks = 100;
  std::vector<std::vector<int>> order(kThreads);
  int all = 0;  // no lock: a stream runs one task at a time
  Problems problems;
  in_threads(kThreads, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    for (int i = 0; i < kTasks; ++i) {
      EXPECT_ACL(problems,
                 try_launch(stream, [&all, &mine = order[static_cast<std::size_t>(t)], i] {
                   mine.push_back(i);
                   ++all;
                 }));
    }
    if (t % 2 == 0) EXPECT_ACL(problems, aclrtSynchronizeStream(stream));
  });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(problems.text().empty());
  CHECK(all == kThreads * kTasks);
  for (const auto& mine : order) {
    REQUIRE(mine.size() == kTasks);
    for (int i = 0; i < kTasks; ++i) CHECK(mine[static_cast<std::size_t>(i)] == i);
  }
}

TEST_CASE("threads without a context of their own share the primary one") {
  Problems problems;
  std::atomic<int> runs{0};
  in_threads(8, [&](int) {
    EXPECT_ACL(problems, aclrtSetDevice(0));
    for (int i = 0; i < 50; ++i) {
      EXPECT_ACL(problems, try_launch(nullptr, [&] { ++runs; }));
      EXPECT_ACL(problems, aclrtSynchronizeStream(nullptr));
    }
    EXPECT_ACL(problems, aclrtResetDevice(0));
  });
  CHECK(problems.text().empty());
  CHECK(runs == 400);
}

TEST_CASE("threads set and reset devices at the same time") {
  Problems problems;
  in_threads(8, [&](int t) {
    for (int i = 0; i < 30; ++i) {
      const int device = (t + i) % 3;
      EXPECT_ACL(problems, aclrtSetDevice(device));
      std::int32_t current = -1;
      EXPECT_ACL(problems, aclrtGetDevice(&current));
      EXPECT_TRUE(problems, current == device);
      EXPECT_ACL(problems, aclrtResetDevice(device));
    }
  });
  CHECK(problems.text().empty());
  CHECK(stats().contexts == 0);
}

TEST_CASE("streams come and go in three threads while a fourth synchronises the device") {
  const Device device;
  const aclrtContext context = current_context();
  std::atomic<int> creating{3};
  Problems problems;
  in_threads(4, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    if (t == 3) {
      while (creating > 0) EXPECT_ACL(problems, aclrtSynchronizeDevice());
      return;
    }
    for (int burst = 1; burst <= 40; ++burst) {
      std::vector<aclrtStream> streams(static_cast<std::size_t>(burst % (3 + t) + 1));
      for (aclrtStream& stream : streams) {
        EXPECT_ACL(problems, aclrtCreateStream(&stream));
        EXPECT_ACL(problems, try_launch(stream, [] {}));
      }
      for (aclrtStream stream : streams) EXPECT_ACL(problems, aclrtDestroyStream(stream));
    }
    --creating;
  });
  CHECK(problems.text().empty());
  CHECK(stats().streams == 0);
}

TEST_CASE("each of many threads times its own device") {
  Problems problems;
  in_threads(8, [&](int t) {
    EXPECT_ACL(problems, aclrtSetDevice(t));
    aclrtEvent start = nullptr;
    aclrtEvent end = nullptr;
    void* memory = nullptr;
    EXPECT_ACL(problems, aclrtCreateEvent(&start));
    EXPECT_ACL(problems, aclrtCreateEvent(&end));
    EXPECT_ACL(problems, aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    for (int i = 0; i < 20; ++i) {
      EXPECT_ACL(problems, aclrtRecordEvent(start, nullptr));
      EXPECT_ACL(problems, aclrtMemsetAsync(memory, 4096, t + i, 4096, nullptr));
      EXPECT_ACL(problems, try_launch(nullptr, [bytes = static_cast<char*>(memory)] { ++*bytes; }));
      EXPECT_ACL(problems, aclrtRecordEvent(end, nullptr));
      EXPECT_ACL(problems, aclrtSynchronizeEvent(end));
      float ms = -1;
      EXPECT_ACL(problems, aclrtEventElapsedTime(&ms, start, end));
      EXPECT_TRUE(problems, ms >= 0);
      char byte = 0;
      EXPECT_ACL(problems, aclrtMemcpy(&byte, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST));
      EXPECT_TRUE(problems, byte == t + i + 1);
    }
    EXPECT_ACL(problems, aclrtFree(memory));
    EXPECT_ACL(problems, aclrtDestroyEvent(start));
    EXPECT_ACL(problems, aclrtDestroyEvent(end));
    EXPECT_ACL(problems, aclrtResetDevice(t));
  });
  CHECK(problems.text().empty());
}

TEST_CASE("fills, copies, records and waits of many threads each find their own values") {
  const bool shared = GENERATE(false, true);
  CAPTURE(shared);
  const Device device;
  const aclrtContext context = current_context();
  const Stream one;
  Problems problems;
  in_threads(12, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    constexpr std::size_t kSize = 256;
    aclrtStream stream = one;
    if (!shared) EXPECT_ACL(problems, aclrtCreateStream(&stream));
    aclrtEvent event = nullptr;
    void* first = nullptr;
    void* second = nullptr;
    void* host = nullptr;
    EXPECT_ACL(problems, aclrtCreateEvent(&event));
    EXPECT_ACL(problems, aclrtMalloc(&first, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_ACL(problems, aclrtMalloc(&second, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_ACL(problems, aclrtMallocHost(&host, kSize));
    for (int i = 0; i < 20; ++i) {
      const int value = (t * 20 + i) % 127;
      EXPECT_ACL(problems, aclrtMemsetAsync(first, kSize, value, kSize, stream));
      EXPECT_ACL(problems, aclrtMemcpyAsync(second, kSize, first, kSize,
                                            ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
      EXPECT_ACL(problems, aclrtRecordEvent(event, stream));
      EXPECT_ACL(problems, aclrtStreamWaitEvent(stream, event));
      EXPECT_ACL(problems,
                 aclrtMemcpyAsync(host, kSize, second, kSize, ACL_MEMCPY_DEVICE_TO_HOST, stream));
      EXPECT_ACL(problems, aclrtRecordEvent(event, stream));
      EXPECT_ACL(problems, aclrtSynchronizeEvent(event));
      const char* bytes = static_cast<const char*>(host);
      EXPECT_TRUE(problems, bytes[0] == value && bytes[kSize - 1] == value);
    }
    EXPECT_ACL(problems, aclrtFree(first));
    EXPECT_ACL(problems, aclrtFree(second));
    EXPECT_ACL(problems, aclrtFreeHost(host));
    EXPECT_ACL(problems, aclrtDestroyEvent(event));
    if (!shared) EXPECT_ACL(problems, aclrtDestroyStream(stream));
  });
  CHECK(problems.text().empty());
}

TEST_CASE("threads on three streams, one of them shared, do not disturb each other") {
  const Device device;
  const aclrtContext context = current_context();
  const std::vector<Stream> streams(3);
  std::vector<std::array<int, 64>> values(9);
  Problems problems;
  in_threads(9, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    auto& mine = values[static_cast<std::size_t>(t)];
    const aclrtStream stream = streams[static_cast<std::size_t>(t % 3)];
    for (int i = 0; i < 64; ++i) {
      EXPECT_ACL(problems,
                 try_launch(stream, [&mine, i, t] { mine[static_cast<std::size_t>(i)] = i + t; }));
    }
    EXPECT_ACL(problems, aclrtSynchronizeStream(stream));
    for (int i = 0; i < 64; ++i) EXPECT_TRUE(problems, mine[static_cast<std::size_t>(i)] == i + t);
  });
  CHECK(problems.text().empty());
}

TEST_CASE("memory is allocated and freed by many threads at once") {
  const Device device;
  const aclrtContext context = current_context();
  Problems problems;
  in_threads(8, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    std::mt19937 random(static_cast<unsigned>(t));
    std::vector<void*> blocks;
    for (int i = 0; i < 300; ++i) {
      if (blocks.empty() || random() % 2 == 0) {
        void* block = nullptr;
        EXPECT_ACL(problems, aclrtMalloc(&block, 1 + random() % 70000, ACL_MEM_MALLOC_HUGE_FIRST));
        EXPECT_ACL(problems, aclrtMemset(block, 1, t, 1));
        blocks.push_back(block);
      } else {
        char byte = -1;
        EXPECT_ACL(problems, aclrtMemcpy(&byte, 1, blocks.back(), 1, ACL_MEMCPY_DEVICE_TO_HOST));
        EXPECT_TRUE(problems, byte == t);
        EXPECT_ACL(problems, aclrtFree(blocks.back()));
        blocks.pop_back();
      }
    }
    for (void* block : blocks) EXPECT_ACL(problems, aclrtFree(block));
  });
  CHECK(problems.text().empty());
}

TEST_CASE("of many threads that destroy one handle exactly one succeeds") {
  const Device device;
  const aclrtContext context = current_context();
  for (int round = 0; round < 20; ++round) {
    Stream stream;
    Event event;
    const aclrtStream stream_handle = stream.release();
    const aclrtEvent event_handle = event.release();
    void* memory = nullptr;
    REQUIRE_ACL(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    std::atomic<int> streams{0};
    std::atomic<int> events{0};
    std::atomic<int> blocks{0};
    Problems problems;
    in_threads(4, [&](int) {
      EXPECT_ACL(problems, aclrtSetCurrentContext(context));
      if (aclrtDestroyStream(stream_handle) == ACL_SUCCESS) ++streams;
      if (aclrtDestroyEvent(event_handle) == ACL_SUCCESS) ++events;
      if (aclrtFree(memory) == ACL_SUCCESS) ++blocks;
    });
    CHECK(streams == 1);
    CHECK(events == 1);
    CHECK(blocks == 1);
    CHECK(problems.text().empty());
  }
}

TEST_CASE("handles may be used in one thread while another destroys them") {
  const Device device;
  const aclrtContext context = current_context();
  for (int round = 0; round < 20; ++round) {
    Stream stream;
    const aclrtStream handle = stream.release();
    Problems problems;
    in_threads(3, [&](int t) {
      EXPECT_ACL(problems, aclrtSetCurrentContext(context));
      if (t == 0) {
        EXPECT_ACL(problems, aclrtDestroyStream(handle));
        return;
      }
      for (int i = 0; i < 20; ++i) {
        aclrtStreamStatus status{};
        const aclError code =
            t == 1 ? try_launch(handle, [] {}) : aclrtStreamQuery(handle, &status);
        EXPECT_TRUE(problems, code == ACL_SUCCESS || code == ACL_ERROR_RT_INVALID_HANDLE);
      }
    });
    CHECK(problems.text().empty());
  }
}

TEST_CASE("a thread may end with unfinished work") {
  const Device device;
  const aclrtContext context = current_context();
  const Stream stream;
  std::atomic<int> runs{0};
  std::thread([&] {
    aclrtSetCurrentContext(context);
    for (int i = 0; i < 20; ++i) try_launch(stream, [&] { ++runs; });
  }).join();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(runs == 20);
}

TEST_CASE("a chain through the streams of many threads runs in order") {
  const Device device;
  const aclrtContext context = current_context();
  constexpr int kThreads = 4;
  constexpr int kRounds = 30;
  std::vector<Stream> streams(kThreads);
  std::vector<Event> events(kThreads);
  std::vector<int> order;
  std::atomic<int> turn{0};
  Problems problems;
  in_threads(kThreads, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    const auto me = static_cast<std::size_t>(t);
    const std::size_t before = (me + kThreads - 1) % kThreads;
    for (int round = 0; round < kRounds; ++round) {
      const int number = round * kThreads + t;
      EXPECT_TRUE(problems, eventually([&] { return turn == number; }));
      if (number > 0) EXPECT_ACL(problems, aclrtStreamWaitEvent(streams[me], events[before]));
      EXPECT_ACL(problems, try_launch(streams[me], [&order, number] { order.push_back(number); }));
      EXPECT_ACL(problems, aclrtRecordEvent(events[me], streams[me]));
      ++turn;
    }
  });
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(problems.text().empty());
  REQUIRE(order.size() == kThreads * kRounds);
  for (int i = 0; i < kThreads * kRounds; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
}
