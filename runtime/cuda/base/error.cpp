// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/base/error.h"

namespace cuda {
namespace {

struct CodeRow {
  CUresult code;
  const char* name;
  const char* text;
};

#define CUDA_CODE(code, text) \
  { code, #code, text }
constexpr CodeRow kCodes[] = {
    CUDA_CODE(CUDA_SUCCESS, "no error"),
    CUDA_CODE(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    CUDA_CODE(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    CUDA_CODE(CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called"),
    CUDA_CODE(CUDA_ERROR_DEINITIALIZED, "the driver is shutting down"),
    CUDA_CODE(CUDA_ERROR_STUB_LIBRARY, "the library is a stub"),
    CUDA_CODE(CUDA_ERROR_NO_DEVICE, "there is no device"),
    CUDA_CODE(CUDA_ERROR_INVALID_DEVICE, "there is no device of this number"),
    CUDA_CODE(CUDA_ERROR_INVALID_CONTEXT, "no context, or not a live one"),
    CUDA_CODE(CUDA_ERROR_MAP_FAILED, "mapping failed"),
    CUDA_CODE(CUDA_ERROR_UNMAP_FAILED, "unmapping failed"),
    CUDA_CODE(CUDA_ERROR_ALREADY_MAPPED, "already mapped"),
    CUDA_CODE(CUDA_ERROR_NOT_MAPPED, "not mapped"),
    CUDA_CODE(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "the devices cannot reach each other"),
    CUDA_CODE(CUDA_ERROR_OPERATING_SYSTEM, "a call of the operating system failed"),
    CUDA_CODE(CUDA_ERROR_INVALID_HANDLE, "not a live handle"),
    CUDA_CODE(CUDA_ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    CUDA_CODE(CUDA_ERROR_NOT_FOUND, "not found"),
    CUDA_CODE(CUDA_ERROR_NOT_READY, "not ready"),
    CUDA_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal address was accessed"),
    CUDA_CODE(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled"),
    CUDA_CODE(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access is not enabled"),
    CUDA_CODE(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "the primary context is active"),
    CUDA_CODE(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context is destroyed"),
    CUDA_CODE(CUDA_ERROR_LAUNCH_FAILED, "work of a device failed"),
    CUDA_CODE(CUDA_ERROR_NOT_PERMITTED, "not permitted"),
    CUDA_CODE(CUDA_ERROR_NOT_SUPPORTED, "not supported"),
    CUDA_CODE(CUDA_ERROR_SYSTEM_NOT_READY, "system not yet initialized"),
    CUDA_CODE(CUDA_ERROR_TIMEOUT, "a time limit was exceeded"),
    CUDA_CODE(CUDA_ERROR_UNKNOWN, "unknown error"),
};
#undef CUDA_CODE

const CodeRow* row_of(CUresult code) noexcept {
  for (const CodeRow& row : kCodes) {
    if (static_cast<int>(row.code) == static_cast<int>(code)) return &row;
  }
  return nullptr;
}

}  // namespace

const char* name_of(CUresult code) noexcept {
  const CodeRow* const row = row_of(code);
  return row ? row->name : nullptr;
}

const char* text_of(CUresult code) noexcept {
  const CodeRow* const row = row_of(code);
  return row ? row->text : nullptr;
}

}  // namespace cuda
