// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/task_group.h"

#include "device_sim/base/mutex.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/base/error.h"

namespace acl {

/// Leads through the tasks that the group has at that moment.
class TaskGroup::Enter final : public sim::Control {
 public:
  const char* name() const noexcept override { return "TASK_GROUP"; }
  sim::Flow decide(sim::Stream&, bool returned) override {
    if (returned) return sim::Flow::next();
    const sim::LockGuard guard(lock_);
    return sim::Flow::enter(program_);
  }
  void exchange(sim::Ref<sim::Program> program) {
    const sim::LockGuard guard(lock_);
    std::swap(program_, program);
  }

 private:
  sim::SpinLock lock_;
  sim::Ref<sim::Program> program_ GUARDED_BY(lock_);
};

TaskGroup::TaskGroup() : control_(sim::make_ref<Enter>()) {}
TaskGroup::~TaskGroup() = default;

sim::Ref<sim::Control> TaskGroup::control() const noexcept { return control_; }

void TaskGroup::compile(const Branch& branch) {
  std::vector<sim::OwnedOp> ops;
  kinds_.clear();
  for (const Node& node : branch.nodes) {
    if (node.group.get() != this) continue;
    kinds_.push_back(node.op->kind);
    if (!node.disabled) ops.emplace_back(sim::clone_op(*node.op));
  }
  exchange(sim::make_ref<sim::Program>(std::move(ops)));
}

void TaskGroup::exchange(sim::Ref<sim::Program> program) { control_->exchange(std::move(program)); }

void TaskGroup::require_alike(const std::vector<sim::OwnedOp>& ops) const {
  if (ops.size() != kinds_.size()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "the update holds {} tasks; the group has {}", ops.size(),
         kinds_.size());
  }
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i]->kind != kinds_[i]) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "task {} of the update is a {}; the group has a {} there", i,
           sim::name(ops[i]->kind), sim::name(kinds_[i]));
    }
  }
}

bool TaskUpdate::take(Stream&, sim::OwnedOp& op, const aclmdlRITaskParams*) {
  const sim::LockGuard guard(mutex_);
  if (over_) return false;
  ops_.push_back(std::move(op));
  return true;
}

void TaskUpdate::finish(Stream& stream) {
  const sim::LockGuard guard(mutex_);
  over_ = true;
  group_->require_alike(ops_);
  stream.submit(sim::make_task(sim::make_simple_task(
      "TASK_UPDATE", 0, {},
      [group = group_, program = sim::make_ref<sim::Program>(std::move(ops_))](sim::Stream&) {
        group->exchange(program);
        return sim::Failure{};
      })));
}

void TaskGroups::reset() {
  table_.for_each([&](const TaskGroupTable::Pin& group) { table_.remove(group); });
}

}  // namespace acl
