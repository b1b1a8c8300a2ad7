// SPDX-License-Identifier: Apache-2.0
// acl_prof.h: sessions.
#include "runtime/acl/profiling/profiling.h"

#include <algorithm>
#include <cstring>

#include "acl/acl_prof.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/profiling/op_subscriptions.h"

using namespace acl;

namespace {

constexpr std::uint64_t kKnownData =
    ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_AICORE_METRICS | ACL_PROF_AICPU |
    ACL_PROF_L2CACHE | ACL_PROF_HCCL_TRACE | ACL_PROF_TRAINING_TRACE | ACL_PROF_MSPROFTX |
    ACL_PROF_RUNTIME_API | ACL_PROF_GE_API_L0 | ACL_PROF_TASK_TIME_L0 | ACL_PROF_TASK_MEMORY |
    ACL_PROF_GE_API_L1 | ACL_PROF_TASK_TIME_L2 | ACL_PROF_OP_ATTR | ACL_PROF_TASK_TIME_L3 |
    ACL_PROF_API_STATS | ACL_PROF_AICORE_SHAPE;

void check_metrics(aclprofAicoreMetrics metrics) {
  const bool known =
      metrics >= ACL_AICORE_ARITHMETIC_UTILIZATION && metrics <= ACL_AICORE_MEMORY_ACCESS;
  if (!known && metrics != ACL_AICORE_NONE) {
    fail(ACL_ERROR_INVALID_PARAM, "aicoreMetrics is {}; expected 0 to 8, or ACL_AICORE_NONE (255)",
         static_cast<int>(metrics));
  }
}

std::vector<int> physical_devices(Runtime& runtime, const std::uint32_t* ids, std::uint32_t count) {
  if (count != 0) require_input(ids, "deviceIdList");
  if (count > static_cast<std::uint32_t>(runtime.visible_devices())) {
    fail(ACL_ERROR_INVALID_PARAM, "deviceNums is {}; expected at most {}", count,
         runtime.visible_devices());
  }
  std::vector<int> devices;
  for (std::uint32_t i = 0; i < count; ++i) {
    devices.push_back(runtime.physical(static_cast<int>(ids[i]), "an id in deviceIdList"));
  }
  std::sort(devices.begin(), devices.end());
  if (std::adjacent_find(devices.begin(), devices.end()) != devices.end()) {
    fail(ACL_ERROR_INVALID_PARAM, "deviceIdList names a device twice");
  }
  return devices;
}

ProfileConfigTable::Pin find_config(Runtime& runtime, const aclprofConfig* handle) {
  require_input(handle, "profilerConfig");
  auto config = runtime.section<Profiling>().configs().find(handle);
  if (!config) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "profilerConfig is {}, which is not a live configuration of aclprofCreateConfig",
        static_cast<const void*>(handle));
  }
  return config;
}

SubscribeConfigTable::Pin find_config(Runtime& runtime, const aclprofSubscribeConfig* handle) {
  require_input(handle, "profSubscribeConfig");
  auto config = runtime.section<OpSubscriptions>().configs().find(handle);
  if (!config) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "profSubscribeConfig is {}, which is not a live one of aclprofCreateSubscribeConfig",
        static_cast<const void*>(handle));
  }
  return config;
}

void* added(void* handle) {
  if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many profiling objects");
  return handle;
}

}  // namespace

extern "C" {

aclError aclprofInit(const char* profilerResultPath, size_t length) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(profilerResultPath, "profilerResultPath");
    const std::string path(profilerResultPath, strnlen(profilerResultPath, length));
    if (path.empty()) fail(ACL_ERROR_INVALID_PARAM, "profilerResultPath is empty");
    if (runtime.section<OpSubscriptions>().any()) {
      fail(ACL_ERROR_PROF_API_CONFLICT,
           "operators of a model are subscribed; expected aclprofModelUnSubscribe before");
    }
    runtime.section<Profiling>().init(path);
  });
}

aclError aclprofFinalize() {
  return guarded(__func__, [&](Runtime& runtime) { runtime.section<Profiling>().finalize(); });
}

aclError aclprofStart(const aclprofConfig* profilerConfig) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto config = find_config(runtime, profilerConfig);
    runtime.section<Profiling>().start(sim::Ref<ProfileConfig>::share(config.get()));
  });
}

aclError aclprofStop(const aclprofConfig* profilerConfig) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Profiling>().stop(*find_config(runtime, profilerConfig));
  });
}

aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents* aicoreEvents,
                                   uint64_t dataTypeConfig) {
  aclprofConfig* created = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    check_metrics(aicoreMetrics);
    if (aicoreEvents) fail(ACL_ERROR_INVALID_PARAM, "aicoreEvents is not null; it is reserved");
    if ((dataTypeConfig & ~kKnownData) != 0 || dataTypeConfig == 0) {
      fail(ACL_ERROR_INVALID_PARAM, "dataTypeConfig is {:#x}; expected an OR of ACL_PROF_ bits",
           dataTypeConfig);
    }
    auto config = sim::make_ref<ProfileConfig>();
    config->devices = physical_devices(runtime, deviceIdList, deviceNums);
    config->metrics = aicoreMetrics;
    config->data = dataTypeConfig;
    created = static_cast<aclprofConfig*>(
        added(runtime.section<Profiling>().configs().add(std::move(config))));
  });
  return created;
}

aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Profiling>().configs().remove(find_config(runtime, profilerConfig));
  });
}

aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t configLength) {
  return guarded(__func__, [&](Runtime& runtime) {
    constexpr int kNoType = 2;  // the numbers have a gap
    if (configType <= ACL_PROF_ARGS_MIN || configType >= ACL_PROF_ARGS_MAX ||
        configType == kNoType) {
      fail(ACL_ERROR_INVALID_PARAM, "configType is {}; expected 1, or 3 to 16",
           static_cast<int>(configType));
    }
    require_input(config, "config");
    std::string text(config, strnlen(config, configLength));
    if (text.empty()) fail(ACL_ERROR_INVALID_PARAM, "config is empty");
    runtime.section<Profiling>().set_option(configType, std::move(text));
  });
}

aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t timeInfoSwitch,
                                                     aclprofAicoreMetrics aicoreMetrics, void* fd) {
  aclprofSubscribeConfig* created = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    check_metrics(aicoreMetrics);
    require_input(fd, "fd");
    auto config = sim::make_ref<SubscribeConfig>();
    config->times = timeInfoSwitch != 0;
    std::memcpy(&config->fd, fd, sizeof config->fd);
    created = static_cast<aclprofSubscribeConfig*>(
        added(runtime.section<OpSubscriptions>().configs().add(std::move(config))));
  });
  return created;
}

aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto config = find_config(runtime, profSubscribeConfig);
    runtime.section<OpSubscriptions>().configs().remove(config);
  });
}

aclError aclprofModelSubscribe(uint32_t modelId,
                               const aclprofSubscribeConfig* profSubscribeConfig) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto config = find_config(runtime, profSubscribeConfig);
    if (runtime.section<Profiling>().initialized()) {
      fail(ACL_ERROR_PROF_API_CONFLICT,
           "profiling is initialised; expected aclprofFinalize before a subscription");
    }
    runtime.section<OpSubscriptions>().subscribe(modelId, *config);
  });
}

aclError aclprofModelUnSubscribe(uint32_t modelId) {
  return guarded(
      __func__, [&](Runtime& runtime) { runtime.section<OpSubscriptions>().unsubscribe(modelId); });
}

}  // extern "C"
