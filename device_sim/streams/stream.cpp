// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "device_sim/base/parker.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/memory/shared_copy.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/hold.h"
#include "device_sim/streams/host_lane.h"
#include "device_sim/streams/task.h"

namespace sim {
namespace {

constexpr Failure kKernelFailed{Error::kernel_failed, -1};  // without a code of its own
constexpr int kMostUnannounced = 16;
constexpr std::size_t kShortBytes = std::size_t{64} << 10;  // a few microseconds

/// Over before somebody who waits for an earlier op could tell.
bool is_short(const Op& op) noexcept {
  return (op.kind == OpKind::copy && op.copy.size <= kShortBytes) ||
         (op.kind == OpKind::fill && op.fill.size <= kShortBytes);
}

/// Who waits for it may go on before the op has left its stream.
bool sets_free(OpKind kind) noexcept {
  return kind == OpKind::record || kind == OpKind::reset || kind == OpKind::word_change;
}

}  // namespace

Stream::Stream(Driver& driver, Config config)
    : config_(std::move(config)), driver_(driver), priority_(config_.priority) {}

Stream::~Stream() = default;

// ---- submitting ----

std::uint64_t Stream::submit(const Op& op) {
  if (Observer* observer = driver_.observer()) observer->submitted(*this, op);
  if (op.kind == OpKind::word_change) op.word_change.word->expect_change(*this);
  const std::uint64_t sequence = queue_.push(op);
  // Pairs with go_idle: either the owner sees the op, or this thread sees `idle`.
  State idle = State::idle;
  if (state_.load(std::memory_order_seq_cst) == State::idle &&
      state_.compare_exchange_strong(idle, State::ready)) {
    driver_.on_submitted(*this);
  }
  return sequence;
}

// ---- ownership ----

bool Stream::try_own() noexcept {
  State ready = State::ready;
  return state_.load(std::memory_order_seq_cst) == State::ready &&
         state_.compare_exchange_strong(ready, State::running);
}

bool Stream::go_idle() noexcept {
  const std::uint64_t popped = queue_.popped();  // another owner may pop once we said idle
  state_.store(State::idle, std::memory_order_seq_cst);
  if (queue_.pushed() == popped) {
    if (holds_memory_.load(std::memory_order_seq_cst)) release_memory();
    return true;
  }
  // An op came in between. If its submitter saw `running` the stream is still ours to move.
  State idle = State::idle;
  return !state_.compare_exchange_strong(idle, State::running);
}

void Stream::yield() {
  announce();
  state_.store(State::ready, std::memory_order_seq_cst);
  driver_.on_ready(*this);
}

// An empty stream need not go through another thread's hands to become idle.
void Stream::let_go() {
  if (head() || step() != Step::idle) yield();
}

// ---- moving ----

inline void Stream::begin(const Op& op) {
  if (head_begun_) return;
  if (Observer* observer = driver_.observer()) [[unlikely]] {
    head_start_ns_ = driver_.now_ns();
    observer->started(*this, op, head_start_ns_);
    head_begun_ = true;
  }
}

void Stream::begin_head() {
  if (const Op* const op = head()) begin(*op);
}

Stream::Step Stream::step() {
  if (!frames_.empty() && frames_.back().at == frames_.back().end) leave_program();
  Op* const op = head();
  if (!op) {
    announce();
    return go_idle() ? Step::idle : Step::moved;
  }
  if (dropping()) {
    drop_head(*op);
    return Step::moved;
  }
  if (unannounced_ != 0 && !is_short(*op)) announce();
  begin(*op);
  if (driver_.hooks().op_begins && !head_asked_) [[unlikely]] {
    if (Step step{}; meet_fault(*op, step)) return step;
  }
  if (sets_free(op->kind)) tell(*op, {});
  switch (op->kind) {
    case OpKind::copy: copy(op->copy); break;
    case OpKind::fill:
      device_fill(driver_.memory().engine(op->fill.dst), op->fill.value, op->fill.size);
      break;
    case OpKind::kernel: return Step::kernel;
    case OpKind::host_call: return step_host_call(*op);
    case OpKind::wait: return step_wait(*op);
    case OpKind::word_wait: return step_word_wait(*op);
    case OpKind::control: return step_control(*op);
    case OpKind::record:
      op->record.signal->complete(failure(), op->record.timed ? driver_.now_ns() : 0);
      break;
    case OpKind::reset: op->reset.signal->clear(); break;
    case OpKind::word_change:
      op->word_change.word->change(op->word_change.how, op->word_change.value);
      break;
    case OpKind::task:
      if (const Failure failure = op->task.task->run(*this)) return fail_head(*op, failure);
      break;
  }
  retire(*op, {});
  return Step::moved;
}

// A word that streams may wait for: all of it at once, and what was done before it is seen with it.
// AddressSanitizer looks at device memory no more than device_copy lets it.
__attribute__((no_sanitize("address"))) static bool copy_word(void* dst, const void* src,
                                                              std::size_t size) {
  std::uint64_t word = 0;
  if (size != sizeof word || reinterpret_cast<std::uintptr_t>(dst) % sizeof word != 0) return false;
  device_copy(&word, src, sizeof word);
  __atomic_store_n(static_cast<std::uint64_t*>(dst), word, __ATOMIC_RELEASE);
  return true;
}

void Stream::copy(const CopyOp& copy) {
  void* const dst = driver_.memory().engine(copy.dst);
  const void* const src = driver_.memory().engine(copy.src);
  if (copy_word(dst, src, copy.size)) return;
  if (copy.size < SharedCopy::kLeast) return device_copy(dst, src, copy.size);
  driver_.copy_large(dst, src, copy.size);
}

// ---- waiting ----

// True: the stream is parked and may be somebody else's already. `try_park` says whether it was.
template <class TryPark>
bool Stream::park_at(WaitPoint& point, std::uint64_t timeout_ns, TryPark try_park) {
  // Everything that is needed once the stream is parked is taken now.
  const Ref<Stream> self = timeout_ns != 0 ? Ref<Stream>::share(this) : Ref<Stream>();
  const Ref<WaitPoint> limit = timeout_ns != 0 ? Ref<WaitPoint>::share(&point) : Ref<WaitPoint>();
  const std::uint64_t serial = park_serial_ + 1;
  timed_park_ = timeout_ns != 0;
  set_parked_on(&point, timed_park_);
  state_.store(State::parked, std::memory_order_seq_cst);
  if (try_park()) {
    if (self) {
      driver_.arm_timeout(self, limit, serial, timeout_ns);
      // Released before the limit was armed: whoever did that found nothing to disarm.
      if (!limit->holds(*self, serial)) driver_.disarm_timeout(*self, serial);
    }
    return true;
  }
  state_.store(State::running, std::memory_order_seq_cst);
  set_parked_on(nullptr);
  return false;
}

// ---- injected faults ----

// False when nothing goes wrong with the op now.
bool Stream::meet_fault(Op& op, Step& step) {
  head_asked_ = true;
  const OpFault fault = driver_.hooks().op_begins(driver_.hooks().self, *this, op);
  if (fault.held && !abandoned()) {
    const Ref<Hold> hold = make_ref<Hold>();
    hold_ = hold;
    held_failure_ = fault.failure;
    step = Step::parked;
    if (park_at(*hold, fault.hold_ns, [&] { return hold->park(*this); })) return true;
  }
  step = Step::moved;
  if (abandoned()) {  // by now, perhaps by the fault itself
    drop_head(op);
  } else if (fault.failure) {
    step = fail_head(op, fault.failure);
  } else {
    return false;
  }
  return true;
}

Stream::Step Stream::step_wait(Op& op) {
  Signal& signal = *op.wait.signal;
  // A signal that set the stream free may be pending again by now: the stream stays free.
  if (!std::exchange(set_free_, false) && !signal.done()) {
    if (park_at(signal, op.wait.timeout_ns, [&] { return signal.park(*this); })) {
      return Step::parked;
    }
    if (abandoned()) {
      drop_head(op);
      return Step::moved;
    }
  }
  retire(op, {});
  return Step::moved;
}

Stream::Step Stream::step_word_wait(Op& op) {
  if (!std::exchange(set_free_, false)) {
    const Ref<Word> word = Ref<Word>::share(op.word_wait.word);
    const WordTest test = op.word_wait.test;
    Driver& driver = driver_;
    if (park_at(*word, op.word_wait.timeout_ns, [&] { return word->park(*this, test); })) {
      if (word->watched()) driver.watch(*word);
      return Step::parked;
    }
    if (abandoned()) {
      drop_head(op);
      return Step::moved;
    }
  }
  retire(op, {});
  return Step::moved;
}

// ---- programs ----

// The innermost program is over.
Op* Stream::head_behind_frame() noexcept {
  for (auto frame = frames_.rbegin() + 1; frame != frames_.rend(); ++frame) {
    if (frame->at != frame->end) return &**frame->at;
  }
  return queue_.front();
}

/// Its end for an index behind that.
static OwnedOp* op_at(Program& program, std::size_t index) noexcept {
  const auto size = static_cast<std::size_t>(program.end() - program.begin());
  return program.begin() + std::min(index, size);
}

void Stream::enter(Ref<Program> program, std::size_t index) {
  OwnedOp* const first = op_at(*program, index);
  OwnedOp* const end = program->end();
  frames_.push_back({std::move(program), first, end, head_start_ns_});
  head_begun_ = false;
  head_asked_ = false;
}

// At the end of a program the control op that entered it is the head again.
std::uint32_t Stream::program_label() const noexcept {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (const std::uint32_t label = frame->program->label()) return label;
  }
  return 0;
}

void Stream::leave_program() {
  head_start_ns_ = frames_.back().start_ns;
  head_begun_ = driver_.observer() != nullptr;
  head_asked_ = true;
  frames_.pop_back();
  returned_ = true;
}

Stream::Step Stream::step_control(Op& op) {
  set_free_ = false;
  Flow flow = op.control.control->decide(*this, returned_);
  if (flow.kind == Flow::Kind::wait) {
    Signal& until = *flow.until;
    return park_at(until, 0, [&] { return until.park(*this); }) ? Step::parked : Step::moved;
  }
  returned_ = false;
  switch (flow.kind) {
    case Flow::Kind::enter: enter(std::move(flow.program), flow.index); break;
    case Flow::Kind::fail: return fail_head(op, flow.failure);
    case Flow::Kind::jump:
      retire(op, {});
      frames_.back().at = op_at(*frames_.back().program, flow.index);
      break;
    default: retire(op, {}); break;
  }
  return Step::moved;
}

Stream::Step Stream::step_host_call(Op& op) {
  HostCallOp& call = op.host_call;
  const Ref<HostLane> lane = Ref<HostLane>::share(call.lane);
  HostLane::Item item{call.function, call.argument, Ref<Stream>::share(this), call.blocking,
                      op.task_id, op.thread_id, op.note};
  // Who gives the stream up may have looked into the lane before the item was there.
  if (!call.blocking) {
    item.owner = Ref<const Shared>::share(call.owner);
    // First: who sees the op retired finds the item in its lane.
    const bool posted = lane->post(std::move(item));
    // Callbacks of a subscription that has ended are dropped; an injected fault is told of.
    if (const Failure refusal = lane->refusal(); !posted && refusal.fault != 0) {
      return fail_head(op, refusal);
    }
    if (abandoned()) lane->withdraw(*this);
    retire(op, {});
    return Step::moved;
  }
  const Ref<Stream> self = item.stream;
  state_.store(State::parked, std::memory_order_seq_cst);
  if (lane->post(std::move(item))) {
    if (abandoned()) withdraw(*lane);
    return Step::parked;
  }
  state_.store(State::running, std::memory_order_seq_cst);
  return fail_head(op, lane->refusal());  // nobody serves the lane any more
}

SIM_CATCHES_FORCED_UNWIND Stream::Step Stream::run_kernel() {
  std::uint64_t failure = 0;
  try {
    failure = call_kernel();
  } catch (abi::__forced_unwind&) {
    if (finish_kernel(kKernelFailed) == Step::moved) let_go();
    throw;  // the thread is being cancelled: not ours to stop
  }
  if (failure != 0) [[unlikely]] return finish_kernel(Failure::unpack(failure));
  retire(*head(), {});
  return Step::moved;
}

Failure Stream::execute_kernel() { return Failure::unpack(call_kernel()); }

// The packed failure, 0 for none: passed by value, a structure of small members is written in
// pieces and read as a whole, for which the processor waits.
SIM_CATCHES_FORCED_UNWIND std::uint64_t Stream::call_kernel() {
  const Op& op = *head();
  const KernelOp& kernel = op.kernel;
  const bool blob = op.has_blob;
  const KernelRun run{kernel.function,
                      blob ? kernel.blob->args() : kernel.inline_args,
                      blob ? kernel.blob->args_size : kernel.args_size,
                      kernel.blocks,
                      config_.device,
                      config_.id,
                      op.task_id};
  const Nanoseconds limit_ns = driver_.kernel_limit_ns();
  const Nanoseconds start_ns = limit_ns != 0 ? driver_.now_ns() : 0;
  const DriverHooks& hooks = driver_.hooks();
  void* const entered = hooks.enter_kernel ? hooks.enter_kernel(hooks.self, run) : nullptr;
  std::uint64_t failure = 0;
  try {
    const std::int32_t code = kernel.entry(run);
    if (code != 0) [[unlikely]] failure = Failure{Error::kernel_failed, code}.pack();
  } catch (abi::__forced_unwind&) {
    if (hooks.leave_kernel) hooks.leave_kernel(hooks.self, entered);
    throw;
  } catch (...) {
    failure = kKernelFailed.pack();
  }
  if (hooks.leave_kernel) hooks.leave_kernel(hooks.self, entered);
  if (limit_ns != 0 && failure == 0 && driver_.now_ns() - start_ns > limit_ns) {
    failure = Failure{Error::kernel_timeout, 0}.pack();
  }
  return failure;
}

Stream::Step Stream::finish_kernel(Failure failure) {
  Op& op = *head();
  if (failure && !abandoned()) return fail_head(op, failure);
  retire(op, failure);
  return Step::moved;
}

Stream::Step Stream::fail_head(Op& op, Failure failure) {
  record_failure(failure);
  const DriverHooks& hooks = driver_.hooks();
  HostLane* lane = nullptr;
  HostLane::Item item;
  if (hooks.op_failed && hooks.op_failed(hooks.self, *this, op, failure, lane, item)) {
    // The failure is told in another thread; the op leaves the stream only afterwards, so that a
    // synchronise that reports the error comes after the exception callback.
    item.stream = Ref<Stream>::share(this);
    item.blocking = true;
    head_failure_ = failure;
    state_.store(State::parked, std::memory_order_seq_cst);
    if (lane->post(std::move(item))) return Step::parked;
    state_.store(State::running, std::memory_order_seq_cst);
    head_failure_ = {};
  }
  retire(op, failure);
  return Step::moved;
}

Stream::Step Stream::host_call_returned(Failure failure) {
  in_host_call_.store(false, std::memory_order_release);
  state_.store(State::running, std::memory_order_seq_cst);
  Op& op = *head();
  if (head_failure_) {
    failure = std::exchange(head_failure_, Failure{});  // it has been told by now
  } else if (failure && !abandoned()) {
    return fail_head(op, failure);
  }
  retire(op, failure);
  return Step::moved;
}

void Stream::leave_park() {
  set_parked_on(nullptr);
  if (timed_park_) driver_.disarm_timeout(*this, park_serial_);
}

void Stream::release_from_wait() {
  leave_park();
  set_free_ = true;
  state_.store(State::ready, std::memory_order_seq_cst);
  driver_.on_ready(*this);
}

Stream::Step Stream::fail_wait(Failure failure) {
  leave_park();
  state_.store(State::running, std::memory_order_seq_cst);
  if (hold_) {  // the time of a fault is over: the head fails by it, or runs now
    hold_ = nullptr;
    failure = std::exchange(held_failure_, Failure{});
    if (!failure) return Step::moved;
  }
  return fail_head(*head(), failure);
}

inline void Stream::tell(const Op& op, const Failure& failure) {
  const DriverHooks& hooks = driver_.hooks();
  if (hooks.noted && (op.note != 0 || !frames_.empty()) && op.note != Op::kUntold) [[unlikely]] {
    hooks.noted(hooks.self, *this, op, failure);
  }
}

void Stream::retire(Op& op, const Failure& failure) {
  if (failure || !sets_free(op.kind)) tell(op, failure);
  if (Observer* observer = driver_.observer()) {
    const Nanoseconds now = driver_.now_ns();
    observer->finished(*this, op, failure, head_begun_ ? head_start_ns_ : now, now);
  }
  head_begun_ = false;
  head_asked_ = false;
  if (!frames_.empty()) {  // the program keeps its ops
    ++frames_.back().at;
    if (driver_.watching()) driver_.look_at_words();
    return;
  }
  const OpKind kind = op.kind;
  if (kind == OpKind::word_change) op.word_change.word->change_came();
  dispose_op(op);
  queue_.pop();
  publish_retired(kind);
}

void Stream::drop_head(Op& op) {
  const Failure aborted{Error::aborted, 0};
  // Nobody may hang on a record that will not come. Those of a program are made again by its next
  // run, which may be under way in another stream by now: its streams were given up together.
  const bool made_again = !frames_.empty() && abandoned();
  if (op.kind == OpKind::record && !made_again) op.record.signal->complete(aborted, driver_.now_ns());
  if (op.kind == OpKind::word_change && op.word_change.how == WordChange::raise) {
    op.word_change.word->change(WordChange::raise, op.word_change.value);
  }
  if (op.kind == OpKind::control) {
    returned_ = false;
    op.control.control->dropped(*this);
  }
  retire(op, aborted);
}

// A waiter that registers while `retired_` moves is seen by one of the two: the ordered store here,
// or the ordered look in add_waiter. Small ops in a row share one such store; it is made up for
// before the stream goes out of hand or does something long (`announce`).
void Stream::publish_retired(OpKind kind) noexcept {
  if ((kind == OpKind::copy || kind == OpKind::fill) && ++unannounced_ < kMostUnannounced) {
    retired_.store(queue_.popped(), std::memory_order_release);
    return;
  }
  unannounced_ = 1;
  announce();
}

void Stream::announce() noexcept {
  if (unannounced_ == 0) return;
  unannounced_ = 0;
  retired_.store(queue_.popped(), std::memory_order_seq_cst);
  if (driver_.watching()) driver_.look_at_words();
  if (has_waiters_.load(std::memory_order_seq_cst)) notify_waiters();
}

// ---- failure ----

void Stream::record_failure(Failure failure) noexcept {
  std::uint64_t none = 0;
  failure_.compare_exchange_strong(none, failure.pack());
  if (stop_on_failure_.load(std::memory_order_acquire)) {
    if (config_.domain) config_.domain->fail(failure);
    dropping_.store(true, std::memory_order_relaxed);
  }
}

void Stream::fail_detached(std::uint32_t task_id, std::uint32_t thread_id, Failure failure) {
  record_failure(failure);
  Op gone(OpKind::host_call);
  gone.task_id = task_id;
  gone.thread_id = thread_id;
  const DriverHooks& hooks = driver_.hooks();
  HostLane* lane = nullptr;
  HostLane::Item item;
  if (hooks.op_failed && hooks.op_failed(hooks.self, *this, gone, failure, lane, item)) {
    item.stream = Ref<Stream>::share(this);
    item.tells = true;
    lane->post(std::move(item));
  }
}

Failure Stream::take_failure() noexcept {
  if (failure_.load(std::memory_order_acquire) == 0) return {};
  return Failure::unpack(failure_.exchange(0, std::memory_order_acq_rel));
}

// The running op may use memory that is freed now: it is kept back until the stream is idle.
void Stream::hold_memory() {
  AddressSpace& space = driver_.memory().device(config_.device);
  space.hold_freed();
  if (holds_memory_.exchange(true)) space.release_freed();  // given up twice: held once
  if (state() == State::idle) release_memory();  // it became so before it could see the mark
}

void Stream::release_memory() {
  if (holds_memory_.exchange(false)) driver_.memory().device(config_.device).release_freed();
}

void Stream::abandon() {
  if (!abandoned()) abandoned_at_.store(retired(), std::memory_order_relaxed);
  abandoned_.store(true, std::memory_order_seq_cst);
  wake_all_waiters();
  bool own = try_own();
  if (!own) {
    if (const Ref<WaitPoint> point = parked_on()) {
      if (point->unpark(*this, 0)) {
        leave_park();
        state_.store(State::running, std::memory_order_seq_cst);
        own = true;
      }
    }
  }
  // Otherwise the owner, or the host function that returns, finds the mark and drops the rest.
  if (!own) return hold_memory();
  drop_rest();
}

void Stream::withdraw(HostLane& lane) {
  if (!lane.withdraw(*this)) return;
  head_failure_ = {};  // nobody will be told of it
  state_.store(State::running, std::memory_order_seq_cst);
  drop_rest();
}

// Owner only.
void Stream::drop_rest() {
  while (step() != Step::idle) {
  }
  driver_.forget(*this);
  // A submit that came too late may just have been forgotten: its op is still to be dropped.
  if (state() == State::ready) driver_.on_ready(*this);
}

// ---- host waiters ----

bool Stream::add_waiter(HostWaiter& waiter) noexcept {
  const std::lock_guard guard(lock_);
  waiter.next = waiters_;
  waiters_ = &waiter;
  has_waiters_.store(true, std::memory_order_seq_cst);
  if (retired() < waiter.target && !abandoned()) return true;
  waiters_ = waiter.next;
  if (!waiters_) has_waiters_.store(false, std::memory_order_seq_cst);
  return false;
}

void Stream::remove_waiter(HostWaiter& waiter) noexcept {
  const std::lock_guard guard(lock_);
  for (HostWaiter** at = &waiters_; *at; at = &(*at)->next) {
    if (*at == &waiter) {
      *at = waiter.next;
      break;
    }
  }
  if (!waiters_) has_waiters_.store(false, std::memory_order_seq_cst);
}

void Stream::notify_waiters() noexcept {
  const std::lock_guard guard(lock_);
  const std::uint64_t retired = queue_.popped();
  for (HostWaiter** at = &waiters_; *at;) {
    HostWaiter& waiter = **at;
    if (waiter.target > retired) {
      at = &waiter.next;
      continue;
    }
    *at = waiter.next;
    Parker* const parker = waiter.parker;
    waiter.released.store(true, std::memory_order_release);  // its stack may be gone after this
    parker->unpark();
  }
  if (!waiters_) has_waiters_.store(false, std::memory_order_seq_cst);
}

void Stream::wake_all_waiters() noexcept {
  const std::lock_guard guard(lock_);
  for (HostWaiter* waiter = waiters_; waiter;) {
    HostWaiter* const next = waiter->next;
    Parker* const parker = waiter->parker;
    waiter->released.store(true, std::memory_order_release);
    parker->unpark();
    waiter = next;
  }
  waiters_ = nullptr;
  has_waiters_.store(false, std::memory_order_seq_cst);
}

bool Stream::wake_helper() noexcept {
  if (!has_waiters_.load(std::memory_order_seq_cst)) return false;
  const std::lock_guard guard(lock_);
  for (HostWaiter* waiter = waiters_; waiter; waiter = waiter->next) {
    if (waiter->may_help) {
      waiter->parker->unpark();
      return true;
    }
  }
  return false;
}

void Stream::set_parked_on(WaitPoint* point, bool timed) noexcept {
  const std::lock_guard guard(lock_);
  parked_on_ = point;
  parked_timed_ = timed;
}

Ref<WaitPoint> Stream::parked_on(bool* timed) const noexcept {
  const std::lock_guard guard(lock_);
  if (timed) *timed = parked_timed_;
  return Ref<WaitPoint>::share(parked_on_);
}

}  // namespace sim
