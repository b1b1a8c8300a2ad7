// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/task_notes.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace {

void require_bytes(const void* data, std::size_t size, const char* argument) {
  require_input(data, argument);
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "infoSize is 0");
}

}  // namespace

extern "C" {

aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  return guarded(__func__, [&](Runtime&) {
    require_out(taskId, "taskId") = thread_state().last_task.task_id;
  });
}

aclError aclrtCacheLastTaskOpInfo(const void* const infoPtr, const size_t infoSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_bytes(infoPtr, infoSize, "infoPtr");
    runtime.section<TaskNotes>().set_op_info(infoPtr, infoSize);
  });
}

aclError aclrtCacheLastTaskExtendInfo(const char* const extendInfoPtr, const size_t infoSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_bytes(extendInfoPtr, infoSize, "extendInfoPtr");
    runtime.section<TaskNotes>().set_text(extendInfoPtr, infoSize);
  });
}

}  // extern "C"
