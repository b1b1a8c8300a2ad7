// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/tensor/data_buffer.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace {

DataBuffers::Table::Pin find_buffer(Runtime& runtime, const aclDataBuffer* handle) {
  require_input(handle, "dataBuffer");
  auto pin = runtime.section<DataBuffers>().table().find(handle);
  if (!pin) {
    fail_for_handle(handle, ACL_ERROR_RT_INVALID_HANDLE,
                    "dataBuffer is {}, which is not a live data buffer",
                    static_cast<const void*>(handle));
  }
  return pin;
}

/// A member of a description; `none`, and no error, for null.
template <class T, class Read>
T read_buffer(const char* function, const aclDataBuffer* handle, T none, Read read) {
  if (!handle) return none;
  T result = none;
  guarded(function, [&](Runtime& runtime) { result = read(*find_buffer(runtime, handle)); });
  return result;
}

std::size_t size_of(const DataBuffer& buffer) { return buffer.size.load(); }

}  // namespace

extern "C" {

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  void* handle = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    handle = runtime.section<DataBuffers>().table().add(sim::make_ref<DataBuffer>(data, size));
    if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many data buffers");
  });
  return static_cast<aclDataBuffer*>(handle);
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_buffer(runtime, dataBuffer);
    if (!runtime.section<DataBuffers>().table().remove(found)) {
      fail(ACL_ERROR_RT_INVALID_HANDLE, "dataBuffer was destroyed by another thread");
    }
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_buffer(runtime, dataBuffer);
    found->data = data;
    found->size = size;
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return read_buffer(__func__, dataBuffer, static_cast<void*>(nullptr),
                     [](const DataBuffer& buffer) { return buffer.data.load(); });
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(read_buffer(__func__, dataBuffer, std::size_t{0}, size_of));
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return read_buffer(__func__, dataBuffer, std::size_t{0}, size_of);
}

}  // extern "C"
