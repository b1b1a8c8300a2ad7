// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/capture.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <unordered_map>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/graph/captured_records.h"
#include "runtime/acl/graph/external_event.h"
#include "runtime/acl/graph/task_group.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

namespace {

aclmdlRITaskParams event_params(aclmdlRITaskType type, void* event, std::uint32_t flags,
                                bool external) {
  aclmdlRITaskParams params{};
  params.type = type;
  // The parameters of records, waits and resets have one layout.
  params.eventRecordTaskParams = {event, flags, external ? 1u : 0u};
  return params;
}

/// Never destroyed: threads may capture while the process ends.
struct Records {
  sim::Mutex mutex;
  std::atomic<bool> some{false};  // some were ever: few programs do so
  std::unordered_map<const Event*, order::OpInfo> by_event GUARDED_BY(mutex);
};
Records& records() {
  static auto& kept = *new Records;
  return kept;
}

void keep_record(const Event& event, const Stream& stream) {
  order::OpInfo record;
  record.what = sim::name(sim::OpKind::record);
  record.site = call_site_of(thread_state());
  record.thread = thread_state().thread_id;
  record.stream = stream.id();
  record.device = static_cast<std::int16_t>(stream.logical_device());
  record.on_default_stream = stream.is_default();
  const sim::LockGuard guard(records().mutex);
  records().by_event[&event] = record;
  records().some = true;
}

}  // namespace

std::optional<order::OpInfo> captured_records::find(const Event& event) {
  if (!records().some) return std::nullopt;
  const sim::LockGuard guard(records().mutex);
  const auto at = records().by_event.find(&event);
  return at == records().by_event.end() ? std::nullopt : std::optional(at->second);
}

void captured_records::forget(const Event& event) {
  if (!records().some) return;
  const sim::LockGuard guard(records().mutex);
  records().by_event.erase(&event);
}

Capture::Capture(Runtime& runtime, sim::Ref<Model> model, Stream& origin, aclmdlRICaptureMode mode)
    : runtime_(runtime),
      model_(std::move(model)),
      origin_(sim::Ref<Stream>::share(&origin)),
      mode_(mode),
      thread_id_(thread_state().thread_id) {}

// The first task of a stream makes its branch. The branch is made outside of the lock, because a
// callback may report the branch's stream to the program, which may then look into the model.
void Capture::ensure_branch(Stream& stream) {
  const auto known = [&] { return over() || branches_.contains(&stream); };
  {
    const sim::LockGuard guard(model_->mutex());
    if (known()) return;
  }
  auto branch = model_->make_branch(stream);
  {
    const sim::LockGuard guard(model_->mutex());
    if (!known()) {
      streams_.push_back(sim::Ref<Stream>::share(&stream));
      branches_[&stream] = &model_->adopt(std::move(branch));
    }
  }
  if (branch) model_->discard(*branch);
}

void Capture::require_under_way() const {
  if (over()) {
    fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "the capture on stream {} was ended by another thread",
         origin_->id());
  }
}

void Capture::require_valid() const {
  if (!invalidated()) return;
  fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
       "the capture on stream {} became invalid by an earlier error; expected aclmdlRICaptureEnd",
       origin_->id());
}

bool Capture::take(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params) {
  require_valid();
  ensure_branch(stream);
  const sim::LockGuard guard(model_->mutex());
  return add(stream, op, params) != nullptr;
}

Node* Capture::add(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params) {
  if (over()) return nullptr;
  Branch& branch = *branches_.at(&stream);
  Node& node = model_->add_node(branch, std::move(op), params);
  if (const auto open = open_groups_.find(&branch); open != open_groups_.end()) {
    node.group = open->second;
    node.params.taskGrp = open->second->handle();
  }
  return &node;
}

// ---- events ----

bool Capture::record(Stream& stream, Event& event, void* handle) {
  require_valid();
  ensure_branch(stream);
  const auto params = event_params(ACL_MODEL_RI_TASK_EVENT_RECORD, handle, event.flags(), false);
  const std::uint64_t id = runtime_.driver().next_id();
  const auto signal = sim::make_ref<sim::Signal>(nullptr, id);
  sim::OwnedOp op(sim::make_record(*signal, event.timed()));
  const sim::LockGuard guard(model_->mutex());
  Node* const node = add(stream, op, &params);
  if (!node) return false;
  node->event_id = id;
  Branch* const branch = branches_.at(&stream);
  event.set_captured({weak_from_this(), signal, branch, branch->nodes.size() - 1, id});
  if (watch::listener()) keep_record(event, stream);
  return true;
}

void Capture::record_external(Stream& stream, Event& event, void* handle) {
  require_valid();
  ensure_branch(stream);
  const auto params = event_params(ACL_MODEL_RI_TASK_EVENT_RECORD, handle, event.flags(), true);
  sim::OwnedOp op(sim::make_task(sim::Ref<const sim::Task>::adopt(new ExternalRecord(event))));
  const sim::LockGuard guard(model_->mutex());
  require_first(external_records_, event, "recorded");
  Node* const node = add(stream, op, &params);
  if (!node) require_under_way();
  node->event_id = reinterpret_cast<std::uintptr_t>(handle);  // the same in every graph
  branches_.at(&stream)->external_records.push_back(sim::Ref<Event>::share(&event));
}

bool Capture::wait(Stream& stream, Event& event, void* handle) {
  require_valid();
  const CaptureMark mark = event.captured();
  if (!mark.branch || !join(stream)) return false;
  const auto params = event_params(ACL_MODEL_RI_TASK_EVENT_WAIT, handle, event.flags(), false);
  sim::OwnedOp op(sim::make_wait(*mark.signal, nullptr, 0));
  const sim::LockGuard guard(model_->mutex());
  if (over() || mark.position >= mark.branch->nodes.size()) return false;
  if (branches_.at(&stream) == mark.branch) return true;  // in order already
  add(stream, op, &params)->event_id = mark.id;
  mark.branch->nodes[mark.position].waited_for = true;
  return true;
}

// False when the capture is over.
bool Capture::join(Stream& stream) {
  if (stream.in_model()) {
    fail(ACL_ERROR_RT_STREAM_MODEL, "stream {} is part of a model: it joins no capture",
         stream.id());
  }
  ensure_branch(stream);
  const sim::LockGuard guard(model_->mutex());
  if (over()) return false;
  if (stream.redirect(shared_from_this())) return true;
  invalidate();
  fail(ACL_ERROR_STREAM_CAPTURE_CONFLICT,
       "stream {} is in another capture, or in an update of a task group: the capture on stream {} "
       "is invalid now",
       stream.id(), origin_->id());
}

void Capture::wait_external(Stream& stream, Event& event, void* handle) {
  const auto params = event_params(ACL_MODEL_RI_TASK_EVENT_WAIT, handle, event.flags(), true);
  require_valid();
  ensure_branch(stream);
  sim::OwnedOp op(sim::make_control(sim::make_ref<ExternalWait>(event)));
  if (auto* const listener = watch::listener()) listener->captured(stream, *op);
  const sim::LockGuard guard(model_->mutex());
  require_first(external_waits_, event, "waited for");
  Node* const node = add(stream, op, &params);
  if (!node) require_under_way();
  node->event_id = reinterpret_cast<std::uintptr_t>(handle);
}

// The tasks keep the events alive, so different events have different addresses.
void Capture::require_first(std::set<const Event*>& known, const Event& event, const char* what) {
  if (known.insert(&event).second) return;
  fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       "the event is {} in this capture already: an external event takes part once", what);
}

// ---- groups and conditions ----

void Capture::begin_group(Stream& stream) {
  require_valid();
  ensure_branch(stream);
  const sim::LockGuard guard(model_->mutex());
  require_under_way();
  Branch& branch = *branches_.at(&stream);
  if (open_groups_.contains(&branch)) {
    fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "stream {} is inside a task group already",
         stream.id());
  }
  auto group = sim::make_ref<TaskGroup>();
  group->set_handle(runtime_.section<TaskGroups>().table().add(group));
  open_groups_[&branch] = std::move(group);
}

sim::Ref<TaskGroup> Capture::end_group(Stream& stream) {
  require_valid();
  ensure_branch(stream);
  const sim::LockGuard guard(model_->mutex());
  require_under_way();
  const auto open = open_groups_.find(branches_.at(&stream));
  if (open == open_groups_.end()) {
    fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "stream {} is in no task group", stream.id());
  }
  auto group = std::move(open->second);
  open_groups_.erase(open);
  return group;
}

void Capture::add_conditional(Stream& stream, sim::Ref<sim::Control> task,
                              const std::vector<sim::Ref<Model>>& models) {
  require_valid();
  ensure_branch(stream);
  sim::OwnedOp op(sim::make_control(std::move(task)));
  const sim::LockGuard guard(model_->mutex());
  if (!add(stream, op, nullptr)) require_under_way();
  for (const auto& model : models) model_->keep(model);
}

// ---- the end ----

// With the model's lock. Every stream that joined must lead back: its last task is a record that
// another stream of the capture waits for.
void Capture::require_joined() const {
  const Branch* const first =
      branches_.count(origin_.get()) ? branches_.at(origin_.get()) : nullptr;
  for (const auto& [stream, branch] : branches_) {
    if (branch == first) continue;
    if (!branch->nodes.empty() && branch->nodes.back().waited_for) continue;
    fail(ACL_ERROR_RT_STREAM_UNJOINED,
         "stream {} joined the capture and was not joined back; expected a record as its last task "
         "and a wait for it on stream {}",
         stream->id(), origin_->id());
  }
}

// With the model's lock.
void Capture::require_inner(Model::State wrong, aclError code, const char* what) const {
  for (const auto& inner : model_->inner_models()) {
    if (inner->state() == wrong) fail(code, "model {} of a conditional task {}", inner->id(), what);
  }
}

void Capture::end(Stream& stream) {
  if (&stream != origin_.get()) {
    fail(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, "the capture began on stream {}, not on {}",
         origin_->id(), stream.id());
  }
  const auto keep = shared_from_this();
  {
    const sim::LockGuard guard(model_->mutex());
    require_under_way();
    require_inner(Model::State::open, ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING,
                  "is not captured yet");
  }
  ensure_branch(*origin_);  // an empty model has its origin too
  if (!release_streams()) require_under_way();
  try {
    require_valid();
    if (mode_ != ACL_MODEL_RI_CAPTURE_MODE_RELAXED && thread_id_ != thread_state().thread_id) {
      fail(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
           "the capture began in thread {}; only a relaxed one may end in another", thread_id_);
    }
    const sim::LockGuard guard(model_->mutex());
    require_inner(Model::State::broken, ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
                  "was not captured to its end");
    if (!open_groups_.empty()) {
      fail(ACL_ERROR_STREAM_TASK_GROUP_INTR,
           "a task group is open; expected "
           "aclmdlRICaptureTaskGrpEnd before the end of the capture");
    }
    require_joined();
    model_->compile();
    model_->set_state(Model::State::ready);
  } catch (...) {
    model_->set_state(Model::State::broken);
    throw;
  }
}

// False when another thread was first.
bool Capture::release_streams() {
  {
    const sim::LockGuard guard(model_->mutex());
    if (over_.exchange(true)) return false;
    origin_->redirect_back();
    for (const auto& stream : streams_) {
      if (stream->sink().get() == this) stream->redirect_back();
    }
  }
  runtime_.section<Captures>().ended(*this);
  return true;
}

void Capture::drop() {
  const auto keep = shared_from_this();
  if (!release_streams()) return;
  model_->set_state(Model::State::broken);
}

// ---- Captures ----

std::shared_ptr<Capture> Captures::begin(Stream& stream, void* handle, sim::Ref<Model> model,
                                         aclmdlRICaptureMode mode) {
  if (handle == stream.context().default_stream_handle()) {
    fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, "stream is the default stream: it is not captured");
  }
  if (stream.in_model()) {
    fail(ACL_ERROR_RT_STREAM_MODEL, "stream {} is part of a model", stream.id());
  }
  const sim::LockGuard guard(mutex_);
  auto capture = std::make_shared<Capture>(runtime_, std::move(model), stream, mode);
  if (!stream.redirect(capture)) {
    fail(ACL_ERROR_RT_STREAM_CAPTURED, "stream {} is being captured already, or in an update",
         stream.id());
  }
  captures_.push_back(capture);
  ++count_;
  return capture;
}

void Captures::ended(const Capture& capture) {
  const sim::LockGuard guard(mutex_);
  const auto gone = std::erase_if(captures_, [&](const auto& at) { return at.get() == &capture; });
  count_ -= static_cast<int>(gone);
}

std::vector<std::shared_ptr<Capture>> Captures::all() const {
  const sim::LockGuard guard(mutex_);
  return captures_;
}

// The strictest capture of the context rules.
void Captures::require_allowed(const Context& context, aclError code) {
  const ThreadState& state = thread_state();
  if (state.capture_mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return;
  bool own = false;
  bool global = false;
  for (const auto& capture : all()) {
    if (&capture->context() != &context || capture->mode() == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) {
      continue;
    }
    own |= capture->thread_id() == state.thread_id;
    global |= capture->mode() == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  }
  const bool strict_thread = state.capture_mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  if (!own && !(global && strict_thread)) return;
  fail(code,
       "a stream of the context is being captured{}: this call cannot become part of it, and its "
       "mode forbids it meanwhile",
       own ? " by this thread" : "");
}

void Captures::require_none(const Context& context) {
  for (const auto& capture : all()) {
    if (&capture->context() == &context) {
      fail(ACL_ERROR_RT_STREAM_CAPTURED, "a stream of the context is being captured");
    }
  }
}

void Captures::reset() {
  for (const auto& capture : all()) capture->drop();
}

void Captures::context_ends(const Context& context) {
  for (const auto& capture : all()) {
    if (&capture->context() == &context) capture->drop();
  }
}

std::shared_ptr<Capture> capture_of(const Stream& stream) {
  const auto sink = stream.sink();
  if (!sink || sink->kind() != TaskSink::Kind::capture) return nullptr;
  return std::static_pointer_cast<Capture>(sink);
}

}  // namespace acl
