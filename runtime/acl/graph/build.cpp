// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/build.h"

#include <atomic>
#include <cstring>
#include <limits>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

bool ModelBuild::take(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params) {
  const sim::LockGuard guard(model_->mutex());
  if (model_->state() != Model::State::open || branch_.ended) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "stream {} is bound to model {}, which takes no more tasks",
         stream.id(), model_->id());
  }
  model_->add_node(branch_, std::move(op), params);
  return true;
}

std::shared_ptr<ModelBuild> build_of(const Stream& stream, const char* argument) {
  auto sink = stream.sink();
  if (!sink || sink->kind() != TaskSink::Kind::model) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} {} is not bound to a model; expected aclmdlRIBindStream",
         argument, stream.id());
  }
  return std::static_pointer_cast<ModelBuild>(std::move(sink));
}

void Label::set(const ModelBuild& build) {
  const sim::LockGuard guard(mutex_);
  if (position_.model) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "label is already used in model {}", position_.model->id());
  }
  const sim::LockGuard model_guard(build.model().mutex());
  position_ = {sim::Ref<Model>::share(&build.model()), &build.branch(),
               build.branch().nodes.size()};
}

Label::Position Label::position() const {
  const sim::LockGuard guard(mutex_);
  return position_;
}

// ---- controls ----

namespace {

/// Leaves the rest of the branch out.
sim::Flow leave() { return sim::Flow::jump(std::numeric_limits<std::size_t>::max()); }

}  // namespace

LabelSwitch::LabelSwitch(Runtime& runtime, const ModelBuild& build, const void* index,
                         std::uint32_t limit, sim::Ref<LabelList> labels)
    : runtime_(runtime),
      model_(build.model()),
      branch_(build.branch()),
      index_(index),
      limit_(limit),
      labels_(std::move(labels)) {}

sim::Flow LabelSwitch::decide(sim::Stream& stream, bool) {
  std::uint32_t index = 0;
  std::memcpy(&index, runtime_.memory().engine(index_), sizeof index);
  const auto& labels = labels_->labels();
  if (index >= limit_ || index >= labels.size()) {
    index = static_cast<std::uint32_t>(labels.size() - 1);
  }
  const Label::Position to = labels[index]->position();
  if (to.model.get() != &model_) {
    return sim::Flow::fail({sim::Error::kernel_failed, ACL_ERROR_RT_LABEL_CONTEXT});
  }
  if (to.branch == &branch_) return sim::Flow::jump(to.index);
  model_.activate(stream, *to.branch, to.index);
  return leave();
}

sim::Flow StreamActivation::decide(sim::Stream& stream, bool) {
  model_.activate(stream, target_, 0);
  return sim::Flow::next();
}

StreamSwitch::StreamSwitch(Runtime& runtime, const ModelBuild& build, Comparison comparison,
                           Branch& target)
    : runtime_(runtime), model_(build.model()), comparison_(comparison), target_(target) {}

std::int64_t StreamSwitch::load(const void* address) const noexcept {
  const void* const place = runtime_.memory().engine(address);
  if (comparison_.type == ACL_RT_SWITCH_INT64) {
    std::int64_t value = 0;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  std::int32_t value = 0;
  std::memcpy(&value, place, sizeof value);
  return value;
}

bool StreamSwitch::holds() const noexcept {
  const std::int64_t left = load(comparison_.left);
  const std::int64_t right = load(comparison_.right);
  switch (comparison_.condition) {
    case ACL_RT_EQUAL:
      return left == right;
    case ACL_RT_NOT_EQUAL:
      return left != right;
    case ACL_RT_GREATER:
      return left > right;
    case ACL_RT_GREATER_OR_EQUAL:
      return left >= right;
    case ACL_RT_LESS:
      return left < right;
    case ACL_RT_LESS_OR_EQUAL:
      return left <= right;
  }
  return false;
}

sim::Flow StreamSwitch::decide(sim::Stream& stream, bool) {
  if (!holds()) return sim::Flow::next();
  model_.activate(stream, target_, 0);
  return leave();
}

void Labels::reset() {
  lists_.for_each([&](const LabelListTable::Pin& list) { lists_.remove(list); });
  table_.for_each([&](const LabelTable::Pin& label) { table_.remove(label); });
}

}  // namespace acl
