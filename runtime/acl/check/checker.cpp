// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "device_sim/stream.h"
#include "device_sim/word.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/context.h"
#include "runtime/acl/model/model.h"
#include "runtime/acl/runtime.h"
#include "runtime/acl/stream.h"
#include "runtime/acl/thread_state.h"

namespace acl {
namespace {

// Notes of ops in graphs stand in a table of their own.
constexpr std::uint32_t kInGraph = 0x8000'0000;

order::Variable::Update update_of(sim::WordChange how, std::uint64_t value) {
  switch (how) {
    case sim::WordChange::set: return [value](std::uint64_t) { return value; };
    case sim::WordChange::add_32:
      return [value](std::uint64_t old) { return (old + value) & 0xFFFF'FFFFu; };
    case sim::WordChange::set_bits: return [value](std::uint64_t old) { return old | value; };
    case sim::WordChange::keep_bits: return [value](std::uint64_t old) { return old & value; };
    case sim::WordChange::raise:
      return [value](std::uint64_t old) { return std::max(old, value); };
  }
  return [value](std::uint64_t) { return value; };
}

order::Variable::Test test_of(const sim::WordTest& test) {
  return [test](std::uint64_t value) { return test.holds(value); };
}

bool is_set(std::uint64_t value) { return value != 0; }

// What a task writes changes without the host: a race with it is told by its ranges.
void forget_written(HostBuffers& buffers, std::span<const order::Access> accesses) {
  if (buffers.empty()) return;
  for (const order::Access& access : accesses) {
    if (!access.write || !access.host) continue;
    buffers.forget(reinterpret_cast<const void*>(access.begin), access.size);
  }
}

}  // namespace

Checker::Checker(Runtime& runtime, const CheckConfig& config)
    : runtime_(runtime),
      config_(config),
      family_(config.family.empty() ? nullptr : std::make_unique<FamilyLog>(config.family)),
      engine_([this](order::Finding&& f) { add(std::move(f)); }, family_.get()) {}

Checker::~Checker() = default;

// ---- who ----

order::Actor Checker::host() {
  ThreadState& thread = thread_state();
  if (thread.check_generation != generation_) {
    thread.check_generation = generation_;
    thread.check_actor = engine_.add_host();
  }
  return thread.check_actor;
}

order::Actor Checker::actor(std::uint32_t stream_id) {
  if (stream_id >= stream_actors_.size()) stream_actors_.resize(stream_id + 1, 0);
  order::Actor& kept = stream_actors_[stream_id];
  if (kept == 0) kept = engine_.add_stream() + 1;
  return kept - 1;
}

order::Actor Checker::actor(const Stream& stream) {
  const std::uint32_t id = stream.id();
  if (id >= stream_actors_.size()) stream_actors_.resize(id + 1, 0);
  if (stream_actors_[id] == 0) stream_actors_[id] = engine_.add_stream(host()) + 1;
  return stream_actors_[id] - 1;
}

order::Deed Checker::deed(const char* what) const {
  const ThreadState& thread = thread_state();
  order::Deed deed;
  deed.what = what ? what : thread.call;
  deed.site = call_site_of(thread);
  deed.thread = thread.thread_id;
  return deed;
}

order::Deed Checker::deed(const Stream& stream, const sim::Op& op, order::Actor actor) const {
  order::Deed result = deed(name_in_reports(op));
  result.stream = stream.id();
  result.device = static_cast<std::int16_t>(runtime_.logical(stream.device()));
  result.number = engine_.last(actor) + 1;
  result.on_default_stream = stream.is_default();
  return result;
}

Checker::Attached& Checker::attached(sim::Signal& signal) {
  if (!signal.attached) signal.attached = std::make_shared<Attached>();
  return *static_cast<Attached*>(signal.attached.get());
}

order::Node* Checker::node_of(const sim::Signal& signal) {
  auto* const at = static_cast<Attached*>(signal.attached.get());
  return at && at->recorded ? &at->node : nullptr;
}

// Whoever waits for an earlier record keeps that one's node. What nobody has any more is used
// again: there are many records, and few at a time.
std::shared_ptr<order::Node> Checker::new_node(sim::Signal& signal) {
  std::shared_ptr<Attached>& made = recent_[next_recent_++ % recent_.size()];
  if (made && made.use_count() == 1) {
    made->node.renew();
  } else {
    made = std::make_shared<Attached>();
    made->recorded = true;
  }
  signal.attached = made;
  return {made, &made->node};
}

std::shared_ptr<order::Variable> Checker::variable(sim::Word& word, const char* name) {
  if (!word.attached) {
    auto made = std::make_shared<Attached>();
    made->variable = std::make_shared<order::Variable>();
    if (std::string_view(name).starts_with("NOTIFY")) notifies_.push_back(made->variable);
    word.attached = std::move(made);
  }
  auto& found = static_cast<Attached*>(word.attached.get())->variable;
  found->closed = !word.watched();
  return found;
}

void Checker::add(order::Finding&& finding) {
  if (finding.level >= config_.report_from) findings_.add(std::move(finding));
}

// ---- tasks ----

void Checker::submitting(Stream& stream, sim::Op& op) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  order::Deed what = deed(stream, op, to);
  switch (op.kind) {
    case sim::OpKind::copy:
    case sim::OpKind::fill:
    case sim::OpKind::kernel:
    case sim::OpKind::task: return submit_accesses(stream, op, to, what);
    default:
      submit_sync(op, to, what);
      if (family_) ask_family(op, what, to);
  }
}

void Checker::submit_accesses(Stream&, sim::Op& op, order::Actor to, order::Deed& what) {
  accesses_.clear();
  what.declared = append_accesses(runtime_.memory(), op, accesses_);
  if (op.kind == sim::OpKind::kernel && accesses_.empty()) unknown_writers_ = true;
  forget_written(host_buffers_, accesses_);
  const order::Actor by = host();
  if (family_ && engine_.stands(to)) family_->deferred({to, engine_.last(to) + 1});
  engine_.op(to, by, what, accesses_);
  if (op.kind != sim::OpKind::copy) return;
  const order::Epoch when{to, engine_.last(to)};
  if (op.copy.src_device == sim::kHostDevice) {
    // Memory of ours goes by `freeing` only; what is registered or reserved may go at any time.
    const bool stays = runtime_.memory().space_of(op.copy.src) == &runtime_.memory().host();
    host_buffers_.add(
        {op.copy.src, op.copy.size, stays, 0, when, what},
        [&](order::Epoch epoch) { return engine_.knows(by, epoch); },
        [&](const HostBuffers::Buffer& buffer) { tell_changed(buffer); });
  } else if (op.copy.dst_device != sim::kHostDevice && op.copy.dst_device != op.copy.src_device) {
    std::erase_if(peer_copies_,
                  [&](const PeerCopy& copy) { return engine_.knows(by, copy.when); });
    peer_copies_.push_back({op.copy.src_device, op.copy.dst_device, when, what});
  }
}

void Checker::disconnecting(int device, int peer) {
  const Entry guard(*this);
  const order::Actor by = host();
  for (const PeerCopy& copy : peer_copies_) {
    if (std::minmax(copy.from, copy.to) != std::minmax(device, peer)) continue;
    if (engine_.knows(by, copy.when)) continue;
    order::Finding finding(order::Rule::no_peer_access);
    finding.deed = deed(nullptr);
    finding.other = copy.deed;
    finding.text = "access ends while the other may still copy between the two devices";
    add(std::move(finding));
  }
}

void Checker::submit_sync(sim::Op& op, order::Actor to, const order::Deed& what) {
  const order::Actor by = host();
  switch (op.kind) {
    case sim::OpKind::record: {
      sim::Signal& signal = *op.record.signal;
      auto* const at = static_cast<Attached*>(signal.attached.get());
      if (!at || !at->variable) return engine_.record(to, by, what, new_node(signal));
      at->stale = at->waited;
      op.note = engine_.change(to, by, what, at->variable, [](std::uint64_t) { return 1; }, false);
      return;
    }
    case sim::OpKind::wait: {
      const std::shared_ptr<void>& attached = op.wait.signal->attached;
      auto* const at = static_cast<Attached*>(attached.get());
      if (at && at->variable) {
        if (std::exchange(at->stale, false)) tell_flag(what);
        at->waited = true;
        op.note = engine_.wait_for(to, by, what, at->variable, is_set, false);
        if (op.wait.timeout_ns != 0) engine_.has_time_limit(op.note);
        return;
      }
      if (at && at->recorded) engine_.wait(to, by, what, {attached, &at->node});
      if (op.wait.timeout_ns != 0) {  // it may fail: that is to be told
        templates_.push_back({what});
        op.note = kInGraph | static_cast<std::uint32_t>(templates_.size());
      }
      return;
    }
    case sim::OpKind::reset: {
      Attached& at = attached(*op.reset.signal);
      if (at.variable) {
        at.waited = at.stale = false;
        op.note = engine_.change(to, by, what, at.variable, [](std::uint64_t) { return 0; }, false);
      }
      return;
    }
    case sim::OpKind::word_change: {
      const bool adds = op.word_change.how != sim::WordChange::set;
      op.note = engine_.change(to, by, what, variable(*op.word_change.word, what.what),
                               update_of(op.word_change.how, op.word_change.value), adds);
      return;
    }
    case sim::OpKind::word_wait:
      op.note = engine_.wait_for(to, by, what, variable(*op.word_wait.word, what.what),
                                 test_of(op.word_wait.test), op.word_wait.test.clear);
      if (op.word_wait.timeout_ns != 0) engine_.has_time_limit(op.note);
      return;
    case sim::OpKind::host_call:
      op.note = engine_.call(to, by, what, op.host_call.blocking);
      unserved_.add(op.note, what);
      return;
    case sim::OpKind::control: op.note = engine_.call(to, by, what, true); return;
    default: return;
  }
}

void Checker::tell_flag(order::Deed what) {
  order::Finding finding(order::Rule::flag_not_reset);
  finding.deed = what;
  finding.text = "the event is still set from before its latest record: the wait may pass at once";
  add(std::move(finding));
}

void Checker::captured(Stream& stream, sim::Op& op) {
  const Entry guard(*this);
  Template entry{deed(stream, op, actor(stream)),
                 op.kind == sim::OpKind::host_call && op.host_call.blocking};
  entry.deed.number = 0;
  templates_.push_back(entry);
  op.note = kInGraph | static_cast<std::uint32_t>(templates_.size());
}

// ---- events ----

void Checker::made_flag(sim::Signal& signal) {
  const Entry guard(*this);
  auto& variable = attached(signal).variable = std::make_shared<order::Variable>();
  variable->closed = true;
}

// An early wait that orders nothing was probably meant for this record.
void Checker::recording(const Event& event, const sim::Signal* before, Stream& stream) {
  const Entry guard(*this);
  const auto early = waited_early_.find(&event);
  const order::Node* const node = before ? node_of(*before) : nullptr;
  const bool moves = node && node->record.stream != stream.id() &&
                     engine_.may_be_waited_for(host(), *node);
  if (early == waited_early_.end() && !moves) return;
  const order::Actor to = actor(stream);
  order::Deed what = deed("record");
  what.stream = stream.id();
  what.device = static_cast<std::int16_t>(runtime_.logical(stream.device()));
  what.number = engine_.last(to) + 1;
  if (early != waited_early_.end()) {
    if (early->second.stream != stream.id()) {
      order::Finding finding(order::Rule::wait_before_record);
      finding.deed = early->second;
      finding.other = what;
      finding.text = "the event was recorded only after this call, which ordered nothing";
      add(std::move(finding));
    }
    waited_early_.erase(early);
  }
  if (!moves) return;
  order::Finding finding(order::Rule::record_moves_event);
  finding.deed = what;
  finding.other = node->record;
  finding.text = "who waits from now on waits for this record only";
  add(std::move(finding));
}

void Checker::waited(Stream& stream, sim::Signal& signal) {
  const Entry guard(*this);
  order::Node* const node = node_of(signal);
  if (!node) return;
  const order::Actor to = actor(stream);
  const sim::Op op(sim::OpKind::wait);
  engine_.wait(to, host(), deed(stream, op, to), {signal.attached, node});
}

void Checker::waited_for_nothing(const Event& event, Stream& stream) {
  const Entry guard(*this);
  const sim::Op op(sim::OpKind::wait);
  order::Finding finding(order::Rule::wait_never_recorded);
  finding.deed = deed(stream, op, actor(stream));
  finding.text = "the event was never recorded: the call returns success and orders nothing";
  waited_early_.emplace(&event, finding.deed);
  add(std::move(finding));
}

void Checker::event_ends(const Event& event) {
  const Entry guard(*this);
  waited_early_.erase(&event);
}

// ---- graphs ----

void Checker::run_begins(const Model& model, const sim::Stream& launcher) {
  const Entry guard(*this);
  const sim::Op* const head = const_cast<sim::Stream&>(launcher).head();
  launches_[&model] = head ? head->note : 0;
}

void Checker::branch_begins(const Model& model, const sim::Stream& branch) {
  const Entry guard(*this);
  if (const auto at = launches_.find(&model); at != launches_.end()) {
    engine_.run_begins(at->second, actor(branch.id()));
  }
}

void Checker::branch_ends(const Model& model, const sim::Stream& branch) {
  const Entry guard(*this);
  if (const auto at = launches_.find(&model); at != launches_.end()) {
    engine_.run_ends(at->second, actor(branch.id()));
  }
}

void Checker::ran_in_graph(sim::Stream& stream, const sim::Op& op) {
  const order::Actor by = actor(stream.id());
  order::Deed what;
  const std::size_t entry = op.note & ~kInGraph;
  if ((op.note & kInGraph) != 0 && entry <= templates_.size()) what = templates_[entry - 1].deed;
  if (what.site == 0) what.what = name_in_reports(op);
  what.stream = stream.id();
  what.device = static_cast<std::int16_t>(runtime_.logical(stream.device()));
  accesses_.clear();
  what.declared = append_accesses(runtime_.memory(), op, accesses_);
  forget_written(host_buffers_, accesses_);
  if (!accesses_.empty()) return engine_.run_op(by, what, accesses_);
  ran_sync_in_graph(by, op, what);
  if (const Shared* const shared = family_ ? shared_of(op) : nullptr) {
    tell_family(op, *shared, engine_.now(by), engine_.clock(by), what);
  }
}

void Checker::ran_sync_in_graph(order::Actor by, const sim::Op& op, const order::Deed& what) {
  switch (op.kind) {
    case sim::OpKind::record: {
      Attached& at = attached(*op.record.signal);
      at.recorded = true;
      return engine_.run_record(by, what, at.node);
    }
    case sim::OpKind::wait:
      if (const auto* const node = node_of(*op.wait.signal)) engine_.run_wait(by, *node);
      return;
    case sim::OpKind::word_change:
      return engine_.run_change(by, *variable(*op.word_change.word, what.what),
                                update_of(op.word_change.how, op.word_change.value),
                                op.word_change.how != sim::WordChange::set);
    case sim::OpKind::word_wait:
      return engine_.run_wait_for(by, *variable(*op.word_wait.word, what.what),
                                  test_of(op.word_wait.test), op.word_wait.test.clear);
    default: return;
  }
}

// ---- hooks of the machine ----

void Checker::noted(sim::Stream& stream, const sim::Op& op, sim::Failure failure) {
  const bool in_graph = stream.in_program() || (op.note & kInGraph) != 0;
  if (op.kind == sim::OpKind::host_call && !failure && !in_graph) return;  // by the end of its function
  const Entry guard(*this);
  if (failure.error == sim::Error::wait_timeout) {
    order::Finding finding(order::Rule::wait_timed_out);
    const std::size_t entry = op.note & ~kInGraph;
    if ((op.note & kInGraph) != 0 && entry <= templates_.size()) {
      finding.deed = templates_[entry - 1].deed;
    } else {
      finding.deed = engine_.deed_of(op.note);
    }
    finding.text = "the wait ended by its time limit; what it waited for is not ordered before";
    add(std::move(finding));
  }
  if (stream.in_program()) {
    if (!failure) ran_in_graph(stream, op);
  } else if ((op.note & kInGraph) == 0) {
    if (family_) tell_family_of_end(stream, op, failure);
    engine_.happened(op.note, failure.error != sim::Error::none);
  }
}

// Callbacks are many and mostly do nothing that matters here. Such a one is told by its end alone,
// and taken in by whoever enters next: its thread does not have to wait for the others.
void Checker::enter_call(const sim::Stream& stream, std::uint32_t note) {
  ThreadState& thread = thread_state();
  thread.in_callback = true;
  thread.begun_call = note;
  thread.begun_stream = stream.id();
  // What it may write from now on is not to be taken for what stood there before.
  if (!host_buffers_.empty()) const Entry takes_it(*this);
}

void Checker::leave_call(const sim::Stream& stream, std::uint32_t note) {
  ThreadState& thread = thread_state();
  thread.serves_stream = 0;
  thread.in_callback = false;
  const bool in_graph = (note & kInGraph) != 0;
  if (!in_graph && thread.begun_call == note &&
      thread.check_generation == generation_.load(std::memory_order_relaxed)) {
    thread.begun_call = 0;
    return put_off({note, thread.check_actor});
  }
  const Entry guard(*this);
  if (!in_graph) return end_call(note, host());
  if (templates_[(note & ~kInGraph) - 1].blocking) {
    engine_.run_call_ends(actor(stream.id()), host());
  }
}

void Checker::put_off(QuietCall call) {
  constexpr std::size_t kMany = 64;
  std::size_t count = 0;
  {
    const std::lock_guard guard(quiet_lock_);
    quiet_calls_.push_back(call);
    count = quiet_calls_.size();
    some_quiet_.store(true, std::memory_order_release);
  }
  if (count >= kMany) const Entry takes_them(*this);
}

void Checker::take_quiet_calls() {
  {
    const std::lock_guard guard(quiet_lock_);
    taken_calls_.swap(quiet_calls_);
    some_quiet_.store(false, std::memory_order_relaxed);
  }
  for (const QuietCall& call : taken_calls_) {
    begin_call(call.note, call.by);
    end_call(call.note, call.by);
  }
  taken_calls_.clear();
}

// The thread of a callback does something: now its begin matters.
void Checker::take_begun_call() {
  ThreadState& thread = thread_state();
  const std::uint32_t note = std::exchange(thread.begun_call, 0);
  const bool in_graph = (note & kInGraph) != 0;
  const bool blocks =
      in_graph ? templates_[(note & ~kInGraph) - 1].blocking : engine_.blocks(note);
  if (blocks) thread.serves_stream = thread.begun_stream + 1;
  if (in_graph) return engine_.run_call_begins(actor(thread.begun_stream), host());
  begin_call(note, host());
}

void Checker::begin_call(std::uint32_t note, order::Actor by) {
  unserved_.erase(note);
  engine_.call_begins(note, by);
  settle_buffers(by);
}

void Checker::end_call(std::uint32_t note, order::Actor by) {
  engine_.call_ends(note, by);
  engine_.happened(note, false);
}

// ---- what calls tell ----

void Checker::tell(order::Rule rule, std::string text) {
  order::Finding finding(rule);
  finding.deed = deed(nullptr);
  finding.text = std::move(text);
  add(std::move(finding));
}

namespace {

struct CodeRule {
  aclError code;
  order::Rule rule;
};
constexpr CodeRule kCodeRules[] = {
    {ACL_ERROR_RT_INVALID_HANDLE, order::Rule::dead_handle},
    {ACL_ERROR_RT_NO_STREAM_RESOURCE, order::Rule::exhausted},
    {ACL_ERROR_RT_NO_EVENT_RESOURCE, order::Rule::exhausted},
    {ACL_ERROR_RT_NO_NOTIFY_RESOURCE, order::Rule::exhausted},
    {ACL_ERROR_RT_STREAM_UNJOINED, order::Rule::capture_broken},
    {ACL_ERROR_RT_STREAM_CAPTURED, order::Rule::capture_broken},
    {ACL_ERROR_RT_EVENT_CAPTURED, order::Rule::capture_broken},
    {ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, order::Rule::capture_broken},
    {ACL_ERROR_STREAM_CAPTURE_CONFLICT, order::Rule::capture_broken},
    {ACL_ERROR_RT_CAPTURE_DEPENDENCY, order::Rule::capture_broken},
    {ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, order::Rule::capture_broken},
    {ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC, order::Rule::capture_broken},
};

}  // namespace

void Checker::failed(const char*, std::int32_t code, const char* text) {
  const auto* const row = std::find_if(std::begin(kCodeRules), std::end(kCodeRules),
                                       [code](const CodeRule& r) { return r.code == code; });
  if (row != std::end(kCodeRules)) tell(row->rule, fmt::format("{} [{}]", text, code));
}

}  // namespace acl
