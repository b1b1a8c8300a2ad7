// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/core/capture_gate.h"
#include "runtime/acl/graph/model.h"

namespace acl {

class Event;

/// One capture under way: the streams whose tasks become a model instead of running. It begins on
/// one stream, its origin; others join by waiting for an event that was recorded in it.
class Capture final : public CaptureSink, public std::enable_shared_from_this<Capture> {
 public:
  Capture(Runtime& runtime, sim::Ref<Model> model, Stream& origin, aclmdlRICaptureMode mode);

  aclmdlRICaptureMode mode() const noexcept { return mode_; }
  std::uint32_t thread_id() const noexcept { return thread_id_; }
  Context& context() const noexcept override { return origin_->context(); }
  Model& model() const noexcept { return *model_; }
  void* model_handle() const noexcept { return model_->handle(); }
  bool invalidated() const noexcept { return invalidated_.load(std::memory_order_acquire); }
  void invalidate() noexcept override { invalidated_ = true; }
  bool over() const noexcept override { return over_.load(std::memory_order_acquire); }

  bool take(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params) override;

  bool record(Stream& stream, Event& event, void* handle) override;
  /// The same for an event that streams outside of the capture wait for.
  void record_external(Stream& stream, Event& event, void* handle);
  bool wait(Stream& stream, Event& event, void* handle) override;
  /// A stream of this capture waits for an event that is recorded outside of any.
  void wait_external(Stream& stream, Event& event, void* handle);

  void begin_group(Stream& stream);
  sim::Ref<TaskGroup> end_group(Stream& stream);
  /// Adds a conditional task over sub-models, which must be captured before this capture ends.
  void add_conditional(Stream& stream, sim::Ref<sim::Control> task,
                       const std::vector<sim::Ref<Model>>& models);

  /// Ends the capture; the model is then ready. Raises an error if the capture is invalid; the
  /// capture has then ended too, unless the error is that another stream must end it, or that it
  /// cannot end yet.
  void end(Stream& stream);
  /// Lets go of the streams without a model.
  void drop();

 private:
  void ensure_branch(Stream& stream);
  /// With the model's lock: null when the capture is over.
  Node* add(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params);
  bool join(Stream& stream);
  void require_first(std::set<const Event*>& known, const Event& event, const char* what);
  void require_under_way() const;
  void require_valid() const;
  void require_joined() const;
  void require_inner(Model::State wrong, aclError code, const char* what) const;
  bool release_streams();

  Runtime& runtime_;
  const sim::Ref<Model> model_;
  const sim::Ref<Stream> origin_;
  const aclmdlRICaptureMode mode_;
  const std::uint32_t thread_id_;
  std::atomic<bool> invalidated_{false};
  std::atomic<bool> over_{false};

  // Guarded by the model's lock, as the tasks are.
  std::unordered_map<Stream*, Branch*> branches_;
  std::vector<sim::Ref<Stream>> streams_;
  std::set<const Event*> external_records_;
  std::set<const Event*> external_waits_;
  std::unordered_map<Branch*, sim::Ref<TaskGroup>> open_groups_;
};

/// The captures of the process.
class Captures final : public Section, public CaptureGate {
 public:
  explicit Captures(Runtime& runtime) : runtime_(runtime) { publish(); }

  /// Raises the error of a stream that cannot be captured.
  std::shared_ptr<Capture> begin(Stream& stream, void* handle, sim::Ref<Model> model,
                                 aclmdlRICaptureMode mode);
  void ended(const Capture& capture);

  void require_allowed(const Context& context, aclError code) override;
  void require_none(const Context& context) override;

  void reset() override;
  void context_ends(const Context& context) override;

 private:
  std::vector<std::shared_ptr<Capture>> all() const;

  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  std::vector<std::shared_ptr<Capture>> captures_ GUARDED_BY(mutex_);
};

/// The capture that a stream's tasks go into, or null.
std::shared_ptr<Capture> capture_of(const Stream& stream);

}  // namespace acl
