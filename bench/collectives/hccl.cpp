// SPDX-License-Identifier: Apache-2.0
// AllReduce of float, sum, through HCCL: one rank of a job. Rank 0 prints for each size the time of
// a call if many are enqueued and synchronised once, and if each call is synchronised.
#include <hccl/hccl.h>

#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "bench/collectives/sizes.h"

namespace {

void require(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "%s: %d %s\n", what, code, aclGetRecentErrMsg());
  std::exit(1);
}
#define REQUIRE(call) require(static_cast<int>(call), #call)

unsigned number(const char* name) {
  const char* const text = std::getenv(name);
  return text ? static_cast<unsigned>(std::atoi(text)) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned rank = number("RANK_ID");
  HcclComm comm = nullptr;
  aclrtStream stream = nullptr;
  void *in = nullptr, *out = nullptr;
  const std::vector<std::size_t> sizes = bench::sizes(argc, argv);
  REQUIRE(aclInit(nullptr));
  REQUIRE(aclrtSetDevice(static_cast<int>(number("DEVICE_ID"))));
  REQUIRE(aclrtCreateStream(&stream));
  REQUIRE(aclrtMalloc(&in, sizes.back(), ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE(aclrtMalloc(&out, sizes.back(), ACL_MEM_MALLOC_HUGE_FIRST));
  const std::vector<float> ones(sizes.back() / sizeof(float), 1.0f);
  REQUIRE(aclrtMemcpy(in, sizes.back(), ones.data(), sizes.back(), ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE(HcclCommInitClusterInfo(std::getenv("RANK_TABLE_FILE"), rank, &comm));
  for (const std::size_t size : sizes) {
    const auto enqueue = [&] {
      REQUIRE(HcclAllReduce(in, out, size / sizeof(float), HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM,
                            comm, stream));
    };
    const double together = bench::microseconds(size, [&](int calls) {
      for (int i = 0; i < calls; ++i) enqueue();
      REQUIRE(aclrtSynchronizeStream(stream));
    });
    const double each = bench::microseconds(size, [&](int calls) {
      for (int i = 0; i < calls; ++i) {
        enqueue();
        REQUIRE(aclrtSynchronizeStream(stream));
      }
    });
    float first = 0;
    REQUIRE(aclrtMemcpy(&first, sizeof first, out, sizeof first, ACL_MEMCPY_DEVICE_TO_HOST));
    if (first != static_cast<float>(number("RANK_SIZE"))) require(1, "the sum is wrong");
    if (rank == 0) bench::row(size, together, each);
  }
  REQUIRE(HcclCommDestroy(comm));
  return 0;
}
