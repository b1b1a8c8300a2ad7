// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "device_sim/sharing/lost_output.h"
#include "device_sim/streams/stream.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/check/crash_watch.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/word_order.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/memory/value_word.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

std::atomic<Checker*> the_checker{nullptr};

bool is_set(std::uint64_t value) { return value != 0; }

order::Access word_access(std::uintptr_t address, bool write) {
  return {address, sizeof(std::uint64_t), write, false, false, order::AccessKind::atomic};
}

}  // namespace

Checker::Checker(Runtime& runtime, const CheckConfig& config)
    : runtime_(runtime),
      config_(config),
      group_log_(config.group_mailbox.empty()
                     ? nullptr
                     : std::make_unique<ProcessGroupLog>(config.group_mailbox)),
      engine_(make_engine()) {
  the_checker.store(this, std::memory_order_release);
  watch_crashes([this](const Crash& crash) { crashed(crash); });
  if (const char* const rank = std::getenv(sim::kRunRank)) sim::tell_run(sim::kRankMail, rank);
  if (config.stack > 1) watch::tell_call_begins();
  if (config.guard_reads) {
    guarded_reads_ = std::make_unique<GuardedReads>(
        runtime.memory(), [this](const HostTouch& touch) { host_touched(touch); });
  }
}

Checker::~Checker() = default;

order::Engine Checker::make_engine() {
  order::Engine engine([this](order::Finding&& f) { add(std::move(f)); }, group_log_.get());
  engine.set_begun_calls([this] { return begun_calls(); });
  return engine;
}

Checker* checker() noexcept { return the_checker.load(std::memory_order_acquire); }

// In a forked child nobody listens any more.
CheckThread::~CheckThread() {
  if (generation != 0 && watch::listener()) checker()->thread_ends();
}

// ---- who ----

void Checker::register_actor(CheckThread& thread) {
  thread.generation = generation_;
  thread.actor = thread_state().of_crew ? engine_.add_crew() : engine_.add_host();
}

void Checker::thread_ends() {
  const Entry guard(*this);
  CheckThread& thread = check_thread();
  if (thread.generation == generation_) engine_.end_host(thread.actor);
  thread.generation = 0;
}

order::Actor Checker::actor(std::uint32_t stream_id) {
  if (stream_id >= stream_actors_.size()) stream_actors_.resize(stream_id + 1, 0);
  order::Actor& kept = stream_actors_[stream_id];
  if (kept == 0) kept = engine_.add_stream() + 1;
  return kept - 1;
}

order::Actor Checker::register_actor(const Stream& stream) {
  const std::uint32_t id = stream.id();
  if (id >= stream_actors_.size()) stream_actors_.resize(id + 1, 0);
  const order::Actor made = engine_.add_stream(host());
  stream_actors_[id] = made + 1;
  return made;
}

order::OpInfo Checker::op_info(const Stream& stream, const sim::Op& op, order::Actor actor) const {
  const bool calls = op.kind == sim::OpKind::host_call;
  return op_info(stream, calls ? name_of_call(stream, op) : name_in_reports(op), actor);
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
order::Node& Checker::new_node(sim::Signal& signal) {
  const std::uint32_t place = next_recent_++ % recent_.size();
  std::shared_ptr<Attached>& made = recent_[place];
  if (made && made.use_count() == 1) {
    made->node.renew();
    made->reported = false;
  } else {
    made = std::make_shared<Attached>();
    made->recorded = true;
    made->place = place;
  }
  signal.attached = made;
  return made->node;
}

// The next record takes it, or the thread that ends the last op with the signal would have to free
// it. Not before the thread that recorded it has reported that.
void Checker::let_go_of_node(sim::Signal& signal) {
  const auto& at = *static_cast<Attached*>(signal.attached.get());
  if (!at.reported) return;
  next_recent_ = at.place;
  signal.attached.reset();
}

// Waits for a word of device memory have a Word each, and the number is the memory's.
std::shared_ptr<order::Variable> Checker::value_at(std::uintptr_t address) {
  const std::shared_ptr<order::Variable>& found = engine_.word(address);
  if (!found->read) {
    found->read = [&memory = runtime_.memory(), address] {
      auto* const at = reinterpret_cast<void*>(address);
      if (!memory.find(at)) return std::uint64_t{0};
      return std::atomic_ref(*static_cast<std::uint64_t*>(memory.engine(at))).load();
    };
    const bool settled = !engine_.may_be_written_before(word_access(address, false), host());
    found->first = settled ? std::optional(found->read()) : std::nullopt;
  }
  const auto in = runtime_.memory().find(reinterpret_cast<const void*>(address));
  found->closed =
      in && !unknown_writers_ && !shared_.contains(in->begin) && !given_.contains(in->begin);
  return found;
}

bool Checker::submit_value_write(sim::Op& op, order::Actor to, const order::OpInfo& what) {
  const auto* const write = dynamic_cast<const ValueWrite*>(op.task.task);
  if (!write) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(write->address());
  const order::Access access[] = {word_access(address, true)};
  note_issue(to);
  op.completion_id = engine_.change(
      to, host(), what, value_at(address),
      [value = write->value()](std::uint64_t) { return value; }, false, access);
  return true;
}

std::shared_ptr<order::Variable> Checker::variable(sim::Word& word, const char* name) {
  if (std::string_view(name) == kValueWait) return value_at(word.id());
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

void Checker::add(order::Finding&& finding, std::uint64_t times) {
  if (finding.guess != order::Guess::none) weigh_guess(finding);
  if (finding.level < config_.report_from) return;
  if (finding.level > order::Level::note) check_thread().told_at = finding.op_info.site;
  if (finding.where.size != 0) describe_memory(finding);
  name_failure(finding);
  findings_.add(std::move(finding), times);
}

// Who else may have written the bytes: kernels of which nothing is known, the host itself, and
// whoever shares them.
void Checker::weigh_guess(order::Finding& finding) const {
  const order::Level most = order::info(finding.rule).level;
  if (config_.undeclared) {
    finding.level = std::min(most, *config_.undeclared);
    return;
  }
  if (finding.guess != order::Guess::only_they) return;
  const auto found = runtime_.memory().find(reinterpret_cast<const void*>(finding.where.begin));
  const bool private_memory = found && found->device != sim::kHostDevice && !found->restricted &&
                              !shared_.contains(found->begin) && !given_.contains(found->begin);
  if (!private_memory || unknown_writers_ || !mapped_again_.empty()) {
    finding.level = order::Level::note;
  }
}

void Checker::tell_undeclared(const order::OpInfo& what) {
  if (!config_.undeclared) return;
  order::Finding finding(order::Rule::undeclared_kernel);
  finding.level = *config_.undeclared;
  finding.op_info = what;
  finding.text = "{it} does not declare what it accesses; races with it may be missed";
  add(std::move(finding));
}

Findings& Checker::findings() {
  const Entry guard(*this);
  tell_repeated();
  tell_failed_calls();
  return findings_;
}

// ---- tasks ----

void Checker::submit(Stream& stream, sim::Op& op, CheckThread::TouchedNothing before) {
  const bool said = op.kind == sim::OpKind::kernel && !check_thread().next_kernel.empty();
  const bool nothing = !said && touches_nothing(runtime_.memory(), op);
  if (nothing && batched(stream).count(before.pass)) return;
  const Entry guard(*this, Entry::QuietCalls::left);
  const order::Actor to = actor(stream);
  // After the operation at which the stream is blocked, a function of the program, or an op without
  // accesses, does not depend on what other threads did.
  const bool leaves = engine_.is_blocked(to) && !group_log_ && !check_thread().had_quiet_calls &&
                      (op.kind == sim::OpKind::host_call || nothing);
  if (!leaves) take_quiet_calls();
  if (nothing) {
    unknown_writers_ = true;
    if (kernels_.launched(op.kernel.name, call_site_of(thread_state()), false)) {
      tell_undeclared(op_info(stream, op, to));
    }
    if (submit_nothing(stream, to, before)) return;
  }
  switch (op.kind) {
    case sim::OpKind::task:
      if (submit_value_write(op, to, op_info(stream, op, to))) return;
      [[fallthrough]];
    case sim::OpKind::fill:
    case sim::OpKind::kernel:
      return submit_accesses(stream, op, to, before);
    case sim::OpKind::copy:
      return submit_copy(stream, op, to);
    case sim::OpKind::wait:
      if (submit_wait_at_once(op.wait, to)) return;
      [[fallthrough]];
    default: {
      const order::OpInfo what = op_info(stream, op, to);
      submit_sync(op, to, what);
      if (group_log_) announce_to_group(op, what, to);
    }
  }
}

// False: it needs an operation.
bool Checker::submit_nothing(Stream& stream, order::Actor to,
                             const CheckThread::TouchedNothing& before) {
  if (!engine_.goes_on(to, host())) return false;
  if (!engine_.is_blocked(to)) {
    start_batch(stream, before);
  } else if (group_log_) {
    group_log_->deferred({to, engine_.last(to)});
  }
  return true;
}

// The second of a row that the thread enqueues on one stream; the others need not be reported.
void Checker::start_batch(Stream& stream, const CheckThread::TouchedNothing& before) {
  CheckThread::TouchedNothing& now = check_thread().touched_nothing;
  now.stream = stream.id() + 1;
  if (before.stream != now.stream || group_log_ || !unknown_writers_) return;
  if (++last_pass_ == 0) ++last_pass_;
  now.pass = last_pass_;
  batched(stream).give(last_pass_);
}

void Checker::submit_accesses(Stream& stream, sim::Op& op, order::Actor to,
                              const CheckThread::TouchedNothing& before) {
  accesses_.clear();
  if (op.kind == sim::OpKind::kernel) return submit_kernel(stream, op, to, before);
  append_accesses(runtime_.memory(), op, settled_, accesses_);
  if (accesses_.empty() && submit_nothing(stream, to, before)) return;
  const order::OpInfo what = op_info(stream, op, to);
  if (op.kind == sim::OpKind::task) require_written_targets(to, what);
  submit_touching(to, what, accesses_);
}

void Checker::submit_kernel(Stream& stream, sim::Op& op, order::Actor to,
                            const CheckThread::TouchedNothing& before) {
  order::OpInfo what = op_info(stream, op, to);
  std::vector<order::Access>& said = check_thread().next_kernel;
  const bool guessed = said.empty() && declares_nothing(op);
  const bool observed = guessed && is_observed(op);
  if (said.empty()) [[likely]] {
    what.declared = append_accesses(runtime_.memory(), op, settled_, accesses_);
  } else {
    accesses_.assign(said.begin(), said.end());
    said.clear();
  }
  if (guessed) {
    const auto writes = [](const order::Access& access) { return access.write; };
    const auto written = std::count_if(accesses_.begin(), accesses_.end(), writes);
    unknown_writers_ |= written == 0 && !observed;
    what.sole = written == 1;
  }
  if (kernels_.launched(op.kernel.name, what.site, !guessed || observed)) tell_undeclared(what);
  if (!freed_memory_.empty()) {
    guessed ? tell_gone_arguments(what, op) : tell_gone(what, accesses_);
  }
  if (observed) return submit_observed(op, to, what);
  if (accesses_.empty() && submit_nothing(stream, to, before)) return;
  submit_touching(to, what, accesses_);
}

void Checker::next_kernel_accesses(const void* begin, std::size_t size, bool write) {
  const auto found = runtime_.memory().find(begin);
  const bool host_memory = !found || found->device == sim::kHostDevice;
  const Entry guard(*this);  // ends the thread's row of ops that are only counted
  order::Access& said = check_thread().next_kernel.emplace_back();
  said.begin = reinterpret_cast<std::uintptr_t>(begin);
  said.size = size;
  said.write = write;
  said.host = host_memory;
}

// The host memory that the stream's last item reads. The operation that blocks the stream may still
// write there, and so may the program before it issues what ends that.
inline void Checker::keep_buffer(order::Actor to, order::Actor by, const order::OpInfo& what,
                                 const order::Access& read) {
  if (engine_.is_blocked(to) && engine_.may_be_released_later(to)) return;
  if (tasks_write_host_ && engine_.may_be_written_before(read, by)) return;
  auto* const begin = reinterpret_cast<const void*>(read.begin);
  // Memory of ours goes by `freeing` only; what is registered or reserved may go at any time.
  const auto stays = [&] { return runtime_.memory().space_of(begin) == &runtime_.memory().host(); };
  const auto over = [&](order::Epoch epoch) { return engine_.covers(by, epoch); };
  host_buffers_.add(begin, read.size, {to, engine_.last(to)}, what, over, stays);
}

void Checker::submit_copy(const Stream& stream, const sim::Op& op, order::Actor to) {
  const std::array<order::Access, 2> accesses = accesses_of(op.copy);
  const auto& [read, written] = accesses;
  const order::OpInfo what = op_info(stream, sim::name(op.kind), to);
  const order::Actor by = host();
  if (written.host) host_buffers_.forget_written({&written, 1});
  note_issue(to);
  check_blocks(what, accesses);
  engine_.op(to, by, what, accesses);
  bar_hosts(to, what, accesses);
  if (read.host) keep_buffer(to, by, what, read);
  if (written.host) tasks_write_host_ = true;
  const int from_device = op.copy.src_device, to_device = op.copy.dst_device;
  if (from_device == to_device) return;
  if (from_device == sim::kHostDevice || to_device == sim::kHostDevice) return;
  std::erase_if(peer_copies_,
                [&](const PeerCopy& copy) { return engine_.covers(host(), copy.when); });
  peer_copies_.push_back({from_device, to_device, {to, engine_.last(to)}, what});
}

void Checker::submit_touching(order::Actor to, const order::OpInfo& what,
                              std::span<const order::Access> accesses) {
  host_buffers_.forget_written(accesses);
  note_issue(to);
  check_blocks(what, accesses);
  engine_.op(to, host(), what, accesses);
  bar_hosts(to, what, accesses);
  if (what.declared) keep_buffers(to, what, accesses);
}

void Checker::keep_buffers(order::Actor to, const order::OpInfo& what,
                           std::span<const order::Access> accesses) {
  constexpr std::size_t kMost = 64;
  std::size_t count = 0;
  for (const order::Access& access : accesses) {
    if (!access.host) continue;
    if (access.write) {
      tasks_write_host_ = true;
      continue;
    }
    if (++count > kMost) return;
    keep_buffer(to, host(), what, access);
  }
}

// The calling thread is not ordered after the operation. Another one that is may have told it.
order::Finding Checker::without_order(order::Rule rule, order::Epoch earlier) const {
  return order::Finding(engine_.any_host_covers(earlier) ? order::Rule::host_threads_only : rule);
}

void Checker::peer_access_ending(int device, int peer) {
  const Entry guard(*this);
  const order::Actor by = host();
  for (const PeerCopy& copy : peer_copies_) {
    if (std::minmax(copy.from, copy.to) != std::minmax(device, peer)) continue;
    if (engine_.covers(by, copy.when)) continue;
    order::Finding finding = without_order(order::Rule::no_peer_access, copy.when);
    finding.op_info = op_info(nullptr);
    finding.other = copy.op_info;
    finding.text = "{it} disables peer access while {other} may still copy between the two devices";
    if (finding.rule != order::Rule::no_peer_access) {
      finding.text += "; only host threads can order them";
    }
    add(std::move(finding));
  }
}

inline void Checker::submit_record(sim::Op& op, order::Actor to, order::Actor by,
                                   const order::OpInfo& what) {
  sim::Signal& signal = *op.record.signal;
  auto* const at = static_cast<Attached*>(signal.attached.get());
  if (!at || !at->variable) {
    order::Node& node = new_node(signal);
    return engine_.record(to, by, what, node, signal.attached);
  }
  at->stale = at->waited;
  const auto set = [](std::uint64_t) { return 1; };
  op.completion_id = engine_.change(to, by, what, at->variable, set, false);
}

inline void Checker::submit_wait(sim::Op& op, order::Actor to, order::Actor by,
                                 const order::OpInfo& what) {
  const std::shared_ptr<void>& attached = op.wait.signal->attached;
  auto* const at = static_cast<Attached*>(attached.get());
  const bool limited = op.wait.timeout_ns != 0;
  if (at && at->variable) {
    if (std::exchange(at->stale, false)) tell_flag(what);
    at->waited = true;
    op.completion_id = engine_.wait_for(to, by, what, at->variable, is_set, false);
    if (limited) engine_.has_time_limit(op.completion_id);
    return;
  }
  if (at && at->recorded) engine_.wait(to, by, what, at->node, attached);
  if (limited) {  // it may fail: that is to be reported
    templates_.push_back({what});
    op.completion_id = kInGraph | static_cast<std::uint32_t>(templates_.size());
  }
}

inline void Checker::submit_word_wait(sim::Op& op, order::Actor to, order::Actor by,
                                      const order::OpInfo& what) {
  const auto number = variable(*op.word_wait.word, what.what);
  const order::Access access = word_access(number->address, false);
  if (number->address != 0) note_issue(to, true);
  op.completion_id =
      engine_.wait_for(to, by, what, number, test_of(op.word_wait.test), op.word_wait.test.clear,
                       {&access, number->address != 0 ? 1U : 0U});
  if (op.word_wait.timeout_ns != 0) engine_.has_time_limit(op.completion_id);
  keep_wait(*op.word_wait.word, {{to, engine_.last(to)}, what});
}

void Checker::submit_sync(sim::Op& op, order::Actor to, const order::OpInfo& what) {
  const order::Actor by = host();
  switch (op.kind) {
    case sim::OpKind::record:
      return submit_record(op, to, by, what);
    case sim::OpKind::wait:
      return submit_wait(op, to, by, what);
    case sim::OpKind::reset: {
      Attached& at = attached(*op.reset.signal);
      if (!at.variable) return;
      at.waited = at.stale = false;
      const auto clear = [](std::uint64_t) { return 0; };
      op.completion_id = engine_.change(to, by, what, at.variable, clear, false);
      return;
    }
    case sim::OpKind::word_change: {
      const bool adds = op.word_change.how != sim::WordChange::set;
      op.completion_id = engine_.change(to, by, what, variable(*op.word_change.word, what.what),
                                        update_of(op.word_change.how, op.word_change.value), adds);
      return;
    }
    case sim::OpKind::word_wait:
      return submit_word_wait(op, to, by, what);
    case sim::OpKind::host_call:
      op.completion_id = engine_.call(to, by, what, op.host_call.blocking);
      return;
    case sim::OpKind::control:
      return submit_launch(op, to, what);
    default:
      return;
  }
}

bool Checker::submit_wait_at_once(const sim::WaitOp& wait, order::Actor to) {
  auto* const at = static_cast<Attached*>(wait.signal->attached.get());
  if (!at || at->variable || !at->recorded || wait.timeout_ns != 0 || group_log_) return false;
  return engine_.wait_at_once(to, host(), at->node);
}

void Checker::tell_flag(order::OpInfo what) {
  order::Finding finding(order::Rule::flag_not_reset);
  finding.op_info = what;
  finding.text =
      "{it} may pass at once; an earlier record has set the event, and nothing resets it";
  add(std::move(finding));
}

// ---- what calls tell ----

void Checker::tell(order::Rule rule, std::string text, std::string_view title) {
  order::Finding finding(rule);
  finding.title = title;
  finding.op_info = op_info(nullptr);
  finding.text = std::move(text);
  add(std::move(finding));
}

void Checker::misused(watch::Misuse misuse, const std::string& text) {
  switch (misuse) {
    case watch::Misuse::out_of_bounds:
      return tell(order::Rule::out_of_bounds, text);
    case watch::Misuse::no_peer_access:
      return tell(order::Rule::no_peer_access, text);
    case watch::Misuse::wrong_direction:
      return tell(order::Rule::wrong_direction, text);
    case watch::Misuse::collective_mismatch:
      return tell(order::Rule::collective_order, text);
    case watch::Misuse::hidden_synchronize:
      return tell(order::Rule::hidden_synchronize, text);
  }
}

bool Checker::found_in_kernel(bool race, const std::string& text) {
  tell(race ? order::Rule::kernel_race : order::Rule::kernel_rule, text);
  return true;
}

}  // namespace acl
