// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/embedding/operation_control.h"

#include <exception>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/watch/registry.h"

namespace acl::embedding {

void MachineSignal::complete() { core_->complete({}, driver_.now_ns()); }

void OperationControl::append_ranges(std::vector<sim::MemoryRange>& ranges) const {
  for (const Range& range : operation_->ranges()) {
    if (range.size == 0) continue;
    ranges.push_back({range.begin, range.size, range.written, range.read});
  }
}

void OperationControl::append_peers(std::vector<int>& devices) const {
  const auto peers = operation_->peers();
  devices.insert(devices.end(), peers.begin(), peers.end());
}

std::optional<std::uint64_t> OperationControl::current() const {
  const sim::LockGuard guard(lock_);
  return run_;
}

void OperationControl::run_begins(std::uint64_t run) {
  std::vector<acl::Rendezvous> rendezvous;
  FlagUse use;
  if (watch::listener()) {
    for (Rendezvous& at : operation_->rendezvous(run)) {
      rendezvous.push_back({at.group, at.number, at.streams, at.own_key, std::move(at.other_keys)});
    }
    use = operation_->flag(run);
  }
  const sim::LockGuard guard(lock_);
  run_ = run;
  begun_ = false;
  rendezvous_ = std::move(rendezvous);
  flag_ = {use.flag, use.sets, use.crosses, use.key, use.second_key};
}

std::vector<acl::Rendezvous> OperationControl::rendezvous() const {
  const sim::LockGuard guard(lock_);
  return rendezvous_;
}

acl::FlagUse OperationControl::flag() const {
  const sim::LockGuard guard(lock_);
  return flag_;
}

std::string OperationControl::waits_for() const {
  const auto run = current();
  std::string others = run ? operation_->waits_for(*run) : std::string();
  return others.empty() ? LaunchedControl::waits_for() : others;
}

void OperationControl::tell_begin(sim::Stream& stream) {
  auto* const listener = watch::listener();
  if (!listener) return;
  {
    const sim::LockGuard guard(lock_);
    if (std::exchange(begun_, true)) return;
  }
  if (const sim::Op* const head = stream.head()) listener->operation_begins(stream, *head);
}

void OperationControl::end(std::uint64_t took) noexcept {
  const sim::LockGuard guard(lock_);
  run_.reset();
  if (took != 0) flag_.key = took;
}

// A run that has ended reports its end itself. A run of a launch that never began has not become
// the current one, but it is abandoned as well.
void OperationControl::run_over(std::uint64_t run) noexcept {
  {
    const sim::LockGuard guard(lock_);
    if (run_ == run) run_.reset();
  }
  operation_->dropped(run, {});
}

sim::Flow OperationControl::decide(sim::Stream& stream, bool) {
  std::optional<std::uint64_t> run = current();
  if (!run) {  // enqueued by a way that announces no runs
    run = operation_->enqueued();
    run_begins(*run);
  }
  tell_begin(stream);
  try {
    sim::Flow flow = decide(*run);
    if (const sim::Op* const op = stream.head()) tell_steps(stream, *op);
    return flow;
  } catch (const std::exception& error) {
    end();
    return sim::Flow::fail(make_failure(ACL_ERROR_RT_INTERNAL_ERROR, error.what()));
  }
}

bool OperationControl::prepare() {
  const std::optional<std::uint64_t> run = current();
  return run && operation_->prepare(*run);
}

void OperationControl::tell_steps(const sim::Stream& stream, const sim::Op& op) const {
  sim::Observer* const observer = stream.driver().observer();
  if (!observer) return;
  for (const Step& step : operation_->take_steps()) {
    observer->step_ended(stream, op,
                         {step.name, step.rank, step.bytes, step.start_ns, step.end_ns});
  }
}

sim::Flow OperationControl::decide(std::uint64_t run) {
  Next next = operation_->step(run);
  switch (next.kind) {
    case Next::Kind::wait:
      return sim::Flow::wait(static_cast<MachineSignal&>(*next.until).core(), next.timeout_ns,
                             next.looks);
    case Next::Kind::fail:
      end();
      return sim::Flow::fail(make_failure(next.error.code, std::move(next.error.text)));
    default:
      end(next.took);
      return sim::Flow::next();
  }
}

sim::Failure OperationControl::wait_failed(sim::Stream& stream, sim::Failure failure) {
  const auto run = current();
  if (run && failure.error == sim::Error::wait_timeout) {
    Error error = operation_->expired(*run, stream.driver().host_threads_behind(stream));
    if (!error) return {};
    end();
    return make_failure(error.code, std::move(error.text));
  }
  end();
  if (run) operation_->dropped(*run, {});
  return failure;
}

void OperationControl::dropped(sim::Stream&, sim::Failure why) {
  const auto run = current();
  end();
  if (!run) return;
  operation_->dropped(*run, why.fault != 0 ? Error{code_of(why), text_of(why)} : Error());
}

}  // namespace acl::embedding
