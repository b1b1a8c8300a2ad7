// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/acl/base/error.h"
#include "runtime/acl/graph/model.h"

namespace acl {

class ModelTask;
using ModelTaskTable = HandleTable<ModelTask, HandleKind::model_task>;

/// One task of a captured model, for who looks into it or changes it.
class ModelTask : public sim::RefCounted<ModelTask> {
 public:
  ModelTask(Model& model, Branch& branch, std::size_t index)
      : model_(sim::Ref<Model>::share(&model)), branch_(branch), index_(index) {}
  Model& model() const noexcept { return *model_; }
  const Branch& branch() const noexcept { return branch_; }
  /// With the model's lock. Raises ACL_ERROR_RT_INVALID_HANDLE when the model has ended.
  Node& node() const {
    if (index_ >= branch_.nodes.size()) {
      fail(ACL_ERROR_RT_INVALID_HANDLE, "the task's model was destroyed by another thread");
    }
    return branch_.nodes[index_];
  }
  std::size_t index() const noexcept { return index_; }

 private:
  const sim::Ref<Model> model_;
  Branch& branch_;
  const std::size_t index_;
};

/// The task handles of the process; they end with their model.
class ModelTasks : public Section {
 public:
  explicit ModelTasks(Runtime&) {}
  ModelTaskTable& table() noexcept { return table_; }
  void reset() override {
    table_.for_each([&](const ModelTaskTable::Pin& task) { table_.remove(task); });
  }

 private:
  ModelTaskTable table_;
};

}  // namespace acl
