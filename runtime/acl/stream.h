// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "device_sim/host_lane.h"
#include "device_sim/stream.h"
#include "runtime/acl/handle_table.h"

namespace acl {

class Context;
class Event;
class Runtime;
class Stream;

using StreamTable = HandleTable<Stream, HandleKind::stream>;

/// Who serves host functions of a stream: set by the subscribe calls.
struct Subscription {
  std::uint64_t thread_id = 0;
  sim::Ref<sim::HostLane> lane;  // null: not subscribed
};

/// An ACL stream: an order of tasks on one device, within one context.
class Stream : public sim::RefCounted<Stream>, public sim::Recycled<Stream> {
 public:
  struct Config {
    std::uint32_t priority = 0;
    std::uint32_t flags = 0;
  };
  Stream(Runtime& runtime, Context& context, Config config);
  ~Stream();

  Context& context() const noexcept { return context_; }
  int device() const noexcept { return device_; }
  std::uint32_t id() const noexcept { return id_; }
  std::uint32_t flags() const noexcept { return config_.flags; }
  /// True for streams that a model or the device drives: synchronise returns at once.
  bool never_synchronized() const noexcept;

  /// Enqueues; raises the context's error when it stopped on a failure. Returns the sequence number.
  std::uint64_t submit(sim::Op op);
  /// The machine's stream. Replaced by an abort; the old one lives as long as this object.
  sim::Stream& core() const noexcept { return *core_.load(std::memory_order_acquire); }
  std::uint64_t pending() const noexcept { return core().submitted() - core().retired(); }

  /// Waits for all that was enqueued so far; raises the task error of this stream.
  void synchronize(const sim::Deadline& deadline);
  void set_failure_mode(std::uint64_t mode);
  /// Drops what is queued and lets go of what runs.
  void abort();
  void stop();

  std::mutex& subscription_mutex() noexcept { return subscription_mutex_; }
  Subscription report;             // guarded by subscription_mutex
  Subscription host_func;          // guarded by subscription_mutex
  bool used_own_host_thread = false;  // guarded by subscription_mutex

 private:
  sim::Ref<sim::Stream> make_core();
  void replace_core();
  [[noreturn]] void raise(sim::Failure failure) const;

  Runtime& runtime_;
  Context& context_;  // outlives its streams
  const sim::Ref<Context> keep_context_;
  const int device_;
  const std::uint32_t id_;
  const Config config_;
  std::atomic<sim::Stream*> core_{nullptr};
  const sim::Ref<sim::Stream> first_core_;
  std::mutex later_cores_mutex_;
  std::vector<sim::Ref<sim::Stream>> later_cores_;  // one for each abort; the last one is in use
  std::atomic<bool> stopped_{false};
  std::atomic<bool> stop_on_failure_{false};
  std::mutex subscription_mutex_;
};

}  // namespace acl
