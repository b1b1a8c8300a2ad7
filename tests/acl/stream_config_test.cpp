// SPDX-License-Identifier: Apache-2.0
// Streams made from a configuration.
#include "tests/acl/world.h"

using namespace world;

namespace {

class StreamConfig {
 public:
  StreamConfig() : handle_(aclrtCreateStreamConfigHandle()) { REQUIRE(handle_ != nullptr); }
  ~StreamConfig() { aclrtDestroyStreamConfigHandle(handle_); }
  StreamConfig(const StreamConfig&) = delete;
  StreamConfig& operator=(const StreamConfig&) = delete;
  operator aclrtStreamConfigHandle*() const { return handle_; }
  template <class T>
  aclError set(aclrtStreamConfigAttr attribute, T value) const {
    return aclrtSetStreamConfigOpt(handle_, attribute, &value, sizeof value);
  }

 private:
  aclrtStreamConfigHandle* handle_;
};

}  // namespace

TEST_CASE("a fresh configuration makes an ordinary stream") {
  const Device device;
  const StreamConfig config;
  CHECK(stats().otherHandles == 1);
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStreamV2(&stream, config));
  std::uint32_t value = 99;
  REQUIRE_ACL(aclrtStreamGetPriority(stream, &value));
  CHECK(value == 0);
  REQUIRE_ACL(aclrtStreamGetFlags(stream, &value));
  CHECK(value == 0);
  bool ran = false;
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(ran);
  REQUIRE_ACL(aclrtDestroyStream(stream));
}

TEST_CASE("a stream is what its configuration said when it was made") {
  const Device device;
  const StreamConfig config;
  char work[64];
  REQUIRE_ACL(config.set(ACL_RT_STREAM_PRIORITY, std::uint32_t{5}));
  REQUIRE_ACL(config.set(ACL_RT_STREAM_FLAG, std::size_t{ACL_STREAM_FAST_SYNC}));
  REQUIRE_ACL(config.set(ACL_RT_STREAM_WORK_ADDR_PTR, static_cast<void*>(work)));
  REQUIRE_ACL(config.set(ACL_RT_STREAM_WORK_SIZE, sizeof work));
  const aclrtStreamConfigHandle& seen = *static_cast<aclrtStreamConfigHandle*>(config);
  CHECK(seen.workptr == work);
  CHECK(seen.workSize == sizeof work);
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStreamV2(&stream, config));
  REQUIRE_ACL(config.set(ACL_RT_STREAM_PRIORITY, std::uint32_t{1}));
  std::uint32_t value = 99;
  REQUIRE_ACL(aclrtStreamGetPriority(stream, &value));
  CHECK(value == 5);
  REQUIRE_ACL(aclrtStreamGetFlags(stream, &value));
  CHECK(value == ACL_STREAM_FAST_SYNC);
  REQUIRE_ACL(aclrtDestroyStream(stream));
}

TEST_CASE("the flags of a configuration take a value of 4 bytes and one of 8") {
  const Device device;
  const StreamConfig config;
  const aclrtStreamConfigHandle& seen = *static_cast<aclrtStreamConfigHandle*>(config);
  REQUIRE_ACL(config.set(ACL_RT_STREAM_FLAG, ~std::uint64_t{0}));
  REQUIRE_ACL(config.set(ACL_RT_STREAM_FLAG, std::uint32_t{ACL_STREAM_FAST_SYNC}));
  CHECK(seen.flag == ACL_STREAM_FAST_SYNC);  // nothing is left of the former value
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStreamV2(&stream, config));
  std::uint32_t flags = 0;
  REQUIRE_ACL(aclrtStreamGetFlags(stream, &flags));
  CHECK(flags == ACL_STREAM_FAST_SYNC);
  REQUIRE_ACL(aclrtDestroyStream(stream));
  REQUIRE_ACL(config.set(ACL_RT_STREAM_FLAG, std::uint64_t{ACL_STREAM_FAST_LAUNCH}));
  CHECK(seen.flag == ACL_STREAM_FAST_LAUNCH);
}

TEST_CASE("options of a configuration have a name, a size and a range") {
  const StreamConfig config;
  const std::uint32_t four = 0;
  const std::uint64_t eight = 0;
  for (const auto attribute :
       {ACL_RT_STREAM_WORK_ADDR_PTR, ACL_RT_STREAM_WORK_SIZE, ACL_RT_STREAM_FLAG}) {
    for (const std::size_t size : {0, 2, 7, 9}) {
      CHECK_CODE(aclrtSetStreamConfigOpt(config, attribute, &eight, size), ACL_ERROR_INVALID_PARAM);
    }
    if (attribute != ACL_RT_STREAM_FLAG) {
      CHECK_CODE(aclrtSetStreamConfigOpt(config, attribute, &four, 4), ACL_ERROR_INVALID_PARAM);
    }
    CHECK_CODE(aclrtSetStreamConfigOpt(config, attribute, nullptr, 8), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtSetStreamConfigOpt(nullptr, attribute, &eight, 8), ACL_ERROR_INVALID_PARAM);
  }
  CHECK_CODE(config.set(ACL_RT_STREAM_PRIORITY, eight), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(config.set(ACL_RT_STREAM_PRIORITY, std::uint32_t{8}), ACL_ERROR_INVALID_PARAM);
  for (const int bad : {-1, 4}) {
    CHECK_CODE(config.set(static_cast<aclrtStreamConfigAttr>(bad), eight), ACL_ERROR_INVALID_PARAM);
  }
  CHECK(static_cast<aclrtStreamConfigHandle*>(config)->priority == 0);
}

TEST_CASE("a configuration that is null, destroyed or somebody else's makes no stream") {
  const Device device;
  aclrtStreamConfigHandle* const destroyed = aclrtCreateStreamConfigHandle();
  REQUIRE_ACL(aclrtDestroyStreamConfigHandle(destroyed));
  aclrtStreamConfigHandle own{};
  for (aclrtStreamConfigHandle* const bad : {destroyed, &own}) {
    aclrtStream stream = default_stream();
    CHECK_CODE(aclrtCreateStreamV2(&stream, bad), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK(stream == nullptr);
    CHECK_CODE(aclrtDestroyStreamConfigHandle(bad), ACL_ERROR_RT_INVALID_HANDLE);
    const std::uint32_t priority = 1;
    CHECK_CODE(aclrtSetStreamConfigOpt(bad, ACL_RT_STREAM_PRIORITY, &priority, 4),
               ACL_ERROR_RT_INVALID_HANDLE);
  }
  aclrtStream stream = nullptr;
  CHECK_CODE(aclrtCreateStreamV2(&stream, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDestroyStreamConfigHandle(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a stream from a configuration obeys the rules of streams") {
  const StreamConfig config;
  aclrtStream stream = nullptr;
  CHECK_CODE(aclrtCreateStreamV2(&stream, config), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  CHECK_CODE(aclrtCreateStreamV2(nullptr, config), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(config.set(ACL_RT_STREAM_FLAG, std::size_t{ACL_STREAM_HUGE}));
  CHECK_CODE(aclrtCreateStreamV2(&stream, config), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK(stream == nullptr);
}
