// SPDX-License-Identifier: Apache-2.0
// Common code of the entries with which a program describes queues and routes.
#pragma once

#include <cstring>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/tensor/queue_description.h"

namespace acl {

inline QueueDescriptions& descriptions(Runtime& runtime) {
  return runtime.section<QueueDescriptions>();
}

/// Entries that only make something, or only end it: the handle's type and its table differ.
template <class Handle, class Table, class Value>
Handle* create_description(const char* function, Table QueueDescriptions::*table, Value value,
                           const char* noun) {
  return guarded_value(function, static_cast<Handle*>(nullptr), [&](Runtime& runtime) {
    auto object = sim::make_ref<Described<Value>>(std::move(value));
    return static_cast<Handle*>(add_handle(descriptions(runtime).*table, std::move(object), noun));
  });
}

template <class Table>
aclError destroy_description(const char* function, Table QueueDescriptions::*table,
                             const void* handle, const char* argument, const char* noun) {
  return guarded(function, [&](Runtime& runtime) {
    Table& all = descriptions(runtime).*table;
    end_handle(all, find_handle(all, handle, argument, noun), argument);
  });
}

/// A parameter that comes in through (len, pointer).
template <class T>
T param_in(std::size_t len, const void* param) {
  if (len != sizeof(T)) fail(ACL_ERROR_INVALID_PARAM, "len is {}; expected {}", len, sizeof(T));
  T value;
  std::memcpy(&value, param, sizeof value);
  return value;
}

/// A parameter that goes out through (len, pointer), which may have more room than it needs.
template <class T>
void param_out(std::size_t len, std::size_t& returned, void* param, T value) {
  if (len < sizeof value) {
    fail(ACL_ERROR_INVALID_PARAM, "len is {}; expected {}", len, sizeof value);
  }
  std::memcpy(param, &value, sizeof value);
  returned = sizeof value;
}

[[noreturn]] inline void refuse_type(int type, int last) {
  fail(ACL_ERROR_INVALID_PARAM, "type is {}; expected 0 to {}", type, last);
}

}  // namespace acl
