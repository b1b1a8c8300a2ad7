// SPDX-License-Identifier: Apache-2.0
// Handles of models and of their parts.
#pragma once

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/graph/model.h"

namespace acl {

inline ModelTable::Pin find_model(Runtime& runtime, aclmdlRI handle,
                                  const char* argument = "modelRI") {
  return find_handle(runtime.section<Models>().table(), handle, argument, "model");
}

/// The handle of a new model.
inline void* add_model(Runtime& runtime, sim::Ref<Model> model) {
  Model& added = *model;
  void* const handle = runtime.section<Models>().table().add(std::move(model));
  if (!handle) fail(ACL_ERROR_RT_NO_MODEL_RESOURCE, "the process has too many models");
  added.set_handle(handle);
  return handle;
}

}  // namespace acl
