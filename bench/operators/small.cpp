// SPDX-License-Identifier: Apache-2.0
// The cost of an operator of 16 elements: both phases, enqueued in batches of 100 with one
// synchronise each. Prints the median of 9 rounds in microseconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"

namespace {

void check(int code) {
  if (code == 0) return;
  std::fprintf(stderr, "%d: %s\n", code, aclGetRecentErrMsg());
  std::exit(1);
}

constexpr int64_t kCount = 16;
constexpr int kBatches = 200, kBatch = 100;

aclTensor* tensor() {
  void* memory = nullptr;
  check(aclrtMalloc(&memory, kCount * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
  return aclCreateTensor(&kCount, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &kCount, 1, memory);
}

}  // namespace

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  aclTensor *const x = tensor(), *const y = tensor(), *const out = tensor();
  float one = 1.0F;
  aclScalar* const alpha = aclCreateScalar(&one, ACL_FLOAT);
  std::vector<double> rounds;
  for (int round = 0; round < 9; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kBatches * kBatch; ++i) {
      uint64_t workspace = 0;
      aclOpExecutor* executor = nullptr;
      check(aclnnAddGetWorkspaceSize(x, y, alpha, out, &workspace, &executor));
      check(aclnnAdd(nullptr, workspace, executor, stream));
      if (i % kBatch == kBatch - 1) check(aclrtSynchronizeStream(stream));
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    rounds.push_back(took.count() / (kBatches * kBatch));
  }
  std::sort(rounds.begin(), rounds.end());
  std::printf("aclnnAdd of 16 elements: %.2f us (%.2f to %.2f)\n", rounds[4], rounds.front(),
              rounds.back());
  return 0;
}
