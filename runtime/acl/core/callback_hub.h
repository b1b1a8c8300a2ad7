// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "acl/acl_rt.h"
#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/host_lane.h"

namespace acl {

/// The host threads that serve callbacks, by the id that the program gave (what pthread_self says
/// in them). One hub for aclrtSubscribeReport, one for aclrtSubscribeHostFunc.
class CallbackHub {
 public:
  static constexpr std::size_t kMaxThreads = 1024;

  /// Makes the thread serve one more stream, on `device`. Raises ACL_ERROR_RT_THREAD_SUBSCRIBE when
  /// the thread serves another device, ACL_ERROR_RT_INTERNAL_ERROR when too many threads subscribe.
  sim::Ref<sim::HostLane> subscribe(std::uint64_t thread_id, int device);
  /// Removes a stream from the thread. With the last stream the thread is removed, and its pending
  /// callbacks do not run: a stream that waits for one of them continues with a failed task.
  void unsubscribe(std::uint64_t thread_id);

  enum class Result { served, nothing, not_subscribed, no_thread };
  /// Runs the callbacks that are ready for the calling thread; waits for the first one, and for a
  /// subscription, up to the deadline.
  Result process(sim::Driver& driver, const sim::Deadline& deadline);

  /// Drops the callbacks of an abandoned stream that no thread has begun.
  void withdraw(sim::Stream& stream);

  std::size_t subscriptions() const;
  /// Removes every thread; waiting threads return.
  void clear();

 private:
  struct Server {
    sim::Ref<sim::HostLane> lane;
    int device = 0;
    std::size_t streams = 0;
  };
  sim::Ref<sim::HostLane> lane_of(std::uint64_t thread_id) const EXCLUDES(mutex_);
  sim::Ref<sim::HostLane> await_lane(std::uint64_t thread_id, const sim::Deadline& deadline);

  mutable sim::Mutex mutex_;
  sim::CondVar changed_;
  std::unordered_map<std::uint64_t, Server> servers_ GUARDED_BY(mutex_);
};

}  // namespace acl
