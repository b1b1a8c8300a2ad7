// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/model_run.h"

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/graph/launched_control.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

std::vector<sim::Ref<LaunchedControl>> Model::launched_controls() const {
  const sim::LockGuard guard(mutex_);
  std::vector<sim::Ref<LaunchedControl>> enabled;
  for (const Launched& at : launched_) {
    const bool gone = at.index >= at.branch->nodes.size();
    if (!gone && !at.branch->nodes[at.index].disabled) enabled.push_back(at.control);
  }
  return enabled;
}

ModelLaunch::ModelLaunch(Model& model) : model_(sim::Ref<Model>::share(&model)) {
  if (!model_->gate().enter()) {
    fail(ACL_ERROR_RT_INVALID_HANDLE, "model {} was destroyed by another thread", model_->id());
  }
  for (auto& control : model_->launched_controls()) {
    const std::uint64_t run = control->launch_enqueued();
    numbered_.push_back({std::move(control), run});
  }
}

ModelLaunch::~ModelLaunch() {
  end_numbered();
  if (model_->gate().leave()) model_->drop_tasks();
}

// Executions that did not complete are given up.
void ModelLaunch::end_numbered() noexcept {
  for (const LaunchedRun& at : numbered_) at.control->run_over(at.run);
  numbered_.clear();
}

sim::Flow ModelLaunch::decide(sim::Stream& stream, bool) {
  if (!begun_) {
    if (auto idle = model_->begin_run(stream, numbered_)) return sim::Flow::wait(std::move(idle));
    begun_ = true;
  }
  if (!model_->run_over()->done()) return sim::Flow::wait(model_->run_over());
  begun_ = false;
  end_numbered();  // before another run may begin
  if (const sim::Failure failure = model_->finish_run()) stream.record_failure(failure);
  return sim::Flow::next();
}

void ModelLaunch::dropped(sim::Stream&, sim::Failure) {
  if (begun_) model_->abort();
  end_numbered();
  if (begun_) model_->finish_run();
  begun_ = false;
}

BranchRun::BranchRun(Model& model, Branch& branch, std::uint64_t run, std::size_t position,
                     std::shared_ptr<void> kept)
    : model_(sim::Ref<Model>::share(&model)),
      program_(branch.program),
      run_(run),
      position_(position),
      kept_(std::move(kept)) {}

sim::Flow BranchRun::decide(sim::Stream& stream, bool returned) {
  auto* const listener = watch::listener();
  if (!returned) {
    sim::Ref<sim::DeferredReports> deferred;
    if (listener) listener->branch_begins(*model_, stream, *program_, deferred);
    if (listener && kept_) listener->branch_activated(stream, kept_);
    return sim::Flow::enter(program_, position_, std::move(deferred));
  }
  if (listener) listener->branch_ends(*model_, stream);
  model_->branch_ended(run_, stream.take_failure());
  return sim::Flow::next();
}

void BranchRun::dropped(sim::Stream&, sim::Failure) {
  model_->branch_ended(run_, {sim::Error::aborted, 0});
}

}  // namespace acl
