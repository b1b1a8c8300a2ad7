// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/capture.h"
#include "runtime/acl/capi/graph/model_lookup.h"
#include "runtime/acl/graph/task_group.h"

using namespace acl;

namespace {

void require_mode(aclmdlRICaptureMode mode, const char* argument) {
  if (mode < ACL_MODEL_RI_CAPTURE_MODE_GLOBAL || mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}; expected 0 (global), 1 (thread local), 2 (relaxed)",
         argument, static_cast<int>(mode));
  }
}

/// The stream of a call that begins something on it: not the default one.
StreamTable::Pin named_stream(Runtime& runtime, aclrtStream stream) {
  require_input(stream, "stream");
  Context& context = current_context(runtime);
  auto found = find_stream(runtime, stream);
  if (&found->context() != &context) {
    fail(ACL_ERROR_RT_STREAM_CONTEXT,
         "stream {} belongs to another context than the calling thread's current one", found->id());
  }
  return found;
}

std::shared_ptr<Capture> require_capture(const Stream& stream) {
  auto capture = capture_of(stream);
  if (!capture)
    fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "stream {} is not being captured", stream.id());
  return capture;
}

}  // namespace

extern "C" {

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  const void* const from = __builtin_return_address(0);
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(stream, "stream");
    require_mode(mode, "mode");
    const auto found = named_stream(runtime, stream);
    found->context().require_usable();
    auto model = sim::make_ref<Model>(runtime, found->context(), Model::Kind::captured);
    const std::uint64_t named = thread_state().given_site;
    model->set_captured_at(named != 0 ? named : reinterpret_cast<std::uintptr_t>(from));
    void* const handle = add_model(runtime, model);
    try {
      runtime.section<Captures>().begin(*found, stream, std::move(model), mode);
    } catch (...) {
      auto& models = runtime.section<Models>();
      if (const auto added = models.table().find(handle)) models.drop(added);
      throw;
    }
  });
}

aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI,
                                       aclmdlRICaptureMode mode) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(stream, "stream");
    require_mode(mode, "mode");
    const auto model = find_model(runtime, modelRI);
    const auto found = named_stream(runtime, stream);
    if (!model->inner() || model->state() != Model::State::open || !model->branches().empty()) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "modelRI {} is not the empty sub-graph of a conditional task", model->id());
    }
    runtime.section<Captures>().begin(*found, stream, sim::Ref<Model>::share(model.get()), mode);
  });
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status,
                                aclmdlRI* modelRI) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (!status && !modelRI) fail(ACL_ERROR_INVALID_PARAM, "status and modelRI are null");
    current_context(runtime);
    const auto capture = capture_of(*any_stream(runtime, stream));
    if (status) {
      *status = !capture                 ? ACL_MODEL_RI_CAPTURE_STATUS_NONE
                : capture->invalidated() ? ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
                                         : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
    }
    if (modelRI) *modelRI = capture ? capture->model_handle() : nullptr;
  });
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclmdlRI& out = require_out(modelRI, "modelRI");
    out = nullptr;
    const auto found = named_stream(runtime, stream);
    const auto capture = require_capture(*found);
    try {
      capture->end(*found);
    } catch (...) {
      auto& models = runtime.section<Models>();
      const auto model = models.table().find(capture->model_handle());
      if (model && !model->inner() && model->state() == Model::State::broken) models.drop(model);
      throw;
    }
    out = capture->model_handle();
  });
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  return guarded(__func__, [&](Runtime&) {
    require_input(mode, "mode");
    require_mode(*mode, "*mode");
    std::swap(*mode, thread_state().capture_mode);
  });
}

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = named_stream(runtime, stream);
    require_capture(*found)->begin_group(*found);
  });
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtTaskGrp& out = require_out(handle, "handle");
    out = nullptr;
    const auto found = named_stream(runtime, stream);
    out = require_capture(*found)->end_group(*found)->handle();
  });
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = named_stream(runtime, stream);
    const auto group =
        find_handle(runtime.section<TaskGroups>().table(), handle, "handle", "task group");
    found->require_not_captured();
    if (!found->redirect(std::make_shared<TaskUpdate>(sim::Ref<TaskGroup>::share(group.get())))) {
      fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
           "stream {} is inside an update already, or bound to a model", found->id());
    }
  });
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = named_stream(runtime, stream);
    const auto sink = found->sink();
    if (!sink || sink->kind() != TaskSink::Kind::update) {
      fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "stream {} is not in an update", found->id());
    }
    found->redirect_back();
    static_cast<TaskUpdate&>(*sink).finish(*found);
  });
}

}  // extern "C"
