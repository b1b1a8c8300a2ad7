// SPDX-License-Identifier: Apache-2.0
// Two ranks, each a host thread, that train in step: the sum of their gradients overlaps with the
// computation. Without REPAIRED a sum does not wait for its gradient.
#include <thread>

#include "bug.h"
#include "hccl/hccl.h"

namespace {

constexpr std::int32_t kSteps = 3;

struct Rank {
  Rank(std::int32_t index, const HcclRootInfo& info) : number(index) {
    MUST(aclrtSetDevice(number));
    MUST(HcclCommInitRootInfo(2, &info, static_cast<std::uint32_t>(number), &comm));
    MUST(aclrtCreateStream(&compute));
    MUST(aclrtCreateStream(&sum));
    MUST(aclrtCreateEventExWithFlag(&ready, ACL_EVENT_SYNC));
    MUST(aclrtCreateEventExWithFlag(&summed, ACL_EVENT_SYNC));
    for (std::int32_t** memory : {&weights, &gradient, &own}) {
      MUST(aclrtMalloc(reinterpret_cast<void**>(memory), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
      MUST(aclrtMemset(*memory, kBytes, 0, kBytes));
    }
    const std::vector<std::int32_t> values(kCount, number + 1);
    MUST(aclrtMemcpy(own, kBytes, values.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  ~Rank() {
    MUST(HcclCommDestroy(comm));
    for (std::int32_t* memory : {weights, gradient, own}) MUST(aclrtFree(memory));
    for (aclrtEvent event : {ready, summed}) MUST(aclrtDestroyEvent(event));
    for (aclrtStream stream : {compute, sum}) MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(number));
  }
  /// The gradient grows by this rank's number and is summed: twice as fast each time.
  void step() const {
    add(gradient, own, nullptr, compute);
    record(ready, compute);
    if (kRepaired) wait(sum, ready);
    MUST(HcclAllReduce(gradient, gradient, kCount, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, comm,
                       sum));
    record(summed, sum);
    wait(compute, summed);
    add(weights, gradient, nullptr, compute);
  }
  const std::int32_t number;
  HcclComm comm = nullptr;
  aclrtStream compute = nullptr;
  aclrtStream sum = nullptr;
  aclrtEvent ready = nullptr;
  aclrtEvent summed = nullptr;
  std::int32_t* weights = nullptr;
  std::int32_t* gradient = nullptr;
  std::int32_t* own = nullptr;
};

std::vector<std::int32_t> train(std::int32_t number, const HcclRootInfo& info) {
  const Rank rank(number, info);
  for (std::int32_t step = 0; step < kSteps; ++step) rank.step();
  std::vector<std::int32_t> result(kCount);
  synchronise(rank.compute);
  synchronise(rank.sum);
  MUST(aclrtMemcpy(result.data(), kBytes, rank.weights, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  return result;
}

}  // namespace

int main() {
  MUST(aclInit(nullptr));
  MUST(aclrtSetDevice(0));
  HcclRootInfo info;
  MUST(HcclGetRootInfo(&info));
  std::vector<std::int32_t> results[2];
  std::thread other([&] { results[1] = train(1, info); });
  results[0] = train(0, info);
  other.join();
  MUST(aclrtResetDevice(0));
  MUST(aclFinalize());
  constexpr std::int32_t kExpected = 3 + 9 + 21;  // gradients 3, 2 * 3 + 3, 2 * 9 + 3
  return verdict(results[0].data(), kExpected) + verdict(results[1].data(), kExpected);
}
