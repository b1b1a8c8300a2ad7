// SPDX-License-Identifier: Apache-2.0
// profiling/aprof_pub.h and profiling/prof_api.h: reports of frameworks.
#include "runtime/acl/profiling/framework_reports.h"

#include <cstring>
#include <string>

#include "profiling/prof_api.h"
#include "runtime/acl/capi/guard.h"
#include "runtime/acl/profiling/profiling.h"
#include "runtime/acl/profiling/ranges.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

namespace {

constexpr std::size_t kBatch = 512 * sizeof(MsprofAdditionalInfo);

/// Runs the body of an entry. An error is MSPROF_ERROR with a text.
template <class Body>
std::int32_t reported(Caller caller, Body&& body) {
  const aclError code = guarded(caller, [&](Runtime& runtime) { body(runtime); });
  return code == ACL_SUCCESS ? MSPROF_ERROR_NONE : MSPROF_ERROR;
}

void require_length(const void* data, std::uint32_t length, std::size_t each, bool many) {
  require_input(data, "data");
  const bool fits = many ? length != 0 && length % each == 0 && length <= kBatch : length == each;
  if (fits) return;
  fail(ACL_ERROR_INVALID_PARAM, "length is {}; expected {}{}", length, many ? "a multiple of " : "",
       each);
}

std::uint64_t id_of(Runtime& runtime, const char* text, std::size_t length) {
  if (!text) return 0;
  const std::string copy(text, strnlen(text, length));
  return copy.empty() ? 0 : runtime.section<Ranges>().id_of(copy);
}

}  // namespace

extern "C" {

int32_t MsprofInit(uint32_t /*dataType*/, void* /*data*/, uint32_t /*dataLen*/) {
  return MSPROF_ERROR_NONE;
}
int32_t MsprofFinalize(void) { return MSPROF_ERROR_NONE; }

int32_t MsprofRegisterCallback(uint32_t moduleId, ProfCommandHandle handle) {
  return reported(__func__, [&](Runtime& runtime) {
    require_input(handle, "handle");
    runtime.section<FrameworkReports>().add_callback(moduleId, handle);
  });
}

int32_t MsprofReportApi(uint32_t /*nonPersistantFlag*/, const struct MsprofApi* api) {
  return reported(__func__, [&](Runtime& runtime) {
    const MsprofApi& from = *require_input(api, "api");
    if (from.endTime < from.beginTime) {
      fail(ACL_ERROR_INVALID_PARAM, "endTime is {}; expected beginTime, {}, or later", from.endTime,
           from.beginTime);
    }
    trace_output::Sink* const spans = watch::spans();
    if (!spans) return;
    const std::string name =
        runtime.section<FrameworkReports>().name_of(from.level, from.type, from.itemId);
    spans->api_call(name.c_str(), from.beginTime, from.endTime);
  });
}

int32_t MsprofReportEvent(uint32_t /*nonPersistantFlag*/, const struct MsprofEvent* event) {
  return reported(__func__, [&](Runtime& runtime) {
    const MsprofEvent& from = *require_input(event, "event");
    trace_output::Sink* const spans = watch::spans();
    if (!spans) return;
    trace_output::Range mark;
    mark.name = runtime.section<FrameworkReports>().name_of(from.level, from.type, from.itemId);
    mark.thread = from.threadId;
    mark.start = from.timeStamp;
    spans->mark(mark);
  });
}

int32_t MsprofReportCompactInfo(uint32_t /*nonPersistantFlag*/, const VOID_PTR data,
                                uint32_t length) {
  return reported(
      __func__, [&](Runtime&) { require_length(data, length, sizeof(MsprofCompactInfo), false); });
}

int32_t MsprofReportAdditionalInfo(uint32_t /*nonPersistantFlag*/, const VOID_PTR data,
                                   uint32_t length) {
  return reported(__func__, [&](Runtime&) {
    require_length(data, length, sizeof(MsprofAdditionalInfo), false);
  });
}

int32_t MsprofReportBatchAdditionalInfo(uint32_t /*nonPersistantFlag*/, const VOID_PTR data,
                                        uint32_t length) {
  return reported(__func__, [&](Runtime&) {
    require_length(data, length, sizeof(MsprofAdditionalInfo), true);
  });
}

size_t MsprofGetBatchReportMaxSize(uint32_t type) {
  return type == MSPROF_BATCH_ADDITIONAL_INFO ? kBatch : 0;
}

int32_t MsprofRegTypeInfo(uint16_t level, uint32_t typeId, const char* typeName) {
  return reported(__func__, [&](Runtime& runtime) {
    runtime.section<FrameworkReports>().name_type(level, typeId,
                                                  require_input(typeName, "typeName"));
  });
}

int32_t MsprofRegDataFormat(uint16_t /*level*/, uint32_t /*typeId*/, const char* dataFormat) {
  return reported(__func__, [&](Runtime&) { require_input(dataFormat, "dataFormat"); });
}

uint64_t MsprofGetHashId(const char* hashInfo, size_t length) {
  return guarded_value(__func__, std::uint64_t{0},
                       [&](Runtime& runtime) { return id_of(runtime, hashInfo, length); });
}

uint64_t MsprofStr2Id(const char* hashInfo, size_t length) {
  return guarded_value(__func__, std::uint64_t{0},
                       [&](Runtime& runtime) { return id_of(runtime, hashInfo, length); });
}

char* MsprofId2Str(const uint64_t Id) {
  return guarded_value(__func__, static_cast<char*>(nullptr), [&](Runtime& runtime) {
    return const_cast<char*>(runtime.section<Ranges>().kept_text_of(Id));
  });
}

char* MsprofGetPath(void) {
  static thread_local std::string path;
  return guarded_value(__func__, static_cast<char*>(nullptr), [&](Runtime& runtime) {
    path = runtime.section<Profiling>().folder();
    return path.data();
  });
}

int32_t MsprofSetDeviceIdByGeModelIdx(const uint32_t geModelIdx, const uint32_t deviceId) {
  return reported(__func__, [&](Runtime& runtime) {
    if (runtime.section<FrameworkReports>().set_device(geModelIdx, deviceId)) return;
    fail(ACL_ERROR_INVALID_PARAM, "geModelIdx is {}, a model that has another device than {}",
         geModelIdx, deviceId);
  });
}

int32_t MsprofUnsetDeviceIdByGeModelIdx(const uint32_t geModelIdx, const uint32_t deviceId) {
  return reported(__func__, [&](Runtime& runtime) {
    if (runtime.section<FrameworkReports>().unset_device(geModelIdx, deviceId)) return;
    fail(ACL_ERROR_INVALID_PARAM, "geModelIdx is {}, a model that does not have the device {}",
         geModelIdx, deviceId);
  });
}

// Called twice for each span, so it has no span of its own.
uint64_t MsprofSysCycleTime(void) {
  try {
    return Runtime::get().driver().now_ns();
  } catch (...) {
    return 0;
  }
}

bool MsprofCheckOpSwitch(uint32_t type, const char* op, size_t /*len*/) {
  return type == MSPROF_OPTYPE && op && watch::spans();
}

int32_t MsprofSetInjectionFunc(uint32_t type, void* func) {
  return reported(__func__, [&](Runtime& runtime) {
    if (type > PROF_HOOK_INIT) {
      fail(ACL_ERROR_INVALID_PARAM, "type is {}; expected 0 to {}", type,
           static_cast<int>(PROF_HOOK_INIT));
    }
    runtime.section<FrameworkReports>().set_hook(type, func);
  });
}

void* MsprofGetInjectionFunc(uint32_t type) {
  return guarded_value(__func__, static_cast<void*>(nullptr), [&](Runtime& runtime) {
    return runtime.section<FrameworkReports>().hook(type);
  });
}

int32_t MsprofInjectionInitialize(void) { return MSPROF_ERROR_NONE; }

int32_t MsprofRegisterDataCallback(uint32_t /*type*/, void* /*callback*/) {
  return reported(__func__, [](Runtime&) {
    fail(ACL_ERROR_API_NOT_SUPPORT, "raw data of the profiler is not emulated");
  });
}

// ---- prof_api.h ----

int32_t profSetProfCommand(VOID_PTR /*command*/, uint32_t /*len*/) { return MSPROF_ERROR_NONE; }
int32_t profSetStepInfo(const uint64_t /*indexId*/, const uint16_t /*tagId*/,
                        void* const /*stream*/) {
  return MSPROF_ERROR_NONE;
}
int32_t MsprofRegisterProfileCallback(int32_t /*callbackType*/, VOID_PTR /*callback*/,
                                      uint32_t /*len*/) {
  return MSPROF_ERROR_NONE;
}
int32_t MsprofSetConfig(uint32_t /*configType*/, const char* /*config*/, size_t /*configLength*/) {
  return MSPROF_ERROR_NONE;
}
int32_t MsprofReportData(uint32_t /*moduleId*/, uint32_t /*type*/, VOID_PTR /*data*/,
                         uint32_t /*len*/) {
  return MSPROF_ERROR_NONE;
}
int32_t MsprofNotifySetDevice(uint32_t /*chipId*/, uint32_t /*deviceId*/, bool /*isOpen*/) {
  return MSPROF_ERROR_NONE;
}
int32_t MsprofStart(uint32_t /*dataType*/, const void* /*data*/, uint32_t /*length*/) {
  return MSPROF_ERROR_NONE;
}
int32_t MsprofStop(uint32_t /*dataType*/, const void* /*data*/, uint32_t /*length*/) {
  return MSPROF_ERROR_NONE;
}

}  // extern "C"
