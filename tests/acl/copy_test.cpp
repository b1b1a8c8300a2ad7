// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <numeric>

#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::size_t kSize = 4096;

std::vector<char> pattern(std::size_t size = kSize) {
  std::vector<char> bytes(size);
  std::iota(bytes.begin(), bytes.end(), char{1});
  return bytes;
}

}  // namespace

// ---- at once
// -------------------------------------------------------------------------------------------

TEST_CASE("a round trip through every kind of memory keeps the bytes") {
  const Device device;
  const std::vector<char> source = pattern();
  const HostMemory pinned(kSize);
  const DeviceMemory first(kSize);
  const DeviceMemory second(kSize);
  const HostMemory pinned_too(kSize);
  std::vector<char> result(kSize);
  REQUIRE_ACL(aclrtMemcpy(pinned, kSize, source.data(), kSize, ACL_MEMCPY_HOST_TO_HOST));
  REQUIRE_ACL(aclrtMemcpy(first, kSize, pinned, kSize, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(aclrtMemcpy(second, kSize, first, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE));
  REQUIRE_ACL(aclrtMemcpy(pinned_too, kSize, second, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  REQUIRE_ACL(aclrtMemcpy(result.data(), kSize, pinned_too, kSize, ACL_MEMCPY_HOST_TO_HOST));
  CHECK(result == source);
}

TEST_CASE("the direction of a copy is found from the addresses, whatever is said") {
  const Device device;
  const std::vector<char> source = pattern();
  for (const int kind : {0, 1, 2, 3, 4, 5}) {
    CAPTURE(kind);
    const auto direction = static_cast<aclrtMemcpyKind>(kind);
    const DeviceMemory memory(kSize);
    std::vector<char> result(kSize);
    REQUIRE_ACL(aclrtMemcpy(memory, kSize, source.data(), kSize, direction));
    REQUIRE_ACL(aclrtMemcpy(result.data(), kSize, memory, kSize, direction));
    CHECK(result == source);
  }
}

TEST_CASE("parts of memory are copied from and to any address") {
  const Device device;
  const std::vector<char> source = pattern();
  const DeviceMemory memory(kSize);
  std::vector<char> result(kSize, 0);
  REQUIRE_ACL(
      aclrtMemcpy(memory.as() + 1, kSize - 1, source.data() + 1, 99, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(
      aclrtMemcpy(result.data() + 1, kSize - 1, memory.as() + 1, 99, ACL_MEMCPY_DEVICE_TO_HOST));
  for (std::size_t i = 0; i < kSize; ++i) {
    if (i >= 1 && i < 100) {
      CHECK(result[i] == source[i]);
    } else if (result[i] != 0) {
      FAIL("byte " << i << " was written");
    }
  }
}

TEST_CASE("copying nothing succeeds whatever the rest is") {
  const Device device;
  const DeviceMemory memory(64);
  CHECK_CODE(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  CHECK_CODE(aclrtMemcpy(memory, 0, nullptr, 0, static_cast<aclrtMemcpyKind>(77)), ACL_SUCCESS);
  CHECK_CODE(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_HOST, nullptr),
             ACL_SUCCESS);
}

TEST_CASE("copying memory onto itself succeeds") {
  const Device device;
  const DeviceMemory memory(64);
  store(memory, 12);
  REQUIRE_ACL(aclrtMemcpy(memory, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  CHECK(fetch<int>(memory) == 12);
}

TEST_CASE("copying onto itself what is no memory is refused") {
  const Device device;
  void* freed = nullptr;
  REQUIRE_ACL(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  const auto copy = [&](std::size_t count) {
    const aclError code = aclrtMemcpy(freed, count, freed, count, ACL_MEMCPY_DEVICE_TO_DEVICE);
    CHECK_CODE(aclrtMemcpyAsync(freed, count, freed, count, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr),
               code);
    return code;
  };
  CHECK_CODE(copy(64), ACL_SUCCESS);
  CHECK_CODE(copy(std::size_t{1} << 40), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtFree(freed));
  CHECK_CODE(copy(64), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a copy is checked") {
  const Device device;
  const DeviceMemory memory(64);
  char host[64] = {};
  const auto copy = [&](void* dst, std::size_t max, const void* src, std::size_t count, int kind) {
    const auto direction = static_cast<aclrtMemcpyKind>(kind);
    const aclError code = aclrtMemcpy(dst, max, src, count, direction);
    CHECK_CODE(aclrtMemcpyAsync(dst, max, src, count, direction, nullptr), code);
    return code;
  };
  CHECK_CODE(copy(nullptr, 64, host, 64, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(memory, 64, nullptr, 64, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(memory, 63, host, 64, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(memory, 0, host, 64, 1), ACL_ERROR_RT_PARAM_INVALID);
  for (const int kind : {6, 7, 8, 100, -1}) {
    CAPTURE(kind);
    CHECK_CODE(copy(memory, 64, host, 64, kind), ACL_ERROR_INVALID_PARAM);
  }
}

TEST_CASE("a copy never passes the end of its allocation") {
  const Device device;
  const DeviceMemory memory(1000);
  const HostMemory pinned(1000);
  std::vector<char> host(1 << 20);
  CHECK_CODE(aclrtMemcpy(memory, 1 << 20, host.data(), 1 << 20, ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_ERROR_RT_PARAM_INVALID);
  const std::string message = recent_message();
  CHECK_THAT(message, catch_compat::ContainsSubstring("1048576"));
  CHECK_THAT(message, catch_compat::ContainsSubstring("1000"));
  CHECK_CODE(aclrtMemcpy(host.data(), 1 << 20, memory, 1 << 20, ACL_MEMCPY_DEVICE_TO_HOST),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpy(memory.as() + 900, 4096, host.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpyAsync(memory, 1 << 20, pinned, 1 << 20, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
             ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

TEST_CASE("freed memory cannot be copied from or to") {
  const Device device;
  void* freed = nullptr;
  {
    DeviceMemory memory(64);
    freed = memory;
  }
  char host[64] = {};
  CHECK_CODE(aclrtMemcpy(freed, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpy(host, 64, freed, 64, ACL_MEMCPY_DEVICE_TO_HOST),
             ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a copy at once waits for no stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(64);
  store(memory, 1);
  Gate gate;
  gate.hold(stream);
  launch(stream, [value = memory.as<int>()] { *value = 2; });
  CHECK(fetch<int>(memory) == 1);
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(memory) == 2);
}

TEST_CASE("large copies are right to the last byte") {
  const Device device;
  constexpr std::size_t kLarge = (8 << 20) + 5;
  std::vector<std::uint32_t> source(kLarge / 4 + 1);
  std::iota(source.begin(), source.end(), 7U);
  std::vector<std::uint32_t> result(source.size());
  const DeviceMemory first(kLarge);
  const DeviceMemory second(kLarge);
  REQUIRE_ACL(aclrtMemcpy(first, kLarge, source.data(), kLarge, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(
      aclrtMemcpyAsync(second, kLarge, first, kLarge, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  REQUIRE_ACL(aclrtMemcpy(result.data(), kLarge, second, kLarge, ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(std::memcmp(source.data(), result.data(), kLarge) == 0);
}

// ---- in a stream
// ---------------------------------------------------------------------------------------

TEST_CASE("copies with pinned memory and inside a device return while the stream is busy") {
  const Device device;
  const Stream stream;
  const DeviceMemory first(kSize);
  const DeviceMemory second(kSize);
  const HostMemory input(kSize);
  const HostMemory output(kSize);
  const std::vector<char> bytes = pattern();
  std::memcpy(input, bytes.data(), kSize);
  std::memset(output, 0, kSize);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtMemcpyAsync(first, kSize, input, kSize, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  REQUIRE_ACL(aclrtMemcpyAsync(second, kSize, first, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  REQUIRE_ACL(aclrtMemcpyAsync(output, kSize, second, kSize, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
  CHECK(output.as()[0] == 0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(std::memcmp(output, bytes.data(), kSize) == 0);
}

TEST_CASE("a copy in a stream reads its source when its turn comes") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(sizeof(int));
  const HostMemory input(sizeof(int));
  *input.as<int>() = 1;
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtMemcpyAsync(memory, 4, input, 4, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  *input.as<int>() = 2;
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(memory) == 2);
}

TEST_CASE("a copy that threads share is whole, to its last byte") {
  const Device device;
  const Stream stream;
  constexpr std::size_t kShared = (std::size_t{72} << 20) + 12'345;  // shared from 64 MiB on
  const DeviceMemory from(kShared);
  const DeviceMemory to(kShared);
  std::vector<std::uint32_t> words(kShared / 4 + 1);
  std::iota(words.begin(), words.end(), 7U);
  REQUIRE_ACL(aclrtMemcpy(from, kShared, words.data(), kShared, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(aclrtMemcpyAsync(to, kShared, from, kShared, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  std::vector<std::uint32_t> seen(words.size());
  REQUIRE_ACL(aclrtMemcpy(seen.data(), kShared, to, kShared, ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(std::memcmp(seen.data(), words.data(), kShared) == 0);
}

TEST_CASE("a copy from pageable memory is done when the call returns, after the stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(sizeof(int));
  int done = 0;
  int source = 5;
  const Caller caller;
  launch(stream, [&] {
    caller.await_blocked();
    done = 1;
  });
  REQUIRE_ACL(aclrtMemcpyAsync(memory, 4, &source, 4, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  CHECK(done == 1);
  source = 6;
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(memory) == 5);
}

TEST_CASE("a copy to pageable memory is done when the call returns, after the stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(sizeof(int));
  const Caller caller;
  launch(stream, [&, value = memory.as<int>()] {
    caller.await_blocked();
    *value = 9;
  });
  int result = 0;
  REQUIRE_ACL(aclrtMemcpyAsync(&result, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  CHECK(result == 9);
}

TEST_CASE("a stream copies nothing from host to host") {
  const Device device;
  const HostMemory first(64);
  const HostMemory second(64);
  char pageable[64] = {};
  CHECK_CODE(aclrtMemcpyAsync(first, 64, second, 64, ACL_MEMCPY_HOST_TO_HOST, nullptr),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtMemcpyAsync(first, 64, second, 64, ACL_MEMCPY_DEFAULT, nullptr),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtMemcpyAsync(first, 64, pageable, 64, ACL_MEMCPY_HOST_TO_HOST, nullptr),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("a stream corrects the direction of a copy by what it knows of the addresses") {
  const Device device;
  const DeviceMemory memory(sizeof(int));
  const HostMemory host(sizeof(int));
  for (const aclrtMemcpyKind kind :
       {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEFAULT}) {
    CAPTURE(static_cast<int>(kind));
    *host.as<int>() = 40 + kind;
    REQUIRE_ACL(aclrtMemcpyAsync(memory, 4, host, 4, kind, nullptr));
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
    CHECK(fetch<int>(memory) == 40 + kind);
  }
}

TEST_CASE("a stream refuses a direction that the addresses rule out") {
  const Device device;
  char first[64] = {};
  char second[64] = {};
  CHECK_CODE(aclrtMemcpyAsync(first, 64, second, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr),
             ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("copies of many streams do not mix") {
  const Device device;
  constexpr std::size_t kStreams = 8;
  std::vector<Stream> streams(kStreams);
  std::vector<DeviceMemory> memory;
  const HostMemory host(kStreams * kSize);
  for (std::size_t i = 0; i < kStreams; ++i) memory.emplace_back(kSize);
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = 0; i < kStreams; ++i) {
      REQUIRE_ACL(
          aclrtMemsetAsync(memory[i], kSize, static_cast<int>(i) + round, kSize, streams[i]));
      REQUIRE_ACL(aclrtMemcpyAsync(host.as() + i * kSize, kSize, memory[i], kSize,
                                   ACL_MEMCPY_DEVICE_TO_HOST, streams[i]));
    }
    REQUIRE_ACL(aclrtSynchronizeDevice());
    for (std::size_t i = 0; i < kStreams; ++i) {
      const std::vector<char> wanted(kSize, static_cast<char>(static_cast<int>(i) + round));
      CHECK(std::memcmp(host.as() + i * kSize, wanted.data(), kSize) == 0);
    }
  }
}
