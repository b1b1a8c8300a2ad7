// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/callback_hub.h"

#include <pthread.h>

#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/watch/host_wait.h"

namespace acl {
namespace {

void close(sim::HostLane& lane) {
  const std::size_t dropped = lane.close_and_fail();
  if (dropped == 0) return;
  log(ACL_WARNING, fmt::format("{} callbacks had not been served when their thread was "
                               "unsubscribed: they are dropped",
                               dropped));
}

}  // namespace

sim::Ref<sim::HostLane> CallbackHub::subscribe(std::uint64_t thread_id, int device) {
  const sim::LockGuard guard(mutex_);
  auto it = servers_.find(thread_id);
  if (it == servers_.end()) {
    if (servers_.size() == kMaxThreads) {
      fail(ACL_ERROR_RT_INTERNAL_ERROR, "{} threads serve callbacks already, which is the limit",
           kMaxThreads);
    }
    it = servers_.emplace(thread_id, Server{sim::make_ref<sim::HostLane>(), device, 0}).first;
    it->second.lane->set_server(thread_id);
    changed_.notify_all();
  } else if (it->second.device != device) {
    fail(ACL_ERROR_RT_THREAD_SUBSCRIBE,
         "thread {} serves streams of device {}; expected a stream of that device, not of {}",
         thread_id, it->second.device, device);
  }
  ++it->second.streams;
  return it->second.lane;
}

void CallbackHub::unsubscribe(std::uint64_t thread_id) {
  sim::Ref<sim::HostLane> closed;
  {
    const sim::LockGuard guard(mutex_);
    const auto it = servers_.find(thread_id);
    if (it == servers_.end() || --it->second.streams != 0) return;
    closed = it->second.lane;
    servers_.erase(it);
  }
  close(*closed);
}

sim::Ref<sim::HostLane> CallbackHub::await_lane(std::uint64_t thread_id,
                                                const sim::Deadline& deadline) {
  sim::UniqueLock guard(mutex_);
  const auto subscribed = [&]() REQUIRES(mutex_) { return servers_.count(thread_id) != 0; };
  if (deadline.is_never()) {
    changed_.wait(guard, subscribed);
  } else if (!changed_.wait_until(guard, deadline.at(), subscribed)) {
    return {};
  }
  return servers_.at(thread_id).lane;
}

sim::Ref<sim::HostLane> CallbackHub::lane_of(std::uint64_t thread_id) const {
  const sim::LockGuard guard(mutex_);
  const auto it = servers_.find(thread_id);
  return it == servers_.end() ? sim::Ref<sim::HostLane>() : it->second.lane;
}

CallbackHub::Result CallbackHub::process(sim::Driver& driver, const sim::Deadline& deadline) {
  const auto self = static_cast<std::uint64_t>(pthread_self());
  driver.before_waiting(lane_of(self).get());
  const watch::HostWait wait(deadline);
  const sim::Ref<sim::HostLane> lane = await_lane(self, deadline);
  if (!lane) return Result::not_subscribed;
  for (;;) {
    switch (lane->serve(driver.stand_in_at(deadline))) {
      case sim::HostLane::Served::some:
        return Result::served;
      case sim::HostLane::Served::closed:
        return Result::not_subscribed;
      case sim::HostLane::Served::nothing:
        break;
    }
    if (deadline.passed()) return Result::nothing;
    if (!driver.stand_in()) return Result::no_thread;
  }
}

void CallbackHub::withdraw(sim::Stream& stream) {
  std::vector<sim::Ref<sim::HostLane>> lanes;  // dropped functions may call the hub
  {
    const sim::LockGuard guard(mutex_);
    for (const auto& [thread_id, server] : servers_) lanes.push_back(server.lane);
  }
  for (const auto& lane : lanes) stream.withdraw(*lane);
}

std::size_t CallbackHub::subscriptions() const {
  const sim::LockGuard guard(mutex_);
  std::size_t count = 0;
  for (const auto& [thread_id, server] : servers_) count += server.streams;
  return count;
}

void CallbackHub::clear() {
  std::unordered_map<std::uint64_t, Server> servers;
  {
    const sim::LockGuard guard(mutex_);
    servers.swap(servers_);
  }
  for (const auto& [thread_id, server] : servers) close(*server.lane);
}

}  // namespace acl
