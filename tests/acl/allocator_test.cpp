// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"

using namespace world;

namespace {

void* allocate(aclrtAllocator, std::size_t) { return nullptr; }
void give_back(aclrtAllocator, aclrtAllocatorBlock) {}
void* advise(aclrtAllocator, std::size_t, aclrtAllocatorAddr) { return nullptr; }
void* address_of(aclrtAllocatorBlock block) { return block; }

class Desc {
 public:
  Desc() : handle_(aclrtAllocatorCreateDesc()) { REQUIRE(handle_ != nullptr); }
  ~Desc() {
    if (handle_ != nullptr) aclrtAllocatorDestroyDesc(handle_);
  }
  Desc(const Desc&) = delete;
  Desc& operator=(const Desc&) = delete;
  operator aclrtAllocatorDesc() const { return handle_; }
  aclrtAllocatorDesc release() { return std::exchange(handle_, nullptr); }
  void fill(aclrtAllocator object) {
    REQUIRE_ACL(aclrtAllocatorSetObjToDesc(handle_, object));
    REQUIRE_ACL(aclrtAllocatorSetAllocFuncToDesc(handle_, allocate));
    REQUIRE_ACL(aclrtAllocatorSetFreeFuncToDesc(handle_, give_back));
    REQUIRE_ACL(aclrtAllocatorSetAllocAdviseFuncToDesc(handle_, advise));
    REQUIRE_ACL(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(handle_, address_of));
  }

 private:
  aclrtAllocatorDesc handle_;
};

struct Lent {
  aclrtAllocatorDesc desc = nullptr;
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc alloc = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc advise = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address = nullptr;
  aclError get(aclrtStream stream) {
    return aclrtAllocatorGetByStream(stream, &desc, &object, &alloc, &free, &advise, &address);
  }
};

}  // namespace

TEST_CASE("a stream tells the allocator that it was lent last") {
  const Device device;
  const Stream stream;
  const Stream other;
  int first = 0;
  int second = 0;
  Desc desc;
  desc.fill(&first);
  Lent lent;
  CHECK_CODE(lent.get(stream), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtAllocatorRegister(stream, desc));
  desc.fill(&second);
  REQUIRE_ACL(lent.get(stream));
  CHECK(lent.desc == static_cast<aclrtAllocatorDesc>(desc));
  CHECK(lent.object == &first);  // as it was when it was registered
  CHECK(lent.alloc == allocate);
  CHECK(lent.free == give_back);
  CHECK(lent.advise == advise);
  CHECK(lent.address == address_of);
  CHECK_CODE(lent.get(other), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtAllocatorRegister(stream, desc));
  REQUIRE_ACL(lent.get(stream));
  CHECK(lent.object == &second);
  REQUIRE_ACL(aclrtAllocatorUnregister(stream));
  REQUIRE_ACL(aclrtAllocatorUnregister(stream));
  CHECK_CODE(lent.get(stream), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a registration stays when its description goes") {
  const Device device;
  const Stream stream;
  int object = 0;
  {
    Desc desc;
    desc.fill(&object);
    REQUIRE_ACL(aclrtAllocatorRegister(stream, desc));
  }
  Lent lent;
  REQUIRE_ACL(lent.get(stream));
  CHECK(lent.object == &object);
}

TEST_CASE("an allocator needs everything but advice") {
  const Device device;
  const Stream stream;
  int object = 0;
  Desc desc;
  CHECK_CODE(aclrtAllocatorRegister(stream, desc), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtAllocatorSetObjToDesc(desc, &object));
  CHECK_CODE(aclrtAllocatorRegister(stream, desc), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtAllocatorSetAllocFuncToDesc(desc, allocate));
  CHECK_CODE(aclrtAllocatorRegister(stream, desc), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtAllocatorSetFreeFuncToDesc(desc, give_back));
  CHECK_CODE(aclrtAllocatorRegister(stream, desc), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, address_of));
  REQUIRE_ACL(aclrtAllocatorRegister(stream, desc));
  Lent lent;
  REQUIRE_ACL(lent.get(stream));
  CHECK(lent.advise == nullptr);
}

TEST_CASE("allocators are checked") {
  const Device device;
  Stream stream;
  int object = 0;
  Desc desc;
  desc.fill(&object);
  CHECK(stats().otherHandles == 1);
  CHECK_CODE(aclrtAllocatorSetObjToDesc(nullptr, &object), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocatorSetObjToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocatorSetAllocFuncToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocatorSetFreeFuncToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, nullptr));
  CHECK_CODE(aclrtAllocatorRegister(nullptr, desc), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocatorRegister(stream, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocatorRegister(stream, stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtAllocatorRegister(desc, desc), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtAllocatorUnregister(nullptr), ACL_ERROR_INVALID_PARAM);
  Lent lent;
  CHECK_CODE(lent.get(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtAllocatorRegister(stream, desc));
  CHECK_CODE(aclrtAllocatorGetByStream(stream, nullptr, &lent.object, &lent.alloc, &lent.free,
                                       &lent.advise, &lent.address),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocatorGetByStream(stream, &lent.desc, &lent.object, &lent.alloc, &lent.free,
                                       &lent.advise, nullptr),
             ACL_ERROR_INVALID_PARAM);
  const aclrtAllocatorDesc gone = desc.release();
  REQUIRE_ACL(aclrtAllocatorDestroyDesc(gone));
  CHECK_CODE(aclrtAllocatorDestroyDesc(gone), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtAllocatorDestroyDesc(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtAllocatorSetAllocFuncToDesc(gone, allocate), ACL_ERROR_RT_INVALID_HANDLE);
  const aclrtStream ended = stream.release();
  REQUIRE_ACL(aclrtDestroyStream(ended));
  CHECK_CODE(lent.get(ended), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtAllocatorUnregister(ended), ACL_ERROR_RT_INVALID_HANDLE);
}
