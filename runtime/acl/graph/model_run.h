// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/streams/program.h"
#include "runtime/acl/graph/model.h"

namespace acl {

/// In the launching stream: waits for earlier runs of the model, starts one, waits for its end.
class ModelLaunch final : public sim::Control {
 public:
  /// Raises ACL_ERROR_RT_INVALID_HANDLE when the model has ended.
  explicit ModelLaunch(Model& model);
  ~ModelLaunch() override;
  const char* name() const noexcept override { return "MODEL_EXECUTE"; }
  sim::Flow decide(sim::Stream& stream, bool returned) override;
  void dropped(sim::Stream& stream, sim::Failure why) override;
  Model& model() const noexcept { return *model_; }

 private:
  void end_numbered() noexcept;
  const sim::Ref<Model> model_;
  std::vector<LaunchedRun> numbered_;
  bool begun_ = false;
};

/// In a stream of the model: one pass through its program.
class BranchRun final : public sim::Control {
 public:
  /// `kept`: what listeners carry from the task that activated the branch; null: none did.
  BranchRun(Model& model, Branch& branch, std::uint64_t run, std::size_t position,
            std::shared_ptr<void> kept);
  const char* name() const noexcept override { return "MODEL_STREAM"; }
  sim::Flow decide(sim::Stream& stream, bool returned) override;
  void dropped(sim::Stream& stream, sim::Failure why) override;

 private:
  const sim::Ref<Model> model_;
  const sim::Ref<sim::Program> program_;
  const std::uint64_t run_;
  const std::size_t position_;
  const std::shared_ptr<void> kept_;
};

}  // namespace acl
