// SPDX-License-Identifier: Apache-2.0
// A kernel binary for this machine: what the tests of kernels by handle load.
#include <sched.h>

#include <atomic>

#include "acl/acl_sim.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED uint32_t calls;
uint32_t calls = 0;

// Counts the unloads of this library.
EXPORTED std::atomic<int>* unloads;
std::atomic<int>* unloads = nullptr;

EXPORTED std::atomic<int> gate_entered;
EXPORTED std::atomic<int> gate_open;
std::atomic<int> gate_entered{0};
std::atomic<int> gate_open{0};

__attribute__((destructor)) static void count_unload() {
  if (unloads != nullptr) ++*unloads;
}

struct ScaleArgs {
  uint32_t* numbers;
  uint32_t count;
  uint32_t factor;
};

EXPORTED int32_t scale(const aclsimKernelContext* context, const void* raw) {
  const auto& args = *static_cast<const ScaleArgs*>(raw);
  for (uint32_t i = context->blockIndex; i < args.count; i += context->numBlocks) {
    args.numbers[i] *= args.factor;
  }
  ++calls;
  return 0;
}

// Adds up what a pointer among the arguments leads to.
struct SumArgs {
  uint32_t* result;
  const uint32_t* table;
  uint32_t count;
};

EXPORTED int32_t sum(const aclsimKernelContext*, const void* raw) {
  const auto& args = *static_cast<const SumArgs*>(raw);
  *args.result = 0;
  for (uint32_t i = 0; i < args.count; ++i) *args.result += args.table[i];
  return 0;
}

EXPORTED int32_t hold(const aclsimKernelContext*, const void*) {
  gate_entered = 1;
  while (gate_open == 0) sched_yield();
  return 0;
}

EXPORTED int32_t fail_with(const aclsimKernelContext*, const void* raw) {
  return *static_cast<const int32_t*>(raw);
}

EXPORTED int32_t tiled_7(const aclsimKernelContext*, const void*) { return 0; }
EXPORTED int32_t tiled_9(const aclsimKernelContext*, const void*) { return 0; }
EXPORTED int32_t other_9(const aclsimKernelContext*, const void*) { return 0; }

extern "C" int32_t hidden(const aclsimKernelContext*, const void*);
int32_t hidden(const aclsimKernelContext*, const void*) { return 0; }
