// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::size_t kBatchSize = 64;

aclrtMemLocation at(aclrtMemLocationType type, std::uint32_t id = 0) { return {id, type}; }

/// A batch that tests put together piece by piece.
struct Batch {
  std::vector<void*> dsts;
  std::vector<std::size_t> maxs;
  std::vector<void*> srcs;
  std::vector<std::size_t> sizes;
  std::vector<aclrtMemcpyBatchAttr> attrs;
  std::vector<std::size_t> starts;
  std::size_t fail_index = 77;

  void add(void* dst, const void* src, std::size_t size = kBatchSize,
           std::size_t max = kBatchSize) {
    dsts.push_back(dst);
    srcs.push_back(const_cast<void*>(src));
    sizes.push_back(size);
    maxs.push_back(max);
  }
  /// From the next piece on.
  void where(aclrtMemLocation dst, aclrtMemLocation src) {
    starts.push_back(dsts.size());
    attrs.push_back({dst, src, {}});
  }
  aclError copy() {
    fail_index = 77;
    const aclError code =
        aclrtMemcpyBatch(dsts.data(), maxs.data(), srcs.data(), sizes.data(), dsts.size(),
                         attrs.data(), starts.data(), attrs.size(), &fail_index);
    CHECK_CODE(aclrtMemcpyBatchV2(dsts.data(), maxs.data(), srcs.data(), sizes.data(), dsts.size(),
                                  attrs.data(), starts.data(), attrs.size()),
               code);
    return code;
  }
  aclError copy_async(aclrtStream stream) {
    fail_index = 77;
    return aclrtMemcpyBatchAsync(dsts.data(), maxs.data(), srcs.data(), sizes.data(), dsts.size(),
                                 attrs.data(), starts.data(), attrs.size(), &fail_index, stream);
  }
  aclError copy_async_v2(aclrtStream stream) {
    return aclrtMemcpyBatchAsyncV2(dsts.data(), maxs.data(), srcs.data(), sizes.data(), dsts.size(),
                                   attrs.data(), starts.data(), attrs.size(), stream);
  }
};

constexpr auto kOnHost = ACL_MEM_LOCATION_TYPE_HOST;
constexpr auto kOnDevice = ACL_MEM_LOCATION_TYPE_DEVICE;

/// Two pieces up, one down, in the middle a piece without bytes.
struct RoundTrip {
  const DeviceMemory first{kBatchSize};
  const DeviceMemory second{kBatchSize};
  const HostMemory a{kBatchSize};
  const HostMemory b{kBatchSize};
  const HostMemory back{kBatchSize};
  Batch batch;

  RoundTrip() {
    store(second, 9);
    store(first, 0);
    *a.as<int>() = 1;
    *back.as<int>() = 0;
    batch.where(at(kOnDevice), at(kOnHost));
    batch.add(first, a);
    batch.add(nullptr, nullptr, 0, 0);
    batch.where(at(kOnHost), at(kOnDevice));
    batch.add(back, second);
  }
};

}  // namespace

TEST_CASE("a batch copies every piece in its direction") {
  const Device device;
  RoundTrip trip;
  REQUIRE_ACL(trip.batch.copy());
  CHECK(trip.batch.fail_index == SIZE_MAX);
  CHECK(fetch<int>(trip.first) == 1);
  CHECK(*trip.back.as<int>() == 9);
}

TEST_CASE("a batch in a stream takes its turn") {
  const Device device;
  const Stream stream;
  RoundTrip trip;
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(trip.batch.copy_async(stream));
  REQUIRE_ACL(trip.batch.copy_async_v2(stream));
  CHECK(trip.batch.fail_index == SIZE_MAX);
  CHECK(fetch<int>(trip.first) == 0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(trip.first) == 1);
  CHECK(*trip.back.as<int>() == 9);
}

TEST_CASE("a batch with ordinary host memory waits for its stream") {
  const Device device;
  const Stream stream;
  RoundTrip trip;
  int pageable[kBatchSize / sizeof(int)] = {};
  trip.batch.add(pageable, trip.second);
  launch(stream, [value = trip.second.as<int>()] { *value += 1; });
  REQUIRE_ACL(trip.batch.copy_async(stream));
  CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
  CHECK(pageable[0] == 10);
  CHECK(fetch<int>(trip.first) == 1);
}

TEST_CASE("the piece that is refused is named, and none is copied") {
  const Device device;
  const Stream stream;
  RoundTrip trip;
  int host[2] = {};
  const auto refused = [&](aclError code, std::size_t index) {
    CHECK_CODE(trip.batch.copy(), code);
    CHECK(trip.batch.fail_index == index);
    CHECK_CODE(trip.batch.copy_async(stream), code);
    CHECK(trip.batch.fail_index == index);
    CHECK_CODE(trip.batch.copy_async_v2(stream), code);
  };
  SECTION("beyond its room") {
    trip.batch.maxs[2] = kBatchSize - 1;
    refused(ACL_ERROR_INVALID_PARAM, 2);
  }
  SECTION("null") {
    trip.batch.srcs[2] = nullptr;
    refused(ACL_ERROR_INVALID_PARAM, 2);
    trip.batch.dsts[0] = nullptr;
    refused(ACL_ERROR_INVALID_PARAM, 0);
  }
  SECTION("beyond its allocation") {
    trip.batch.sizes[2] = trip.batch.maxs[2] = kBatchSize + 1;
    refused(ACL_ERROR_RT_PARAM_INVALID, 2);
  }
  SECTION("not where its attribute says") {
    trip.batch.dsts[2] = trip.first;
    refused(ACL_ERROR_RT_PARAM_INVALID, 2);
    trip.batch.dsts[2] = trip.back;
    trip.batch.attrs[1].srcLoc = at(kOnDevice, 1);
    refused(ACL_ERROR_RT_PARAM_INVALID, 2);
    trip.batch.attrs[1].srcLoc = at(static_cast<aclrtMemLocationType>(9));
    refused(ACL_ERROR_RT_PARAM_INVALID, 2);
    trip.batch.attrs[1].srcLoc = at(kOnDevice);
    trip.batch.attrs[1].dstLoc = at(ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    refused(ACL_ERROR_RT_PARAM_INVALID, 2);
  }
  SECTION("from host to host, in a stream") {
    trip.batch.attrs[1].srcLoc = at(kOnHost);
    trip.batch.srcs[2] = host;
    trip.batch.sizes[2] = sizeof host;
    CHECK_CODE(trip.batch.copy_async(stream), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    CHECK(trip.batch.fail_index == 2);
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(trip.first) == 0);
}

TEST_CASE("a failure of no single piece names none") {
  const Device device;
  const Event not_a_stream;
  RoundTrip trip;
  CHECK_CODE(trip.batch.copy_async(not_a_stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(trip.batch.fail_index == SIZE_MAX);
  trip.batch.starts[1] = 3;
  CHECK_CODE(trip.batch.copy(), ACL_ERROR_INVALID_PARAM);
  CHECK(trip.batch.fail_index == SIZE_MAX);
  trip.batch.starts = {1, 2};
  CHECK_CODE(trip.batch.copy(), ACL_ERROR_INVALID_PARAM);
  trip.batch.starts = {0, 0};
  CHECK_CODE(trip.batch.copy(), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(trip.batch.copy_async(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK(trip.batch.fail_index == SIZE_MAX);
}

TEST_CASE("the arrays of a batch are checked") {
  const Device device;
  RoundTrip trip;
  Batch& b = trip.batch;
  std::size_t failed = 0;
  const auto copy = [&](void** dsts, std::size_t* maxs, void** srcs, std::size_t* sizes,
                        std::size_t count, aclrtMemcpyBatchAttr* attrs, std::size_t* starts,
                        std::size_t runs) {
    return aclrtMemcpyBatch(dsts, maxs, srcs, sizes, count, attrs, starts, runs, &failed);
  };
  void** const d = b.dsts.data();
  void** const s = b.srcs.data();
  std::size_t* const m = b.maxs.data();
  std::size_t* const n = b.sizes.data();
  CHECK_CODE(copy(nullptr, m, s, n, 3, b.attrs.data(), b.starts.data(), 2),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(d, nullptr, s, n, 3, b.attrs.data(), b.starts.data(), 2),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(d, m, nullptr, n, 3, b.attrs.data(), b.starts.data(), 2),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(d, m, s, nullptr, 3, b.attrs.data(), b.starts.data(), 2),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(d, m, s, n, 0, b.attrs.data(), b.starts.data(), 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(d, m, s, n, 3, nullptr, b.starts.data(), 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(d, m, s, n, 3, b.attrs.data(), nullptr, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(d, m, s, n, 3, b.attrs.data(), b.starts.data(), 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(d, m, s, n, 1, b.attrs.data(), b.starts.data(), 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemcpyBatch(d, m, s, n, 3, b.attrs.data(), b.starts.data(), 2, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(
      aclrtMemcpyBatchAsync(d, m, s, n, 3, b.attrs.data(), b.starts.data(), 2, nullptr, nullptr),
      ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a batch without bytes succeeds") {
  const Device device;
  Batch batch;
  batch.where(at(kOnDevice), at(kOnHost));
  for (int i = 0; i < 3; ++i) batch.add(nullptr, nullptr, 0, 0);
  REQUIRE_ACL(batch.copy());
  REQUIRE_ACL(batch.copy_async(nullptr));
  CHECK(batch.fail_index == SIZE_MAX);
}
