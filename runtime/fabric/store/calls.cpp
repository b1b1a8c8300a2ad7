// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/calls.h"

#include <utility>

#include "device_sim/base/mutex.h"

namespace fabric {

void Calls::throw_failure() const {
  if (failure_) throw FabricError(failure_->status, failure_->text);
}

std::uint64_t Calls::begin() {
  const sim::LockGuard guard(mutex_);
  throw_failure();
  calls_[++last_];
  return last_;
}

std::optional<Reply> Calls::await(std::uint64_t call, Moment end) {
  sim::UniqueLock lock(mutex_);
  for (;;) {
    const auto it = calls_.find(call);
    if (it->second) {
      Reply reply = std::move(*it->second);
      calls_.erase(it);
      return reply;
    }
    if (failure_) {
      calls_.erase(it);
      throw_failure();
    }
    if (timekeeper_.passed(end)) return std::nullopt;
    timekeeper_.wait(lock, changed_, end);
  }
}

void Calls::drop(std::uint64_t call) {
  const sim::LockGuard guard(mutex_);
  calls_.erase(call);
}

void Calls::check() const {
  const sim::LockGuard guard(mutex_);
  throw_failure();
}

void Calls::deliver(std::uint64_t call, Reply reply) {
  const sim::LockGuard guard(mutex_);
  const auto it = calls_.find(call);
  if (it == calls_.end() || it->second) return;
  it->second = std::move(reply);
  changed_.notify_all();
}

void Calls::fail(const FabricError& why) {
  const sim::LockGuard guard(mutex_);
  if (!failure_) failure_ = Reason{why.status(), why.what()};
  changed_.notify_all();
}

void Calls::departed(const Departure& departure) {
  if (!departure.orderly) fail({Status::lost, departure.text});
  const sim::LockGuard guard(telling_);
  if (!departure.orderly && !loss_) loss_ = departure;
  if (tell_) tell_(departure);
}

void Calls::on_departure(Hub::OnDeparture tell) {
  const sim::LockGuard guard(telling_);
  tell_ = std::move(tell);
  if (tell_ && loss_) tell_(*loss_);
}

}  // namespace fabric
