// SPDX-License-Identifier: Apache-2.0
// Models that are built from bound streams: tasks are stored, labels name positions among them.
#pragma once

#include "device_sim/base/mutex.h"
#include "runtime/acl/core/task_sink.h"
#include "runtime/acl/graph/model.h"

namespace acl {

class Label;
class LabelList;
using LabelTable = HandleTable<Label, HandleKind::label>;
using LabelListTable = HandleTable<LabelList, HandleKind::label_list>;

/// Stores the tasks of one bound stream.
class ModelBuild final : public TaskSink {
 public:
  ModelBuild(sim::Ref<Model> model, Branch& branch)
      : TaskSink(Kind::model), model_(std::move(model)), branch_(branch) {}
  Model& model() const noexcept { return *model_; }
  Branch& branch() const noexcept { return branch_; }
  bool take(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params) override;

 private:
  const sim::Ref<Model> model_;
  Branch& branch_;
};

/// The build that the stream's tasks are stored by; raises ACL_ERROR_RT_PARAM_INVALID for a stream
/// that is bound to no model.
std::shared_ptr<ModelBuild> build_of(const Stream& stream, const char* argument = "stream");

/// A position among the tasks of a model.
class Label : public sim::RefCounted<Label> {
 public:
  /// Raises ACL_ERROR_RT_PARAM_INVALID when it stands somewhere already.
  void set(const ModelBuild& build);
  struct Position {
    sim::Ref<Model> model;  // null: not set
    Branch* branch = nullptr;
    std::size_t index = 0;
  };
  Position position() const;

 private:
  mutable sim::Mutex mutex_;
  Position position_ GUARDED_BY(mutex_);
};

class LabelList : public sim::RefCounted<LabelList> {
 public:
  explicit LabelList(std::vector<sim::Ref<Label>> labels) : labels_(std::move(labels)) {}
  const std::vector<sim::Ref<Label>>& labels() const noexcept { return labels_; }

 private:
  const std::vector<sim::Ref<Label>> labels_;
};

/// Continues at the label whose number is stored in device memory, or at the last label if the
/// number is too large.
class LabelSwitch final : public sim::Control {
 public:
  LabelSwitch(Runtime& runtime, const ModelBuild& build, const void* index, std::uint32_t limit,
              sim::Ref<LabelList> labels);
  const char* name() const noexcept override { return "LABEL_SWITCH"; }
  sim::Flow decide(sim::Stream& stream, bool returned) override;

 private:
  Runtime& runtime_;
  Model& model_;  // runs this
  Branch& branch_;
  const void* const index_;
  const std::uint32_t limit_;
  const sim::Ref<LabelList> labels_;
};

/// Starts another stream of the model.
class StreamActivation final : public sim::Control {
 public:
  StreamActivation(Model& model, Branch& target) : model_(model), target_(target) {}
  const char* name() const noexcept override { return "STREAM_ACTIVE"; }
  sim::Flow decide(sim::Stream& stream, bool returned) override;

 private:
  Model& model_;  // runs this
  Branch& target_;
};

/// Goes on in another stream of the model when a comparison holds; else behind itself.
class StreamSwitch final : public sim::Control {
 public:
  struct Comparison {
    const void* left;
    const void* right;
    aclrtCondition condition;
    aclrtCompareDataType type;
  };
  StreamSwitch(Runtime& runtime, const ModelBuild& build, Comparison comparison, Branch& target);
  const char* name() const noexcept override { return "STREAM_SWITCH"; }
  sim::Flow decide(sim::Stream& stream, bool returned) override;

 private:
  std::int64_t load(const void* address) const noexcept;
  bool holds() const noexcept;
  Runtime& runtime_;
  Model& model_;  // runs this
  const Comparison comparison_;
  Branch& target_;
};

/// The labels of the process.
class Labels : public Section {
 public:
  static constexpr std::size_t kMost = 65535;
  explicit Labels(Runtime&) {}
  LabelTable& table() noexcept { return table_; }
  LabelListTable& lists() noexcept { return lists_; }
  void reset() override;
  std::size_t live_handles() const override { return table_.count() + lists_.count(); }

 private:
  LabelTable table_;
  LabelListTable lists_;
};

}  // namespace acl
