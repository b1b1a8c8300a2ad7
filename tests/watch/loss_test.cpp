// SPDX-License-Identifier: Apache-2.0
// The loss of a failed call, by the tables of functions.
#include "runtime/acl/watch/loss.h"

#include "acl/acl_base.h"
#include "runtime/order/report/call_loss.h"
#include "tests/support/catch.h"

namespace {

using order::LaterCall;
using order::Loss;

TEST_CASE("each function of the tables has a loss") {
  struct Row {
    const char* name;
    const char* header;
    const char* section;
    const char* tier;
    const char* state;
    const char* feature;
    const char* interface;
  };
  constexpr Row kRows[] = {
#include "api_table.inc"
  };
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    CHECK(order::loss_of(row.name).has_value());
  }
}

TEST_CASE("a setter loses no work, whatever words its name has") {
  for (const char* const name :
       {"aclrtSetOpExecuteTimeOut", "aclrtSetOpExecuteTimeOutV2", "aclrtSetOpExecuteTimeOutWithMs",
        "aclrtSetOpWaitTimeout", "HcommSetNotifyWaitTimeOut", "aclnnInit"}) {
    CAPTURE(name);
    CHECK(acl::loss_of(name, ACL_ERROR_INVALID_PARAM) == Loss::little);
  }
}

TEST_CASE("all functions that allocate are alike") {
  for (const char* const name :
       {"aclrtMalloc", "aclrtMallocHost", "aclrtMemPoolMallocAsync", "cuMemAlloc_v2",
        "cuMemHostAlloc", "cuMemAllocHost_v2", "cuMemCreate", "aclshmem_malloc", "shmem_malloc"}) {
    CAPTURE(name);
    CHECK(acl::loss_of(name, ACL_ERROR_RT_MEMORY_ALLOCATION) == Loss::memory);
    CHECK(order::loses_work(acl::loss_of(name, ACL_ERROR_RT_MEMORY_ALLOCATION)));
  }
}

TEST_CASE("queries lose nothing, and neither does a wait that reaches its limit") {
  CHECK(acl::loss_of("aclrtQueryEventStatus", ACL_ERROR_INVALID_PARAM) == Loss::nothing);
  CHECK(acl::loss_of("aclshmem_info_get_version", ACL_ERROR_INVALID_PARAM) == Loss::nothing);
  CHECK(acl::loss_of("aclrtSynchronizeStream", ACL_ERROR_INVALID_PARAM) == Loss::work);
  CHECK(acl::loss_of("aclrtSynchronizeStreamWithTimeout", ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) ==
        Loss::nothing);
}

TEST_CASE("functions in no table: operators of the program lose work, others little") {
  CHECK(!order::loss_of("aclnnOfThisProgram").has_value());
  CHECK(acl::loss_of("aclnnOfThisProgram", ACL_ERROR_INVALID_PARAM) == Loss::work);
  CHECK(acl::loss_of("aclsimCheckRead", ACL_ERROR_INVALID_PARAM) == Loss::little);
}

TEST_CASE("a call is repeated at its place, and an allocation by the next call") {
  const LaterCall there{.same_place = true};
  const LaterCall other_there{.same_place = true, .same_function = false};
  const LaterCall next{.next = true, .allocates = true};
  const LaterCall later{.next = false, .allocates = true};
  const LaterCall next_copy{.next = true};
  CHECK(order::repeats(Loss::work, there));
  CHECK(!order::repeats(Loss::work, other_there));
  CHECK(!order::repeats(Loss::work, next));
  CHECK(order::repeats(Loss::memory, there));
  CHECK(order::repeats(Loss::memory, next));
  CHECK(!order::repeats(Loss::memory, later));
  CHECK(!order::repeats(Loss::memory, next_copy));
}

}  // namespace
