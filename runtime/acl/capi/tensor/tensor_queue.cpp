// SPDX-License-Identifier: Apache-2.0
// acl_tdt_queue.h: queues of buffers.
#include "runtime/acl/tensor/tensor_queue.h"

#include <unistd.h>

#include <cstring>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

namespace {

constexpr std::uint32_t kPermissions = ACL_TDT_QUEUE_PERMISSION_MANAGE |
                                       ACL_TDT_QUEUE_PERMISSION_DEQUEUE |
                                       ACL_TDT_QUEUE_PERMISSION_ENQUEUE;

Queues& queues(Runtime& runtime) { return runtime.section<Queues>(); }

void check_data(const void* data, std::size_t size, const void* user, std::size_t user_size) {
  require_input(data, "data");
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "dataSize is 0");
  if ((user == nullptr) != (user_size == 0) || user_size > Buffer::kUserBytes) {
    fail(ACL_ERROR_INVALID_PARAM,
         "userData is {} and userDataSize {}; expected both or neither, and at most {} bytes",
         user ? "given" : "null", user_size, Buffer::kUserBytes);
  }
}

/// A new buffer with a copy of the data.
void* make_buffer(Runtime& runtime, const void* data, std::size_t size, const void* user,
                  std::size_t user_size, const void* caller) {
  locate(runtime, data, size, "data");
  Buffers& buffers = runtime.section<Buffers>();
  void* const handle = buffers.create(size, caller);
  buffers.with(handle, [&](Buffer& buffer) {
    std::memcpy(buffer.data->address(), runtime.memory().engine(data), size);
    buffer.length = size;
    if (user_size != 0) std::memcpy(buffer.user.data(), user, user_size);
  });
  return handle;
}

}  // namespace

extern "C" {

aclError acltdtCreateQueue(const acltdtQueueAttr* attr, uint32_t* qid) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(qid, "qid");
    const auto attributes = find_handle(runtime.section<QueueDescriptions>().attributes, attr,
                                        "attr", "queue attributes");
    out = queues(runtime).create(current_context(runtime).device(), attributes->get());
  });
}

aclError acltdtDestroyQueue(uint32_t qid) {
  return guarded(__func__, [&](Runtime& runtime) { queues(runtime).destroy(qid); });
}

aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(buf, "buf");
    queues(runtime).enqueue(qid, buf, deadline_or_now(timeout));
  });
}

aclError acltdtDequeue(uint32_t qid, acltdtBuf* buf, int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    acltdtBuf& out = require_out(buf, "buf");
    out = nullptr;
    out = queues(runtime).dequeue(qid, deadline_or_now(timeout));
  });
}

aclError acltdtEnqueueData(uint32_t qid, const void* data, size_t dataSize, const void* userData,
                           size_t userDataSize, int32_t timeout, uint32_t rsv) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    check_data(data, dataSize, userData, userDataSize);
    if (rsv != 0) fail(ACL_ERROR_INVALID_PARAM, "rsv is {}; expected 0", rsv);
    const sim::Deadline deadline = deadline_or_now(timeout);
    struct Made {
      Buffers& buffers;
      void* handle;
      ~Made() {
        if (handle) buffers.free(handle);
      }
    };
    Made made{runtime.section<Buffers>(),
              make_buffer(runtime, data, dataSize, userData, userDataSize, caller)};
    queues(runtime).enqueue(qid, made.handle, deadline);
    made.handle = nullptr;
  });
}

aclError acltdtDequeueData(uint32_t qid, void* data, size_t dataSize, size_t* retDataSize,
                           void* userData, size_t userDataSize, int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& size_out = require_out(retDataSize, "retDataSize");
    check_data(data, dataSize, userData, userDataSize);
    const sim::Deadline deadline = deadline_or_now(timeout);
    locate(runtime, data, dataSize, "data");
    size_out = queues(runtime).dequeue_data(qid, data, dataSize, userData, userDataSize, deadline);
  });
}

aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission, int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (permission == 0 || (permission & ~kPermissions) != 0) {
      fail(ACL_ERROR_INVALID_PARAM,
           "permission is {:#x}; expected an OR of ACL_TDT_QUEUE_PERMISSION_...", permission);
    }
    deadline_or_now(timeout);
    if (pid != ::getpid()) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
           "not emulated: a queue that another process uses (pid is {}, this process is {})", pid,
           ::getpid());
    }
    queues(runtime).grant(qid, permission);
  });
}

aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t* permission) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(permission, "permission");
    out = queues(runtime).attach(qid, deadline_or_now(timeout));
  });
}

}  // extern "C"
