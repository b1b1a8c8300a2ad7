// SPDX-License-Identifier: Apache-2.0
// acl_prof.h: what came through the pipe of a subscription.
#include "runtime/acl/profiling/op_info.h"

#include <cstring>

#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace {

/// For functions that return a field instead of a code.
template <class T, class F>
T field(const char* function, const void* info, std::size_t size, std::uint32_t index, T otherwise,
        F&& read) {
  T result = otherwise;
  guarded(function, [&](Runtime&) { result = read(OpRecords(info, size).get(index)); });
  return result;
}

void give_text(const char* text, char* out, std::size_t size, const char* argument) {
  require_out(out, argument);
  const std::size_t needed = std::strlen(text) + 1;
  if (size < needed) {
    fail(ACL_ERROR_INVALID_PARAM, "the length of {} is {}; expected {} or more", argument, size,
         needed);
  }
  std::memcpy(out, text, needed);
}

}  // namespace

extern "C" {

aclError aclprofGetOpDescSize(size_t* opDescSize) {
  return guarded(__func__,
                 [&](Runtime&) { require_out(opDescSize, "opDescSize") = sizeof(OpRecord); });
}

aclError aclprofGetOpNum(const void* opInfo, size_t opInfoLen, uint32_t* opNumber) {
  return guarded(__func__, [&](Runtime&) {
    uint32_t& out = require_out(opNumber, "opNumber");
    out = OpRecords(opInfo, opInfoLen).count();
  });
}

aclError aclprofGetOpTypeLen(const void* opInfo, size_t opInfoLen, uint32_t index,
                             size_t* opTypeLen) {
  return guarded(__func__, [&](Runtime&) {
    size_t& out = require_out(opTypeLen, "opTypeLen");
    out = std::strlen(OpRecords(opInfo, opInfoLen).get(index).type) + 1;
  });
}

aclError aclprofGetOpType(const void* opInfo, size_t opInfoLen, uint32_t index, char* opType,
                          size_t opTypeLen) {
  return guarded(__func__, [&](Runtime&) {
    const OpRecord record = OpRecords(opInfo, opInfoLen).get(index);
    give_text(record.type, opType, opTypeLen, "opType");
  });
}

aclError aclprofGetOpNameLen(const void* opInfo, size_t opInfoLen, uint32_t index,
                             size_t* opNameLen) {
  return guarded(__func__, [&](Runtime&) {
    size_t& out = require_out(opNameLen, "opNameLen");
    out = std::strlen(OpRecords(opInfo, opInfoLen).get(index).name) + 1;
  });
}

aclError aclprofGetOpName(const void* opInfo, size_t opInfoLen, uint32_t index, char* opName,
                          size_t opNameLen) {
  return guarded(__func__, [&](Runtime&) {
    const OpRecord record = OpRecords(opInfo, opInfoLen).get(index);
    give_text(record.name, opName, opNameLen, "opName");
  });
}

uint64_t aclprofGetOpStart(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return field<uint64_t>(__func__, opInfo, opInfoLen, index, 0,
                         [](const OpRecord& record) { return record.start_ns; });
}

uint64_t aclprofGetOpEnd(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return field<uint64_t>(__func__, opInfo, opInfoLen, index, 0,
                         [](const OpRecord& record) { return record.end_ns; });
}

uint64_t aclprofGetOpDuration(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return field<uint64_t>(__func__, opInfo, opInfoLen, index, 0,
                         [](const OpRecord& record) { return record.end_ns - record.start_ns; });
}

size_t aclprofGetModelId(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return field<size_t>(__func__, opInfo, opInfoLen, index, 0,
                       [](const OpRecord& record) { return record.model; });
}

aclprofSubscribeOpFlag aclprofGetOpFlag(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return field(__func__, opInfo, opInfoLen, index, ACL_SUBSCRIBE_NONE,
               [](const OpRecord&) { return ACL_SUBSCRIBE_OP; });
}

const char* aclprofGetOpAttriValue(const void* opInfo, size_t opInfoLen, uint32_t index,
                                   aclprofSubscribeOpAttri attri) {
  const char* value = nullptr;
  guarded(__func__, [&](Runtime&) {
    const OpRecords records(opInfo, opInfoLen);
    const char* const record = records.at(index);
    if (attri != ACL_SUBSCRIBE_ATTRI_THREADID) {
      fail(ACL_ERROR_INVALID_PARAM, "attri is {}; expected ACL_SUBSCRIBE_ATTRI_THREADID (0)",
           static_cast<int>(attri));
    }
    const char* const thread = record + offsetof(OpRecord, thread);
    if (std::memchr(thread, '\0', sizeof OpRecord::thread)) value = thread;
  });
  return value;
}

}  // extern "C"
