// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/program.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/core/task_sink.h"
#include "runtime/acl/graph/model.h"

namespace acl {

using TaskGroupTable = HandleTable<TaskGroup, HandleKind::task_group>;

/// Tasks of a captured stream that can be exchanged for others of the same kinds, also while the
/// model runs: a run takes the tasks that are in the group when it comes to it.
class TaskGroup : public sim::RefCounted<TaskGroup> {
 public:
  TaskGroup();
  ~TaskGroup();
  sim::Ref<sim::Control> control() const noexcept;
  void* handle() const noexcept { return handle_; }
  void set_handle(void* handle) noexcept { handle_ = handle; }

  /// Takes the tasks of the branch that are in this group.
  void compile(const Branch& branch);
  /// Raises ACL_ERROR_RT_PARAM_INVALID when the tasks are not of the group's kinds.
  void require_alike(const std::vector<sim::OwnedOp>& ops) const;
  void exchange(sim::Ref<sim::Program> program);

 private:
  class Enter;
  const sim::Ref<Enter> control_;
  void* handle_ = nullptr;
  std::vector<sim::OpKind> kinds_;
};

/// Collects the tasks that are to replace a group's.
class TaskUpdate final : public TaskSink {
 public:
  explicit TaskUpdate(sim::Ref<TaskGroup> group)
      : TaskSink(Kind::update), group_(std::move(group)) {}
  bool take(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params) override;
  /// Enqueues the exchange on the stream, which is no longer redirected.
  void finish(Stream& stream);

 private:
  const sim::Ref<TaskGroup> group_;
  sim::Mutex mutex_;
  bool over_ GUARDED_BY(mutex_) = false;
  std::vector<sim::OwnedOp> ops_ GUARDED_BY(mutex_);
};

/// The task groups of the process; they end with their model.
class TaskGroups : public Section {
 public:
  explicit TaskGroups(Runtime&) {}
  TaskGroupTable& table() noexcept { return table_; }
  void reset() override;

 private:
  TaskGroupTable table_;
};

}  // namespace acl
