// SPDX-License-Identifier: Apache-2.0
// Access rights to mapped memory.
#include "tests/acl/virtual_memory.h"

using namespace world;
using namespace vmmtest;

TEST_CASE("memory mapped without access refuses copies and fills until it is given", "[vmm]") {
  const Device device;
  const Stream stream;
  const Reservation range(kPiece);
  const Physical memory;
  REQUIRE_ACL(aclrtMemMapNoAccess(range.at(0), kPiece, 0, memory, 0));
  CHECK(access_of(range.at(0), 0) == ACL_RT_MEM_ACCESS_FLAGS_NONE);
  const HostMemory host(64);
  for (const aclError code :
       {read_from(range.at(0)), write_to(range.at(0)), aclrtMemset(range.at(0), 8, 0, 8),
        aclrtMemsetAsync(range.at(0), 8, 0, 8, stream),
        aclrtMemcpyAsync(range.at(0), 8, host, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream)}) {
    CHECK(code == ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  }
  CHECK(recent_message().find("aclrtMemSetAccess") != std::string::npos);

  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_READ, 0));
  CHECK(access_of(range.at(0), 0) == ACL_RT_MEM_ACCESS_FLAGS_READ);
  CHECK_CODE(read_from(range.at(0)), ACL_SUCCESS);
  CHECK_CODE(write_to(range.at(0)), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  CHECK_CODE(aclrtMemset(range.at(0), 8, 0, 8), ACL_ERROR_RT_DRV_INTERNAL_ERROR);

  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE, 0));
  CHECK_CODE(write_to(range.at(0)), ACL_SUCCESS);
  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_NONE, 0));
  CHECK_CODE(read_from(range.at(0)), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
}

TEST_CASE("access is a right of one device", "[vmm]") {
  const Reservation range(kPiece);
  const Physical memory;
  REQUIRE_ACL(aclrtMemMapNoAccess(range.at(0), kPiece, 0, memory, 0));
  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE, 1));
  const Device zero(0);
  CHECK_CODE(write_to(range.at(0)), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
  const Device one(1);
  REQUIRE_ACL(aclrtMemMapNoAccess(range.at(0), kPiece, 0, Physical(on_device(1)), 0));
  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE, 1));
  CHECK_CODE(write_to(range.at(0)), ACL_SUCCESS);
  CHECK(access_of(range.at(0), 0) == ACL_RT_MEM_ACCESS_FLAGS_NONE);
  CHECK(access_of(range.at(0), aclrtMemLocation{0, ACL_MEM_LOCATION_TYPE_HOST}) ==
        ACL_RT_MEM_ACCESS_FLAGS_NONE);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
}

TEST_CASE("rights are set for exactly what was mapped", "[vmm]") {
  const Device device;
  const Reservation range(3 * kPiece);
  const Mapped memory(range.at(kPiece));
  CHECK(access_of(memory.at(5), 0) == ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  const auto set = [&](std::size_t offset, std::size_t size) {
    return set_access(range.at(offset), ACL_RT_MEM_ACCESS_FLAGS_READ, 0, size);
  };
  CHECK_CODE(set(kPiece, kPiece / 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(kPiece + 4096, kPiece), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(0, kPiece), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(0, 2 * kPiece), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(kPiece, kPiece), ACL_SUCCESS);
}
