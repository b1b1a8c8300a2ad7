// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/condition.h"

#include <atomic>

#include "device_sim/streams/stream.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

Condition::Condition(Runtime& runtime, int device, std::uint64_t initial, bool assign_at_launch)
    : runtime_(runtime), device_(device), initial_(initial), assign_at_launch_(assign_at_launch) {
  constexpr std::size_t kAlignment = 64;
  address_ = static_cast<std::uint64_t*>(
      runtime.memory().device(device).allocate(sizeof(std::uint64_t), kAlignment));
  store(initial);
}

Condition::~Condition() { runtime_.memory().device(device_).free(address_); }

void Condition::store(std::uint64_t value) noexcept {
  auto* const place = static_cast<std::uint64_t*>(runtime_.memory().engine(address_));
  std::atomic_ref(*place).store(value, std::memory_order_release);
}

std::uint64_t Condition::value() const noexcept {
  auto* const place = static_cast<std::uint64_t*>(runtime_.memory().engine(address_));
  return std::atomic_ref(*place).load(std::memory_order_acquire);
}

void Condition::begin_run() noexcept {
  if (assign_at_launch_) store(initial_);
}

ConditionalTask::ConditionalTask(sim::Ref<Condition> condition, aclmdlRICondTaskType type,
                                 std::vector<sim::Ref<Model>> models)
    : condition_(std::move(condition)), type_(type), models_(std::move(models)) {}

const char* ConditionalTask::name() const noexcept {
  switch (type_) {
    case ACL_MODEL_RI_COND_TYPE_WHILE:
      return "COND_WHILE";
    case ACL_MODEL_RI_COND_TYPE_SWITCH:
      return "COND_SWITCH";
    default:
      return "COND_IF";
  }
}

Model* ConditionalTask::choose() const noexcept {
  const std::uint64_t value = condition_->value();
  std::size_t index = 0;
  switch (type_) {
    case ACL_MODEL_RI_COND_TYPE_SWITCH:
      index = value;
      break;
    case ACL_MODEL_RI_COND_TYPE_WHILE:
      index = value != 0 ? 0 : models_.size();
      break;
    default:
      index = value != 0 ? 0 : 1;
      break;
  }
  return index < models_.size() ? models_[index].get() : nullptr;
}

sim::Flow ConditionalTask::decide(sim::Stream& stream, bool) {
  for (;;) {
    if (running_) {
      if (!running_->run_over()->done()) return sim::Flow::wait(running_->run_over());
      const sim::Failure failure = running_->finish_run();
      running_ = nullptr;
      if (failure) stream.record_failure(failure);
      if (type_ != ACL_MODEL_RI_COND_TYPE_WHILE || stream.dropping()) return sim::Flow::next();
    }
    Model* const chosen = choose();
    if (!chosen || chosen->branches().empty()) return sim::Flow::next();
    chosen->begin_run(stream);  // runs of the whole model never overlap, so neither do these
    running_ = chosen;
  }
}

void ConditionalTask::dropped(sim::Stream&, sim::Failure) {
  if (!running_) return;
  running_->abort();
  running_->finish_run();
  running_ = nullptr;
}

void Conditions::reset() {
  table_.for_each([&](const ConditionTable::Pin& condition) { table_.remove(condition); });
}

}  // namespace acl
