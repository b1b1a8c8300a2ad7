// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_dump.h"

#include <cstring>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/dump/dump.h"

using namespace acl;

namespace {

void check_dump_type(std::uint32_t type) {
  if (type != ACL_OP_DUMP_OP_AICORE_ARGS) {
    fail(ACL_ERROR_INVALID_PARAM, "dumpType is {:#x}; expected ACL_OP_DUMP_OP_AICORE_ARGS ({:#x})",
         type, ACL_OP_DUMP_OP_AICORE_ARGS);
  }
}

/// The folder for the calling thread's device; device 0 for a thread without a context.
std::string exception_folder(Runtime& runtime) {
  const sim::Ref<Context>& context = thread_state().context;
  const int device = context && context->alive() ? context->device() : 0;
  return runtime.section<Dump>().exception_folder(device);
}

}  // namespace

extern "C" {

aclError aclmdlInitDump() {
  return guarded(__func__, [&](Runtime& runtime) { runtime.section<Dump>().init(); });
}

aclError aclmdlSetDump(const char* dumpCfgPath) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Dump>().configure(require_input(dumpCfgPath, "dumpCfgPath"));
  });
}

aclError aclmdlFinalizeDump() {
  return guarded(__func__, [&](Runtime& runtime) { runtime.section<Dump>().finalize(); });
}

aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t),
                            int32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<Dump>().output().set_callback(require_input(messageCallback, "messageCallback"),
                                                  flag);
  });
}

void acldumpUnregCallback() {
  guarded(__func__,
          [&](Runtime& runtime) { runtime.section<Dump>().output().set_callback(nullptr, 0); });
}

aclError aclopStartDumpArgs(uint32_t dumpType, const char* path) {
  return guarded(__func__, [&](Runtime& runtime) {
    check_dump_type(dumpType);
    require_input(path, "path");
    if (*path == '\0') fail(ACL_ERROR_INVALID_PARAM, "path is empty");
    runtime.section<Dump>().start_args(path);
  });
}

aclError aclopStopDumpArgs(uint32_t dumpType) {
  return guarded(__func__, [&](Runtime& runtime) {
    check_dump_type(dumpType);
    runtime.section<Dump>().stop_args();
  });
}

const char* acldumpGetPath(acldumpType dumpType) {
  const char* path = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    if (dumpType < AIC_ERR_BRIEF_DUMP || dumpType > OVERFLOW_DUMP) {
      fail(ACL_ERROR_INVALID_PARAM, "dumpType is {}; expected 1 to 5", static_cast<int>(dumpType));
    }
    path = runtime.section<Dump>().path(dumpType);
  });
  return path;
}

aclError acldumpSaveExceptionInfo(const char* fileName, const char* userTag,
                                  const acldumpTensorInfo* tensors, size_t tensorCount) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(fileName, "fileName");
    require_input(tensors, "tensors");
    if (*fileName == '\0') fail(ACL_ERROR_INVALID_PARAM, "fileName is empty");
    if (tensorCount == 0) fail(ACL_ERROR_INVALID_PARAM, "tensorCount is 0");
    save_tensors(runtime, exception_folder(runtime), fileName, userTag, tensors, tensorCount);
  });
}

aclError acldumpGetExceptionInfoPath(char* path, size_t maxLen) {
  return guarded(__func__, [&](Runtime& runtime) {
    char* const out = &require_out(path, "path");
    const std::string folder = exception_folder(runtime);
    if (maxLen <= folder.size()) {
      fail(ACL_ERROR_INVALID_PARAM, "maxLen is {}; expected {} or more for '{}'", maxLen,
           folder.size() + 1, folder);
    }
    std::memcpy(out, folder.c_str(), folder.size() + 1);
  });
}

}  // extern "C"
