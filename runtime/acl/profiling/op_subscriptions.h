// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "acl/acl_prof.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/profiling/op_pipe.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

struct SubscribeConfig : sim::RefCounted<SubscribeConfig> {
  bool times = false;
  int fd = -1;
};

using SubscribeConfigTable = HandleTable<SubscribeConfig, HandleKind::profile_subscription>;

/// Subscriptions to the operators of a model: to each task that runs as part of the graph whose
/// programs carry that number, or to all tasks (ACLSIM_ALL_TASKS).
class OpSubscriptions final : public Section, public watch::Listener {
 public:
  explicit OpSubscriptions(Runtime& runtime) : runtime_(runtime) {}
  void reset() override;
  void at_exit() override { end_all(); }
  std::size_t live_handles() const override { return configs_.count(); }

  SubscribeConfigTable& configs() noexcept { return configs_; }

  bool any() const;
  /// Raises ACL_ERROR_PROF_REPEAT_SUBSCRIBE when the model is subscribed.
  void subscribe(std::uint32_t model, const SubscribeConfig& config);
  /// Sends what is left, and closes the program's descriptor unless another subscription uses it.
  /// Raises ACL_ERROR_INVALID_PARAM when the model is not subscribed.
  void unsubscribe(std::uint32_t model);

  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  struct Subscription {
    Subscription(bool t, int fd) : times(t), pipe(fd) {}
    const bool times;
    OpPipe pipe;
  };
  void tell(std::uint32_t model, const sim::Op& op, sim::Nanoseconds start, sim::Nanoseconds end);
  void end_all();

  Runtime& runtime_;
  SubscribeConfigTable configs_;
  sim::Mutex control_;  // held while the program subscribes or unsubscribes
  mutable sim::SharedMutex mutex_;
  // By model. Changes need both locks, so a reader needs one of them, which annotations cannot
  // state.
  std::map<std::uint32_t, std::unique_ptr<Subscription>> subscriptions_;
};

}  // namespace acl
