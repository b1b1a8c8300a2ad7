// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"

using namespace world;

TEST_CASE("a data buffer describes memory and leaves it alone") {
  int memory = 7;
  aclDataBuffer* const buffer = aclCreateDataBuffer(&memory, sizeof memory);
  REQUIRE(buffer != nullptr);
  CHECK(aclGetDataBufferAddr(buffer) == &memory);
  CHECK(aclGetDataBufferSizeV2(buffer) == sizeof memory);
  CHECK(aclGetDataBufferSize(buffer) == sizeof memory);
  CHECK(stats().otherHandles == 1);
  REQUIRE_ACL(aclDestroyDataBuffer(buffer));
  CHECK(stats().otherHandles == 0);
  CHECK(memory == 7);
}

TEST_CASE("a data buffer may describe nothing, and other memory later") {
  char other = 0;
  aclDataBuffer* const buffer = aclCreateDataBuffer(nullptr, 0);
  REQUIRE(buffer != nullptr);
  CHECK(aclGetDataBufferAddr(buffer) == nullptr);
  CHECK(aclGetDataBufferSizeV2(buffer) == 0);
  REQUIRE_ACL(aclUpdateDataBuffer(buffer, &other, std::size_t{5} << 32 | 9));
  CHECK(aclGetDataBufferAddr(buffer) == &other);
  CHECK(aclGetDataBufferSizeV2(buffer) == (std::size_t{5} << 32 | 9));
  CHECK(aclGetDataBufferSize(buffer) == 9);  // what fits into 32 bits
  REQUIRE_ACL(aclDestroyDataBuffer(buffer));
}

TEST_CASE("a null data buffer describes nothing and cannot be changed") {
  CHECK(aclGetDataBufferAddr(nullptr) == nullptr);
  CHECK(aclGetDataBufferSize(nullptr) == 0);
  CHECK(aclGetDataBufferSizeV2(nullptr) == 0);
  CHECK(recent_message().empty());
  CHECK_CODE(aclDestroyDataBuffer(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclUpdateDataBuffer(nullptr, nullptr, 0), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a data buffer that was destroyed, or never was one, is refused") {
  const Device device;
  const Stream stream;
  char memory = 0;
  aclDataBuffer* const destroyed = aclCreateDataBuffer(&memory, 1);
  REQUIRE_ACL(aclDestroyDataBuffer(destroyed));
  for (aclDataBuffer* const bad :
       {destroyed, static_cast<aclDataBuffer*>(static_cast<aclrtStream>(stream)),
        reinterpret_cast<aclDataBuffer*>(&memory)}) {
    CHECK_CODE(aclDestroyDataBuffer(bad), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclUpdateDataBuffer(bad, &memory, 1), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK(aclGetDataBufferAddr(bad) == nullptr);
    CHECK(aclGetDataBufferSize(bad) == 0);
    CHECK(aclGetDataBufferSizeV2(bad) == 0);
    CHECK_FALSE(recent_message().empty());
  }
}

TEST_CASE("many threads make and destroy data buffers") {
  Problems problems;
  in_threads(4, [&](int t) {
    for (int i = 0; i < 200; ++i) {
      int memory = t;
      aclDataBuffer* const buffer = aclCreateDataBuffer(&memory, 4);
      EXPECT_TRUE(problems, aclGetDataBufferAddr(buffer) == &memory);
      EXPECT_ACL(problems, aclDestroyDataBuffer(buffer));
    }
  });
  CHECK(problems.text().empty());
}
