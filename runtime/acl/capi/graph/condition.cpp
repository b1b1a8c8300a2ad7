// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/condition.h"
#include "device_sim/base/mutex.h"

#include "runtime/acl/capi/graph/model_lookup.h"
#include "runtime/acl/graph/capture.h"

using namespace acl;

namespace {

std::size_t most_models(aclmdlRICondTaskType type) {
  switch (type) {
    case ACL_MODEL_RI_COND_TYPE_IF:
      return 2;
    case ACL_MODEL_RI_COND_TYPE_WHILE:
      return 1;
    case ACL_MODEL_RI_COND_TYPE_SWITCH:
      return UINT32_MAX;
  }
  return 0;
}

void check(const aclmdlRICondTaskParams& params, std::uint32_t flags) {
  if (flags != 0) fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {}; expected 0", flags);
  if (params.type < ACL_MODEL_RI_COND_TYPE_IF || params.type > ACL_MODEL_RI_COND_TYPE_SWITCH) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "params.type is {}; expected 0 (if), 1 (while), 2 (switch)",
         static_cast<int>(params.type));
  }
  if (params.size == 0 || params.size > most_models(params.type)) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "params.size is {}; expected 1 or 2 for if, 1 for while, 1 or more for switch",
         params.size);
  }
  require_input(params.modelRIArray, "params.modelRIArray");
}

}  // namespace

extern "C" {

aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue,
                                  aclmdlRICondHandleFlag flag, aclmdlRICondHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclmdlRICondHandle& out = require_out(handle, "handle");
    out = nullptr;
    const auto model = find_model(runtime, modelRI);
    const auto flags = static_cast<std::uint32_t>(flag);
    if (flags > ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {}; expected 0 or 1", flags);
    }
    if (model->kind() != Model::Kind::captured) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model {} was not captured: it has no conditions",
           model->id());
    }
    auto condition = sim::make_ref<Condition>(runtime, model->context().device(),
                                              defaultLaunchValue, flags != 0);
    void* const made = runtime.section<Conditions>().table().add(condition);
    if (!made) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many conditions");
    const sim::LockGuard guard(model->mutex());
    model->keep(std::move(condition), made);
    out = made;
  });
}

aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t** ptr) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint64_t*& out = require_out(ptr, "ptr");
    out = nullptr;
    out = find_handle(runtime.section<Conditions>().table(), handle, "handle", "condition")
              ->address();
  });
}

aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    check(params, flags);
    const auto condition = find_handle(runtime.section<Conditions>().table(), params.handle,
                                       "params.handle", "condition");
    Stream* const found = own_stream(runtime, stream);
    const auto capture = capture_of(*found);
    if (!capture) {
      fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "stream {} is not being captured", found->id());
    }
    std::vector<sim::Ref<Model>> models;
    for (std::uint32_t i = 0; i < params.size; ++i) {
      models.push_back(sim::make_ref<Model>(runtime, found->context(), Model::Kind::captured,
                                            &capture->model()));
    }
    capture->add_conditional(*found,
                             sim::make_ref<ConditionalTask>(
                                 sim::Ref<Condition>::share(condition.get()), params.type, models),
                             models);
    for (std::uint32_t i = 0; i < params.size; ++i) {
      params.modelRIArray[i] = add_model(runtime, models[i]);
    }
  });
}

}  // extern "C"
