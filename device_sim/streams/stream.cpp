// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include <new>
#include <utility>

#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream_announce.h"
#include "device_sim/streams/task.h"

namespace sim {
namespace {

/// Waits for the op may end before the op has left its stream.
bool sets_free(const Op& op) noexcept {
  return op.kind == OpKind::record || op.kind == OpKind::reset || op.kind == OpKind::word_change ||
         (op.kind == OpKind::task && op.task.task->sets_free());
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
  if (idles()) leave_idle(OpWeight::of(op));
  return sequence;
}

void Stream::leave_idle(OpWeight first) {
  State idle = State::idle;
  if (state_.compare_exchange_strong(idle, State::ready)) driver_.on_submitted(*this, first);
}

// ---- ownership ----

void Stream::yield() {
  announce();
  state_.store(State::ready, std::memory_order_seq_cst);
  driver_.on_ready(*this);
}

// An empty stream becomes idle here; no other thread has to take it for that.
void Stream::let_go() {
  if (!head()) {
    announce();
    if (frames_.empty() && go_idle()) return;
  }
  yield();
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

inline void Stream::tell_before(const Op& op) {
  if (driver_.hooks().completed && sets_free(op)) [[unlikely]]
    tell(op, {});
}

// An op that was reported before its run is reported again if it fails.
inline void Stream::tell_after(const Op& op, const Failure& failure) {
  if (!driver_.hooks().completed) [[likely]]
    return;
  if (op.defers_report && !failure && defer_report()) return;
  if (failure || !sets_free(op)) tell(op, failure);
}

// False: the pass through the program defers nothing.
inline bool Stream::defer_report() noexcept {
  const Frame& frame = frames_.back();
  if (!frame.deferred) return false;
  frame.deferred->add(static_cast<std::uint32_t>(frame.at - frame.program->begin()));
  return true;
}

void Stream::tell(const Op& op, const Failure& failure) {
  const DriverHooks& hooks = driver_.hooks();
  if ((op.completion_id != 0 || !frames_.empty()) && op.completion_id != Op::kUnreported) {
    hooks.completed(hooks.self, *this, op, failure);
  }
}

/// An exception must not leave the step, because the stream would then have no owner.
static Failure result_of(const Task& task, Stream& stream) {
  try {
    return task.run(stream);
  } catch (const std::bad_alloc&) {
    return {Error::out_of_memory};
  }
}

Stream::Step Stream::step() {
  if (!frames_.empty() && frames_.back().at == frames_.back().end) [[unlikely]]
    leave_program();
  Op* const op = head();
  if (!op) {
    announce();
    return go_idle() ? Step::idle : Step::moved;
  }
  if (dropping()) [[unlikely]] {
    drop_head(*op);
    return Step::moved;
  }
  if (unannounced_ != 0 && !is_short(*op)) announce();
  begin(*op);
  if (driver_.hooks().op_begins && !head_asked_) [[unlikely]] {
    if (Step step{}; meet_fault(*op, step)) return step;
  }
  tell_before(*op);
  switch (op->kind) {
    case OpKind::copy:
      copy(op->copy);
      break;
    case OpKind::fill:
      device_fill(driver_.memory().engine(op->fill.dst), op->fill.value, op->fill.size);
      break;
    case OpKind::kernel:
      return Step::kernel;
    case OpKind::host_call:
      return step_host_call(*op);
    case OpKind::wait:
      return step_wait(*op);
    case OpKind::word_wait:
      return step_word_wait(*op);
    case OpKind::control:
      return step_control(*op);
    case OpKind::record:
      op->record.signal->complete(failure(), op->record.timed ? driver_.now_ns() : 0);
      break;
    case OpKind::reset:
      op->reset.signal->clear();
      break;
    case OpKind::word_change:
      op->word_change.word->change(op->word_change.how, op->word_change.value);
      break;
    case OpKind::task:
      if (const Failure failure = result_of(*op->task.task, *this)) return fail_head(*op, failure);
      break;
  }
  retire(*op, {});
  return Step::moved;
}

// A copy of one aligned word, which streams may wait on: written in one store, and with release
// order, so that a stream that reads the new value also sees what was written before it. Read in
// one load, since a stream may write the value at that time. Not instrumented by AddressSanitizer:
// device_copy decides which accesses to device memory it checks.
__attribute__((no_sanitize("address"))) static bool copy_word(void* dst, const void* src,
                                                              std::size_t size) {
  std::uint64_t word = 0;
  if (size != sizeof word || reinterpret_cast<std::uintptr_t>(dst) % sizeof word != 0) return false;
  if (reinterpret_cast<std::uintptr_t>(src) % sizeof word == 0) {
    word = __atomic_load_n(static_cast<const std::uint64_t*>(src), __ATOMIC_ACQUIRE);
  } else {
    device_copy(&word, src, sizeof word);
  }
  __atomic_store_n(static_cast<std::uint64_t*>(dst), word, __ATOMIC_RELEASE);
  return true;
}

void Stream::copy(const CopyOp& copy) {
  void* const dst = driver_.memory().engine(copy.dst);
  const void* const src = driver_.memory().engine(copy.src);
  if (copy_word(dst, src, copy.size)) return;
  if (copy.size < Driver::kLargeCopy) return device_copy(dst, src, copy.size);
  driver_.copy_large(dst, src, copy.size);
}

// ---- retiring ----

void Stream::retire(Op& op, const Failure& failure) {
  tell_after(op, failure);
  if (Observer* observer = driver_.observer()) [[unlikely]] {
    const Nanoseconds now = driver_.now_ns();
    observer->finished(*this, op, failure, head_begun_ ? head_start_ns_ : now, now);
  }
  head_begun_ = false;
  head_asked_ = false;
  if (!frames_.empty()) [[unlikely]]
    return retire_in_program();
  const OpKind kind = op.kind;
  if (!op.holds_nothing()) {
    if (kind == OpKind::word_change) op.word_change.word->change_came();
    dispose_op(op);
  }
  queue_.pop();
  publish_retired(kind);
}

// A waiter that registers while `retired_` changes is not missed: `announce` sees it after its
// sequentially consistent store, or `add_waiter` sees the new count. Consecutive short ops share
// one sequentially consistent store, which follows before the stream changes its owner or runs a
// long op.
void Stream::publish_retired(OpKind kind) noexcept {
  if ((kind == OpKind::copy || kind == OpKind::fill) && ++unannounced_ < kMostUnannounced) {
    retired_.store(queue_.popped(), std::memory_order_release);
    return;
  }
  unannounced_ = 1;
  announce();
}

}  // namespace sim
