// SPDX-License-Identifier: Apache-2.0
// acl_sim.h: what the emulator adds to ACL.
#include "acl/acl_sim.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "device_sim/seeded_driver.h"
#include "runtime/acl/capi/lookup.h"

using namespace acl;

namespace {

/// Structures that a caller hands over start with their size. A first version's size is the least.
template <class T>
void require_size(const T& value, const char* argument) {
  if (value.size < sizeof(T)) {
    fail(ACL_ERROR_INVALID_PARAM, "{}->size is {}; expected {} or more", argument, value.size,
         sizeof(T));
  }
}

/// Fills what the caller knows of, and says how much that was.
template <class T>
void give(T* out, T value) {
  value.size = sizeof(T);
  *out = value;
}

std::int32_t run_blocks(const sim::KernelRun& run) {
  const auto kernel = reinterpret_cast<aclsimKernel>(run.function);
  aclsimKernelContext context{};
  context.size = sizeof context;
  context.numBlocks = run.blocks;
  context.deviceId = Runtime::existing()->logical(run.device);
  context.streamId = run.stream_id;
  context.taskId = run.task_id;
  for (context.blockIndex = 0; context.blockIndex < run.blocks; ++context.blockIndex) {
    if (const std::int32_t code = kernel(&context, run.args)) return code;
  }
  return 0;
}

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
    ranges.push_back({range.ptr, range.size, (range.access & ACLSIM_ACCESS_WRITE) != 0});
  }
  return ranges;
}

void check_launch(const aclsimLaunch* launch) {
  require_input(launch, "launch");
  require_size(*launch, "launch");
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

}  // namespace

extern "C" {

aclError aclsimLaunchKernel(const aclsimLaunch* launch, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    check_launch(launch);
    Stream* const found = own_stream(runtime, stream);
    const auto function = reinterpret_cast<void*>(launch->kernel);
    if (launch->numRanges == 0) [[likely]] {
      found->submit(sim::make_kernel(run_blocks, function, launch->name, launch->numBlocks,
                                     launch->args, launch->argsSize));
    } else {
      const std::vector<sim::MemoryRange> ranges = ranges_of(*launch);
      found->submit(sim::make_kernel(run_blocks, function, launch->name, launch->numBlocks,
                                     launch->args, launch->argsSize, ranges.data(),
                                     ranges.size()));
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
    require_size(require_out(stats, "stats"), "stats");
    aclsimStats filled{};
    filled.contexts = runtime.contexts().count();
    filled.streams = runtime.streams().count() - filled.contexts;
    filled.events = runtime.events().count();
    for (int d = 0; d < runtime.memory().device_count(); ++d) {
      filled.deviceAllocations += runtime.memory().device(d).live_count();
      filled.deviceBytes += runtime.memory().device(d).used();
    }
    filled.hostAllocations = runtime.memory().host().live_count();
    filled.hostBytes = runtime.memory().host().used();
    filled.subscriptions = runtime.reports().subscriptions() + runtime.host_funcs().subscriptions();
    filled.pendingTasks = runtime.pending_tasks();
    const auto* const seeded = dynamic_cast<const sim::SeededDriver*>(&runtime.driver());
    filled.scheduleDiverged = seeded && seeded->diverged() ? 1 : 0;
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

aclError aclsimResetAll(void) {
  return guarded(__func__, [&](Runtime& runtime) { runtime.reset_all(); });
}

}  // extern "C"
