// SPDX-License-Identifier: Apache-2.0
// Every case runs with both families of names, which call the same functions.
#include "acl/acl_tdt_queue.h"
#include "tests/acl/world.h"

using namespace world;

namespace {

aclError alloc_normal(void** buf, size_t size) {
  return acltdtAllocBuf(size, ACL_TDT_NORMAL_MEM, buf);
}

struct Family {
  aclError (*alloc)(void**, size_t);
  aclError (*free)(void*);
  aclError (*data)(void* const, void**, size_t*);
  aclError (*set_length)(void*, size_t);
  aclError (*length)(void*, size_t*);
  aclError (*user)(void* const, void*, size_t, size_t);
  aclError (*set_user)(void*, const void*, size_t, size_t);
  aclError (*refer)(void* const, void**);
  aclError (*append)(void*, void*);
  aclError (*count)(void*, uint32_t*);
  aclError (*at)(void*, uint32_t, void**);
};

const Family kFamilies[] = {
    {aclrtAllocBuf, aclrtFreeBuf, aclrtGetBufData, aclrtSetBufDataLen, aclrtGetBufDataLen,
     aclrtGetBufUserData, aclrtSetBufUserData, aclrtCopyBufRef, aclrtAppendBufChain,
     aclrtGetBufChainNum, aclrtGetBufFromChain},
    {alloc_normal, acltdtFreeBuf, acltdtGetBufData, acltdtSetBufDataLen, acltdtGetBufDataLen,
     acltdtGetBufUserData, acltdtSetBufUserData, acltdtCopyBufRef, acltdtAppendBufChain,
     acltdtGetBufChainNum, acltdtGetBufFromChain},
};

const Family& family() { return kFamilies[GENERATE(0, 1)]; }

void* make(const Family& f, size_t size = 64) {
  void* buf = nullptr;
  REQUIRE_ACL(f.alloc(&buf, size));
  return buf;
}

void* address(const Family& f, void* buf) {
  void* data = nullptr;
  size_t size = 0;
  REQUIRE_ACL(f.data(buf, &data, &size));
  return data;
}

size_t length(const Family& f, void* buf) {
  size_t result = 99;
  REQUIRE_ACL(f.length(buf, &result));
  return result;
}

uint32_t count(const Family& f, void* buf) {
  uint32_t result = 99;
  REQUIRE_ACL(f.count(buf, &result));
  return result;
}

}  // namespace

TEST_CASE("a buffer has data, a length within it, and space for the program", "[tdt]") {
  const Family& f = family();
  void* const buf = make(f, 100);
  void* data = nullptr;
  size_t size = 0;
  REQUIRE_ACL(f.data(buf, &data, &size));
  CHECK(size == 100);
  std::memset(data, 5, size);
  CHECK(length(f, buf) == 0);
  REQUIRE_ACL(f.set_length(buf, 100));
  CHECK(length(f, buf) == 100);
  CHECK_CODE(f.set_length(buf, 101), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(length(f, buf) == 100);

  char user[96];
  std::memset(user, 3, sizeof user);
  REQUIRE_ACL(f.set_user(buf, user, 96, 0));
  REQUIRE_ACL(f.set_user(buf, "ab", 2, 94));
  REQUIRE_ACL(f.user(buf, user, 4, 92));
  CHECK(std::string(user, 4) == "\3\3ab");
  CHECK_CODE(f.set_user(buf, user, 2, 95), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.user(buf, user, 97, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.user(buf, user, 1, SIZE_MAX), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.user(buf, user, 0, 0), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(f.free(buf));
}

TEST_CASE("a buffer's data is memory that copies know", "[tdt]") {
  const Family& f = family();
  Device device;
  Stream stream;
  DeviceMemory memory(8);
  store<int64_t>(memory, 77);
  void* const buf = make(f, 8);
  REQUIRE_ACL(aclrtMemcpyAsync(address(f, buf), 8, memory, 8, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  int64_t got = 0;
  std::memcpy(&got, address(f, buf), sizeof got);
  CHECK(got == 77);
  REQUIRE_ACL(f.free(buf));
}

TEST_CASE("references share the data, which goes with the last of them", "[tdt]") {
  const Family& f = family();
  void* const buf = make(f);
  REQUIRE_ACL(f.set_length(buf, 10));
  REQUIRE_ACL(f.set_user(buf, "x", 1, 0));
  void* other = nullptr;
  REQUIRE_ACL(f.refer(buf, &other));
  CHECK(other != buf);
  CHECK(address(f, other) == address(f, buf));
  CHECK(length(f, other) == 10);
  REQUIRE_ACL(f.set_length(other, 20));
  REQUIRE_ACL(f.set_user(other, "y", 1, 0));
  CHECK(length(f, buf) == 10);
  char user = 0;
  REQUIRE_ACL(f.user(buf, &user, 1, 0));
  CHECK(user == 'x');
  const auto before = stats().hostAllocations;
  REQUIRE_ACL(f.free(buf));
  CHECK(stats().hostAllocations == before);
  static_cast<char*>(address(f, other))[63] = 1;
  REQUIRE_ACL(f.free(other));
  CHECK(stats().hostAllocations == before - 1);
}

TEST_CASE("a chain is counted, walked, referred to and freed by its head", "[tdt]") {
  const Family& f = family();
  void* const head = make(f);
  void* const second = make(f);
  void* const third = make(f);
  CHECK(count(f, head) == 1);
  REQUIRE_ACL(f.append(head, second));
  REQUIRE_ACL(f.append(head, third));
  CHECK(count(f, head) == 3);
  void* const all[] = {head, second, third};
  for (uint32_t i = 0; i < 3; ++i) {
    void* at = nullptr;
    REQUIRE_ACL(f.at(head, i, &at));
    CHECK(at == all[i]);
  }
  void* at = head;
  CHECK_CODE(f.at(head, 3, &at), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(at == nullptr);

  void* other = nullptr;
  REQUIRE_ACL(f.refer(head, &other));
  CHECK(count(f, other) == 3);
  REQUIRE_ACL(f.at(other, 2, &at));
  CHECK(at != third);
  CHECK(address(f, at) == address(f, third));

  CHECK_CODE(f.free(second), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(f.append(second, other), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(f.append(head, second), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(f.append(head, head), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(f.append(head, other), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(f.free(head));
  for (void* gone : all) CHECK_CODE(f.free(gone), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(f.free(other));
}

TEST_CASE("a chain has at most 128 buffers", "[tdt]") {
  const Family& f = family();
  void* const head = make(f, 1);
  for (int i = 1; i < 128; ++i) REQUIRE_ACL(f.append(head, make(f, 1)));
  void* const last = make(f, 1);
  CHECK_CODE(f.append(head, last), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(f.free(last));
  REQUIRE_ACL(f.free(head));
}

TEST_CASE("buffers that are none are refused, never looked into", "[tdt]") {
  const Family& f = family();
  void* const buf = make(f);
  void* const gone = make(f);
  REQUIRE_ACL(f.free(gone));
  char memory[64] = {};
  void* out = nullptr;
  size_t size = 0;
  uint32_t number = 0;
  for (void* bad : {gone, static_cast<void*>(memory), static_cast<void*>(nullptr)}) {
    const aclError code = bad ? ACL_ERROR_RT_INVALID_HANDLE : ACL_ERROR_INVALID_PARAM;
    CHECK_CODE(f.free(bad), code);
    CHECK_CODE(f.data(bad, &out, &size), code);
    CHECK_CODE(f.set_length(bad, 1), code);
    CHECK_CODE(f.length(bad, &size), code);
    CHECK_CODE(f.user(bad, memory, 1, 0), code);
    CHECK_CODE(f.set_user(bad, memory, 1, 0), code);
    CHECK_CODE(f.refer(bad, &out), code);
    CHECK_CODE(f.append(bad, buf), code);
    CHECK_CODE(f.append(buf, bad), code);
    CHECK_CODE(f.count(bad, &number), code);
    CHECK_CODE(f.at(bad, 0, &out), code);
  }
  CHECK_CODE(f.alloc(nullptr, 8), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.alloc(&out, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.data(buf, nullptr, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.data(buf, &out, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.length(buf, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.user(buf, nullptr, 1, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.set_user(buf, nullptr, 1, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.refer(buf, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.count(buf, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(f.at(buf, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(f.free(buf));
}

TEST_CASE("a buffer is allocated as one of two types, and not beyond the memory", "[tdt]") {
  void* buf = nullptr;
  REQUIRE_ACL(acltdtAllocBuf(8, ACL_TDT_DVPP_MEM, &buf));
  REQUIRE_ACL(acltdtFreeBuf(buf));
  CHECK_CODE(acltdtAllocBuf(8, 2, &buf), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocBuf(&buf, SIZE_MAX / 2), ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK(buf == nullptr);
}

TEST_CASE("a buffer outlives that the program freed its data", "[tdt]") {
  const Family& f = family();
  void* const buf = make(f);
  void* const data = address(f, buf);
  REQUIRE_ACL(aclrtFreeHost(data));
  Device device;
  HostMemory other(64);
  REQUIRE_ACL(f.free(buf));
  CHECK(stats().hostAllocations == 1);
}
