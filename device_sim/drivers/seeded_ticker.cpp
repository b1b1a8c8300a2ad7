// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "device_sim/base/load_aware_deadline.h"
#include "device_sim/base/mutex.h"
#include "device_sim/drivers/seeded.h"

namespace sim {
namespace {

using namespace std::chrono_literals;
constexpr auto kHostPatience = 200ms;
constexpr auto kUntilNextLook = 100ms;

}  // namespace

// ---- time limits ----

void Seeded::arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                         WaitLimit limit) {
  const Deadline at = Deadline::in(std::chrono::nanoseconds(limit.ns));
  {
    const sim::LockGuard guard(mutex_);
    if (!limits_.arm({at, std::move(stream), std::move(point), serial, limit.looks})) return;
    ++armed_;
  }
  changed_.notify_all();
}

void Seeded::disarm_timeout(Stream& stream, std::uint64_t serial) {
  WaitLimits::Limit gone;  // released outside the lock
  const sim::LockGuard guard(mutex_);
  gone = limits_.disarm(stream, serial);
}

// Fails the waits whose time limit has passed. A wait that only checks a condition (`looks`) ends
// only while no host thread holds the turn token, so that the speed of the program decides nothing.
void Seeded::end_waits() {
  std::vector<WaitLimits::Limit> passed;
  {
    const sim::LockGuard guard(mutex_);
    passed = limits_.take_passed();
  }
  for (WaitLimits::Limit& limit : passed) {
    const sim::LockGuard turn(turn_);
    if (limit.looks && turn_token_->held()) {
      limit.at = Deadline::in(kUntilNextLook);
      const sim::LockGuard guard(mutex_);
      if (limit.point->holds(*limit.stream, limit.serial)) limits_.arm(std::move(limit));
      continue;
    }
    if (!limit.point->unpark(*limit.stream, limit.serial)) continue;
    if (turn_token_->held()) diverge("a wait reached its time limit while the program went on");
    move([&] { leave(*limit.stream, limit.stream->fail_wait({Error::wait_timeout, 0})); });
  }
}

// ---- the ticker ----

// Sleeps. `lasting`: the time that the program may take between two calls has passed, and a stream
// is ready or a word is watched. `broken`: something else happened; look again.
Seeded::Silence Seeded::await_silence() {
  sim::UniqueLock guard(mutex_);
  const bool idle = !std::exchange(stirred_, false) && ready_.empty() && !watching();
  ticker_idle_ = idle;
  const Deadline next = limits_.next();
  const auto patience = std::chrono::steady_clock::now() + kHostPatience;
  const auto changed = [this, idle, armed = armed_]() REQUIRES(mutex_) {
    return stopping_ || armed != armed_ || (idle && (stirred_ || watching()));
  };
  bool early = false;
  if (!idle) {
    early = changed_.wait_until(guard, std::min(patience, next.at()), changed);
  } else if (next.is_never()) {
    changed_.wait(guard, changed);
  } else {
    changed_.wait_until(guard, next.at(), changed);
  }
  if (stopping_) return Silence::stopping;
  if (idle || early || std::chrono::steady_clock::now() < patience) return Silence::broken;
  return ready_.empty() && !watching() ? Silence::broken : Silence::lasting;
}

// Moves the machine when the program makes no calls, and ends waits that have a time limit.
void Seeded::tick() {
  std::uint64_t silent = 0;  // the activity that `extension` began with
  LoadAwareDeadline extension(kHostPatience);
  for (;;) {
    end_waits();
    const std::uint64_t activity = activity_.load(std::memory_order_relaxed);
    const Silence silence = await_silence();
    if (silence == Silence::stopping) return;
    if (silence == Silence::broken) continue;
    const sim::LockGuard turn(turn_);
    if (activity != activity_.load(std::memory_order_relaxed)) continue;
    if (watching()) look_at_words();
    if (closing_ || ready_.empty()) continue;
    if (activity != silent) {
      silent = activity;
      extension = LoadAwareDeadline(kHostPatience);
    }
    if (!diverged() && extension.more()) continue;
    diverge("the program made no call for 200 ms");  // before ops move: who sees them knows of it
    for (Batch batch; !closing_ && !batch.dry;) {
      batch.most = 1;
      go(batch);
    }
  }
}

}  // namespace sim
