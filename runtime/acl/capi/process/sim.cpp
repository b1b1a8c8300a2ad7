// SPDX-License-Identifier: Apache-2.0
// acl_sim.h: what the emulator adds to ACL.
#include "acl/acl_sim.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "device_sim/drivers/seeded_driver.h"
#include "runtime/acl/base/fault_config.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/capi/core/quick.h"
#include "runtime/acl/capi/held_data.h"
#include "runtime/acl/core/usage.h"
#include "runtime/acl/faults/fault_injector.h"
#include "runtime/acl/kernel/kernel_launch.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

namespace {

/// Structures that a caller hands over start with their size. A first version's size is the least.
template <class T>
void require_size(const T& value, const char* argument, std::size_t least = sizeof(T)) {
  if (value.size < least) {
    fail(ACL_ERROR_INVALID_PARAM, "{}->size is {}; expected {} or more", argument, value.size,
         least);
  }
}

/// Fills the members that the caller's version of the structure has, and sets `size` to their
/// bytes.
template <class T>
void give(T* out, T value) {
  value.size = std::min(out->size, sizeof(T));
  std::memcpy(out, &value, value.size);
}

std::int32_t run_blocks(const sim::KernelRun& run) {
  return run_row_of_blocks(reinterpret_cast<aclsimKernel>(run.function), run.args, run);
}

constexpr std::size_t kLeastLaunch = offsetof(aclsimLaunch, release);  // of the first version

aclsimRelease release_of(const aclsimLaunch* launch) {
  return launch && launch->size >= sizeof(aclsimLaunch) ? launch->release : nullptr;
}

/// A launch whose release function is called when the kernel will not run (again).
class HeldKernel final : public sim::Shared {
 public:
  HeldKernel(const aclsimLaunch& launch, sim::Ref<const sim::Shared> owner)
      : kernel_(launch.kernel), owner_(std::move(owner)), args_(launch.argsSize) {
    if (!args_.empty()) std::memcpy(args_.data(), launch.args, args_.size());
  }
  static std::int32_t run(const sim::KernelRun& run) {
    const auto& held = static_cast<const HeldKernel&>(*static_cast<sim::Shared*>(run.function));
    return run_row_of_blocks(held.kernel_, held.args_.data(), run);
  }

 private:
  const aclsimKernel kernel_;
  const sim::Ref<const sim::Shared> owner_;
  std::vector<std::byte> args_;
};

std::vector<sim::MemoryRange> ranges_of(const aclsimLaunch& launch) {
  std::vector<sim::MemoryRange> ranges;
  ranges.reserve(launch.numRanges);
  for (std::uint32_t i = 0; i < launch.numRanges; ++i) {
    const aclsimMemRange& range = launch.ranges[i];
    if (range.access == 0 || (range.access & ~(ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE)) != 0) {
      fail(ACL_ERROR_INVALID_PARAM,
           "launch->ranges[{}].access is {:#x}; expected ACLSIM_ACCESS_READ, _WRITE or both", i,
           range.access);
    }
    ranges.push_back({range.ptr, range.size, (range.access & ACLSIM_ACCESS_WRITE) != 0,
                      (range.access & ACLSIM_ACCESS_READ) != 0});
  }
  return ranges;
}

[[gnu::always_inline]] inline void check_launch(const aclsimLaunch* launch) {
  require_input(launch, "launch");
  require_size(*launch, "launch", kLeastLaunch);
  require_input(launch->name, "launch->name");
  require_input(launch->kernel, "launch->kernel");
  if (launch->numBlocks == 0) {
    fail(ACL_ERROR_INVALID_PARAM, "launch->numBlocks is 0; expected 1 or more");
  }
  if (launch->argsSize > UINT32_MAX) {
    fail(ACL_ERROR_INVALID_PARAM, "launch->argsSize is {}; expected at most {}", launch->argsSize,
         UINT32_MAX);
  }
  if (launch->argsSize != 0) require_input(launch->args, "launch->args");
  if (launch->numRanges != 0) require_input(launch->ranges, "launch->ranges");
}

sim::Op make_launch(const aclsimLaunch& launch) {
  void* const kernel = reinterpret_cast<void*>(launch.kernel);
  if (launch.numRanges == 0) [[likely]] {
    return sim::make_kernel(run_blocks, kernel, launch.name, launch.numBlocks, launch.args,
                            launch.argsSize);
  }
  const std::vector<sim::MemoryRange> ranges = ranges_of(launch);
  return sim::make_kernel(run_blocks, kernel, launch.name, launch.numBlocks, launch.args,
                          launch.argsSize, ranges.data(), ranges.size());
}

sim::Op make_held_launch(const aclsimLaunch& launch, sim::Ref<const sim::Shared> owner) {
  const std::vector<sim::MemoryRange> ranges = ranges_of(launch);
  return sim::make_kernel(HeldKernel::run, sim::make_ref<HeldKernel>(launch, std::move(owner)),
                          launch.name, launch.numBlocks, ranges.data(), ranges.size());
}

/// A launch of a known version that check_launch would pass, with arguments that fit into the op,
/// in whole words.
bool is_plain(const aclsimLaunch* launch) noexcept {
  return launch && launch->size >= sizeof(aclsimLaunch) && !launch->release && launch->name &&
         launch->kernel && launch->numBlocks != 0 && launch->numRanges == 0 &&
         (launch->argsSize == 0 || (launch->argsSize <= sim::kInlineArgs &&
                                    launch->argsSize % sizeof(std::uint64_t) == 0 && launch->args));
}

constexpr const char* kLaunch = "aclsimLaunchKernel";

[[gnu::noinline]] aclError launch_held(Caller caller, const aclsimLaunch& launch,
                                       aclrtStream stream) {
  return guarded_with_release(
      caller, launch.release, launch.owner, [&](Runtime& runtime, auto owner) {
        check_launch(&launch);
        own_stream(runtime, stream)->submit(make_held_launch(launch, std::move(owner)));
      });
}

[[gnu::noinline]] aclError launch_any(const aclsimLaunch* launch, aclrtStream stream,
                                      CallPlace place) {
  if (release_of(launch)) [[unlikely]]
    return launch_held({kLaunch, place}, *launch, stream);
  return guarded({kLaunch, place}, [&](Runtime& runtime) {
    check_launch(launch);
    own_stream(runtime, stream)->submit(make_launch(*launch));
  });
}

[[gnu::noinline]] aclError launch_quickly(const aclsimLaunch* launch, aclrtStream stream,
                                          CallPlace place) {
  const QuickStream to = quick_stream(stream);
  if (!to || !is_plain(launch)) return launch_any(launch, stream, place);
  void* const kernel = reinterpret_cast<void*>(launch->kernel);
  const sim::OpWeight weight{sim::OpKind::kernel, reinterpret_cast<std::uintptr_t>(kernel)};
  const aclError done = submit_quickly(kLaunch, to, weight, [&] {
    sim::Op op = sim::make_kernel(run_blocks, kernel, launch->name, launch->numBlocks, nullptr, 0);
    op.kernel.args_size = static_cast<std::uint32_t>(launch->argsSize);
    const auto* const args = static_cast<const unsigned char*>(launch->args);
    for (std::size_t at = 0; at < launch->argsSize; at += sizeof(std::uint64_t)) {
      std::memcpy(op.kernel.inline_args + at, args + at, sizeof(std::uint64_t));
    }
    return op;
  });
  return done != kLongWay ? done : launch_any(launch, stream, place);
}

void check_entry(const aclsimKernelEntry* entry) {
  require_input(entry, "entry");
  require_size(*entry, "entry");
  require_input(entry->name, "entry->name");
  if (*entry->name == 0) fail(ACL_ERROR_INVALID_PARAM, "entry->name is empty");
  if (entry->numParams != 0) require_input(entry->paramSizes, "entry->paramSizes");
  for (std::uint32_t i = 0; i < entry->numParams; ++i) {
    if (entry->paramSizes[i] == 0 || entry->paramSizes[i] > kMostArgumentBytes) {
      fail(ACL_ERROR_INVALID_PARAM, "entry->paramSizes[{}] is {}; expected 1 to {}", i,
           entry->paramSizes[i], kMostArgumentBytes);
    }
  }
}

KernelCode code_of_entry(const aclsimKernelEntry& entry) {
  KernelCode code{entry.kernel};
  const std::size_t* const sizes = entry.paramSizes;
  if (sizes) code.parameters.emplace(sizes, sizes + entry.numParams);
  return code;
}

}  // namespace

extern "C" {

aclError aclsimLaunchKernel(const aclsimLaunch* launch, aclrtStream stream) {
  const CallPlace place;
  return nobody_attends() ? launch_quickly(launch, stream, place)
                          : launch_any(launch, stream, place);
}

aclError aclsimCheckHostMemory(int32_t on) {
  check_host_memory(on != 0);
  return ACL_SUCCESS;
}

// Not guarded: a machine need not exist.
aclError aclsimCheckFaults(const char* faults) {
  try {
    read_faults(require_input(faults, "faults"));
    return ACL_SUCCESS;
  } catch (const sim::FaultSpecError& error) {
    report_error(__func__, ACL_ERROR_INVALID_PARAM, error.what());
    return ACL_ERROR_INVALID_PARAM;
  } catch (...) {
    return report_current_exception(__func__);
  }
}

aclError aclsimRegisterKernel(const aclsimKernelEntry* entry) {
  return guarded(__func__, [&](Runtime& runtime) {
    check_entry(entry);
    HostKernelRegistry& registry = runtime.section<Kernels>().registry();
    const std::string binary = entry->binary ? entry->binary : "";
    if (entry->kernel) {
      registry.add(binary, entry->name, code_of_entry(*entry));
    } else if (!registry.remove(binary, entry->name)) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "entry->kernel is null, but no kernel '{}' is registered for the binary '{}'",
           entry->name, binary);
    }
  });
}

aclError aclsimGetMachine(aclsimMachine* machine) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_size(require_out(machine, "machine"), "machine");
    const sim::SystemConfig& config = runtime.config().system;
    aclsimMachine filled{};
    filled.devices = static_cast<uint32_t>(runtime.visible_devices());
    filled.workersPerDevice = static_cast<uint32_t>(config.workers_per_device);
    filled.memoryBytes =
        filled.devices != 0 ? runtime.memory().device(0).capacity() : config.memory_bytes;
    filled.aiCores = static_cast<uint32_t>(config.ai_cores);
    filled.vectorCores = static_cast<uint32_t>(config.vector_cores);
    filled.seeded = config.schedule == sim::Schedule::seeded ? 1 : 0;
    filled.guarded = runtime.memory().guarded() ? 1 : 0;
    filled.seed = config.seed;
    config.soc_name.copy(filled.socName, sizeof filled.socName - 1);
    std::strcpy(filled.topology,
                config.topology == sim::Topology::two_groups ? "two-groups" : "all-to-all");
    give(machine, filled);
  });
}

aclError aclsimGetStats(aclsimStats* stats) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_size(require_out(stats, "stats"), "stats", offsetof(aclsimStats, otherHandles));
    aclsimStats filled = usage_of(runtime);
    if (fault_injector()) filled.injectedFaults = fault_injector()->fired();
    give(stats, filled);
  });
}

aclError aclsimGetDeviceMemory(int32_t deviceId, uint64_t* used, uint64_t* total) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint64_t& used_out = require_out(used, "used");
    uint64_t& total_out = require_out(total, "total");
    const sim::AddressSpace& space = runtime.memory().device(runtime.physical(deviceId));
    used_out = space.used();
    total_out = space.capacity();
  });
}

aclError aclsimGetLink(int32_t deviceId, int32_t peerDeviceId, uint32_t* kind) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(kind, "kind");
    out = static_cast<uint32_t>(runtime.links().kind(
        runtime.physical(deviceId), runtime.physical(peerDeviceId, "peerDeviceId")));
  });
}

aclError aclsimRefuse(const char* function, const char* feature) {
  return guarded(__func__, [&](Runtime&) {
    require_input(function, "function");
    require_input(feature, "feature");
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "{} is not emulated: {}", function, feature);
  });
}

// Not guarded: it is no call of the program.
aclError aclsimReportError(const char* function, int32_t code, const char* text) {
  try {
    report_error(require_input(function, "function"), code, require_input(text, "text"));
    tell_library_failure(function, code, text, __builtin_return_address(0));
    return ACL_SUCCESS;
  } catch (...) {
    return report_current_exception(__func__);
  }
}

aclError aclsimResetAll(void) {
  return guarded(__func__, [&](Runtime& runtime) { runtime.end_everything(); });
}

}  // extern "C"
