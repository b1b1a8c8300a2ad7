// SPDX-License-Identifier: Apache-2.0
//
// Data-parallel training: every device has the same weights and its own gradients, which are summed
// over all devices. The gradients are computed layer by layer, the last layer first, and the sum of
// one layer overlaps with the computation of the next.
//
//   compute   gradient 2 | gradient 1 | gradient 0 |        wait | update
//   sum                   \ all-reduce 2 | all-reduce 1 | all-reduce 0 /
//
// Each device has two streams. One event orders each gradient before its sum, and one event orders
// all sums before the update. Without that last wait the update reads gradients during the sum:
// `aclsim run --check -- ./data_parallel --missing-wait` finds it. One host thread drives all
// devices; no call waits for another device.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"  // aclsimLaunchKernel: kernels that are host functions
#include "hccl/hccl.h"

// Ends the program when a call fails, and prints the call and the reason.
#define CHECK(call) check((call), #call, __LINE__)
static void check(int code, const char* call, int line) {
  if (code == 0) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: %s gave %d: %s\n", line, call, code, text != nullptr ? text : "");
  std::exit(1);
}

static const uint32_t kLayers = 3;
static const uint32_t kCount = 32 * 1024;  // of one layer
static const size_t kBytes = kCount * sizeof(float);
static const uint32_t kSteps = 4;

// One device, and the rank that runs on it.
struct Worker {
  int32_t rank;
  HcclComm comm;
  aclrtStream compute;
  aclrtStream sum;
  aclrtEvent ready[kLayers];  // the gradient of a layer is computed
  aclrtEvent summed;          // all gradients are summed
  float* weights[kLayers];
  float* gradients[kLayers];
};

struct LayerArgs {
  float* weights;
  float* gradients;
  float factor;
};

// A value that depends on the device and on the weights.
static int32_t compute_gradient(const aclsimKernelContext*, const void* raw) {
  const LayerArgs& args = *static_cast<const LayerArgs*>(raw);
  for (uint32_t i = 0; i < kCount; ++i) {
    args.gradients[i] = args.factor * (args.weights[i] + static_cast<float>(i % 8));
  }
  return 0;
}

static int32_t update_weights(const aclsimKernelContext*, const void* raw) {
  const LayerArgs& args = *static_cast<const LayerArgs*>(raw);
  for (uint32_t i = 0; i < kCount; ++i) args.weights[i] -= args.factor * args.gradients[i];
  return 0;
}

static void launch(const char* name, aclsimKernel kernel, const LayerArgs& args, bool updates,
                   aclrtStream stream) {
  aclsimMemRange ranges[2] = {{args.weights, kBytes, ACLSIM_ACCESS_READ},
                              {args.gradients, kBytes, ACLSIM_ACCESS_WRITE}};
  if (updates) {
    ranges[0].access = ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE;
    ranges[1].access = ACLSIM_ACCESS_READ;
  }
  aclsimLaunch launch = {};
  launch.size = sizeof(launch);
  launch.name = name;
  launch.kernel = kernel;
  launch.numBlocks = 1;
  launch.args = &args;
  launch.argsSize = sizeof(args);
  launch.ranges = ranges;
  launch.numRanges = 2;
  CHECK(aclsimLaunchKernel(&launch, stream));
}

static void open_worker(Worker& worker, const std::vector<float>& weights) {
  CHECK(aclrtSetDevice(worker.rank));
  CHECK(aclrtCreateStream(&worker.compute));
  CHECK(aclrtCreateStream(&worker.sum));
  CHECK(aclrtCreateEvent(&worker.summed));
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    CHECK(aclrtCreateEvent(&worker.ready[layer]));
    void* memory[2];
    for (void*& each : memory) CHECK(aclrtMalloc(&each, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    worker.weights[layer] = static_cast<float*>(memory[0]);
    worker.gradients[layer] = static_cast<float*>(memory[1]);
    CHECK(aclrtMemcpy(worker.weights[layer], kBytes, weights.data(), kBytes,
                      ACL_MEMCPY_HOST_TO_DEVICE));
  }
}

static void close_worker(const Worker& worker) {
  CHECK(aclrtSetDevice(worker.rank));
  CHECK(HcclCommDestroy(worker.comm));
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    CHECK(aclrtFree(worker.weights[layer]));
    CHECK(aclrtFree(worker.gradients[layer]));
    CHECK(aclrtDestroyEvent(worker.ready[layer]));
  }
  CHECK(aclrtDestroyEvent(worker.summed));
  CHECK(aclrtDestroyStream(worker.compute));
  CHECK(aclrtDestroyStream(worker.sum));
  CHECK(aclrtResetDeviceForce(worker.rank));
}

static float rate(uint32_t workers) { return 1.0f / (16.0f * static_cast<float>(workers)); }

// Enqueues one step of one device. `waits`: whether the update waits for the sums.
static void step(const Worker& worker, uint32_t workers, bool waits) {
  CHECK(aclrtSetDevice(worker.rank));
  const float own = static_cast<float>(worker.rank + 1);
  for (uint32_t layer = kLayers; layer-- > 0;) {
    launch("gradient", compute_gradient, {worker.weights[layer], worker.gradients[layer], own},
           false, worker.compute);
    CHECK(aclrtRecordEvent(worker.ready[layer], worker.compute));
    CHECK(aclrtStreamWaitEvent(worker.sum, worker.ready[layer]));
    CHECK(HcclAllReduce(worker.gradients[layer], worker.gradients[layer], kCount,
                        HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, worker.comm, worker.sum));
  }
  CHECK(aclrtRecordEvent(worker.summed, worker.sum));
  if (waits) CHECK(aclrtStreamWaitEvent(worker.compute, worker.summed));
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    launch("update", update_weights,
           {worker.weights[layer], worker.gradients[layer], rate(workers)}, true, worker.compute);
  }
}

// The expected value of one element. Like HCCL here, it adds in the order of the ranks.
static float expected(float weight, uint32_t index, uint32_t workers) {
  for (uint32_t i = 0; i < kSteps; ++i) {
    float sum = 0;
    for (uint32_t rank = 0; rank < workers; ++rank) {
      sum += static_cast<float>(rank + 1) * (weight + static_cast<float>(index % 8));
    }
    weight -= rate(workers) * sum;
  }
  return weight;
}

static size_t count_wrong(const Worker& worker, const std::vector<float>& weights,
                          uint32_t workers) {
  CHECK(aclrtSynchronizeStream(worker.compute));
  size_t wrong = 0;
  std::vector<float> result(kCount);
  for (const float* layer : worker.weights) {
    CHECK(aclrtMemcpy(result.data(), kBytes, layer, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
    for (uint32_t i = 0; i < kCount; ++i) {
      const float difference = result[i] - expected(weights[i], i, workers);
      if (difference > 1e-4f || difference < -1e-4f) ++wrong;
    }
  }
  return wrong;
}

int main(int argc, char** argv) {
  const bool waits = argc < 2;
  if (argc > 2 || (!waits && std::strcmp(argv[1], "--missing-wait") != 0)) {
    std::printf(
        "usage: data_parallel [--missing-wait]\n"
        "  --missing-wait  leave out the wait between the sums and the update: a bug for the "
        "checker\n");
    return argc == 2 && std::strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  CHECK(aclInit(nullptr));
  uint32_t devices = 0;
  CHECK(aclrtGetDeviceCount(&devices));
  const uint32_t workers = devices < 4 ? devices : 4;
  std::vector<float> weights(kCount);
  for (uint32_t i = 0; i < kCount; ++i) weights[i] = static_cast<float>(i % 100) / 100.0f;

  std::vector<Worker> all(workers);
  std::vector<int32_t> ids;
  for (uint32_t rank = 0; rank < workers; ++rank) {
    ids.push_back(static_cast<int32_t>(rank));
    all[rank].rank = ids.back();
    open_worker(all[rank], weights);
  }
  std::vector<HcclComm> comms(workers);
  CHECK(HcclCommInitAll(workers, ids.data(), comms.data()));
  for (uint32_t rank = 0; rank < workers; ++rank) all[rank].comm = comms[rank];

  for (uint32_t i = 0; i < kSteps; ++i) {
    for (const Worker& worker : all) step(worker, workers, waits);
  }
  size_t wrong = 0;
  for (const Worker& worker : all) {
    CHECK(aclrtSetDevice(worker.rank));
    if (!waits) CHECK(aclrtSynchronizeStream(worker.sum));  // nothing else waits for it
    wrong += count_wrong(worker, weights, workers);
  }
  for (const Worker& worker : all) close_worker(worker);
  CHECK(aclFinalize());
  std::printf("%u devices, %u steps, %u layers of %zu KiB: %u all-reduces\n", workers, kSteps,
              kLayers, kBytes / 1024, workers * kSteps * kLayers);
  std::printf("weights on all devices: %s\n", wrong == 0 ? "ok" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
