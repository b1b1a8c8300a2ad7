// SPDX-License-Identifier: Apache-2.0
// Buffers for queues, under two families of names for the same objects.
#include "runtime/acl/tensor/buffer.h"

#include <cstring>

#include "acl/acl_tdt_queue.h"
#include "runtime/acl/capi/core/lookup.h"

using namespace acl;

namespace {

Buffers& buffers(Runtime& runtime) { return runtime.section<Buffers>(); }

aclError allocate(const char* function, void** buf, std::size_t size, const void* caller) {
  return guarded(function, [&](Runtime& runtime) {
    void*& out = require_out(buf, "buf");
    out = nullptr;
    if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
    out = buffers(runtime).create(size, caller);
  });
}

aclError release(const char* function, void* buf) {
  return guarded(function,
                 [&](Runtime& runtime) { buffers(runtime).free(require_input(buf, "buf")); });
}

aclError get_data(const char* function, const void* buf, void** address, std::size_t* size) {
  return guarded(function, [&](Runtime& runtime) {
    void*& address_out = require_out(address, "dataPtr");
    std::size_t& size_out = require_out(size, "size");
    buffers(runtime).with(require_input(buf, "buf"), [&](const Buffer& buffer) {
      address_out = buffer.data->address();
      size_out = buffer.data->size();
    });
  });
}

aclError set_length(const char* function, void* buf, std::size_t length) {
  return guarded(function, [&](Runtime& runtime) {
    buffers(runtime).with(require_input(buf, "buf"), [&](Buffer& buffer) {
      if (length > buffer.data->size()) {
        fail(ACL_ERROR_RT_PARAM_INVALID, "len is {}, and buf has {} bytes", length,
             buffer.data->size());
      }
      buffer.length = length;
    });
  });
}

aclError get_length(const char* function, const void* buf, std::size_t* length) {
  return guarded(function, [&](Runtime& runtime) {
    std::size_t& out = require_out(length, "len");
    buffers(runtime).with(require_input(buf, "buf"),
                          [&](const Buffer& buffer) { out = buffer.length; });
  });
}

void check_user_range(const void* data, std::size_t size, std::size_t offset) {
  require_input(data, "dataPtr");
  if (size == 0 || size > Buffer::kUserBytes || offset > Buffer::kUserBytes - size) {
    fail(ACL_ERROR_INVALID_PARAM, "size is {} and offset {}; expected 1 to {} bytes in all", size,
         offset, Buffer::kUserBytes);
  }
}

aclError get_user(const char* function, const void* buf, void* data, std::size_t size,
                  std::size_t offset) {
  return guarded(function, [&](Runtime& runtime) {
    require_input(buf, "buf");
    check_user_range(data, size, offset);
    buffers(runtime).with(
        buf, [&](const Buffer& buffer) { std::memcpy(data, buffer.user.data() + offset, size); });
  });
}

aclError set_user(const char* function, void* buf, const void* data, std::size_t size,
                  std::size_t offset) {
  return guarded(function, [&](Runtime& runtime) {
    require_input(buf, "buf");
    check_user_range(data, size, offset);
    buffers(runtime).with(
        buf, [&](Buffer& buffer) { std::memcpy(buffer.user.data() + offset, data, size); });
  });
}

aclError refer(const char* function, const void* buf, void** copy) {
  return guarded(function, [&](Runtime& runtime) {
    void*& out = require_out(copy, "newBuf");
    out = nullptr;
    out = buffers(runtime).refer(require_input(buf, "buf"));
  });
}

aclError append(const char* function, const void* head, const void* buf) {
  return guarded(function, [&](Runtime& runtime) {
    require_input(head, "headBuf");
    buffers(runtime).append(head, require_input(buf, "buf"));
  });
}

aclError count(const char* function, const void* head, std::uint32_t* number) {
  return guarded(function, [&](Runtime& runtime) {
    std::uint32_t& out = require_out(number, "num");
    out = buffers(runtime).chain_length(require_input(head, "headBuf"));
  });
}

aclError at(const char* function, const void* head, std::uint32_t index, void** buf) {
  return guarded(function, [&](Runtime& runtime) {
    void*& out = require_out(buf, "buf");
    out = nullptr;
    out = buffers(runtime).at(require_input(head, "headBuf"), index);
  });
}

}  // namespace

extern "C" {

aclError aclrtAllocBuf(aclrtMbuf* buf, size_t size) {
  return allocate(__func__, buf, size, __builtin_return_address(0));
}

aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf* buf) {
  const void* const caller = __builtin_return_address(0);
  if (type == ACL_TDT_NORMAL_MEM || type == ACL_TDT_DVPP_MEM) {
    return allocate(__func__, buf, size, caller);
  }
  return guarded(__func__, [&](Runtime&) {
    fail(ACL_ERROR_INVALID_PARAM, "type is {}; expected an acltdtAllocBufType", type);
  });
}

aclError aclrtFreeBuf(aclrtMbuf buf) { return release(__func__, buf); }
aclError acltdtFreeBuf(acltdtBuf buf) { return release(__func__, buf); }

aclError aclrtGetBufData(const aclrtMbuf buf, void** dataPtr, size_t* size) {
  return get_data(__func__, buf, dataPtr, size);
}
aclError acltdtGetBufData(const acltdtBuf buf, void** dataPtr, size_t* size) {
  return get_data(__func__, buf, dataPtr, size);
}

aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len) { return set_length(__func__, buf, len); }
aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len) { return set_length(__func__, buf, len); }

aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t* len) { return get_length(__func__, buf, len); }
aclError acltdtGetBufDataLen(acltdtBuf buf, size_t* len) { return get_length(__func__, buf, len); }

aclError aclrtGetBufUserData(const aclrtMbuf buf, void* dataPtr, size_t size, size_t offset) {
  return get_user(__func__, buf, dataPtr, size, offset);
}
aclError acltdtGetBufUserData(const acltdtBuf buf, void* dataPtr, size_t size, size_t offset) {
  return get_user(__func__, buf, dataPtr, size, offset);
}

aclError aclrtSetBufUserData(aclrtMbuf buf, const void* dataPtr, size_t size, size_t offset) {
  return set_user(__func__, buf, dataPtr, size, offset);
}
aclError acltdtSetBufUserData(acltdtBuf buf, const void* dataPtr, size_t size, size_t offset) {
  return set_user(__func__, buf, dataPtr, size, offset);
}

aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf* newBuf) {
  return refer(__func__, buf, newBuf);
}
aclError acltdtCopyBufRef(const acltdtBuf buf, acltdtBuf* newBuf) {
  return refer(__func__, buf, newBuf);
}

aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf) {
  return append(__func__, headBuf, buf);
}
aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf) {
  return append(__func__, headBuf, buf);
}

aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t* num) {
  return count(__func__, headBuf, num);
}
aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t* num) {
  return count(__func__, headBuf, num);
}

aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf* buf) {
  return at(__func__, headBuf, index, buf);
}
aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index, acltdtBuf* buf) {
  return at(__func__, headBuf, index, buf);
}

}  // extern "C"
