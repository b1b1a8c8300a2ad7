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

  /// Adds a stream on `device` to those that the thread serves; raises
  /// ACL_ERROR_RT_THREAD_SUBSCRIBE when it serves another device, ACL_ERROR_RT_INTERNAL_ERROR when
  /// there are too many threads.
  sim::Ref<sim::HostLane> subscribe(std::uint64_t thread_id, int device);
  /// With its last stream the thread goes, and what it has not run by then will not run: a stream
  /// that waits for such a callback goes on with a failed task.
  void unsubscribe(std::uint64_t thread_id);

  enum class Result { served, nothing, not_subscribed, no_thread };
  /// Runs the callbacks that are ready for the calling thread; waits for the first one, and for a
  /// subscription, up to the deadline.
  Result process(sim::Driver& driver, const sim::Deadline& deadline);

  /// What a stream that was given up has sent to any of the threads, and none has begun, will not
  /// run.
  void withdraw(sim::Stream& stream);

  std::size_t subscriptions() const;
  /// Forgets every thread; those that wait return.
  void clear();

 private:
  struct Server {
    sim::Ref<sim::HostLane> lane;
    int device = 0;
    std::size_t streams = 0;
  };
  sim::Ref<sim::HostLane> lane_of(std::uint64_t thread_id) const;
  sim::Ref<sim::HostLane> await_lane(std::uint64_t thread_id, const sim::Deadline& deadline);

  mutable sim::Mutex mutex_;
  sim::CondVar changed_;
  std::unordered_map<std::uint64_t, Server> servers_;
};

}  // namespace acl
