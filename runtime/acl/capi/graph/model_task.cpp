// SPDX-License-Identifier: Apache-2.0
// Looking into captured models, and changing their tasks between runs.
#include "runtime/acl/graph/model_task.h"
#include "device_sim/base/mutex.h"

#include <algorithm>

#include "runtime/acl/capi/graph/model_lookup.h"
#include "runtime/acl/graph/task_params.h"
#include "runtime/acl/kernel/kernel_launch.h"

using namespace acl;

namespace {

ModelTaskTable::Pin find_task(Runtime& runtime, aclmdlRITask task) {
  return find_handle(runtime.section<ModelTasks>().table(), task, "task", "task of a model");
}

/// The two-call pattern: without an array the count, with one as many as there are.
template <class T, class At>
void give_list(T* array, std::uint32_t* count, const char* argument, std::size_t size, At at) {
  require_out(count, argument);
  if (!array) {
    *count = static_cast<std::uint32_t>(size);
    return;
  }
  if (*count < size) {
    fail(ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY, "*{} is {}; expected {} or more", argument, *count,
         size);
  }
  for (std::size_t i = 0; i < size; ++i) array[i] = at(i);
  *count = static_cast<std::uint32_t>(size);
}

bool changes_blocks(const Node& node, const aclmdlRITaskParams& wanted) {
  return node.params.type == ACL_MODEL_RI_TASK_KERNEL && wanted.type == ACL_MODEL_RI_TASK_KERNEL &&
         node.params.kernelTaskParams.numBlocks != wanted.kernelTaskParams.numBlocks;
}

struct FoundBranch {
  ModelTable::Pin model;
  Branch* branch = nullptr;
};

FoundBranch branch_with(Runtime& runtime, aclrtStream stream) {
  FoundBranch found;
  runtime.section<Models>().table().for_each([&](ModelTable::Pin& model) {
    const sim::LockGuard guard(model->mutex());
    for (const auto& branch : model->branches()) {
      if (branch->handle == stream) {
        found.branch = branch.get();
        found.model = std::move(model);
        return;
      }
    }
  });
  if (!found.branch) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "stream is not part of a model; expected one of "
         "aclmdlRIGetStreams");
  }
  return found;
}

void require_changeable(const ModelTask& task) {
  if (task.model().kind() != Model::Kind::captured) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model {} was built: its tasks cannot be changed",
         task.model().id());
  }
}

}  // namespace

extern "C" {

aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream* streams, uint32_t* numStreams) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    const sim::LockGuard guard(model->mutex());
    give_list(streams, numStreams, "numStreams", model->branches().size(),
              [&](std::size_t i) { return model->branches()[i]->handle; });
  });
}

aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask* tasks, uint32_t* numTasks) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(stream, "stream");
    find_stream(runtime, stream);
    const FoundBranch found = branch_with(runtime, stream);
    const sim::LockGuard guard(found.model->mutex());
    auto& table = runtime.section<ModelTasks>().table();
    auto& nodes = found.branch->nodes;
    give_list(tasks, numTasks, "numTasks", nodes.size(), [&](std::size_t i) {
      if (!nodes[i].task_handle) {
        nodes[i].task_handle = table.add(sim::make_ref<ModelTask>(*found.model, *found.branch, i));
      }
      return nodes[i].task_handle;
    });
  });
}

aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType* type) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclmdlRITaskType& out = require_out(type, "type");
    const auto found = find_task(runtime, task);
    const sim::LockGuard guard(found->model().mutex());
    out = found->node().params.type;
  });
}

aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t* id) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(id, "id");
    out = static_cast<uint32_t>(find_task(runtime, task)->index());
  });
}

aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams* params) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclmdlRITaskParams& out = require_out(params, "params");
    const auto found = find_task(runtime, task);
    const sim::LockGuard guard(found->model().mutex());
    out = params_of(found->node());
  });
}

aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams* params) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(params, "params");
    const auto found = find_task(runtime, task);
    require_changeable(*found);
    const sim::LockGuard guard(found->model().mutex());
    if (changes_blocks(found->node(), *params))
      require_blocks(runtime, params->kernelTaskParams.numBlocks);
    set_params(runtime, found->node(), *params);
    found->model().set_stale(true);
  });
}

aclError aclmdlRITaskDisable(aclmdlRITask task) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_task(runtime, task);
    require_changeable(*found);
    const sim::LockGuard guard(found->model().mutex());
    const sim::OpKind kind = found->node().op->kind;
    if (kind == sim::OpKind::record || kind == sim::OpKind::wait) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
           "task is the {} of an event, on which the order of the model rests", sim::name(kind));
    }
    found->node().disabled = true;
    found->model().set_stale(true);
  });
}

aclError aclmdlRIUpdate(aclmdlRI modelRI) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto model = find_model(runtime, modelRI);
    if (model->kind() != Model::Kind::captured || model->state() != Model::State::ready) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model {} is not a captured one that is ready",
           model->id());
    }
    const bool idle = model->gate().while_idle([&] {
      const sim::LockGuard guard(model->mutex());
      if (!model->stale()) return;
      model->compile();
      model->set_stale(false);
    });
    if (!idle) {
      fail(ACL_ERROR_RT_MODEL_UPDATE_FAILED, "model {} has runs that are not over", model->id());
    }
  });
}

}  // extern "C"
