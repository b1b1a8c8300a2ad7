// SPDX-License-Identifier: Apache-2.0
// Variables of kernel code, named by the variable itself.
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/program_variables.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

namespace {

ProgramVariable find_variable(Runtime& runtime, const void* symbol) {
  require_input(symbol, "symbol");
  return runtime.section<ProgramVariables>().take(symbol);
}

/// The address of byte `offset` of the variable, from which at least `count` bytes remain.
void* inside(Runtime& runtime, const void* symbol, std::size_t count, std::size_t offset) {
  const ProgramVariable variable = find_variable(runtime, symbol);
  if (offset > variable.size || count > variable.size - offset) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "offset is {} and count {}, of a variable of {} bytes", offset,
         count, variable.size);
  }
  return static_cast<std::byte*>(variable.address) + offset;
}

void require_kind(aclrtMemcpyKind kind, bool to_symbol) {
  const aclrtMemcpyKind from_host =
      to_symbol ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
  if (kind == from_host || kind == ACL_MEMCPY_DEVICE_TO_DEVICE || kind == ACL_MEMCPY_DEFAULT)
    return;
  fail(ACL_ERROR_RT_PARAM_INVALID,
       "kind is {}, and the {} is a variable of a device; expected {}, {} or {}",
       static_cast<int>(kind), to_symbol ? "destination" : "source", static_cast<int>(from_host),
       static_cast<int>(ACL_MEMCPY_DEVICE_TO_DEVICE), static_cast<int>(ACL_MEMCPY_DEFAULT));
}

void copy(Runtime& runtime, void* dst, std::size_t dest_max, const void* src, std::size_t count,
          aclrtMemcpyKind kind) {
  check_copy_arguments(dst, dest_max, src, count, kind);
  require_immediate_work(runtime);
  copy_now(runtime, dst, src, count);
}

void copy_in_order(Runtime& runtime, void* dst, std::size_t dest_max, const void* src,
                   std::size_t count, aclrtMemcpyKind kind, aclrtStream stream) {
  check_copy_arguments(dst, dest_max, src, count, kind);
  copy_async(runtime, dst, src, count, kind, *own_stream(runtime, stream));
}

}  // namespace

extern "C" {

aclError aclrtGetSymbolAddress(const void* symbol, void** devPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_out(devPtr, "devPtr");
    out = nullptr;
    current_context(runtime);
    out = find_variable(runtime, symbol).address;
  });
}

aclError aclrtGetSymbolSize(const void* symbol, size_t* size) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(size, "size");
    current_context(runtime);
    out = find_variable(runtime, symbol).size;
  });
}

aclError aclrtMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                             aclrtMemcpyKind kind) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_kind(kind, true);
    void* const to = inside(runtime, symbol, count, offset);
    if (count != 0) copy(runtime, to, count, src, count, kind);
  });
}

aclError aclrtMemcpyFromSymbol(void* dst, size_t dstMax, const void* symbol, size_t count,
                               size_t offset, aclrtMemcpyKind kind) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_kind(kind, false);
    const void* const from = inside(runtime, symbol, count, offset);
    if (count != 0) copy(runtime, dst, dstMax, from, count, kind);
  });
}

aclError aclrtMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                  aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_kind(kind, true);
    void* const to = inside(runtime, symbol, count, offset);
    if (count != 0) copy_in_order(runtime, to, count, src, count, kind, stream);
  });
}

aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t dstMax, const void* symbol, size_t count,
                                    size_t offset, aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_kind(kind, false);
    const void* const from = inside(runtime, symbol, count, offset);
    if (count != 0) copy_in_order(runtime, dst, dstMax, from, count, kind, stream);
  });
}

}  // extern "C"
