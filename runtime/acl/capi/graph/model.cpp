// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/capi/graph/model_lookup.h"
#include "runtime/acl/graph/build.h"
#include "runtime/acl/graph/capture.h"
#include "runtime/acl/graph/model_json.h"

using namespace acl;

namespace {

constexpr std::uint32_t kFlagHead = 0;
constexpr std::uint32_t kFlagDefault = 0x7fffffff;
constexpr std::size_t kLongestName = 512;

void require_ready(const Model& model) {
  if (model.state() == Model::State::open) {
    if (model.kind() == Model::Kind::captured) {
      fail(ACL_ERROR_RT_MODEL_CAPTURED, "model {} is still being captured", model.id());
    }
    fail(ACL_ERROR_RT_MODEL_EXECUTE, "model {} is still being built; expected aclmdlRIBuildEnd",
         model.id());
  }
  if (model.state() == Model::State::broken) {
    fail(ACL_ERROR_RT_MODEL_EXECUTE, "model {} was not captured to its end", model.id());
  }
}

void require_built(const Model& model) {
  if (model.kind() != Model::Kind::built) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "model {} was captured; expected aclmdlRIExecuteAsync",
         model.id());
  }
}

void require_open(const Model& model) {
  require_built(model);
  if (model.state() != Model::State::open) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "model {} is already built", model.id());
  }
}

Branch& branch_of(Model& model, const Stream& stream) {
  for (const auto& branch : model.branches()) {
    if (branch->bound && branch->stream.get() == &stream) return *branch;
  }
  fail(ACL_ERROR_RT_PARAM_INVALID, "stream {} is not bound to model {}", stream.id(), model.id());
}

void require_bindable(const Stream& stream) {
  stream.require_not_captured();
  if (!(stream.flags() & ACL_STREAM_PERSISTENT)) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "stream {} was not created with ACL_STREAM_PERSISTENT",
         stream.id());
  }
  if (stream.stops_on_failure() || (stream.flags() & ACL_STREAM_FAST_LAUNCH)) {
    fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        "stream {} stops on failure or was created with ACL_STREAM_FAST_LAUNCH: it cannot be bound",
        stream.id());
  }
  if (stream.in_model()) {
    fail(ACL_ERROR_RT_STREAM_MODEL, "stream {} is bound to a model already", stream.id());
  }
}

void execute(Runtime& runtime, Model& model, aclrtStream stream, const sim::Deadline& deadline) {
  const auto found = find_stream(runtime, stream);
  model.launch(*found);
  try {
    found->synchronize(deadline);
  } catch (const AclError& error) {
    if (error.code() == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) throw;
    fail(ACL_ERROR_RT_MODEL_EXECUTE, "model {} failed: {}", model.id(), error.what());
  }
}

}  // namespace

extern "C" {

aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclmdlRI& out = require_out(modelRI, "modelRI");
    out = nullptr;
    if (flag != 0) fail(ACL_ERROR_INVALID_PARAM, "flag is {}; expected 0", flag);
    out = add_model(runtime,
                    sim::make_ref<Model>(runtime, current_context(runtime), Model::Kind::built));
  });
}

aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_input(stream, "stream");
    if (flag != kFlagHead && flag != kFlagDefault) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}; expected 0 (head) or 0x7fffffff (default)",
           flag);
    }
    const auto found = find_stream(runtime, stream);
    require_open(*model);
    if (&found->context() != &model->context()) {
      fail(ACL_ERROR_RT_MODEL_CONTEXT, "stream {} and model {} belong to two contexts", found->id(),
           model->id());
    }
    const sim::LockGuard guard(model->mutex());
    require_bindable(*found);
    Branch& branch = model->bind_branch(*found, stream, flag == kFlagHead);
    found->redirect(std::make_shared<ModelBuild>(sim::Ref<Model>::share(model.get()), branch));
  });
}

aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_input(stream, "stream");
    const auto found = find_stream(runtime, stream);
    require_open(*model);
    const sim::LockGuard guard(model->mutex());
    branch_of(*model, *found).ended = true;
  });
}

aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    if (reserve) fail(ACL_ERROR_INVALID_PARAM, "reserve is not null; expected null");
    require_open(*model);
    const sim::LockGuard guard(model->mutex());
    const auto& branches = model->branches();
    if (std::none_of(branches.begin(), branches.end(), [](const auto& b) { return b->ended; })) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "model {} has no end; expected aclmdlRIEndTask on a stream",
           model->id());
    }
    model->compile();
    model->set_state(Model::State::ready);
  });
}

aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_input(stream, "stream");
    const auto found = find_stream(runtime, stream);
    require_built(*model);
    const bool idle = model->gate().while_idle([&] {
      const sim::LockGuard guard(model->mutex());
      branch_of(*model, *found);
      model->unbind(*found);
    });
    if (!idle) {
      fail(ACL_ERROR_RT_MODEL_RUNNING, "model {} has runs that are not over", model->id());
    }
  });
}

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    const sim::Deadline deadline = deadline_of(timeout);
    require_built(*model);
    require_ready(*model);
    Context& context = current_context(runtime);
    void* const stream = runtime.create_stream(context, {});
    try {
      execute(runtime, *model, stream, deadline);
    } catch (...) {
      model->abort();
      runtime.end_stream(find_stream(runtime, stream), stream, true);
      throw;
    }
    runtime.end_stream(find_stream(runtime, stream), stream, false);
  });
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_ready(*model);
    if (model->inner()) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model {} is part of another one", model->id());
    }
    Stream* const found = own_stream(runtime, stream);
    if (found->in_model()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "stream {} is part of a model itself", found->id());
    }
    const auto sink = found->sink();  // looked at once: captures may begin and end meanwhile
    if (sink && sink->kind() == TaskSink::Kind::capture) {
      fail(ACL_ERROR_RT_STREAM_CAPTURED, "stream {} is being captured", found->id());
    }
    if (sink) {
      fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
           "stream {} is in an update of a task group: runs of graphs cannot be part of one",
           found->id());
    }
    model->launch(*found);
  });
}

aclError aclmdlRIAbort(aclmdlRI modelRI) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    if (model->kind() == Model::Kind::captured) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model {} was captured: its runs cannot be aborted",
           model->id());
    }
    model->abort();
  });
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    if (model->inner()) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model {} is part of another one and ends with it",
           model->id());
    }
    if (model->kind() == Model::Kind::captured && model->state() == Model::State::open) {
      fail(ACL_ERROR_RT_MODEL_CAPTURED, "model {} is still being captured", model->id());
    }
    runtime.section<Models>().destroy(model);
  });
}

aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void* userData) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_input(func, "func");
    model->add_end_callback({func, userData});
  });
}

aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_input(func, "func");
    if (!model->remove_end_callback(func)) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "func is not registered with model {}", model->id());
    }
  });
}

aclError aclmdlRISetName(aclmdlRI modelRI, const char* name) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_input(name, "name");
    if (std::strlen(name) >= kLongestName) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "name has {} characters; expected fewer than {}",
           std::strlen(name), kLongestName);
    }
    model->set_name(name);
  });
}

aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_out(name, "name");
    if (maxLen == 0) fail(ACL_ERROR_INVALID_PARAM, "maxLen is 0");
    const std::size_t length = model->name().copy(name, maxLen - 1);
    name[length] = '\0';
  });
}

aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(modelRIId, "modelRIId");
    out = find_model(runtime, modelRI)->id();
  });
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    log(ACL_INFO, model_json(*model, false));
  });
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    require_input(path, "path");
    if (flags > ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {}; expected 0 or 1", flags);
    }
    if (model->state() == Model::State::open) {
      fail(ACL_ERROR_RT_MODEL_CAPTURED, "model {} is still being built", model->id());
    }
    write_model_json(*model, path, flags == ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE);
  });
}

}  // extern "C"
