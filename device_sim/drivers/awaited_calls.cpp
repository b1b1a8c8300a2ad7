// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/awaited_calls.h"

#include <utility>

#include "device_sim/base/load_aware_deadline.h"
#include "device_sim/base/mutex.h"

namespace sim {

bool AwaitedCalls::here() const {
  const sim::LockGuard guard(mutex_);
  return awaits(HostLane::ticket_here());
}

std::uint64_t AwaitedCalls::send(HostLane& lane) {
  const sim::LockGuard guard(mutex_);
  const std::uint64_t ticket = ++last_;
  if (open_++ == 0) first_ = ticket;
  lane_ = Ref<HostLane>::share(&lane);
  return ticket;
}

void AwaitedCalls::over(std::uint64_t ticket) {
  const sim::LockGuard guard(mutex_);
  if (!awaits(ticket)) return;
  --open_;
  over_.notify_all();
}

bool AwaitedCalls::returned(Stream& stream, Failure failure) {
  const sim::LockGuard guard(mutex_);
  if (!awaits(HostLane::ticket_here())) return false;
  returned_ = Ref<Stream>::share(&stream);
  failure_ = failure;
  --open_;
  over_.notify_all();
  return true;
}

std::optional<AwaitedCalls::Outcome> AwaitedCalls::settle(std::chrono::nanoseconds patience) {
  sim::UniqueLock guard(mutex_);
  if (open_ == 0 && !returned_) return {};
  const auto all_over = [this]() REQUIRES(mutex_) { return open_ == 0; };
  bool over = over_.wait_for(guard, patience, all_over);
  for (LoadAwareDeadline extension(patience); !over && extension.more();) {
    over = over_.wait_until(guard, LoadAwareDeadline::next_check().at(), all_over);
  }
  open_ = 0;
  return Outcome{over, std::exchange(lane_, nullptr), std::exchange(returned_, nullptr), failure_};
}

}  // namespace sim
