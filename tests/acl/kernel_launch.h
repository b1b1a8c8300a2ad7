// SPDX-License-Identifier: Apache-2.0
// Common code of the tests of launches by handle: arguments of the guest's kernels, a kernel that
// notes where it runs, and words for launches.
#pragma once

#include <cstring>
#include <vector>

#include "tests/acl/kernel_world.h"

namespace launchtest {

using namespace world;

struct ScaleArgs {
  std::uint32_t* numbers;
  std::uint32_t count;
  std::uint32_t factor;
};

struct SumArgs {
  std::uint32_t* result;
  const std::uint32_t* table;
  std::uint32_t count;
};

inline void put(const DeviceMemory& memory, const std::vector<std::uint32_t>& numbers) {
  const std::size_t size = numbers.size() * sizeof(std::uint32_t);
  REQUIRE_ACL(aclrtMemcpy(memory, memory.size(), numbers.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
}

inline std::vector<std::uint32_t> get(const DeviceMemory& memory, std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  const std::size_t size = count * sizeof(std::uint32_t);
  REQUIRE_ACL(aclrtMemcpy(numbers.data(), size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST));
  return numbers;
}

// The arguments and contexts that the kernel `look` saw; the kernel is given the address of this
// object.
struct SeenArgs {
  std::vector<aclsimKernelContext> contexts;
  std::vector<std::uintptr_t> args;
};

inline std::int32_t look(const aclsimKernelContext* context, const void* args) {
  SeenArgs* seen = nullptr;
  std::memcpy(&seen, args, sizeof seen);
  seen->contexts.push_back(*context);
  seen->args.push_back(reinterpret_cast<std::uintptr_t>(args));
  if (context->localMemory != nullptr) {
    std::memset(context->localMemory, 0x5a, context->localMemorySize);
  }
  return 0;
}

inline const std::vector<std::size_t> kOnePointer{sizeof(void*)};

inline aclrtLaunchKernelAttr attribute(aclrtLaunchKernelAttrId id, std::uint32_t value) {
  aclrtLaunchKernelAttr result{};
  result.id = id;
  result.value.rsv[0] = value;
  return result;
}

template <class Args>
aclError launch_host(aclrtFuncHandle function, Args args, aclrtStream stream = nullptr,
                     aclrtLaunchKernelCfg* config = nullptr, std::uint32_t blocks = 1) {
  return aclrtLaunchKernelWithHostArgs(function, blocks, stream, config, &args, sizeof args,
                                       nullptr, 0);
}

}  // namespace launchtest
